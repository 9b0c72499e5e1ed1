import { fetch as fetchAt } from 'undici'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { patientConnections } from '../../agent/patient-connections.ts'

/**
 * Repairs a server's message so that the SDK accepts it. The SDK drops invalid messages, and the
 * call would never end (C365). `null` counts as absent, unknown members are dropped, and a result
 * that is not an object becomes the content of one.
 */
export function readableMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(readableMessage)
  if (!isRecord(message)) return message
  const { id = null, method, params, result, error = null } = message
  const head = { jsonrpc: '2.0', ...(id !== null && { id }) }
  if (typeof method === 'string')
    return { ...head, method, ...(isRecord(params) && { params: withMeta(params) }) }
  if (id === null || !('result' in message || 'error' in message)) return message
  if (error !== null) return { ...head, error: readableError(error) }
  return { ...head, result: readableResult(result ?? {}) }
}

/** Capabilities of a server that Clew uses where they are declared. */
const reads = ['resources', 'prompts']

function readableResult(result: unknown): Record<string, unknown> {
  if (!isRecord(result)) return { content: result }
  if (typeof result.protocolVersion !== 'string') return withMeta(result)
  // The rest of the handshake is not used, so its faults do not matter.
  const { capabilities } = result
  const declared = isRecord(capabilities) ? Object.entries(capabilities) : []
  const used = declared.filter(
    ([name, value]) => reads.includes(name) && (value ?? false) !== false,
  )
  return {
    protocolVersion: result.protocolVersion,
    capabilities: Object.fromEntries([['tools', {}], ...used.map(([name]) => [name, {}])]),
    serverInfo: { name: 'server', version: '0' },
  }
}

const withMeta = ({ _meta, ...rest }: Record<string, unknown>) =>
  isRecord(_meta) ? { ...rest, _meta } : rest

const internalError = -32603

function readableError(error: unknown) {
  const { code, message, data } = isRecord(error) ? error : { message: error }
  return {
    code: Number.isInteger(Number(code ?? Number.NaN)) ? Number(code) : internalError,
    message: typeof message === 'string' ? message : JSON.stringify(message ?? error),
    ...(data !== undefined && { data }),
  }
}

/**
 * Fetches a response and repairs every message in it, whether it arrives whole or as an event
 * stream. A call may take as long as it needs, and a stream may be silent (C973): `fetch` itself
 * gives up after five minutes.
 */
export async function fetchReadable(url: string | URL, init?: RequestInit): Promise<Response> {
  const asked = { ...init, dispatcher: patientConnections } as Parameters<typeof fetchAt>[1]
  const response = (await fetchAt(url, asked)) as unknown as Response
  const { status, headers, body } = response
  if (!response.ok || body === null) return response
  if (isEvents(headers)) return new Response(changedLines(body, readableLine), { status, headers })
  const text = await response.text()
  const message = jsonIn(text)
  // Servers and what stands before them call JSON by other names, too (C972).
  if (typeof message !== 'object') return new Response(text || null, { status, headers })
  const named = new Headers([...headers])
  named.set('content-type', 'application/json')
  return new Response(JSON.stringify(readableMessage(message)), { status, headers: named })
}

export const isEvents = (headers: Headers) =>
  /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/**
 * Changes a stream of text line by line; the end of it that is no line is one.
 *
 * @param last returns what follows the end.
 */
export function changedLines(
  body: NonNullable<Response['body']>,
  change: (line: string) => string,
  last: () => string = () => '',
) {
  let rest = ''
  const lines = new TransformStream<string, string>({
    transform(chunk, controller) {
      const whole = `${rest}${chunk}`.split('\n')
      rest = whole.pop() ?? ''
      for (const line of whole) controller.enqueue(`${change(line)}\n`)
    },
    flush(controller) {
      controller.enqueue(`${rest === '' ? '' : change(rest)}\n\n${last()}`)
    },
  })
  return body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(lines)
    .pipeThrough(new TextEncoderStream())
}

/**
 * Repairs an event of one line, as messages are written; anything else stays as it is. The SDK
 * passes over events with names of their own (C993).
 */
function readableLine(line: string): string {
  if (/^event:(?! ?endpoint\b)[^\r]*\r?$/.test(line)) return 'event: message'
  const message = /^data:/.test(line) ? jsonIn(line.slice('data:'.length)) : undefined
  return message === undefined ? line : `data: ${JSON.stringify(readableMessage(message))}`
}
