import { expect, it } from 'vitest'
import { createQueues } from '../../../src/adapters/discord/queues.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { silent } from '../../support/silent.ts'

it('a channel that is behind is read again once in half a minute, however much came in meanwhile (P4)', async () => {
  const clock = createManualClock()
  let reads = 0
  const fail = async () => {
    reads += 1
    throw new Error('the store is away')
  }
  const queues = createQueues({ clock, log: silent }, new AbortController().signal, fail)
  for (let message = 0; message < 20; message++) queues.enqueue('c', fail)
  await queues.idle()
  reads = 0
  await clock.advance(10 * 60_000)
  expect(reads).toBe(20)
})
