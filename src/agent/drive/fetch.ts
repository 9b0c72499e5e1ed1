import { texts } from '../../locales/texts.ts'
import { within } from '../deadline.ts'
import { cleanText } from '../domain/clean-text.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { FetchWebInput } from '../run-types.ts'
import { toolContext } from './calls.ts'
import { endWith } from './finish.ts'
import type { Session } from './session.ts'

/** Run type `fetch_web`: the readable text of one page, by the tool of that name; without the tool it says so. */
export async function driveFetch(session: Session): Promise<Rest> {
  const { run, deps, signal } = session
  const { url } = FetchWebInput.parse(run.input)
  const { locale } = await session.surroundings()
  const tool = deps.toolbox.get('fetch_web', { source: 'unattended' })
  const { fetch } = texts(locale)
  if (tool === null) return await endWith(session, { status: 'failed', text: fetch.turnedOff })
  const context = await toolContext(session, run.id)
  const result = await within(deps.clock, deps.toolTimeoutMs, signal, (stop) =>
    tool.run(url, { ...context, signal: stop }),
  )
  if (signal.aborted) return rest
  const { ok, text } = result ?? { ok: false, text: fetch.problems.timed_out() }
  return await endWith(session, { status: ok ? 'succeeded' : 'failed', text: cleanText(text) })
}
