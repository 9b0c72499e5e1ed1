import { expect, it } from 'vitest'
import { within } from '../../src/agent/deadline.ts'
import { createManualClock } from '../fakes/clock.ts'

const never = new AbortController().signal
const aborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped'), { once: true }))

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
  await expect(within(createManualClock(), 1_000, never, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
})
