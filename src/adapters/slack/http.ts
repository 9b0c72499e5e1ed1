import { createHmac, timingSafeEqual } from 'node:crypto'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import type { SlackDeps } from './deps.ts'
import { limits } from './limits.ts'
import type { Entrance, Receive } from './socket.ts'

/** A request of the web server that is mounted here, and its answer. */
export type Handle = (request: Request) => Promise<Response>

/**
 * Events, clicks and commands as signed requests (S6). The answer waits for the durable write; a failed write is a 500,
 * and Slack sends the event again.
 */
export function createHttpEntrance(
  { clock }: Pick<SlackDeps, 'clock'>,
  signingSecret: string,
): Entrance & { handle: Handle } {
  let receive: Receive | null = null

  const handle: Handle = async (request) => {
    const raw = await request.text()
    if (!isSigned(signingSecret, request.headers, raw, clock.now()))
      return new Response(null, { status: 401 })
    const body = bodyOf(raw, request.headers.get('content-type') ?? '')
    if (body === null) return new Response(null, { status: 400 })
    if (body.ssl_check !== undefined) return new Response(null)
    if (body.type === 'url_verification') return Response.json({ challenge: body.challenge })
    return receive === null ? new Response(null, { status: 503 }) : await answerOf(receive, body)
  }

  return {
    handle,
    async start(handOver, opened) {
      receive = handOver
      opened()
    },
    async stop() {
      receive = null
    },
    trouble: () => (receive === null ? 'not started' : null),
  }
}

async function answerOf(receive: Receive, body: Record<string, unknown>): Promise<Response> {
  try {
    const reply = await receive(body)
    return reply === null ? new Response(null) : Response.json(reply)
  } catch {
    return new Response(null, { status: 500 })
  }
}

/** JSON, or a form whose field `payload` is JSON, or a form. */
function bodyOf(raw: string, type: string): Record<string, unknown> | null {
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const form = Object.fromEntries(new URLSearchParams(raw))
    return form.payload === undefined ? form : objectOf(form.payload)
  }
  return objectOf(raw)
}

function objectOf(text: string): Record<string, unknown> | null {
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/**
 * S6: whether a request comes from Slack: the signature is over the bytes as they came, in constant time, and a request
 * that is older (or newer) than five minutes is a replay.
 *
 * @param now in milliseconds.
 */
function isSigned(secret: string, headers: Headers, raw: string, now: number): boolean {
  const stamp = headers.get('x-slack-request-timestamp') ?? ''
  const given = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(now / 1_000 - Number(stamp)) > limits.signatureSeconds)
    return false
  return isSame(
    given,
    `v0=${createHmac('sha256', secret).update(`v0:${stamp}:${raw}`).digest('hex')}`,
  )
}

/** Whether two secrets are one, in constant time for their length; never for what is blank. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}
