import type { App } from '@slack/bolt'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { isSigned } from './signature.ts'
import type { Entrance } from './socket.ts'

/** A request of the web server that is mounted here, and its answer. */
export type Handle = (request: Request) => Promise<Response>

/**
 * Events, clicks and commands as signed requests (S6). The answer waits for the durable write; a failed write is a 500,
 * and Slack sends the event again.
 */
export function createHttpEntrance(deps: { signingSecret: string; clock: Clock; log: Log }): Entrance & {
  handle: Handle
} {
  let app: App | null = null

  const handle: Handle = async (request) => {
    const raw = await request.text()
    if (!isSigned(deps.signingSecret, request.headers, raw, deps.clock.now()))
      return new Response(null, { status: 401 })
    const body = bodyOf(raw, request.headers.get('content-type') ?? '')
    if (body === null) return new Response(null, { status: 400 })
    if (body.ssl_check !== undefined) return new Response(null)
    if (body.type === 'url_verification') return Response.json({ challenge: body.challenge })
    return app === null ? new Response(null, { status: 503 }) : await dispatch(app, body, request.headers)
  }

  function dispatch(to: App, body: Record<string, unknown>, headers: Headers): Promise<Response> {
    const retry = headers.get('x-slack-retry-num')
    const reason = headers.get('x-slack-retry-reason')
    return new Promise((resolve) => {
      const event = {
        body,
        ...(retry === null ? {} : { retryNum: Number(retry) }),
        ...(reason === null ? {} : { retryReason: reason }),
        async ack(answer?: unknown) {
          const isText = typeof answer === 'string'
          resolve(answer === undefined || isText ? new Response(answer ?? null) : Response.json(answer))
        },
      }
      // Whatever nobody acknowledged is not asked for again: nothing here listens to it.
      to.processEvent(event).then(
        () => resolve(new Response(null)),
        () => resolve(new Response(null, { status: 500 })),
      )
    })
  }

  return {
    handle,
    receiver: {
      init(made) {
        app = made
      },
      start: async () => undefined,
      async stop() {
        app = null
      },
    },
    trouble: () => (app === null ? 'not started' : null),
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
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
