import {
  Client,
  type Tool as Listed,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Tool } from '../../agent/ports/tool.ts'
import type { Reaper } from './reaper.ts'
import { resultOf } from './result.ts'
import type { ServerSpec } from './servers-file.ts'
import { createStdioTransport } from './stdio.ts'
import { type CallServer, toolOf } from './tool.ts'

export interface ServerDeps {
  clock: Clock
  log: Log
  reaper: Reaper
}

const answerMs = 30_000
const pauseMs = { first: 1_000, most: 60_000 }
/** One that stayed up this long is started again at once. */
const steadyMs = 60_000
const pingEveryMs = 30_000
const toolsMost = 200
/** Of the list; a server may tell of another page for ever. */
const pagesMost = 50
/** Calls have the time-out of all tools, by their signal. */
const callMost = 2 ** 31 - 1

type State = { kind: 'up'; client: Client } | { kind: 'starting' } | { kind: 'away'; why: string }

/** What is known of a server while Clew runs. */
interface Running {
  readonly spec: ServerSpec
  readonly deps: ServerDeps
  /** Aborts when it is to be stopped. */
  readonly ended: AbortSignal
  state: State
  /** By how they were listed: one that is listed again as it was is the same one. */
  tools: ReadonlyMap<string, Tool>
  /** From this instant on nothing more is sent to it. */
  lost(why: string): void
  /** Calls that wait for its answer. */
  calling: number
  /** Takes out what came from the environment or the file's own secrets (S7). */
  redact(text: string): string
}

export type McpServer = ReturnType<typeof startServer>

/**
 * One server: it is started, listed, looked after, and started again with growing pauses when it ends or does not answer.
 *
 * Contract: `tools` are those that it had last, also while it is away; their calls then fail with a sentence that says so, and
 * nothing is sent. `stop` resolves when its process is gone.
 */
export function startServer(spec: ServerSpec, deps: ServerDeps) {
  const { name } = spec
  const ended = new AbortController()
  const first = Promise.withResolvers<void>()
  const server: Running = {
    ...{ spec, deps, ended: ended.signal, redact: redactor(spec.secrets) },
    ...{ state: { kind: 'starting' }, tools: new Map(), calling: 0 },
    lost() {},
  }
  const lasted = keepAlive(server, first.resolve)
  return {
    tools: (): readonly Tool[] => [...server.tools.values()],
    /** Resolves when it was listed, or could not be started, for the first time. */
    tried: first.promise,
    health: () => ({
      name,
      ok: server.state.kind === 'up',
      tools: server.tools.size,
      detail: server.state.kind === 'away' ? server.state.why : server.state.kind,
    }),
    async stop(): Promise<void> {
      ended.abort()
      await lasted
    },
  }
}

/** @param tried is called whenever it was listed or has failed. */
async function keepAlive(server: Running, tried: () => void): Promise<void> {
  const { ended, deps, spec } = server
  for (let pause = pauseMs.first; !ended.aborted; pause = Math.min(pause * 2, pauseMs.most)) {
    const began = deps.clock.now()
    const why = await live(server, tried)
    tried()
    if (ended.aborted) return
    server.state = { kind: 'away', why }
    if (deps.clock.now() - began > steadyMs) pause = pauseMs.first
    const fields = { server: spec.name, tools: server.tools.size, again: pause }
    deps.log.warn(fields, `the MCP server is away: ${why}`)
    await deps.clock.sleep(pause, ended)
  }
}

/** One life of it; answers how it ended. */
async function live(server: Running, tried: () => void): Promise<string> {
  const { spec, ended, redact } = server
  const { clock, log } = server.deps
  const client = new Client({ name: 'clew', version: '1' })
  const over = Promise.withResolvers<string>()
  server.state = { kind: 'starting' }
  server.lost = (why) => {
    server.state = { kind: 'away', why }
    over.resolve(why)
  }
  client.onclose = () => server.lost('it ended')
  client.onerror = (error) => log.debug({ server: spec.name }, redact(`MCP: ${error.message}`))
  const stop = () => server.lost('it is stopped')
  ended.addEventListener('abort', stop, { once: true })
  const stopPinging = clock.every(pingEveryMs, async () => {
    if (server.state.kind !== 'up' || server.calling > 0) return
    await client.ping({ timeout: answerMs }).catch(() => server.lost('it does not answer'))
  })
  try {
    await client.connect(transportOf(server), { timeout: answerMs, signal: ended })
    client.setNotificationHandler('notifications/tools/list_changed', () => relist(server, client))
    server.tools = await list(server, client)
    server.state = { kind: 'up', client }
    log.info({ server: spec.name, tools: server.tools.size }, 'the MCP server is there')
    tried()
    return await over.promise
  } catch (error) {
    return redact(messageOf(error))
  } finally {
    stopPinging()
    ended.removeEventListener('abort', stop)
    await client.close().catch(() => {})
  }
}

function transportOf({ spec, deps, redact }: Running): Transport {
  if (spec.kind === 'http')
    return new StreamableHTTPClientTransport(new URL(spec.url), {
      requestInit: { headers: spec.headers },
    })
  const said = (line: string) =>
    deps.log.debug({ server: spec.name }, redact(`MCP server: ${line}`))
  return createStdioTransport(spec, { ...deps, said })
}

async function list(server: Running, client: Client): Promise<Running['tools']> {
  const listed: Listed[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < pagesMost && listed.length < toolsMost; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request(
      { method: 'tools/list', params },
      { timeout: answerMs, signal: server.ended },
    )
    listed.push(...page.tools)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  // In an order of their own, so that the list in a prompt is the same however the server tells it.
  const inOrder = listed.slice(0, toolsMost).sort((a, b) => (a.name < b.name ? -1 : 1))
  const { name, rules } = server.spec
  const tools = inOrder.map((one) => [JSON.stringify(one), one] as const)
  return new Map(
    tools.map(([told, one]) => [
      told,
      server.tools.get(told) ?? toolOf(name, one, rules, callsOf(server)),
    ]),
  )
}

async function relist(server: Running, client: Client): Promise<void> {
  const { log } = server.deps
  const { name } = server.spec
  try {
    server.tools = await list(server, client)
    log.info({ server: name, tools: server.tools.size }, 'the MCP server has other tools now')
  } catch (error) {
    log.warn(
      { server: name },
      server.redact(`the MCP server did not list its tools: ${messageOf(error)}`),
    )
  }
}

const callsOf =
  (server: Running): CallServer =>
  async (tool, args, signal) => {
    const { name } = server.spec
    if (server.state.kind !== 'up')
      return {
        ok: false,
        text: `not done: the server "${name}" is away just now and is being started again`,
      }
    const { client } = server.state
    server.calling += 1
    try {
      const request = { method: 'tools/call' as const, params: { name: tool, arguments: args } }
      return resultOf(await client.request(request, { signal, timeout: callMost }))
    } catch (error) {
      // An answer of the server's own; whatever else fails leaves open whether the call arrived.
      if (error instanceof ProtocolError)
        return { ok: false, text: server.redact(messageOf(error)) }
      // A call that a person took back says nothing of the server.
      if (!signal.aborted) server.lost('a call was cut off')
      const text = `outcome unknown: the server "${name}" was lost during the call. Look before doing it again.`
      return { ok: false, text, unknown: true }
    } finally {
      server.calling -= 1
    }
  }

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500)

/** Short values are words, not secrets. */
function redactor(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets.filter((one) => one.length >= 6)
  return (text) => hidden.reduce((shown, one) => shown.replaceAll(one, '***'), text)
}
