import { Readable } from 'node:stream'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { changedLines, fetchReadable, isEvents, readableMessage } from './wire.ts'

/** Name in `_meta` of the call that a message belongs to. */
export const callMark = 'clew/call'

/** Returns the call that a server's request names; `null`: none. */
export function markIn(meta: unknown): string | null {
  const mark = isRecord(meta) ? meta[callMark] : null
  return typeof mark === 'string' ? mark : null
}

/**
 * Code of an error in place of an answer that a stream owes: what became of the call is not known.
 */
export const answerLost = -32_099

/**
 * Fetches a response and marks what the server asks in it with the call that it answers: over HTTP
 * the stream tells, whereas the message does not (S88). What answers a request gets its id, whatever
 * id it has (C993), and a stream that ends without an answer of a call says so (C972): the SDK would
 * wait for ever.
 */
export async function fetchMarked(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchReadable(url, init)
  const call = callIn(init?.body)
  const { status, headers, body } = response
  if (call === null || body === null || !response.ok) return response
  if (isEvents(headers)) return new Response(markedStream(body, call), { status, headers })
  const text = await response.text()
  const message = jsonIn(text)
  const answer = isRecord(message) ? JSON.stringify(answering(message, call)) : text
  return new Response(answer, { status, headers })
}

/** Request of Clew, and the mark of its call; `null`: it is none of a call. */
interface Call {
  id: unknown
  mark: string | null
}

function callIn(body: unknown): Call | null {
  const message = typeof body === 'string' ? jsonIn(body) : undefined
  if (!isRecord(message) || message.id === undefined || message.method === undefined) return null
  return { id: message.id, mark: isRecord(message.params) ? markIn(message.params._meta) : null }
}

/** The message with the request that it belongs to: some do not say whose answer it is. */
function answering(message: Record<string, unknown>, { id, mark }: Call): Record<string, unknown> {
  if (typeof message.method !== 'string') {
    const isAnswer = 'result' in message || (message.error ?? null) !== null
    const answer = isAnswer ? readableMessage({ ...message, id }) : message
    return isRecord(answer) ? answer : message
  }
  if (message.id === undefined || mark === null) return message
  const params = isRecord(message.params) ? message.params : {}
  const meta = isRecord(params._meta) ? params._meta : {}
  return { ...message, params: { ...params, _meta: { ...meta, [callMark]: mark } } }
}

function markedStream(body: NonNullable<Response['body']>, call: Call) {
  let isOwed = call.mark !== null
  const change = (line: string) => {
    // A stream whose events have names is taken up again by the SDK.
    if (/^id: ?\S/.test(line)) isOwed = false
    const message = line.startsWith('data:') ? jsonIn(line.slice('data:'.length)) : undefined
    if (!isRecord(message)) return line
    const marked = answering(message, call)
    if (marked.method === undefined) isOwed = false
    return `data: ${JSON.stringify(marked)}`
  }
  const error = { code: answerLost, message: 'the stream ended without an answer' }
  const lost = `data: ${JSON.stringify({ jsonrpc: '2.0', id: call.id, error })}\n\n`
  return changedLines(untilBroken(body), change, () => (isOwed ? lost : ''))
}

/** The stream, whose end is also where it breaks off. */
const untilBroken = (body: NonNullable<Response['body']>): typeof body =>
  Readable.toWeb(Readable.from(wholePieces(body), { objectMode: false })) as unknown as typeof body

async function* wholePieces(body: NonNullable<Response['body']>) {
  try {
    yield* body
  } catch {
    // What is missing is told at the end.
  }
}
