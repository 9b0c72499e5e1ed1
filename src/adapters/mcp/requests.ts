import {
  type Client,
  type ElicitRequestURLParams,
  InsufficientScopeError,
  type Progress,
  ProtocolError,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import type { FilledPrompt } from '../../agent/commands/task-prompts.ts'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cleanText, jsonIn } from '../../agent/domain/clean-text.ts'
import { cut } from '../../agent/domain/cut.ts'
import type { ToolContext, ToolResult } from '../../agent/ports/tool.ts'
import type { Outcome, Request } from './calls.ts'
import { AnyResult } from './list-tools.ts'
import type { ListedTool } from './listed.ts'
import { answerLost, callMark } from './marked.ts'
import { promptText } from './prompts.ts'
import { contentsOf, resourcesInWords } from './resources.ts'
import { resultOf } from './result.ts'
import { answerMs, lossOf, messageOf, type Running, wantsSignIn } from './running.ts'
import type { CallServer } from './tool.ts'

/** Longest timer; the time limit of a call comes from its signal. */
const callMost = 2 ** 31 - 1

/** Way to a server for one of its tools. */
export function callsOf(server: Running, { readsResources }: ListedTool): CallServer {
  const { name } = server.spec
  const [method, read] = readsResources
    ? (['resources/read', contentsOf] as const)
    : (['tools/call', resultOf] as const)
  async function call(
    { tool, args, effect }: Parameters<CallServer['call']>[0],
    context: ToolContext,
    isAgain = false,
  ): Promise<ToolResult> {
    const { state, listed } = server
    let isGone = false
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
        isGone = isSessionGone(error, state.client)
        return pages === null ? { result: failureOf(server, error, signal) } : { pages }
      }
    }
    const result = await state.calls.run({ tool, effect, context, send })
    if (!isGone || isAgain) return result
    // A server that knows the session no more has done nothing (C971).
    server.lost({ why: 'its session is over' })
    await untilBack(server, context.signal)
    return await call({ tool, args, effect }, context, true)
  }
  const drop = (id: string) => {
    if (server.state.kind === 'up') server.state.calls.drop(id)
  }
  return { call, drop }
}

/** Longest wait for a new session, in milliseconds, and how often it is looked for. */
const backMs = { most: 20_000, every: 200 }

async function untilBack(server: Running, signal: AbortSignal) {
  const { clock } = server.deps
  const until = clock.now() + backMs.most
  while (server.state.kind !== 'up' && !signal.aborted && clock.now() < until)
    await clock.sleep(backMs.every, signal)
}

/** Words of a server that does not know a session, and of one whose session has ended. */
const unknownSession =
  /\bsession\b.{0,40}(?:not found|invalid|unknown)|(?:invalid|unknown|no valid|missing).{0,20}session/i
/** An answer that is about nothing but the session of the protocol (C993). */
const ownSession =
  /^(?:[\w ]{1,20}: )?(?:mcp )?(?:session (?:id )?(?:not found|invalid|unknown|expired)|(?:unknown|invalid|no valid) (?:mcp[- ])?session(?: id)?)\W{0,3}(?:[\w-]{0,60})$/i
const endedSession = /\bsession\b.{0,40}(?:expired|terminated|no longer)|expired.{0,20}session/i

/**
 * True if an error says that the session is over, by the status that is meant for it or in words. A
 * session that ended with an error of the server (5xx) may have ended in the middle of the call.
 */
const isSessionGone = (error: unknown, { transport }: Client): boolean =>
  transport?.sessionId !== undefined &&
  (error instanceof SdkHttpError
    ? error.status === 404 ||
      unknownSession.test(error.message) ||
      (error.status < 500 && endedSession.test(error.message))
    : error instanceof ProtocolError && ownSession.test(error.message))

/** Progress of a call, in words: “3/10 · Page 3”. */
function progressLine({ progress, total, message = '' }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`
  return [count, cut(cleanText(message), 200)].filter((one) => one !== '').join(' · ')
}

/** Fills in a prompt. */
export async function fill(
  { state, spec, redact, ended }: Running,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<FilledPrompt> {
  if (state.kind !== 'up') return { problem: 'away' }
  const request = { method: 'prompts/get', params: { name, arguments: values } }
  const options = { timeout: answerMs, signal: ended }
  return await state.client.request(request, AnyResult, options).then(
    (result) => ({ text: promptText(result, spec.name) }),
    (error: unknown) => ({ problem: 'refused' as const, why: redact(messageOf(error)) }),
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
  if (error instanceof ProtocolError && error.code !== answerLost)
    return { ok: false, text: server.redact(inFull(error)) }
  if (error instanceof InsufficientScopeError)
    return { ok: false, text: server.redact(`not done: ${messageOf(error)}`) }
  if (wantsSignIn(error)) {
    server.lost(lossOf(error, ''))
    return notDone(server, true)
  }
  const { name } = server.spec
  const words = refusalIn(error)
  if (words !== null)
    return { ok: false, text: server.redact(`not done: the server "${name}" refused it: ${words}`) }
  // A canceled call is no sign that the server is lost; one that is lost cancels its calls.
  const isCanceled = signal.aborted && server.state.kind === 'up'
  if (!isCanceled) server.lost({ why: 'a call was cut off' })
  const why = isCanceled
    ? `the call was cut off, and the server "${name}" was told so`
    : `the server "${name}" was lost during the call`
  return { ok: false, text: `outcome unknown: ${why}. Look before doing it again.`, unknown: true }
}

/** An error's words with the details that stand beside them. */
function inFull(error: ProtocolError): string {
  const { data } = error
  const details = typeof data === 'string' ? data : JSON.stringify(data ?? '')
  const isSaid = details === '""' || error.message.includes(details)
  return [messageOf(error), isSaid ? '' : cut(details, 500)].filter((one) => one !== '').join(' ')
}

/**
 * Words of a server that refused a call by a status of HTTP (C972); null: none, or it may have been
 * done.
 */
function refusalIn(error: unknown): string | null {
  if (!(error instanceof SdkHttpError)) return null
  const { status, data } = error
  const text = typeof data.text === 'string' ? data.text : ''
  const message = jsonIn(text)
  const said = isRecord(message)
    ? (message.error_description ?? message.error ?? message.message ?? message.detail)
    : null
  const words = isRecord(said) ? said.message : said
  const isRefused = status >= 400 && status < 500 && status !== 408
  if (!isRefused && !(isRecord(said) && typeof words === 'string')) return null
  const shown = typeof words === 'string' ? words : text
  return `${status} ${/<html/i.test(shown) ? '' : cut(cleanText(shown), 500)}`.trim()
}
