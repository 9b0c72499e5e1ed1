import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
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
  const content = decoded(answer)
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

/** Some servers compress what was asked for as it is. */
function decoded({ headers, body }: Dispatcher.ResponseData): Readable {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return body
  return pipeline(body, encoding === 'br' ? createBrotliDecompress() : createUnzip(), () => {})
}
