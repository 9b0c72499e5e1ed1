import { texts } from '../../locales/texts.ts'
import type { Rest } from '../kernel/lease.ts'
import { SleepInput } from '../run-types.ts'
import { endWith } from './finish.ts'
import { notYet, type Session } from './session.ts'

/** Run type `sleep`: no worker is held while it waits; the row says until when. */
export async function driveSleep(session: Session): Promise<Rest> {
  const { run, deps } = session
  if (run.status === 'queued') return notYet(session)
  const { seconds } = SleepInput.parse(run.input)
  const until = (run.startedAt ?? run.createdAt) + seconds * 1000
  if (deps.clock.now() < until) return { kind: 'park', until }
  const { core } = texts((await session.surroundings()).locale)
  return await endWith(session, { status: 'succeeded', text: core.slept(core.duration(seconds)) })
}
