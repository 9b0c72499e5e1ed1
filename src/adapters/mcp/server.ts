import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Tool, ToolContext } from '../../agent/ports/tool.ts'
import { createCalls } from './calls.ts'
import { AnyResult, listTools } from './list-tools.ts'
import { fetchMarked, markIn } from './marked.ts'
import { listPrompts } from './prompts.ts'
import { callsOf, fill } from './requests.ts'
import { listResources, resourceTool } from './resources.ts'
import {
  answerMs,
  type Loss,
  lossOf,
  type Manner,
  messageOf,
  type Running,
  type ServerDeps,
} from './running.ts'
import type { ServerSpec } from './servers-file.ts'
import { createStdioTransport } from './stdio.ts'
import { toolOf } from './tool.ts'

const pauseMs = { first: 1_000, most: 60_000 }
/** Uptime after which a restart waits only the first pause again, in milliseconds. */
const steadyMs = 60_000
const pingEveryMs = 30_000

export type McpServer = ReturnType<typeof startServer>
/** Person and place for whom a prompt is filled in. */
type Asker = Omit<ToolContext, 'signal'>

/**
 * Starts an MCP server, lists its tools, pings it, and restarts it with growing pauses when it ends
 * or stops answering.
 *
 * Contract: while the server is down, `tools` returns the last list. A call then fails with a
 * sentence that says so, and nothing is sent. `stop` resolves when the process is gone.
 */
export function startServer(spec: ServerSpec, deps: ServerDeps) {
  const { name } = spec
  const ended = new AbortController()
  const first = Promise.withResolvers<void>()
  const server: Running = {
    spec,
    deps,
    ended: ended.signal,
    redact: redactor(spec.secrets),
    state: { kind: 'starting' },
    manner: {},
    listed: { tools: new Map(), odd: [], resources: null, prompts: [] },
    lost() {},
  }
  const lasted = keepAlive(server, first.resolve)
  return {
    tools: (): readonly Tool[] => [...server.listed.tools.values()],
    prompts: () => server.listed.prompts,
    /** Fills in a prompt; `personal.ts` takes the sign-in of the asker. */
    fill: (prompt: string, values: Readonly<Record<string, string>>, _: Asker) =>
      fill(server, prompt, values),
    /** Resolves once the tools are listed, or the first start has failed. */
    tried: first.promise,
    health: () => ({
      name,
      ok: server.state.kind === 'up',
      tools: server.listed.tools.size,
      detail: server.state.kind === 'away' ? server.state.why : server.state.kind,
      signIn: server.state.kind === 'away' && server.state.signIn === true,
      odd: server.listed.odd.map(server.redact),
    }),
    async stop() {
      ended.abort()
      await lasted
    },
  }
}

/**
 * Restarts the server until it is stopped.
 *
 * @param tried called after each listing and each failure.
 */
async function keepAlive(server: Running, tried: () => void) {
  const { ended, deps, spec } = server
  for (let pause = pauseMs.first; !ended.aborted; pause = Math.min(pause * 2, pauseMs.most)) {
    const began = deps.clock.now()
    const loss = await liveInAnyManner(server, tried)
    server.state = { kind: 'away', ...loss }
    tried()
    if (ended.aborted) return
    if (deps.clock.now() - began > steadyMs) pause = pauseMs.first
    const fields = { server: spec.name, tools: server.listed.tools.size, again: pause }
    deps.log.warn(fields, `the MCP server is away: ${loss.why}`)
    await deps.clock.sleep(pause, ended)
  }
}

/** Runs the server once, in the manner that it takes (C993). */
async function liveInAnyManner(server: Running, tried: () => void): Promise<Loss> {
  const loss = await live(server, tried)
  if (loss.manner === undefined) return loss
  server.manner = loss.manner
  let isTaken = false
  const other = await live(server, () => {
    isTaken = true
    tried()
  })
  if (!isTaken) server.manner = {}
  return isTaken ? other : loss
}

/** Runs the server once, until it is lost. Returns the reason. */
async function live(server: Running, tried: () => void): Promise<Loss> {
  const { spec, ended, redact } = server
  const { clock, log } = server.deps
  const { client, calls } = openClient(server)
  const over = Promise.withResolvers<Loss>()
  server.state = { kind: 'starting' }
  const lost: Running['lost'] = (loss) => {
    // The first reason counts; closing the client afterwards adds nothing.
    if (server.lost !== lost || server.state.kind === 'away') return
    server.state = { kind: 'away', ...loss }
    over.resolve(loss)
  }
  server.lost = lost
  client.onclose = () => lost({ why: 'it ended' })
  client.onerror = (error) => log.debug({ server: spec.name }, redact(`MCP: ${error.message}`))
  const stop = () => server.lost({ why: 'it is stopped' })
  ended.addEventListener('abort', stop, { once: true })
  const stopPinging = clock.every(pingEveryMs, async () => {
    if (server.state.kind !== 'up' || calls.count() > 0) return
    await ping(client).catch((error) => server.lost(lossOf(error, 'it does not answer')))
  })
  try {
    await client.connect(transportOf(server), { timeout: answerMs, signal: ended })
    const again = relists(server, client)
    for (const what of changes)
      client.setNotificationHandler(`notifications/${what}/list_changed`, again)
    server.listed = await list(server, client)
    server.state = { kind: 'up', client, calls }
    noteTools(server, 'the MCP server is there')
    tried()
    return await over.promise
  } catch (error) {
    const manner = mannerFor(server, error)
    return { ...lossOf(error, redact(messageOf(error))), manner }
  } finally {
    stopPinging()
    ended.removeEventListener('abort', stop)
    calls.stop()
    await client.close().catch(() => {})
  }
}

const newest = SUPPORTED_PROTOCOL_VERSIONS[0]
/** Version for a server that does not say which it knows. */
const oldest = '2024-11-05'

/** The manner in which a server that refused the greeting may take it; undefined: none (C993). */
function mannerFor({ spec, manner }: Running, error: unknown): Manner | undefined {
  if (Object.keys(manner).length > 0) return undefined
  const data = error instanceof ProtocolError ? JSON.stringify(error.data) : ''
  const words = `${messageOf(error)} ${data}`
  const named: readonly string[] = words.match(/\b\d{4}-\d\d-\d\d\b/g) ?? []
  const known = SUPPORTED_PROTOCOL_VERSIONS.filter((one) => one !== newest && named.includes(one))
  if (/protocol.{0,3}version/i.test(words)) return { version: known[0] ?? oldest }
  const isNoPost = error instanceof SdkHttpError && [404, 405].includes(error.status)
  return isNoPost && spec.kind === 'http' && !spec.isSse ? { isSse: true } : undefined
}

/**
 * Pings a server. An error response counts as an answer, since some servers do not support the
 * request.
 */
const ping = (client: Client) =>
  client.request({ method: 'ping' }, AnyResult, { timeout: answerMs }).catch((error: unknown) => {
    if (!isAnswer(error)) throw error
  })

const isAnswer = (error: unknown) =>
  error instanceof ProtocolError ||
  (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)

function transportOf({ spec, deps, redact, manner }: Running): Transport {
  if (spec.kind === 'http') {
    const { token } = deps
    const authProvider = { token: async () => (await token?.()) ?? undefined }
    const options = {
      requestInit: { headers: spec.headers },
      fetch: fetchMarked,
      authProvider: token && authProvider,
    }
    const url = new URL(spec.url)
    return spec.isSse || manner.isSse
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)
  }
  const said = (line: string) =>
    deps.log.debug({ server: spec.name }, redact(`MCP server: ${line}`))
  return createStdioTransport(spec, { ...deps, said })
}

async function list(server: Running, client: Client): Promise<Running['listed']> {
  const options = { timeout: answerMs, signal: server.ended }
  const { name, rules } = server.spec
  const [resources, prompts] = await Promise.all([
    listResources(client, options),
    listPrompts(client, options),
  ])
  const own = resources && resourceTool(resources)
  const { tools, odd } = await listTools(
    client,
    { ...options, server: name, own },
    (listed, as, key) =>
      server.listed.tools.get(key) ??
      toolOf(listed, { server: name, function: as, rules, ...callsOf(server, listed) }),
  )
  const all = [...odd, ...(resources?.odd ?? []), ...prompts.odd]
  return { tools, odd: all, resources, prompts: prompts.listed }
}

function noteTools({ deps, spec, listed, redact }: Running, said: string) {
  deps.log.info({ server: spec.name, tools: listed.tools.size }, said)
  for (const line of listed.odd) deps.log.warn({ server: spec.name }, redact(`MCP: ${line}`))
}

/** Changes of a server's lists that are taken up while it runs (C921). */
const changes = ['tools', 'resources', 'prompts'] as const

/** Lists a server's tools again, once more if something changes meanwhile. */
function relists(server: Running, client: Client): () => Promise<void> {
  let [isRunning, isStale] = [false, false]
  return async () => {
    isStale = true
    if (isRunning) return
    isRunning = true
    while (isStale) {
      isStale = false
      await relist(server, client)
    }
    isRunning = false
  }
}

async function relist(server: Running, client: Client) {
  try {
    server.listed = await list(server, client)
    server.deps.changed?.()
    noteTools(server, 'the MCP server has other tools now')
  } catch (error) {
    const line = `the MCP server did not list its tools: ${messageOf(error)}`
    server.deps.log.warn({ server: server.spec.name }, server.redact(line))
  }
}

/** Client that passes on what the server asks the person of a call (C850). */
function openClient({ spec, manner: { version }, deps: { clock } }: Running) {
  const calls = createCalls({ server: spec.name, clock })
  const capabilities = { elicitation: { form: {}, url: {} } }
  const supportedProtocolVersions = version && [version, ...SUPPORTED_PROTOCOL_VERSIONS]
  const options = { capabilities, ...(supportedProtocolVersions && { supportedProtocolVersions }) }
  const client = new Client({ name: 'clew', version: '1' }, options)
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    calls.asked(params, markIn(params._meta), mcpReq.signal),
  )
  return { client, calls }
}

/**
 * Redacts secrets in texts. Values shorter than 6 characters are kept, since they may be ordinary
 * words.
 */
function redactor(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets.filter((one) => one.length >= 6)
  return (text) => hidden.reduce((shown, one) => shown.replaceAll(one, '***'), text)
}
