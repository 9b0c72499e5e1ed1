import { timingSafeEqual } from 'node:crypto'
import { verify } from '@octokit/webhooks-methods'
import { digest } from './wrong-tokens.ts'

/** Request of a sender. `header` answers undefined for a header that is not there. */
interface Sent {
  header(name: string): string | undefined
  body: string
  secret: string
  /** In milliseconds since the epoch. */
  now: number
}

/** Sender of events: its proof of who it is, and its names of an event. */
interface Sender {
  /** True if whoever sent this knows the secret. */
  isGenuine(sent: Sent): Promise<boolean> | boolean
  /** Headers that name a delivery, the same each time that it is sent. */
  ids: readonly string[]
  /** Header that names the kind of event. */
  kind?: string
  /** Field of the body that names the delivery. */
  idField?: string
}

/** Greatest age of a signed timestamp, in ms: an older request may be somebody's copy. */
const toleranceMs = 5 * 60_000

/** True if a signature, in hex, is that of a text. Each sender signs by HMAC-SHA256. */
async function isSigned(secret: string, text: string, signature = ''): Promise<boolean> {
  const hex = signature.replace(/^sha256=/, '').toLowerCase()
  return text !== '' && hex !== '' && (await verify(secret, text, `sha256=${hex}`))
}

const isSame = (given: string | undefined, secret: string) =>
  given !== undefined && timingSafeEqual(digest(given), digest(secret))

/** @param seconds since the epoch; at most ten digits of it are one. */
const isRecent = (seconds: string, now: number) =>
  /^\d{1,10}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= toleranceMs

/** A signature over the body, and over a timestamp before it where there is one. */
const signedBy =
  (signature: string, timestamp: string, between: string) =>
  async ({ header, body, secret, now }: Sent): Promise<boolean> => {
    const at = header(timestamp)
    if (at === undefined) return await isSigned(secret, body, header(signature))
    const text = `${at}${between}${body}`
    return isRecent(at, now) && (await isSigned(secret, text, header(signature)))
  }

async function isStripes({ header, body, secret, now }: Sent): Promise<boolean> {
  const parts = (header('stripe-signature') ?? '').split(',').map((part) => part.trim().split('='))
  const named = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? value : []))
  const [at = ''] = named('t')
  if (!isRecent(at, now)) return false
  // While a secret is being replaced there are two signatures.
  const checks = named('v1')
    .slice(0, 5)
    .map((one) => isSigned(secret, `${at}.${body}`, one))
  return (await Promise.all(checks)).includes(true)
}

const ownIds = ['idempotency-key', 'webhook-id', 'x-delivery-id']

/** Senders whose events are understood, by the name in `CONNECTORS_FILE` (S66). */
export const senders = {
  github: {
    isGenuine: ({ header, body, secret }) => isSigned(secret, body, header('x-hub-signature-256')),
    ids: ['x-github-delivery'],
    kind: 'x-github-event',
  },
  gitlab: {
    isGenuine: ({ header, secret }) => isSame(header('x-gitlab-token'), secret),
    ids: ['idempotency-key'],
    kind: 'x-gitlab-event',
  },
  stripe: { isGenuine: isStripes, ids: [], idField: 'id' },
  sentry: {
    isGenuine: ({ header, body, secret }) =>
      isSigned(secret, body, header('sentry-hook-signature')),
    ids: ['request-id'],
    kind: 'sentry-hook-resource',
  },
  grafana: {
    isGenuine: signedBy('x-grafana-alerting-signature', 'x-grafana-alerting-timestamp', ':'),
    ids: [],
  },
  hmac: { isGenuine: signedBy('x-signature-256', 'x-signature-timestamp', '.'), ids: ownIds },
  bearer: {
    isGenuine: ({ header, secret }) => isSame(header('authorization'), `Bearer ${secret}`),
    ids: ownIds,
  },
} as const satisfies Record<string, Sender>

export const senderNames = Object.keys(senders)
export const isSender = (name: string): name is keyof typeof senders => Object.hasOwn(senders, name)
/** Longest name of a delivery that is taken; longer ones are cut. */
const idMost = 200

/** Returns the sender's names of an event. */
export function namesOf({ ids, kind, idField }: Sender, header: Sent['header'], data: unknown) {
  const field =
    idField !== undefined && typeof data === 'object' && data !== null && idField in data
      ? String(Object.entries(data).find(([name]) => name === idField)?.[1])
      : undefined
  const id = ids.map(header).find((one) => one !== undefined && one !== '') ?? field
  const named = kind === undefined ? undefined : header(kind)
  return { id: id?.slice(0, idMost) ?? null, kind: named?.slice(0, idMost) ?? null }
}
