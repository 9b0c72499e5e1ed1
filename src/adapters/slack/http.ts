import { timingSafeEqual } from 'node:crypto'
import { type App, isValidSlackRequest } from '@slack/bolt'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { type Body, type Entrance, takeIn } from './bolt.ts'
import type { SlackDeps } from './deps.ts'
import { limits } from './limits.ts'

/** A request of the web server that is mounted here, and its answer. */
export type Handle = (request: Request) => Promise<Response>

/**
 * Events, clicks and commands as signed requests (S6), for Bolt's app. The answer waits for the durable write; a failed
 * write is a 500, and Slack sends the event again.
 *
 * @param opened called when requests are taken.
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
    // Slack signs no look at the certificate.
    if (body?.ssl_check !== undefined) return new Response(null)
    if (!isSigned(signingSecret, request.headers, raw, deps.clock.now()))
      return new Response(null, { status: 401 })
    if (body === null) return new Response(null, { status: 400 })
    if (body.type === 'url_verification') return Response.json({ challenge: body.challenge })
    return app === null || !isOpen
      ? new Response(null, { status: 503 })
      : await answerOf(app, body, deps)
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

async function answerOf(app: App, body: Body, deps: SlackDeps): Promise<Response> {
  try {
    const reply = await takeIn(app, body, deps)
    return reply === undefined ? new Response(null) : Response.json(reply)
  } catch {
    return new Response(null, { status: 500 })
  }
}

/** JSON, or a form whose field `payload` is JSON, or a form. */
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
 * S6: whether a request comes from Slack, by the signature over its bytes as they came; one that is older or newer than five
 * minutes is a replay.
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

/** Whether two secrets are one, in constant time for their length; never for what is blank. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}
