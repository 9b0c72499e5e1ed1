import { z } from 'zod'
import { texts } from '../../../locales/texts.ts'
import type { Rest } from '../../kernel/lease.ts'
import { endWith } from '../finish.ts'
import { type DrivenType, notYet, type Session } from '../session.ts'

/** Up to 30 days; longer waits are schedules. */
const SleepInput = z.object({
  seconds: z
    .number()
    .positive()
    .max(30 * 24 * 60 * 60),
})

export const sleepType: DrivenType = {
  type: 'sleep',
  description: 'Wait, then say that the time is up. Input: {"seconds": number}.',
  input: SleepInput,
  drive,
}

/** Run type `sleep`: no worker is held while it waits; the row says until when. */
async function drive(session: Session): Promise<Rest> {
  const { run, deps } = session
  if (run.status === 'queued') return notYet(session)
  const { seconds } = SleepInput.parse(run.input)
  const until = (run.startedAt ?? run.createdAt) + seconds * 1000
  if (deps.clock.now() < until) return { kind: 'park', until }
  const { core } = texts((await session.surroundings()).locale)
  return await endWith(session, { status: 'succeeded', text: core.slept(core.duration(seconds)) })
}
