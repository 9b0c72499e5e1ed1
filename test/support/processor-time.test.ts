import { expect, it } from 'vitest'
import { deadline } from './processor-time.ts'

it('a deadline is missed by who only waits', async () => {
  const began = performance.now()
  await new Promise<void>((missed) => deadline(50, missed))
  expect(performance.now() - began).toBeGreaterThanOrEqual(49)
})

it('a deadline is as much later as other programs took, and no more', async () => {
  const looks: number[] = []
  const passed = [10, 48, 50]
  await new Promise<void>((missed) =>
    deadline(50, missed, () => {
      looks.push(passed[looks.length] ?? 0)
      return looks.at(-1) ?? 0
    }),
  )
  expect(looks).toEqual([10, 48, 50])
})

it('a deadline that was called off is missed by nobody', async () => {
  let isMissed = false
  deadline(10, () => {
    isMissed = true
  })()
  await new Promise<void>((missed) => deadline(30, missed))
  expect(isMissed).toBe(false)
})
