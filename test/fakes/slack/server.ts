import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEvents, type Route } from './events.ts'
import { createRateLimits } from './limits.ts'
import { lacksTeam, methods, Refusal, type Result, scopesOf } from './methods.ts'
import { createPeople } from './people.ts'
import { createState, createTimestamps } from './state.ts'
import { acceptSocket } from './websocket.ts'

/** What can go wrong with a call: before Slack does it, or after. */
export type Fault =
  | 'refused'
  | '429'
  /** With a pause of half a minute. */
  | '429_long'
  | '500_before'
  | '500_after'
  | 'lost_before'
  | 'lost_after'
  /** Half of the answer, then a reset. */
  | 'cut_after'
  | 'late'
  | 'not_json'
  | 'bad_blocks'
  /** The answer leaves out in which thread the post is. */
  | 'threadless'
  /** Slack's own refusal. */
  | { error: string }
  /** An answer that is not Slack's usual one, before it does anything. */
  | { status: number; headers?: Record<string, string> }

export interface FakeSlackOptions {
  route?: Route
  team?: string
  ackMs?: number
  retryMs?: readonly number[]
  /** How long the minute of the rate limits is; null: no limits. */
  minuteMs?: number | null
  /** The time that messages carry. */
  now?: () => number
  /** What goes wrong with a call that no test has planned for. */
  chance?: (method: string) => Fault | null
  repeatMs?: () => number | null
}

export interface Call {
  method: string
  args: Readonly<Record<string, string>>
  at: number
  /** `ok`, Slack's error, or the fault that was put in its way. */
  outcome: string
}

/**
 * A local Slack that speaks the real protocols: the Web API with form-encoded bodies, Socket Mode over WebSocket, signed
 * HTTP events. It has the platform's limits and refuses what the real one refuses.
 */
export async function startFakeSlack(options: FakeSlackOptions = {}) {
  const state = createState(options.team)
  const nextTs = createTimestamps(options.now)
  const minuteMs = options.minuteMs === undefined ? 600 : options.minuteMs
  const limit = minuteMs === null ? () => null : createRateLimits(minuteMs)
  const calls: Call[] = []
  const urls: string[] = []
  const faults: { method: string; fault: Fault }[] = []
  const held: (() => void)[] = []
  let away = false
  const route: Route = options.route ?? { kind: 'socket' }
  const events = createEvents({
    route,
    ackMs: options.ackMs ?? 3_000,
    retryMs: options.retryMs ?? [0, 60_000, 300_000],
    ...(options.repeatMs === undefined ? {} : { repeatMs: options.repeatMs }),
  })

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  let tickets = 0
  server.on('upgrade', (request, wire) => {
    if (away) {
      wire.destroy()
      return
    }
    events.attach(acceptSocket(request, wire, 1_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const people = createPeople({ state, events, nextTs, baseUrl })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (away) return void request.socket.destroy()
    urls.push(request.url ?? '')
    const body = await bodyOf(request)
    const path = new URL(request.url ?? '/', baseUrl).pathname
    if (path.startsWith('/api/'))
      return await callApi(path.slice('/api/'.length), body.toString(), request, response)
    if (path === '/openid/connect/authorize') {
      const { authorizations } = state
      const location = authorizations.agree(baseUrl + request.url, authorizations.visitor.id)
      return void response.writeHead(302, { location }).end()
    }
    const [, kind, , id = ''] = path.split('/')
    if (kind === 'upload') {
      const upload = state.uploads.get(id)
      if (upload === undefined) return void response.writeHead(404).end()
      upload.content = body
      return void response.end('OK')
    }
    if (kind === 'files') return sendFile(id, request, response)
    response.writeHead(404).end()
  }

  function sendFile(id: string, request: IncomingMessage, response: ServerResponse): void {
    const all = [...state.channels.values()].flatMap(({ messages }) =>
      messages.flatMap(({ files }) => files ?? []),
    )
    const file = all.find((one) => one.id === id)
    if (request.headers.authorization !== `Bearer ${state.bot.token}` || file === undefined)
      return void response.writeHead(302, { location: `${baseUrl}/signin` }).end()
    // Who may not read it gets the page on which people sign in, as if it were the file.
    if (!state.bot.scopes.has('files:read'))
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!DOCTYPE html><title>Sign in to Slack</title>')
    response
      .writeHead(200, { 'content-type': file.mimetype, 'content-length': file.content.length })
      .end(file.content)
  }

  async function callApi(
    method: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const args = argsOf(body, request.headers['content-type'])
    const index = faults.findIndex(
      (one) => one.method === method || (args.cursor && one.method === `${method}?cursor`),
    )
    const [planned] = index < 0 ? [] : faults.splice(index, 1)
    const fault = planned?.fault ?? options.chance?.(method) ?? null
    const outcome = typeof fault === 'string' ? fault : JSON.stringify(fault ?? 'ok')
    const call: Call = { method, args, at: Date.now(), outcome: fault === null ? 'ok' : outcome }
    calls.push(call)
    if (typeof fault === 'object' && fault !== null && 'status' in fault)
      return void response.writeHead(fault.status, fault.headers).end('')
    if (fault === 'lost_before') return void request.socket.destroy()
    if (fault === '500_before') return void response.writeHead(500).end('{"ok":false}')
    const pause =
      fault === '429'
        ? 0
        : fault === '429_long'
          ? 30_000
          : limit(state.team, method, args.channel ?? '')
    if (pause !== null) {
      call.outcome = '429'
      // Whole seconds, never less than one, however short the minute of the test is.
      const seconds = String(Math.max(1, Math.ceil(pause / 1_000)))
      return void response
        .writeHead(429, { 'retry-after': seconds })
        .end('{"ok":false,"error":"ratelimited"}')
    }
    const perform = () => carryOut(method, args, String(request.headers.authorization ?? ''))
    if (fault === 'late') {
      held.push(() => void perform())
      return void request.socket.destroy()
    }
    const refusals: Record<string, string> = {
      refused: 'channel_not_found',
      bad_blocks: 'invalid_blocks',
    }
    const error = typeof fault === 'string' ? refusals[fault] : fault?.error
    const result = error === undefined ? perform() : { ok: false, error }
    if (fault === 'lost_after') return void request.socket.destroy()
    if (fault === '500_after') return void response.writeHead(503).end('oops')
    if (fault === 'not_json') return void response.writeHead(200).end('<html>')
    if (result.ok !== true) call.outcome = String(result.error)
    if (fault === 'threadless') Object.assign(result, { message: {} })
    const scopes = [...state.bot.scopes].join(',')
    const answer = JSON.stringify(result)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
      'x-oauth-scopes': scopes,
    })
    if (fault !== 'cut_after') return void response.end(answer)
    response.write(answer.slice(0, answer.length / 2), () => request.socket.destroy())
  }

  function carryOut(
    name: string,
    args: Record<string, string>,
    authorization: string,
  ): Result | Record<string, unknown> {
    const method = methods[name]
    if (method === undefined) return { ok: false, error: 'unknown_method' }
    const token = authorization.replace('Bearer ', '')
    if (name === 'apps.connections.open') {
      if (token !== state.appToken) return { ok: false, error: 'invalid_auth' }
    } else if (name !== 'oauth.v2.access' && name !== 'openid.connect.token') {
      if (token !== state.bot.token) return { ok: false, error: 'invalid_auth' }
      if (state.bot.revoked) return { ok: false, error: 'token_revoked' }
    }
    if (lacksTeam(state, name, args)) return { ok: false, error: 'missing_argument' }
    const scope = scopesOf(method, state, args).find((one) => !state.bot.scopes.has(one))
    if (scope !== undefined)
      return {
        ok: false,
        error: 'missing_scope',
        needed: scope,
        provided: [...state.bot.scopes].join(','),
      }
    try {
      const ticket = () => `ws://127.0.0.1:${port}/link/${++tickets}`
      const { announce, announceReaction } = people
      return {
        ok: true,
        ...method.run({ state, args, baseUrl, nextTs, ticket, announce, announceReaction }),
      }
    } catch (error) {
      if (error instanceof Refusal) return error.body
      throw error
    }
  }

  return {
    state,
    people,
    events,
    calls,
    /** Of every request that came. */
    urls,
    apiUrl: `${baseUrl}/api/`,
    /** The next call of a method goes wrong in this way; of `method?cursor`, the next one for a further page. */
    fail(method: string, ...kinds: Fault[]) {
      faults.push(...kinds.map((fault) => ({ method, fault })))
    },
    /** What was to go wrong with calls of a method does not. */
    mendCalls(method: string) {
      for (const one of faults.filter((fault) => fault.method === method))
        faults.splice(faults.indexOf(one), 1)
    },
    /** What was held back as `late` happens now, long after its caller gave up. */
    releaseLate() {
      for (const happen of held.splice(0)) happen()
    },
    /** From now on nothing of Slack can be reached. */
    cut() {
      away = true
      for (const socket of events.sockets) socket.cut()
    },
    mend() {
      away = false
    },
    async stop() {
      events.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Arguments of a call, which come as a form or as JSON. */
function argsOf(body: string, type = ''): Record<string, string> {
  if (!type.includes('json')) return Object.fromEntries(new URLSearchParams(body))
  const given = Object.entries(JSON.parse(body || '{}') as Record<string, unknown>)
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
