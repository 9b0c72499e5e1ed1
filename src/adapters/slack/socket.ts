import type { App } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { WebAPIRateLimitedError } from '@slack/web-api'
import { whyUnreachable } from '../../agent/connection-problem.ts'
import { inTime } from '../../agent/deadline.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { silent } from './api.ts'
import { type Body, type Entrance, takeIn } from './bolt.ts'
import type { SlackDeps } from './deps.ts'
import { limits } from './limits.ts'

/**
 * Socket Mode over two sockets. Slack sends each event over either one and replaces them from time
 * to time, so that one is always open. A closed socket is reopened; after a failure, the pause
 * grows. Bolt's own receiver has one socket, and acknowledges events before they are stored.
 *
 * @param opened called each time that events can arrive again.
 */
export function createSocketEntrance(
  deps: SlackDeps,
  appToken: string,
  opened: () => void,
): Entrance {
  const { clock } = deps
  const stopping = new AbortController()
  const sockets = Array.from({ length: limits.sockets }, () =>
    createSocket(deps, appToken, stopping.signal),
  )
  const openSockets = () => sockets.filter(({ isOpen }) => isOpen()).length
  return {
    init(app) {
      for (const { listen } of sockets) listen(app)
    },
    /** Resolves when the first socket is open, or after a timeout. It then keeps trying. */
    async start() {
      const first = () => openSockets() === 1 && opened()
      await Promise.race([
        ...sockets.map(({ keep }) => keep(first)),
        clock.sleep(limits.helloMs, stopping.signal),
      ])
    },
    async stop() {
      stopping.abort()
      await Promise.all(sockets.map(({ close }) => close()))
    },
    trouble: () => (openSockets() > 0 ? null : 'no socket to Slack is open'),
  }
}

function createSocket(deps: SlackDeps, appToken: string, stopping: AbortSignal) {
  const { clock, log } = deps
  let listener: App | null = null
  let open: SocketModeClient | null = null
  let kept: Promise<void> | null = null

  /** Runs a socket until it closes. @throws Error if it cannot be opened. */
  async function once(opened: () => void): Promise<void> {
    const client = createSocketClient(deps, appToken)
    client.on('slack_event', async (event: Incoming) => {
      if (listener !== null) await acknowledged(event, listener, deps)
    })
    const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()))
    await connect(client, clock)
    // A socket that opens after the stop must not accept events.
    if (stopping.aborted) return await client.disconnect()
    open = client
    opened()
    await closed
  }

  async function keepOpen(opened: () => void): Promise<void> {
    let pause: number = limits.reconnectMs.first
    while (!stopping.aborted) {
      const began = clock.now()
      try {
        await once(opened)
        // Slack greets a socket too many as well, and closes it at once.
        const isSteady = clock.now() - began >= limits.steadyMs
        pause = isSteady ? limits.reconnectMs.first : longer(pause)
        if (isSteady) log.debug({}, 'a socket to Slack closed; it is opened again')
        else log.warn({ pause }, 'Slack closed a socket soon after it opened it')
      } catch (error) {
        const reason = whyUnreachable(error) ?? (error instanceof Error ? error.message : 'unknown')
        log.warn({ reason }, 'no socket to Slack could be opened')
        pause = pauseAfter(error, pause)
      }
      open = null
      if (!stopping.aborted) await clock.sleep(pause, stopping)
    }
  }

  return {
    listen(app: App) {
      listener = app
    },
    isOpen: () => open !== null,
    /** Resolves when the socket opens for the first time. @param opened called at each opening. */
    keep: (opened: () => void) =>
      new Promise<void>((resolve) => {
        kept = keepOpen(() => {
          opened()
          resolve()
        })
      }),
    async close() {
      const closed = open?.disconnect() ?? kept
      await Promise.race([closed?.catch(() => undefined), clock.sleep(1_000)])
    },
  }
}

/** Returns the pause in milliseconds: Slack's own, else twice the last one. */
function pauseAfter(error: unknown, last: number): number {
  return error instanceof WebAPIRateLimitedError ? error.retryAfter * 1_000 : longer(last)
}

const longer = (pause: number) => Math.min(limits.reconnectMs.most, pause * 2)

function createSocketClient(
  { log, apiUrl, socketPingMs = limits.socketPingMs }: SlackDeps,
  appToken: string,
) {
  const client = new SocketModeClient({
    appToken,
    logger: silent,
    // Reconnecting is done here, because the SDK waits five seconds and gives up for good on some
    // errors.
    autoReconnectEnabled: false,
    clientPingTimeout: socketPingMs,
    serverPingTimeout: socketPingMs * 6,
    clientOptions: {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: limits.callMs,
    },
  })
  guardFrames(client, log)
  return client
}

/**
 * Opens a socket. One that opens after the timeout is closed. @throws Error if Slack does not greet
 * in time.
 */
async function connect(client: SocketModeClient, clock: Clock): Promise<void> {
  const connected = client.start().then(() => true)
  if ((await inTime(clock, limits.helloMs, connected)) !== null) return
  client.once('connected', () => void client.disconnect())
  void client.disconnect()
  throw new Error('Slack did not say hello')
}

interface Incoming {
  body: Body
  retry_num?: number
  ack(reply?: unknown): Promise<void>
}

/**
 * Acknowledges an event after the durable write (rule 1). If the acknowledgement is lost, Slack
 * delivers the event again.
 */
async function acknowledged(
  { body, retry_num: retryNum, ack }: Incoming,
  app: App,
  deps: SlackDeps,
): Promise<void> {
  try {
    await ack(await takeIn(app, { body, retryNum }, deps))
  } catch (error) {
    deps.log.debug(
      { reason: error instanceof Error ? error.message : 'unknown' },
      'an event was not acknowledged',
    )
  }
}

/** Catches errors on frames of unknown kinds, which would end the process. */
function guardFrames(client: SocketModeClient, log: Log): void {
  const handlers = client.listeners('ws_message')
  client.removeAllListeners('ws_message')
  client.on('ws_message', async (...frame: unknown[]) => {
    try {
      for (const handle of handlers) await Reflect.apply(handle, client, frame)
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'a frame from Slack was not understood',
      )
    }
  })
}
