import { texts } from '../../locales/texts.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { SleepInput } from '../run-types.ts'
import { settleEnd } from './outcome.ts'
import { notYet, type Session } from './session.ts'

/** Run type `sleep`: no worker is held while it waits; the row says until when. */
export async function driveSleep(session: Session): Promise<Rest> {
  const { run, deps } = session
  if (run.status === 'queued') return notYet(session)
  const { seconds } = SleepInput.parse(run.input)
  const until = (run.startedAt ?? run.createdAt) + seconds * 1000
  if (deps.clock.now() < until) return { kind: 'park', until }
  for (;;) {
    const place = await session.place()
    const { core } = texts((await session.surroundings()).locale)
    const change = await settleEnd(session, place, { status: 'succeeded', text: core.slept(core.duration(seconds)) })
    if ((await session.commit(change)) === 'committed') return rest
  }
}
