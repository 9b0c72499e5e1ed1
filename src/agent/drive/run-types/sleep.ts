import { z } from 'zod'
import { done, onePiece } from '../one-piece.ts'

/** Up to 30 days; longer waits are schedules. */
const SleepInput = z.object({
  seconds: z
    .number()
    .positive()
    .max(30 * 24 * 60 * 60),
})

/** No worker is held while it waits; the row says until when. */
export const sleepType = onePiece({
  type: 'sleep',
  description: 'Wait, then say that the time is up. Input: {"seconds": number}.',
  input: SleepInput,
  async run({ seconds }, { run, deps }, { core }) {
    const until = (run.startedAt ?? run.createdAt) + seconds * 1000
    if (deps.clock.now() < until) return { kind: 'wait', until }
    return done(true, core.slept(core.duration(seconds)))
  },
})
