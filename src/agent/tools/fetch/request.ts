import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Target } from './target.ts'

/** What came back. */
export interface Page {
  status: number
  type: string
  location: string | null
  body: Buffer
}

export type RequestProblem = 'unreachable' | 'too_large' | 'stopped' | 'encoding'

/** How a connection is made to an address that was checked; tests put their own server in its place. */
export type Dial = (address: string, port: number) => { host: string; port: number }

/** A page that people read is far smaller. */
const largest = 3 * 1024 * 1024

/**
 * One GET to the address that was checked, and to no other: the name goes into the `Host` header and the certificate's
 * check only. Nothing is followed, no cookie, no credential and no referrer is sent, and the body is cut off at 3 MB.
 */
export function get(
  { url, hostname, port }: Target,
  address: string,
  { dial, signal }: { dial: Dial; signal: AbortSignal },
): Promise<{ ok: true; page: Page } | { ok: false; problem: RequestProblem }> {
  return new Promise((resolve) => {
    const secure = url.protocol === 'https:'
    const options: RequestOptions & { servername?: string } = {
      ...dial(address, port),
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      agent: false,
      signal,
      // Never a second look at the name: what was checked is what is asked.
      lookup: () => {
        throw new Error('the address is known')
      },
      headers: {
        host: url.host,
        accept:
          'text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.8,application/pdf;q=0.7',
        'accept-encoding': 'identity',
        'user-agent': 'Clew',
      },
      ...(secure && isIP(hostname) === 0 ? { servername: hostname } : {}),
    }
    const fail = (problem: RequestProblem) =>
      resolve({ ok: false, problem: signal.aborted ? 'stopped' : problem })
    const call = (secure ? httpsRequest : httpRequest)(options, (response) => {
      read(response).then(
        (body) => {
          if (typeof body === 'string') return fail(body)
          const { statusCode = 0, headers } = response
          resolve({
            ok: true,
            page: {
              status: statusCode,
              type: headers['content-type'] ?? '',
              location: headers.location ?? null,
              body,
            },
          })
        },
        () => fail('unreachable'),
      )
    })
    call.on('error', () => fail('unreachable'))
    call.end()
  })
}

async function read(response: IncomingMessage): Promise<Buffer | 'too_large' | 'encoding'> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > largest) {
      response.destroy()
      return 'too_large'
    }
    chunks.push(chunk)
  }
  return decode(Buffer.concat(chunks), response.headers['content-encoding'] ?? 'identity')
}

/** Some servers compress what was asked for plainly. A small body that unfolds into a huge one is refused. */
function decode(body: Buffer, encoding: string): Buffer | 'encoding' {
  const limit = { maxOutputLength: largest }
  try {
    switch (encoding.trim().toLowerCase()) {
      case 'identity':
      case '':
        return body
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, limit)
      case 'deflate':
        return inflateSync(body, limit)
      case 'br':
        return brotliDecompressSync(body, limit)
      default:
        // The server's words.
        return 'encoding'
    }
  } catch {
    return 'encoding'
  }
}
