import { isIP } from 'node:net'
import type { DocumentProblem, Readable } from '../../domain/document.ts'
import { headBytes } from '../../domain/text-bytes.ts'
import type { Documents } from '../../ports/documents.ts'
import { isPublicAddress } from './address.ts'
import { isHtmlPage, readableOf } from './readable.ts'
import { type Dial, get, type Page, type RequestProblem } from './request.ts'
import { type Target, type TargetProblem, targetOf } from './target.ts'

/** Access to the internet. */
export interface FetchDeps {
  /** Every address of a name. Throws when there is none. */
  resolve(hostname: string): Promise<readonly string[]>
  dial?: Dial
  timeoutMs?: number
}

export type FetchProblem =
  | {
      code:
        | TargetProblem
        | RequestProblem
        | 'not_found'
        | 'not_public'
        | 'too_many_redirects'
        | 'timed_out'
        | 'no_text'
        | 'too_large'
    }
  | { code: 'status'; status: number }
  | { code: 'document'; problem: DocumentProblem; encoding?: string | undefined }

export type Fetched =
  | { ok: true; url: string; readable: Readable; isCut: boolean }
  | { ok: false; problem: FetchProblem }

const redirectsMost = 3
const timeoutMost = 15_000

/**
 * Gets a page of the public internet (S3). A name is resolved once and the request goes to the
 * address that was checked, so a name that answers differently the next time changes nothing; each
 * of at most three redirects, one of which a page may ask for itself, is a new address that is
 * checked in the same way; all of it has 15 s. What came is read through the port for documents, in
 * a time of its own (S13).
 *
 * Contract: never throws; no connection is made to an address that is not public.
 */
export async function fetchPage(
  text: string,
  deps: FetchDeps & { documents: Documents },
  signal: AbortSignal,
): Promise<Fetched> {
  const deadline = AbortSignal.timeout(deps.timeoutMs ?? timeoutMost)
  const both = AbortSignal.any([signal, deadline])
  const fail = (problem: FetchProblem): Fetched => ({
    ok: false,
    problem: deadline.aborted ? { code: 'timed_out' } : problem,
  })
  let next = text
  let mayRefresh = true
  for (let redirects = 0; redirects <= redirectsMost; redirects += 1) {
    const read = targetOf(next)
    if (!read.ok) return fail({ code: read.problem })
    const address = await checked(read.target, deps, both)
    if (address === null) return fail({ code: 'not_found' })
    if (address === 'not_public') return fail({ code: 'not_public' })
    const answer = await get(read.target, address, { dial: deps.dial ?? direct, signal: both })
    if (!answer.ok) return fail({ code: answer.problem })
    const { page } = answer
    const refresh: string | null = mayRefresh ? refreshOf(page, read.target) : null
    mayRefresh &&= refresh === null
    const target = redirectOf(page, read.target) ?? refresh
    if (target === null)
      return await pageOf(page, { url: read.target.url, documents: deps.documents, signal })
    next = target
  }
  return fail({ code: 'too_many_redirects' })
}

const direct: Dial = (address, port) => ({ host: address, port })

/**
 * The one address to connect to. One that is not public among several makes the name untrustworthy
 * as a whole.
 */
async function checked(
  { hostname }: Target,
  { resolve }: FetchDeps,
  signal: AbortSignal,
): Promise<string | 'not_public' | null> {
  if (isIP(hostname) !== 0) return isPublicAddress(hostname) ? hostname : 'not_public'
  const stopped = new Promise<readonly string[]>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
  })
  try {
    const addresses = await Promise.race([resolve(hostname), stopped])
    const [first] = addresses
    if (first === undefined) return null
    return addresses.every(isPublicAddress) ? first : 'not_public'
  } catch {
    return null
  }
}

function redirectOf({ status, location }: Page, { url }: Target): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null
  // What cannot be read as an address is refused as one in the next round.
  return URL.parse(location, url.href)?.href ?? location
}

/** A text without what stands between such marks, or behind one that is left open. */
const without = (text: string, from: RegExp, to: RegExp) =>
  text
    .split(from)
    .map((part, index) => (index === 0 ? part : part.split(to).slice(1).join('')))
    .join('')

/** Where a page sends its readers by `meta`, to another address than its own (C412). */
function refreshOf({ status, type, body }: Page, { url }: Target): string | null {
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (status < 200 || status > 299 || !isHtmlPage(mediaType, body)) return null
  const start = body.toString('utf8', 0, headBytes)
  const head = without(without(start, /<!--/, /-->/), /<noscript/i, /<\/noscript/i)
  const tag = /<meta[^<>]{1,300}http-equiv\s*=\s*["']?refresh[^<>]{1,600}/i.exec(head)?.[0] ?? ''
  const address =
    /content\s{0,9}=\s{0,9}["']?\s{0,9}[\d.]{1,9}\s{0,9}[;,]\s{0,9}url\s{0,9}=\s{0,9}["']?([^"'<>]{1,600})/i.exec(
      tag,
    )?.[1]
  const target = URL.parse(address?.trim().replaceAll('&amp;', '&') ?? '', url.href)
  if (address === undefined || target === null) return null
  target.hash = ''
  return target.href === url.href.replace(/#.*/s, '') ? null : target.href
}

async function pageOf(
  { status, type, body, isCut }: Page,
  { url, ...reading }: { url: URL; documents: Documents; signal: AbortSignal },
): Promise<Fetched> {
  if (status < 200 || status > 299) return { ok: false, problem: { code: 'status', status } }
  const read = await readableOf({ type, body, isCut }, { url, ...reading })
  return read.ok ? { ok: true, url: url.href, readable: read.readable, isCut } : read
}
