import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib'
import type { Target } from './target.ts'

/** Response to a request. */
export interface Page {
  status: number
  type: string
  location: string | null
  body: Buffer
  /** True if the body is the beginning of a larger one. */
  isCut: boolean
}

export type RequestProblem = 'unreachable' | 'stopped' | 'encoding'

/** Maps a checked address to the one that is dialled; tests put their own server in its place. */
export type Dial = (address: string, port: number) => { host: string; port: number }

/** A page that people read is far smaller. */
const largest = 3 * 1024 * 1024

/**
 * Sends one GET to the address that was checked, and to no other. The name is used only in the
 * `Host` header and to check the certificate.
 * Redirects are not followed. Cookies, credentials and a referrer are not sent. If the body is over
 * 3 MB, only its beginning is kept.
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
        (whole) => {
          if (whole === 'encoding') return fail(whole)
          const { statusCode = 0, headers } = response
          resolve({
            ok: true,
            page: {
              status: statusCode,
              type: headers['content-type'] ?? '',
              location: headers.location === undefined ? null : inUtf8(headers.location),
              ...whole,
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

/** An address whose letters came as they are, which HTTP reads byte by byte. */
function inUtf8(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

async function read(response: IncomingMessage): Promise<Pick<Page, 'body' | 'isCut'> | 'encoding'> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    chunks.push(chunk)
    if (size > largest) break
  }
  const body = Buffer.concat(chunks).subarray(0, largest)
  const encoding = response.headers['content-encoding'] ?? ''
  const unfolded = decode(body, encoding.toLowerCase().split(',').reverse())
  if (unfolded === 'encoding') return unfolded
  return { body: unfolded.body, isCut: size > largest || unfolded.isCut || isPart(response) }
}

/** True for an answer of 206, which nobody asked for, that is not the whole. */
function isPart({ statusCode, headers }: IncomingMessage): boolean {
  const [, from, to, whole] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? []
  return statusCode === 206 && !(from === '0' && Number(to) + 1 === Number(whole))
}

type Unfolded = Pick<Page, 'body' | 'isCut'>

/** Bytes in a page that was folded again and again: more than any server does is refused. */
const foldsMost = 3

const gzipMark = Buffer.from([0x1f, 0x8b])

/**
 * Some servers compress what was asked for plainly, twice, or name an encoding that is none (C411).
 * A small body that unfolds into a huge one is refused.
 */
function decode(body: Buffer, encodings: readonly string[]): Unfolded | 'encoding' {
  try {
    let unfolded: Unfolded = { body, isCut: false }
    const named = encodings.map((encoding) => encoding.trim())
    for (const encoding of named.slice(0, foldsMost)) unfolded = unfold(unfolded, encoding)
    const wasGzip = named.some((encoding) => encoding.endsWith('gzip'))
    const isTwice = wasGzip && unfolded.body.subarray(0, 2).equals(gzipMark)
    return isTwice ? unfold(unfolded, 'gzip') : unfolded
  } catch {
    return 'encoding'
  }
}

/** Unfolds a body. One that breaks off is read as far as it goes. */
function unfold({ body, isCut }: Unfolded, encoding: string): Unfolded {
  const limit = { maxOutputLength: largest }
  try {
    return { body: inflated(body, encoding, limit), isCut }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR')) throw error
    const flushed = { maxOutputLength: largest, finishFlush: constants.Z_SYNC_FLUSH }
    return { body: inflated(body, encoding, flushed), isCut: true }
  }
}

function inflated(body: Buffer, encoding: string, limit: ZlibOptions): Buffer {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      // What is not folded although it says so.
      return body.subarray(0, 2).equals(gzipMark) ? gunzipSync(body, limit) : body
    case 'deflate':
      // By its standard with a head; some servers leave it out.
      return ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
        ? inflateSync(body, limit)
        : inflateRawSync(body, limit)
    case 'br':
      return brotliDecompressSync(body, { maxOutputLength: largest })
    case 'zstd':
      return zstdDecompressSync(body, { maxOutputLength: largest })
    case 'compress':
    case 'dcb':
    case 'dcz':
      throw new Error('an encoding that nobody asked for')
    default:
      // No encoding of this kind: servers put charsets here, or "none".
      return body
  }
}
