import {
  globalAgent,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'

/** An idle connection is kept for so long, in milliseconds, unless the server says less; as `fetch` does. */
const idleMs = 4_000
/** As many connections may be idle; Node's own 256 closes and opens them all the time where 1,000 tasks go on. */
const freeMost = 2_000
/** A connection that has not come about by then is given up, in milliseconds; as `fetch` does. */
const connectMs = 10_000

// Proxies are the global agent's: it has them where the process was told to use them (NODE_USE_ENV_PROXY).
const shared =
  'options' in globalAgent && typeof globalAgent.options === 'object' ? globalAgent.options : {}
const kept = { ...shared, keepAlive: true, maxFreeSockets: freeMost, timeout: idleMs }
const ways = {
  'http:': { request: httpRequest, agent: new HttpAgent(kept), connected: 'connect' },
  'https:': { request: httpsRequest, agent: new HttpsAgent(kept), connected: 'secureConnect' },
} as const
type Scheme = (typeof ways)[keyof typeof ways]

/**
 * `fetch` for requests to models, over Node's own HTTP: `fetch` and its streams took a quarter of a call's processor time
 * (C216). It keeps connections; TLS is Node's own, so that NODE_EXTRA_CA_CERTS counts. Only a plain POST is made here:
 * everything else goes to `fetch`, and what is redirected too, as a server that redirects has done nothing yet.
 */
export const leanFetch: typeof fetch = async (input, init = {}) => {
  const { method, body, signal, headers } = init
  const url = typeof input === 'string' && URL.canParse(input) ? new URL(input) : null
  const way = url?.protocol === 'https:' || url?.protocol === 'http:' ? ways[url.protocol] : null
  if (url === null || way === null || method?.toUpperCase() !== 'POST' || typeof body !== 'string')
    return await fetch(input, init)
  const given = headers instanceof Headers ? headers : new Headers(headers)
  const answer = await post(way, url, { headers: given, body, signal: signal ?? null })
  if (answer.headers.location === undefined || !redirects.includes(answer.statusCode ?? 0))
    return await read(answer)
  answer.destroy()
  return await fetch(input, init)
}

const redirects: readonly number[] = [301, 302, 303, 307, 308]

interface Plain {
  headers: Headers
  body: string
  signal: AbortSignal | null
}

function post(
  { request, agent, connected }: Scheme,
  url: URL,
  plain: Plain,
): Promise<IncomingMessage> {
  const { headers, body, signal } = plain
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: {
        ...Object.fromEntries(headers),
        'accept-encoding': 'identity',
        'content-length': Buffer.byteLength(body),
      },
      ...(signal !== null && { signal }),
    })
    sent.once('response', resolve)
    sent.on('error', reject)
    sent.once('socket', (socket) => {
      if (!socket.connecting) return
      const late = Object.assign(new Error('Connect Timeout Error'), {
        code: 'UND_ERR_CONNECT_TIMEOUT',
      })
      const timer = setTimeout(() => sent.destroy(late), connectMs)
      socket.once(connected, () => clearTimeout(timer))
      sent.once('close', () => clearTimeout(timer))
    })
    sent.end(body)
  })
}

/** @throws when an answer of one piece breaks off before its end; a stream breaks off by itself. */
async function read(answer: IncomingMessage): Promise<Response> {
  const { statusCode = 0, rawHeaders } = answer
  const headers = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
  )
  const how = { status: statusCode, headers }
  const content = decoded(answer)
  if (answer.headers['content-type']?.includes('text/event-stream'))
    return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, how)
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  const text = async () => new TextDecoder().decode(Buffer.concat(chunks))
  const json = async () => JSON.parse(await text())
  // The body of a `Response` is a stream, which costs as much as the rest of it. Hono puts a `Response` of its own in place of Node's,
  // whose methods cannot be assigned.
  return Object.defineProperties(new Response(null, how), {
    text: { value: text },
    json: { value: json },
  })
}

/** Some servers compress what was asked for as it is. */
function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return answer
  return pipeline(answer, encoding === 'br' ? createBrotliDecompress() : createUnzip(), () => {})
}
