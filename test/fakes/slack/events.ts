import { createHmac } from 'node:crypto'
import { deadline } from '../../support/processor-time.ts'
import type { ServerSocket } from './websocket.ts'

/** How the app is reached: over the sockets that it opened, or at its address. */
export type Route = { kind: 'socket' } | { kind: 'http'; url: string; signingSecret: string }

/** What became of one delivery of an event. */
export interface Delivered {
  acked: boolean
  /** From handing it over to its acknowledgement. */
  ms: number
  /** What came back with the acknowledgement. */
  reply: unknown
}

export type EnvelopeKind = 'events_api' | 'slash_commands' | 'interactive'

export interface EventsOptions {
  route: Route
  /** Slack waits this long for an acknowledgement, beside what other programs of this machine take. */
  ackMs: number
  /** Pauses before the second, third and fourth try of an event; clicks and commands are not tried again. */
  retryMs: readonly number[]
  /** Pause after which an acknowledged event comes once more, as when Slack missed the acknowledgement; null: it does not. */
  repeatMs?: () => number | null
}

/** Hands events to the app as Slack does: one socket of several, an acknowledgement in time, tries again with their marks. */
export function createEvents(options: EventsOptions) {
  const sockets = new Set<ServerSocket>()
  const waiting = new Map<string, (reply: unknown) => void>()
  const timers = new Set<NodeJS.Timeout>()
  const deadlines = new Set<() => void>()
  /** Why Slack shows each new socket out again, right after its greeting. */
  const settings: { turnsAway: string | null } = { turnsAway: null }
  let made = 0
  let turn = 0
  let stopped = false
  const delivered: Delivered[] = []

  function attach(socket: ServerSocket): void {
    socket.onClose(() => sockets.delete(socket))
    socket.onText((text) => {
      const { envelope_id: id, payload } = JSON.parse(text) as {
        envelope_id?: string
        payload?: unknown
      }
      if (id !== undefined) waiting.get(id)?.(payload)
    })
    // A frame right behind the handshake's last line would be read as part of it by some clients.
    const timer = setTimeout(() => {
      timers.delete(timer)
      sockets.add(socket)
      socket.send(JSON.stringify({ type: 'hello', num_connections: sockets.size }))
      if (settings.turnsAway === null) return
      socket.send(JSON.stringify({ type: 'disconnect', reason: settings.turnsAway }))
      socket.close()
    }, 5)
    timers.add(timer)
  }

  function overSocket(
    kind: EnvelopeKind,
    body: unknown,
    retry: number,
    reason: string,
  ): Promise<Delivered> {
    const open = [...sockets]
    const socket = open[turn++ % Math.max(1, open.length)]
    const started = performance.now()
    if (socket === undefined) return Promise.resolve({ acked: false, ms: 0, reply: null })
    const id = `envelope-${++made}`
    const marks = retry === 0 ? {} : { retry_attempt: retry, retry_reason: reason }
    return new Promise((resolve) => {
      const settle = (acked: boolean, reply: unknown) => {
        callOff()
        deadlines.delete(callOff)
        waiting.delete(id)
        resolve({ acked, ms: performance.now() - started, reply })
      }
      const callOff = deadline(options.ackMs, () => settle(false, null))
      deadlines.add(callOff)
      waiting.set(id, (reply) => settle(true, reply))
      const accepts = kind !== 'events_api'
      socket.send(
        JSON.stringify({
          envelope_id: id,
          type: kind,
          payload: body,
          accepts_response_payload: accepts,
          ...marks,
        }),
      )
    })
  }

  async function overHttp(
    route: Extract<Route, { kind: 'http' }>,
    kind: EnvelopeKind,
    body: unknown,
    retry: number,
    reason: string,
  ): Promise<Delivered> {
    const raw = kind === 'events_api' ? JSON.stringify(body) : formOf(kind, body)
    const type = kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded'
    const marks: Record<string, string> =
      retry === 0 ? {} : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': reason }
    const started = performance.now()
    const late = new AbortController()
    const callOff = deadline(options.ackMs, () => late.abort())
    try {
      const response = await fetch(route.url, {
        method: 'POST',
        headers: { 'content-type': type, ...signed(route.signingSecret, raw), ...marks },
        body: raw,
        signal: late.signal,
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      return {
        acked: response.ok,
        ms: performance.now() - started,
        reply: isJson ? JSON.parse(text) : text,
      }
    } catch {
      return { acked: false, ms: performance.now() - started, reply: null }
    } finally {
      callOff()
    }
  }

  async function once(
    kind: EnvelopeKind,
    body: unknown,
    retry = 0,
    reason = 'timeout',
  ): Promise<Delivered> {
    const { route } = options
    const result = await (route.kind === 'socket'
      ? overSocket(kind, body, retry, reason)
      : overHttp(route, kind, body, retry, reason))
    delivered.push(result)
    return result
  }

  async function pass(pause: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
      timers.add(timer)
    })
  }

  async function repeat(body: unknown): Promise<void> {
    const pause = options.repeatMs?.() ?? null
    if (pause === null) return
    await pass(pause)
    if (!stopped) await once('events_api', body, 1)
  }

  return {
    attach,
    settings,
    sockets,
    delivered,
    once,
    /** An event, tried again until it is acknowledged, at most three more times. */
    async deliver(kind: EnvelopeKind, body: unknown): Promise<Delivered> {
      let result = await once(kind, body)
      if (kind !== 'events_api') return result
      for (const [index, pause] of options.retryMs.entries()) {
        if (result.acked || stopped) break
        await pass(pause)
        if (stopped) return result
        result = await once(kind, body, index + 1, 'timeout')
      }
      if (result.acked) await repeat(body)
      return result
    },
    stop() {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      for (const callOff of deadlines) callOff()
      for (const socket of sockets) socket.cut()
    },
  }
}

/** As Slack signs its requests. */
export function signed(
  secret: string,
  raw: string,
  at: number = Date.now(),
): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000))
  const signature = createHmac('sha256', secret).update(`v0:${seconds}:${raw}`).digest('hex')
  return { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${signature}` }
}

function formOf(kind: EnvelopeKind, body: unknown): string {
  if (kind === 'interactive')
    return new URLSearchParams({ payload: JSON.stringify(body) }).toString()
  const fields = Object.entries(body as Record<string, unknown>).map(([name, value]) => [
    name,
    String(value),
  ])
  return new URLSearchParams(fields).toString()
}
