import { isRecord } from '../../agent/contracts/forgiving.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { changedLines, fetchReadable } from './wire.ts'

/** Name in `_meta` of the call that a message belongs to. */
export const callMark = 'clew/call'

/** Returns the call that a server's request names; `null`: none. */
export function markIn(meta: unknown): string | null {
  const mark = isRecord(meta) ? meta[callMark] : null
  return typeof mark === 'string' ? mark : null
}

/**
 * Fetches a response and marks what the server asks in it with the call that it answers: over HTTP
 * the stream tells, whereas the message does not (S88).
 */
export async function fetchMarked(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchReadable(url, init)
  const mark = markOf(init?.body)
  const { status, headers, body } = response
  const isStream = /^text\/event-stream/i.test(headers.get('content-type') ?? '')
  if (mark === null || body === null || !isStream) return response
  const marked = changedLines(body, (line) => markedLine(line, mark))
  return new Response(marked, { status, headers })
}

function markOf(body: unknown): string | null {
  const message = typeof body === 'string' ? jsonIn(body) : undefined
  if (!isRecord(message) || !isRecord(message.params)) return null
  return markIn(message.params._meta)
}

function markedLine(line: string, mark: string): string {
  const message = line.startsWith('data:') ? jsonIn(line.slice('data:'.length)) : undefined
  if (!isRecord(message) || typeof message.method !== 'string' || message.id === undefined)
    return line
  const params = isRecord(message.params) ? message.params : {}
  const meta = isRecord(params._meta) ? params._meta : {}
  const marked = { ...params, _meta: { ...meta, [callMark]: mark } }
  return `data: ${JSON.stringify({ ...message, params: marked })}`
}
