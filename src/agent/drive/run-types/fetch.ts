import { z } from 'zod'
import { within } from '../../deadline.ts'
import { toolContext } from '../calls.ts'
import { done, onePiece } from '../one-piece.ts'

const FetchWebInput = z.object({ url: z.string().trim().min(1).max(2_048) })

/** The readable text of one page, by the tool of that name; without the tool it says so. */
export const fetchType = onePiece({
  type: 'fetch_web',
  description: 'Get one public web page and show its readable text. Input: {"url": string}.',
  input: FetchWebInput,
  async run({ url }, session, { fetch }) {
    const { run, deps, signal } = session
    const tool = deps.toolbox.get('fetch_web', {
      source: 'unattended',
      channel: run.channel,
    })
    if (tool === null) return done(false, fetch.turnedOff)
    const context = await toolContext(session, run.id)
    const result = await within(deps.clock, deps.toolTimeoutMs, signal, (stop) =>
      tool.run(url, { ...context, signal: stop }),
    )
    return result === null ? done(false, fetch.problems.timed_out) : done(result.ok, result.text)
  },
})
