import { z } from 'zod'
import { texts } from '../../../locales/texts.ts'
import { within } from '../../deadline.ts'
import { cleanText } from '../../domain/clean-text.ts'
import { type Rest, rest } from '../../kernel/lease.ts'
import { toolContext } from '../calls.ts'
import { endWith } from '../finish.ts'
import type { DrivenType, Session } from '../session.ts'

const FetchWebInput = z.object({ url: z.string().trim().min(1).max(2_048) })

export const fetchType: DrivenType = {
  type: 'fetch_web',
  description: 'Get one public web page and show its readable text. Input: {"url": string}.',
  input: FetchWebInput,
  drive,
}

/** Run type `fetch_web`: the readable text of one page, by the tool of that name; without the tool it says so. */
async function drive(session: Session): Promise<Rest> {
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
