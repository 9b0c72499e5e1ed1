import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { within } from '../../src/agent/deadline.ts'
import { createManualClock } from '../fakes/clock.ts'

const never = new AbortController().signal
const aborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) =>
    signal.addEventListener('abort', () => resolve('stopped'), { once: true }),
  )

it('answers what the work answers', async () => {
  expect(await within(createManualClock(), 1_000, never, async () => 'done')).toBe('done')
})

it('lets work that is told to stop have the last word (C36)', async () => {
  const clock = createManualClock()
  const answer = within(clock, 1_000, never, aborted)
  await clock.advance(1_000)
  expect(await answer).toBe('stopped')
})

it('does not wait for work that does not stop (C36)', async () => {
  const clock = createManualClock()
  const answer = within(clock, 1_000, never, () => new Promise<string>(() => {}))
  await clock.advance(2_000)
  expect(await answer).toBeNull()
})

it('hands on a stop from outside at once (R104)', async () => {
  const outside = new AbortController()
  const answer = within(createManualClock(), 1_000, outside.signal, aborted)
  outside.abort()
  expect(await answer).toBe('stopped')
})

it('throws what the work throws', async () => {
  await expect(
    within(createManualClock(), 1_000, never, () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken')
})

it('keeps nothing of work that left a listener on its signal', async () => {
  const known: WeakRef<object>[] = []
  for (let n = 0; n < 10; n++)
    await within(createManualClock(), 1_000, never, async (signal) => {
      const knowing = { n }
      known.push(new WeakRef(knowing))
      signal.addEventListener('abort', () => void knowing.n)
    })
  // What a reference was made to in a turn of the loop is kept until that is over.
  await wait(0)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(known.filter((one) => one.deref() !== undefined)).toEqual([])
})
