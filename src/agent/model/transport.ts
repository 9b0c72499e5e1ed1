import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { type Dispatcher, interceptors, request } from 'undici'
import { patientConnections } from '../patient-connections.ts'

const dispatcher = patientConnections.compose(interceptors.redirect({ maxRedirections: 20 }))

/**
 * `fetch` for requests to models, over undici's `request`: `fetch` and its streams took a quarter
 * of a call's processor time (C216). Only a POST of a text is made here; everything else goes to
 * `fetch`.
 *
 * @throws when an answer of one piece breaks off before its end; a stream breaks off by itself.
 */
export const leanFetch: typeof fetch = async (input, init = {}) => {
  const { method, body, signal = null } = init
  if (typeof input !== 'string' || method?.toUpperCase() !== 'POST' || typeof body !== 'string')
    return await fetch(input, init)
  const answer = await request(input, {
    method: 'POST',
    headers: { ...plain(init.headers), 'accept-encoding': 'identity' },
    body,
    signal,
    dispatcher,
  })
  const { statusCode: status } = answer
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const content = await decoded(answer)
  if (answer.headers['content-type']?.includes('text/event-stream'))
    return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, { status, headers })
  const said = await (content === answer.body ? answer.body.text() : text(content))
  const read = { text: async () => said, json: async () => JSON.parse(said) }
  if (status >= 200 && status < 300) {
    // As much of a `Response` as the `openai` client reads of a good one: to make a whole one takes
    // as long as the rest of a call.
    const good = { ok: true, status, headers: new Map(headers), body: null, ...read }
    return good as unknown as Response
  }
  // Hono puts a `Response` of its own in place of Node's, whose methods cannot be assigned.
  return Object.defineProperties(new Response(null, { status, headers }), {
    text: { value: read.text },
    json: { value: read.json },
  })
}

const plain = (headers: HeadersInit | undefined) =>
  Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers))

/** Some servers compress what was asked for as it is, and name it as they like (C992). */
async function decoded({ headers, body }: Dispatcher.ResponseData): Promise<Readable> {
  const named = String(headers['content-encoding'] ?? '').toLowerCase()
  let content: Readable = body
  for (const encoding of named.split(',').reverse())
    if (/^(?:x-)?gzip$|^deflate$|^br$|^zstd$/.test(encoding.trim()))
      content = await unfolded(content, encoding.trim())
  return content
}

/** Content without one encoding, as its first bytes show it: what is named so may be plain. */
async function unfolded(content: Readable, encoding: string): Promise<Readable> {
  const chunks: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
  const { value: first = Buffer.alloc(0), done } = await chunks.next()
  const whole = Readable.from(rejoined(done ? [] : [first], chunks), { objectMode: false })
  const unfold = unfolderOf(first, encoding)
  return unfold === null ? whole : pipeline(whole, unfold, () => {})
}

async function* rejoined(begin: readonly Buffer[], rest: AsyncIterator<Buffer>) {
  yield* begin
  yield* { [Symbol.asyncIterator]: () => rest }
}

function unfolderOf(first: Buffer, encoding: string) {
  const [a = 0, b = 0] = first
  if (encoding === 'br') return createBrotliDecompress()
  if (encoding === 'zstd') return a === 0x28 && b === 0xb5 ? createZstdDecompress() : null
  if (a === 0x1f && b === 0x8b) return createGunzip()
  if (encoding !== 'deflate') return null
  return (a & 0x0f) === 8 && (a * 256 + b) % 31 === 0 ? createInflate() : createInflateRaw()
}
