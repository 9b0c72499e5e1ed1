import { withoutEnding } from '../../../locales/sentence-end.ts'

/** A place that may be asked, if its address turns out to be public. */
export interface Target {
  url: URL
  /** Without the brackets of an IPv6 address. */
  hostname: string
  port: number
}

export type TargetProblem =
  | 'not_a_url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'private_name'
  | 'too_long'

const longest = 2_048
/** Others belong to databases, mail and machines' own services. */
const ports = [80, 443, 8080, 8443]

/** Names that never mean a host of the internet. */
const privateNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|test|example|invalid|onion|arpa|svc|cluster)$/

/**
 * Reads an address as people and models write it. What its numbers mean is `URL`'s matter: `0x7f.1`
 * becomes 127.0.0.1.
 */
export function targetOf(
  text: string,
): { ok: true; target: Target } | { ok: false; problem: TargetProblem } {
  const typed = text.trim().replace(/^<(.*)>$/s, '$1')
  if (typed.length > longest) return { ok: false, problem: 'too_long' }
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[\w.-]+:\d/.test(typed) ? typed : `https://${typed}`,
  )
  if (url === null || url.hostname === '' || /[\s\p{Cc}]/u.test(typed))
    return { ok: false, problem: 'not_a_url' }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'scheme' }
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (!ports.includes(port)) return { ok: false, problem: 'port' }
  const hostname = withoutEnding(url.hostname.replace(/^\[(.*)\]$/, '$1'), '.')
  const named = !hostname.includes(':') && !/^[\d.]+$/.test(hostname)
  if (hostname === '' || (named && (!hostname.includes('.') || privateNames.test(hostname))))
    return { ok: false, problem: 'private_name' }
  return { ok: true, target: { url, hostname, port } }
}
