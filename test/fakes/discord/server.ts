import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tally } from '../../support/tally.ts'
import { createAuthorizations } from '../authorizations.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createInteractions, type Interactions } from './interactions.ts'
import { createLimits } from './limits.ts'
import { answerPeople } from './oauth.ts'
import { createPeople, type People } from './people.ts'
import { answer, type Request, type Site } from './routes.ts'
import { isOwnRule, problemsOf } from './validate.ts'
import { type Channel, createWorld, type Guild, makeChannel, type World } from './world.ts'

/** A request as it arrived, and what it was answered with. */
export interface Logged {
  method: string
  path: string
  body: Request['body']
  status: number
  at: number
}

/**
 * What goes wrong with one request: `lose` drops it before anything happened, `swallow` does it and drops the answer, `late`
 * drops the answer and does it a moment later, a status answers it without doing anything, or after `done` (P2).
 */
export type Fault =
  | 'lose'
  | 'swallow'
  | 'late'
  | { status: number; body?: unknown; headers?: Record<string, string>; done?: true }
  /** What a proxy in front of Discord answers. */
  | { status: number; page: string }
  | null

export interface FakeDiscord extends People {
  /** For `DISCORD_API_URL`. */
  url: string
  token: string
  world: World
  gateway: Gateway
  interactions: Interactions
  commands: Site['commands']
  commandWrites: string[]
  log: Logged[]
  /** Requests that Discord would refuse, in words; a test run must end with none. */
  violations: string[]
  /** What Discord allows, and who has gone too far. */
  limits: ReturnType<typeof createLimits>
  /** Who signs in with Discord, at other sites. */
  authorizations: ReturnType<typeof createAuthorizations>
  /** Requests that were checked. */
  checked: () => number
  /** Asked for every request; null lets it through. */
  fault(choose: (method: string, path: string, body: Request['body']) => Fault): void
  /** Nobody gets through any more, by REST alone or by the gateway too. */
  cut(part?: 'rest' | 'all'): void
  mend(): void
  revokeToken(): void
  guild(name: string): Guild
  channel(guild: Guild, name: string, part?: Partial<Channel>): Channel
  /** Resolves as soon as `look` answers something; it is asked after every change. */
  until<T>(look: () => T | null | undefined | false, what: string, withinMs?: number): Promise<T>
  stop(): Promise<void>
}

interface FakeDiscordOptions {
  /** So many times shorter are the windows of rate limits. */
  pace?: number
  port?: number
  /** False for a bot that is not Clew: it may call people and show previews (S1, S2). */
  ownRules?: boolean
}

/** A local Discord on real sockets: REST, gateway and people. */
export async function startFakeDiscord(options: FakeDiscordOptions = {}): Promise<FakeDiscord> {
  const { ownRules = true } = options
  const world = createWorld()
  const interactions = createInteractions(world)
  const limits = createLimits(() => Date.now(), options.pace)
  let token = `MTE${world.nextId()}.Gabc.secret-of-the-bot`
  let url = ''
  let away: 'rest' | 'all' | null = null
  let checked = 0
  let choose: (method: string, path: string, body: Request['body']) => Fault = () => null
  const authorizations = createAuthorizations({ id: world.applicationId, secret: 'secret' })
  const log: Logged[] = []
  const violations: string[] = []
  const gateway = createGateway({ world, token: () => token, url: () => url.replace('http', 'ws') })
  const site: Site = {
    world,
    gateway,
    interactions,
    url: () => url,
    commands: new Map(),
    commandWrites: [],
  }

  async function serve(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bytesOf(raw)
    if (away !== null) return void raw.socket.destroy()
    const address = new URL(raw.url ?? '/', url)
    if (address.pathname.startsWith('/attachments/')) return sendFile(address.pathname, response)
    const path = address.pathname.replace(/^\/api\/v10/, '')
    const method = raw.method ?? 'GET'
    const forPeople = answerPeople({ authorizations, world }, { method, path, bytes, raw })
    if (forPeople !== null) {
      response.writeHead(forPeople.status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(forPeople.body))
    }
    const { json, files } = await bodyOf(raw, bytes)
    const body = isObject(json) ? json : {}
    const entry: Logged = { method, path, body, status: 0, at: Date.now() }
    log.push(entry)
    checked += 1
    const problems = problemsOf(method, path, json, files.length).filter(
      (problem) => ownRules || !isOwnRule(problem),
    )
    violations.push(...problems.map((problem) => `${method} ${path}: ${problem}`))

    const banned = limits.ban()
    if (banned !== null) {
      entry.status = 429
      // Cloudflare answers, not Discord: no JSON and nothing of Discord's headers.
      response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': String(banned) })
      return void response.end('error code: 1015')
    }
    const fault = choose(method, path, body)
    if (fault === 'lose') return void raw.socket.destroy()
    if (isObject(fault) && 'page' in fault) {
      entry.status = fault.status
      response.writeHead(fault.status, { 'content-type': 'text/html' })
      return void response.end(fault.page)
    }
    const needsToken = !path.startsWith('/interactions/') && !path.startsWith('/webhooks/')
    const all = path.startsWith('/interactions/') ? null : limits.takeGlobal()
    const limit = all !== null && !all.allowed ? all : limits.take(method, path)
    const work = () =>
      answer(site, { method, path, query: address.searchParams, body, list: listOf(json), files })
    if (fault === 'late') {
      setTimeout(work, lateMs)
      return void raw.socket.destroy()
    }
    if (isObject(fault) && fault.done) work()
    const reply = isObject(fault)
      ? { status: fault.status, body: fault.body }
      : needsToken && raw.headers.authorization !== `Bot ${token}`
        ? { status: 401, body: { code: 0, message: '401: Unauthorized' } }
        : !limit.allowed
          ? {
              status: 429,
              body: {
                message: 'You are being rate limited.',
                retry_after: limit.retryAfter,
                global: limit === all,
              },
            }
          : problems.length > 0
            ? {
                status: 400,
                body: { code: 50035, message: `Invalid Form Body: ${problems.join('; ')}` },
              }
            : work()
    entry.status = reply.status
    limits.note(reply.status)
    if (fault === 'swallow') return void raw.socket.destroy()
    const extra = isObject(fault) ? (fault.headers ?? {}) : {}
    const text = reply.body === undefined ? undefined : JSON.stringify(reply.body)
    response.writeHead(reply.status, {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...limit.headers,
      ...extra,
    })
    response.end(text)
    world.changed()
  }

  function sendFile(path: string, response: ServerResponse): void {
    const [, , id] = path.split('/')
    const attachments = [...world.channels.values()].flatMap(({ messages }) =>
      messages.flatMap((one) => one.attachments),
    )
    const found = attachments.find((one) => one.id === id)
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': found?.content_type ?? 'text/plain',
    })
    response.end(found?.bytes)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((problem) => {
      violations.push(`the fake broke: ${String(problem)}`)
      response.writeHead(500).end()
    })
  })
  server.on('upgrade', (request, stream) =>
    away === 'all' ? stream.destroy() : gateway.accept(request, stream),
  )
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...createPeople(site),
    url: `${url}/api`,
    get token() {
      return token
    },
    world,
    gateway,
    interactions,
    commands: site.commands,
    commandWrites: site.commandWrites,
    log,
    violations,
    limits,
    authorizations,
    checked: () => checked,
    fault(next) {
      choose = next
    },
    cut(part = 'all') {
      away = part
      if (part === 'all') gateway.drop()
    },
    mend() {
      away = null
    },
    revokeToken() {
      token = 'a token that nobody has'
    },
    guild(name) {
      const guild: Guild = { id: world.nextId(), name, channels: new Map() }
      world.guilds.set(guild.id, guild)
      return guild
    },
    channel: (guild, name, part = {}) =>
      makeChannel(world, { type: 0, guild_id: guild.id, parent_id: null, name, ...part }),
    until: (look, what, withinMs = 80_000) =>
      new Promise((resolve, reject) => {
        const again = () => {
          const found = look()
          if (found === null || found === undefined || found === false) return
          stop()
          clearTimeout(timer)
          resolve(found)
        }
        const unhook = world.onChange(again)
        // What changes in Clew and not in here is noticed a moment later.
        const looking = setInterval(again, 5)
        const stop = () => {
          unhook()
          clearInterval(looking)
        }
        // Only a test that fails waits for this.
        const timer = setTimeout(() => {
          stop()
          reject(new Error(`nothing came of: ${what}`))
        }, withinMs)
        again()
      }),
    async stop() {
      tally({ platform: 'Discord', checked, wrong: violations })
      gateway.drop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** How much later a late request is done. */
const lateMs = 150

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function bodyOf(
  raw: IncomingMessage,
  bytes: Buffer,
): Promise<{ json: unknown; files: Request['files'] }> {
  if (bytes.length === 0) return { json: undefined, files: [] }
  const type = raw.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data'))
    return { json: JSON.parse(bytes.toString()), files: [] }
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData()
  const files: Request['files'] = []
  for (const [name, value] of form) {
    if (typeof value === 'string' || !name.startsWith('files[')) continue
    files.push({
      name: value.name,
      type: value.type || 'application/octet-stream',
      bytes: Buffer.from(await value.arrayBuffer()),
    })
  }
  const payload = form.get('payload_json')
  return { json: typeof payload === 'string' ? JSON.parse(payload) : {}, files }
}
