import {
  Client,
  type Tool as Listed,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Tool, ToolResult } from '../../agent/ports/tool.ts'
import type { Reaper } from './reaper.ts'
import { resultOf } from './result.ts'
import type { ServerSpec } from './servers-file.ts'
import { createStdioTransport } from './stdio.ts'
import { toolOf } from './tool.ts'

export interface ServerDeps {
  clock: Clock
  log: Log
  reaper: Reaper
}

export interface ServerHealth {
  name: string
  ok: boolean
  tools: number
  detail: string
}

/**
 * One server: it is started, listed, looked after, and started again with growing pauses when it ends or does not answer.
 *
 * Contract: `tools` are those that it had last, also while it is away; their calls then fail with a sentence that says so, and
 * nothing is sent. `stop` resolves when its process is gone.
 */
export interface McpServer {
  tools(): readonly Tool[]
  health(): ServerHealth
  /** Resolves when it was listed, or could not be started, for the first time. */
  readonly tried: Promise<void>
  stop(): Promise<void>
}

const answerMs = 30_000
const pauseMs = { first: 1_000, most: 60_000 }
/** One that stayed up this long is started again at once. */
const steadyMs = 60_000
const pingEveryMs = 30_000
const toolsMost = 200
/** Calls have the time-out of all tools, by their signal. */
const callMost = 2 ** 31 - 1

type State = { kind: 'up'; client: Client } | { kind: 'starting' } | { kind: 'away'; why: string }

export function startServer(spec: ServerSpec, deps: ServerDeps): McpServer {
  const { clock, log } = deps
  const { name } = spec
  const ended = new AbortController()
  const first = Promise.withResolvers<void>()
  const redact = redactor(spec.secrets)
  let state: State = { kind: 'starting' }
  let tools: readonly Tool[] = []
  let lost = (_why: string) => {}
  let calling = 0
  const known = new Map<string, Tool>()

  const lasted = (async () => {
    for (let pause = pauseMs.first; !ended.signal.aborted; pause = Math.min(pause * 2, pauseMs.most)) {
      const began = clock.now()
      const why = await live()
      first.resolve()
      if (ended.signal.aborted) return
      state = { kind: 'away', why }
      if (clock.now() - began > steadyMs) pause = pauseMs.first
      log.warn({ server: name, tools: tools.length, again: pause }, `the MCP server is away: ${why}`)
      await clock.sleep(pause, ended.signal)
    }
  })()

  /** One life of it; answers how it ended. */
  async function live(): Promise<string> {
    state = { kind: 'starting' }
    const client = new Client({ name: 'clew', version: '1' })
    const over = Promise.withResolvers<string>()
    // From this instant on nothing more is sent to it.
    lost = (why) => {
      state = { kind: 'away', why }
      over.resolve(why)
    }
    client.onclose = () => lost('it ended')
    client.onerror = (error) => log.debug({ server: name }, redact(`MCP: ${error.message}`))
    const stop = () => lost('it is stopped')
    ended.signal.addEventListener('abort', stop, { once: true })
    const stopPinging = clock.every(pingEveryMs, async () => {
      if (state.kind !== 'up' || calling > 0) return
      await client.ping({ timeout: answerMs }).catch(() => lost('it does not answer'))
    })
    try {
      await client.connect(transportOf(), { timeout: answerMs, signal: ended.signal })
      client.setNotificationHandler('notifications/tools/list_changed', () => relist(client))
      tools = await list(client)
      state = { kind: 'up', client }
      log.info({ server: name, tools: tools.length }, 'the MCP server is there')
      first.resolve()
      return await over.promise
    } catch (error) {
      return redact(messageOf(error))
    } finally {
      stopPinging()
      ended.signal.removeEventListener('abort', stop)
      await client.close().catch(() => {})
    }
  }
  function transportOf(): Transport {
    if (spec.kind === 'stdio')
      return createStdioTransport(spec, {
        ...deps,
        said: (line) => log.debug({ server: name }, redact(`MCP server: ${line}`)),
      })
    return new StreamableHTTPClientTransport(new URL(spec.url), { requestInit: { headers: spec.headers } })
  }

  async function list(client: Client): Promise<Tool[]> {
    const listed: Listed[] = []
    for (let cursor: string | undefined; listed.length < toolsMost; ) {
      const params = cursor === undefined ? {} : { cursor }
      const page = await client.request({ method: 'tools/list', params }, { timeout: answerMs })
      listed.push(...page.tools)
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    // In an order of their own, so that the list in a prompt is the same however the server tells it.
    return listed
      .slice(0, toolsMost)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(made)
  }
  /** A tool that is listed again as it was is the same one. */
  function made(listed: Listed): Tool {
    const told = JSON.stringify(listed)
    const tool = known.get(told) ?? toolOf(name, listed, spec.rules, call)
    known.set(told, tool)
    return tool
  }
  async function relist(client: Client) {
    try {
      tools = await list(client)
      log.info({ server: name, tools: tools.length }, 'the MCP server has other tools now')
    } catch (error) {
      log.warn({ server: name }, redact(`the MCP server did not list its tools: ${messageOf(error)}`))
    }
  }

  async function call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
    if (state.kind !== 'up')
      return { ok: false, text: `not done: the server "${name}" is away just now and is being started again` }
    const { client } = state
    calling += 1
    try {
      const request = { method: 'tools/call' as const, params: { name: tool, arguments: args } }
      return resultOf(await client.request(request, { signal, timeout: callMost }))
    } catch (error) {
      // An answer of the server's own; whatever else fails leaves open whether the call arrived.
      if (error instanceof ProtocolError) return { ok: false, text: redact(messageOf(error)) }
      // A call that a person took back says nothing of the server.
      if (!signal.aborted) lost('a call was cut off')
      const text = `outcome unknown: the server "${name}" was lost during the call. Look before doing it again.`
      return { ok: false, text, unknown: true }
    } finally {
      calling -= 1
    }
  }

  return {
    tools: () => tools,
    tried: first.promise,
    health: () => ({
      name,
      ok: state.kind === 'up',
      tools: tools.length,
      detail: state.kind === 'away' ? state.why : state.kind,
    }),
    async stop() {
      ended.abort()
      await lasted
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)

/** Takes out what came from the environment or the file's own secrets (S7). Short values are words, not secrets. */
function redactor(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets.filter((one) => one.length >= 6)
  return (text) => hidden.reduce((shown, one) => shown.replaceAll(one, '***'), text)
}
