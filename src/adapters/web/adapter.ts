import { once } from 'node:events'
import { createAdaptorServer, type ServerType } from '@hono/node-server'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { deriveId } from '../../agent/domain/id.ts'
import { uploadIn, uploadLimits } from '../../agent/domain/upload.ts'
import type { Channel, Intake, Sent } from '../../agent/ports/channel.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import { createAttachments } from '../attachments.ts'
import { type Broadcaster, createBroadcaster } from './broadcaster.ts'
import { createWeb } from './context.ts'
import type { WebDeps } from './deps.ts'
import { createDraftViews } from './draft-views.ts'
import type { WebEvent } from './events.ts'
import { isLoopback } from './guard.ts'
import { limits } from './limits.ts'
import { personBehind } from './operator.ts'
import { createApp } from './server.ts'
import { readUpload } from './uploads.ts'

/**
 * C281: idle time of a connection, in ms. It exceeds the 60 s of proxies and load balancers, so
 * that none sends into a closing one.
 */
const idleMs = 75_000

/**
 * Clew's own page and API as a channel like any other. A delivery is appended to the event log,
 * from which every open tab reads. An action of a person becomes an event for intake, and is
 * acknowledged once it is durable.
 */
export function createWebChannel(deps: WebDeps): Channel & { listen(): Promise<{ url: string }> } {
  const { clock, log, events } = deps
  const broadcaster = createBroadcaster({ events, clock, log })
  let intake: Intake | null = null
  const app = createApp(createWeb(deps, broadcaster, () => intake))
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { keepAliveTimeout: idleMs },
  })
  let address: string | null = null
  let heard: (() => void)[] = []

  return {
    platform: 'web',
    operators: true,
    progressEveryMs: limits.progressEveryMs,
    isLog: true,

    async start(handOver) {
      intake = handOver
    },

    async listen() {
      refuseOpen(deps)
      address = await listenOn(server, deps)
      heard = hearOthers(deps, broadcaster)
      void broadcaster.announce()
      return { url: address }
    },

    ...createSender(deps),

    attachments: attachmentsOf(deps),

    health() {
      return address === null
        ? { ok: false, detail: 'not listening' }
        : { ok: true, detail: address }
    },

    async stop() {
      intake = null
      address = null
      for (const stop of heard.splice(0)) stop()
      await Promise.race([broadcaster.stop(), clock.sleep(1_000)])
      await events.close()
      await closeServer(server, clock)
    },
  }
}

/**
 * Subscribes the open pages to drafts and news from other processes. Returns functions that
 * unsubscribe.
 */
const hearOthers = (deps: WebDeps, broadcaster: Broadcaster) => [
  deps.drafts.listen(createDraftViews(deps, broadcaster)),
  deps.news.listen((workspace, conversationId, gone) =>
    broadcaster.tell({ kind: 'news', workspace, conversationId, gone }),
  ),
]

function refuseOpen({ token, host, members }: WebDeps) {
  if (token !== null) return
  if (!isLoopback(host)) throw new Error(`${host} is open to others: set WEB_TOKEN`)
  if (members.length > 0)
    throw new Error('people can sign in, so operators need a token: set WEB_TOKEN')
}

/** Sends by appending to the event log. */
function createSender({ events, log }: WebDeps): Pick<Channel, 'send' | 'show' | 'find'> {
  /**
   * Appends an event. Appending is idempotent by its key, so an unclear outcome is simply retried.
   */
  async function append(key: string | null, event: WebEvent): Promise<Sent> {
    try {
      return { kind: 'sent', ref: await events.append(key, JSON.stringify(event)) }
    } catch (error) {
      log.warn({ err: error, key }, 'event not appended to the event log; retrying')
      return { kind: 'later', afterMs: 1_000 }
    }
  }

  return {
    async send(delivery, conversation) {
      const { body } = delivery
      const to = body.kind === 'private' ? { to: personBehind(body.to) } : {}
      const shown = withoutFile(delivery)
      const event = { kind: 'delivery' as const, ...placed(conversation), ...to, delivery: shown }
      const sent = await append(delivery.id, event)
      // Sending the first message of a conversation that Clew opened gives it its thread.
      const opened = sent.kind === 'sent' && conversation.address.thread === null
      return opened ? { ...sent, thread: deriveId('t', conversation.id) } : sent
    },
    show: (progress, conversation) =>
      append(null, { kind: 'progress', ...placed(conversation), progress }),
    async find(delivery) {
      const ref = await events.find(delivery.id).catch(() => null)
      return ref === null ? null : { ref }
    },
  }
}

const placed = ({ id, address }: Conversation) => ({
  conversationId: id,
  workspace: address.workspace,
})

/** Reads files attached on the page, which were uploaded before their message. */
const attachmentsOf = ({ documents, store }: WebDeps) =>
  createAttachments({
    documents,
    platform: 'Clew',
    limits: uploadLimits,
    download: (event, { url }) => readUpload(store.notes, event.workspace, uploadIn(url) ?? ''),
  })

/**
 * Delivery without its private file: files are fetched over the API, and never kept in an event
 * log.
 */
function withoutFile({ body, ...delivery }: Delivery): Delivery {
  if (body.kind !== 'private') return { ...delivery, body }
  const { file: _, ...rest } = body
  return { ...delivery, body: rest }
}

/**
 * Starts listening.
 *
 * @returns the address.
 */
async function listenOn(server: ServerType, deps: WebDeps): Promise<string> {
  server.listen(deps.port, deps.host)
  await once(server, 'listening').catch((error: Error) => {
    throw new Error(whyNotListening(error, deps), { cause: error })
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : deps.port
  return `http://${nameOf(deps.host)}:${port}`
}

/** Closes the server. Requests have 1 s to end. */
async function closeServer(server: ServerType, clock: Clock) {
  if (!server.listening) return
  const closed = new Promise((resolve) => server.close(resolve))
  if ('closeIdleConnections' in server) server.closeIdleConnections()
  await Promise.race([closed, clock.sleep(1_000)])
  if ('closeAllConnections' in server) server.closeAllConnections()
  await closed
}

/** Name by which a browser on this machine reaches a host. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** Reason why the page's address cannot be used, and what to set instead. */
function whyNotListening(error: Error, { host, port }: WebDeps): string {
  switch ('code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return `PORT: ${port} is taken on ${host}. Set PORT to another one, or stop what listens there (another Clew?)`
    case 'EACCES':
      return `PORT: ${port} is not for this user. Set PORT to one from 1024 on`
    case 'EADDRNOTAVAIL':
      return `HOST: ${host} is no address of this machine. Set HOST to one of its own, or 127.0.0.1`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: the name ${host} is not known. Set HOST to an address of this machine, or 127.0.0.1`
    default:
      // Other errors of the system speak for themselves.
      return `The page cannot listen on ${host}:${port} (${error.message}). Check HOST and PORT`
  }
}
