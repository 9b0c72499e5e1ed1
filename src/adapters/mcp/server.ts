import {
  Client,
  type ElicitRequestURLParams,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import type { FilledPrompt } from '../../agent/commands/task-prompts.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { cut } from '../../agent/domain/cut.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Tool, ToolContext, ToolResult } from '../../agent/ports/tool.ts'
import type { Reaper } from '../reaper.ts'
import { type Calls, createCalls, type Outcome, type Request } from './calls.ts'
import { AnyResult, listTools, type ServerTools } from './list-tools.ts'
import type { ListedTool } from './listed.ts'
import { callMark, fetchMarked, markIn } from './marked.ts'
import { type ListedPrompt, listPrompts, promptText } from './prompts.ts'
import {
  contentsOf,
  listResources,
  resourcesInWords,
  resourceTool,
  type ServerResources,
} from './resources.ts'
import { resultOf } from './result.ts'
import type { ServerSpec } from './servers-file.ts'
import { createStdioTransport } from './stdio.ts'
import { type CallServer, toolOf } from './tool.ts'

export interface ServerDeps {
  clock: Clock
  log: Log
  reaper: Reaper
  /** Token of the connection, looked up at each request; absent: it has none. */
  token?: () => Promise<string | null>
  /** Called when its lists have changed. */
  changed?(): void
}

const answerMs = 30_000
const pauseMs = { first: 1_000, most: 60_000 }
/** Uptime after which a restart waits only the first pause again, in milliseconds. */
const steadyMs = 60_000
const pingEveryMs = 30_000
/** Longest timer; the time limit of a call comes from its signal. */
const callMost = 2 ** 31 - 1

/** Reason why a server is down. `signIn`: it requires a sign-in first (C366). */
interface Loss {
  why: string
  signIn?: boolean
}

type State =
  | { kind: 'up'; client: Client; calls: Calls }
  | { kind: 'starting' }
  | ({ kind: 'away' } & Loss)

/** State of a server while Clew runs. */
interface Running {
  readonly spec: ServerSpec
  readonly deps: ServerDeps
  /** Aborts when the server must stop. */
  readonly ended: AbortSignal
  state: State
  listed: ServerTools & {
    resources: ServerResources | null
    prompts: readonly ListedPrompt[]
  }
  /** Marks the server as lost: from now on nothing is sent to it. */
  lost(loss: Loss): void
  /** Redacts values from the environment and the file's own secrets (S7). */
  redact(text: string): string
}

export type McpServer = ReturnType<typeof startServer>
type Values = Readonly<Record<string, string>>
/** Whoever wants a prompt: `personal.ts` takes their sign-in. */
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
    listed: { tools: new Map(), odd: [], resources: null, prompts: [] },
    lost() {},
  }
  const lasted = keepAlive(server, first.resolve)
  return {
    tools: (): readonly Tool[] => [...server.listed.tools.values()],
    prompts: (): readonly ListedPrompt[] => server.listed.prompts,
    fill: (prompt: string, values: Values, _: Asker) => fill(server, prompt, values),
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
    async stop(): Promise<void> {
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
async function keepAlive(server: Running, tried: () => void): Promise<void> {
  const { ended, deps, spec } = server
  for (let pause = pauseMs.first; !ended.aborted; pause = Math.min(pause * 2, pauseMs.most)) {
    const began = deps.clock.now()
    const loss = await live(server, tried)
    server.state = { kind: 'away', ...loss }
    tried()
    if (ended.aborted) return
    if (deps.clock.now() - began > steadyMs) pause = pauseMs.first
    const fields = { server: spec.name, tools: server.listed.tools.size, again: pause }
    deps.log.warn(fields, `the MCP server is away: ${loss.why}`)
    await deps.clock.sleep(pause, ended)
  }
}

/** Runs the server once, until it is lost. Returns the reason. */
async function live(server: Running, tried: () => void): Promise<Loss> {
  const { spec, ended, redact } = server
  const { clock, log } = server.deps
  const { client, calls } = openClient(server)
  const over = Promise.withResolvers<Loss>()
  server.state = { kind: 'starting' }
  server.lost = (loss) => {
    // The first reason counts; closing the client afterwards adds nothing.
    if (server.state.kind === 'away') return
    server.state = { kind: 'away', ...loss }
    over.resolve(loss)
  }
  client.onclose = () => server.lost({ why: 'it ended' })
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
    return lossOf(error, redact(messageOf(error)))
  } finally {
    stopPinging()
    ended.removeEventListener('abort', stop)
    calls.stop()
    await client.close().catch(() => {})
  }
}

/**
 * Pings a server. An error response counts as an answer, since some servers do not support the
 * request.
 */
const ping = (client: Client) =>
  client.request({ method: 'ping' }, AnyResult, { timeout: answerMs }).catch((error: unknown) => {
    if (!isAnswer(error)) throw error
  })

const isAnswer = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)

const wantsSignIn = (error: unknown): boolean =>
  error instanceof UnauthorizedError ||
  (error instanceof SdkHttpError && error.status === 401) ||
  (error instanceof SseError && error.code === 401)

const lossOf = (error: unknown, why: string): Loss =>
  wantsSignIn(error) ? { why: 'it wants a sign-in (401)', signIn: true } : { why }

function transportOf({ spec, deps, redact }: Running): Transport {
  if (spec.kind === 'http') {
    const { token } = deps
    const authProvider = { token: async () => (await token?.()) ?? undefined }
    const options = {
      requestInit: { headers: spec.headers },
      fetch: fetchMarked,
      authProvider: token && authProvider,
    }
    const url = new URL(spec.url)
    return spec.isSse
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
  const own = resources === null ? null : resourceTool(resources)
  const { tools, odd } = await listTools(
    client,
    { ...options, server: name, own },
    (listed, function_, key) =>
      server.listed.tools.get(key) ??
      toolOf(listed, { server: name, function: function_, rules, ...callsOf(server, listed) }),
  )
  const all = [...odd, ...(resources?.odd ?? []), ...prompts.odd]
  return { tools, odd: all, resources, prompts: prompts.listed }
}

function noteTools({ deps, spec, listed, redact }: Running, said: string): void {
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

async function relist(server: Running, client: Client): Promise<void> {
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
function openClient({ spec, deps: { clock } }: Running) {
  const calls = createCalls({ server: spec.name, clock })
  const capabilities = { elicitation: { form: {}, url: {} } }
  const client = new Client({ name: 'clew', version: '1' }, { capabilities })
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    calls.asked(params, markIn(params._meta), mcpReq.signal),
  )
  return { client, calls }
}

function callsOf(server: Running, { readsResources }: ListedTool): CallServer {
  const { name } = server.spec
  const [method, read] = readsResources
    ? (['resources/read', contentsOf] as const)
    : (['tools/call', resultOf] as const)
  const call: CallServer['call'] = async ({ tool, args, effect }, context) => {
    const { state, listed } = server
    if (state.kind !== 'up') return notDone(server, state.kind === 'away' && state.signIn === true)
    if (readsResources && !args.uri && listed.resources !== null)
      return resourcesInWords(listed.resources)
    const what = readsResources ? args : { name: tool, arguments: args }
    const params = { ...what, _meta: { [callMark]: context.effectId } }
    const send: Request['send'] = async (signal, say): Promise<Outcome> => {
      try {
        const onprogress = (progress: Progress) => say(progressLine(progress))
        const options = { signal, timeout: callMost, onprogress }
        return {
          result: read(await state.client.request({ method, params }, AnyResult, options), name),
        }
      } catch (error) {
        const pages = pagesIn(error)
        return pages === null ? { result: failureOf(server, error, signal) } : { pages }
      }
    }
    return await state.calls.run({ tool, effect, context, send })
  }
  const drop = (id: string) => {
    if (server.state.kind === 'up') server.state.calls.drop(id)
  }
  return { call, drop }
}

/** How far a call is: “3/10 · Page 3”. */
function progressLine({ progress, total, message = '' }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`
  return [count, cut(cleanText(message), 200)].filter((one) => one !== '').join(' · ')
}

/** Fills in a prompt. */
async function fill(
  { state, spec, redact, ended }: Running,
  name: string,
  values: Values,
): Promise<FilledPrompt> {
  if (state.kind !== 'up') return { problem: 'it is away just now' }
  const request = { method: 'prompts/get', params: { name, arguments: values } }
  const options = { timeout: answerMs, signal: ended }
  return await state.client.request(request, AnyResult, options).then(
    (result) => ({ text: promptText(result, spec.name) }),
    (error: unknown) => ({ problem: redact(messageOf(error)) }),
  )
}

/** C854: pages that a server wants to be opened before it does anything. */
const pagesIn = (error: unknown): readonly ElicitRequestURLParams[] | null =>
  error instanceof UrlElicitationRequiredError ? error.elicitations : null

function notDone({ spec: { name } }: Running, signIn: boolean): ToolResult {
  const text = signIn
    ? `not done: the server "${name}" wants a sign-in. Say so, and that the people who run Clew can fix it: they put a valid key into its entry, as the page Set up shows`
    : `not done: the server "${name}" is away just now and is being started again`
  return { ok: false, text }
}

/**
 * Converts a failed call into a result. An error response means that nothing was done; any other
 * failure leaves the outcome unknown.
 */
function failureOf(server: Running, error: unknown, signal: AbortSignal): ToolResult {
  if (error instanceof ProtocolError) return { ok: false, text: server.redact(messageOf(error)) }
  if (wantsSignIn(error)) {
    server.lost(lossOf(error, ''))
    return notDone(server, true)
  }
  const { name } = server.spec
  // A canceled call is no sign that the server is lost; one that is lost cancels its calls.
  const isCanceled = signal.aborted && server.state.kind === 'up'
  if (!isCanceled) server.lost({ why: 'a call was cut off' })
  const why = isCanceled
    ? `the call was cut off, and the server "${name}" was told so`
    : `the server "${name}" was lost during the call`
  return { ok: false, text: `outcome unknown: ${why}. Look before doing it again.`, unknown: true }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500)

/**
 * Redacts secrets in texts. Values shorter than 6 characters are kept, since they may be ordinary
 * words.
 */
function redactor(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets.filter((one) => one.length >= 6)
  return (text) => hidden.reduce((shown, one) => shown.replaceAll(one, '***'), text)
}
