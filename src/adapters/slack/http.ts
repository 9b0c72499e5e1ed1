import { timingSafeEqual } from 'node:crypto'
import { type App, isValidSlackRequest } from '@slack/bolt'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { type Body, type Delivered, type Entrance, takeIn } from './bolt.ts'
import type { SlackDeps } from './deps.ts'
import { limits } from './limits.ts'

/** Request handler that the web server mounts. */
export type Handle = (request: Request) => Promise<Response>

/**
 * Receives events, clicks and commands as signed requests (S6), for Bolt's app. The response waits
 * for the durable write. A failed write answers 500, so Slack delivers the event again.
 *
 * @param opened called when requests are accepted.
 */
export function createHttpEntrance(
  deps: SlackDeps,
  signingSecret: string,
  opened: () => void,
): Entrance & { handle: Handle } {
  let app: App | null = null
  let isOpen = false

  const handle: Handle = async (request) => {
    const raw = await request.text()
    const body = bodyOf(raw, request.headers.get('content-type') ?? '')
    // Slack's certificate check is not signed.
    if (body?.ssl_check !== undefined) return new Response(null)
    if (!isSigned(signingSecret, request.headers, raw, deps.clock.now()))
      return new Response(null, { status: 401 })
    if (body === null) return new Response(null, { status: 400 })
    if (body.type === 'url_verification') return Response.json({ challenge: body.challenge })
    return app === null || !isOpen
      ? new Response(null, { status: 503 })
      : await answerOf(
          app,
          { body, retryNum: Number(request.headers.get('x-slack-retry-num')) },
          deps,
        )
  }

  return {
    handle,
    init: (given) => {
      app = given
    },
    async start() {
      isOpen = true
      opened()
    },
    async stop() {
      isOpen = false
    },
    trouble: () => (isOpen ? null : 'not started'),
  }
}

async function answerOf(app: App, delivered: Delivered, deps: SlackDeps): Promise<Response> {
  try {
    const reply = await takeIn(app, delivered, deps)
    return reply === undefined ? new Response(null) : Response.json(reply)
  } catch {
    return new Response(null, { status: 500 })
  }
}

/** Parses a body: JSON, a form with JSON in its field `payload`, or a plain form. */
function bodyOf(raw: string, type: string): Body | null {
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const form = Object.fromEntries(new URLSearchParams(raw))
    return form.payload === undefined ? form : objectOf(form.payload)
  }
  return objectOf(raw)
}

function objectOf(text: string): Body | null {
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/**
 * S6: true if Slack signed the request's raw bytes. A time stamp more than five minutes off is a
 * replay.
 *
 * @param now in milliseconds.
 */
function isSigned(signingSecret: string, headers: Headers, body: string, now: number): boolean {
  const stamp = Number(headers.get('x-slack-request-timestamp') ?? 'none')
  const signature = headers.get('x-slack-signature') ?? ''
  if (!(stamp <= now / 1_000 + limits.signatureSeconds)) return false
  return isValidSlackRequest({
    signingSecret,
    body,
    headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': stamp },
    nowMilliseconds: now,
  })
}

/**
 * True if two secrets are equal. Compares in constant time for their length. Blank secrets never
 * match.
 */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}
