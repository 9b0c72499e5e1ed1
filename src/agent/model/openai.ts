import { createHash } from 'node:crypto'
import { APIError, OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import { texts } from '../../locales/texts.ts'
import { isRecord } from '../contracts/forgiving.ts'
import { type ContractName, deciding } from '../contracts.ts'
import { imageTokens } from '../domain/attached-image.ts'
import { costOf, type Price } from '../domain/budget.ts'
import { memoized } from '../domain/memoized.ts'
import { type FailureKind, isOfOneRequest, passesByItself } from '../domain/model-failure.ts'
import { noUsage, plus } from '../domain/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Model, ModelReply, Usage, Written } from '../ports/model.ts'
import { createAbilities, type RememberedForms } from './abilities.ts'
import { adviceFor, type SettingNames } from './advice.ts'
import { createSight } from './describe-image.ts'
import { drafting } from './draft.ts'
import { exchangeText } from './exchanges.ts'
import { failureOf, type Part, partsRefused } from './failures.ts'
import { folded } from './fold.ts'
import {
  hasFunctions,
  requestBody,
  type Shape,
  type Style,
  styleOf,
  withoutSystem,
} from './forms.ts'
import { type Prompt, promptFor } from './prompts.ts'
import { type Completion, readCompletion, type Unread } from './reading.ts'
import type { PromptLayout } from './rules.ts'
import { type Complete, completeAt, createStreams, EndlessStream } from './stream.ts'
import { functionsOf } from './tool-functions.ts'
import { leanFetch } from './transport.ts'
import { createVision } from './vision.ts'
import { createWindow, type Window } from './window.ts'

export interface OpenAiOptions {
  /** Null for endpoints that want none. */
  apiKey: string | null
  baseURL: string
  model: string
  /**
   * Which of OpenAI's two ways in `complete` takes; Chat Completions when it is left out (C135).
   */
  api?: 'chat' | 'responses'
  /** Reasoning effort; null or absent: the model's default. */
  effort?: ChatBody['reasoning_effort']
  /** For a whole request, in milliseconds. */
  timeoutMs: number
  /** For the contracts `decision` and `chat`; `timeoutMs` when it is left out. */
  decisionTimeoutMs?: number
  log: Log
  clock: Pick<Clock, 'now'>
  /** `shared` where it is left out. */
  prompts?: PromptLayout
  /** Context window in tokens, as the operator set it. */
  window?: number | undefined
  price?: Price | undefined
  /** Where what the endpoint can do is remembered; nowhere when it is left out. */
  remembered?: RememberedForms
  /** Names of the settings that apply here, for the person who has to change them. */
  settings?: SettingNames
  /**
   * Sends requests where they do not go to an OpenAI-compatible endpoint; `baseURL` is then only a
   * name.
   */
  complete?: Complete
  fetch?: typeof fetch
}

/**
 * The model behind any OpenAI-compatible endpoint, and behind any provider that is asked in the
 * same shape (`complete`).
 *
 * One call is one request (C8), but for finding out what the endpoint can do, which happens once a
 * day and model: a request that is refused for its form, or answered in words, then goes out in the
 * next form. That is not a second attempt at the contract: the tokens of all requests are in the
 * reply's usage, and the form that worked is remembered (C99).
 */
export function createOpenAiModel(options: OpenAiOptions): Model {
  const endpoint = endpointOf(options)
  return {
    name: options.model,
    // `async`, so that a fault in building the prompt is a rejection at least; there is none that
    // the input can cause.
    call: async (contract, input, signal, written) =>
      call(endpoint, contract, promptFor(contract, input, options.prompts), {
        signal,
        written,
        isAgain: 'refusal' in input && input.refusal != null,
      }),
    sight: createSight(endpoint),
    image: endpoint.priced({ promptTokens: imageTokens, completionTokens: 0 }),
  }
}

/** An endpoint, and what is learned of it. */
function endpointOf(options: OpenAiOptions) {
  const { model, log, clock, price, remembered, baseURL } = options
  const client = createClient(options)
  const at = URL.parse(baseURL)?.host ?? baseURL
  const host = options.api === 'responses' ? `${at}/responses` : at
  return {
    ...options,
    complete: options.complete ?? completeAt(client),
    host,
    client,
    vision: createVision({ model, log }),
    streams: createStreams(),
    /** Parts of requests that the endpoint does not take. */
    refused: new Set<Part>(),
    abilitiesOf: memoized((style: Style) =>
      createAbilities({ model, host, style, remembered, log, clock }),
    ),
    sized: createWindow(model, options.window, log),
    /** With what it cost. */
    priced: (usage: Usage): Usage => (price ? { ...usage, cost: costOf(price, usage) } : usage),
  }
}
type Endpoint = ReturnType<typeof endpointOf>

interface Caller {
  signal: AbortSignal
  written: Written | undefined
  /** True if the request says what was wrong with an answer before it. */
  isAgain: boolean
}

async function call(
  endpoint: Endpoint,
  contract: ContractName,
  prompt: Prompt,
  { signal, written, isAgain }: Caller,
): Promise<ModelReply> {
  const { model, timeoutMs, decisionTimeoutMs = timeoutMs } = endpoint
  const { clock, streams, refused, sized: window } = endpoint
  const timeout = deciding.includes(contract) ? decisionTimeoutMs : timeoutMs
  const abilities = endpoint.abilitiesOf(styleOf(contract))
  const looking = endpoint.vision.looking(prompt.images ?? [], window.limit())
  const cards = prompt.tools ?? []
  let usage = noUsage
  let isTooLong = false
  const by = `${model}@${endpoint.host}`
  let shape: Shape = await abilities.shape()
  for (;;) {
    if (signal.aborted) return { ok: false, code: 'aborted', usage }
    const offered = functionsOf(cards, shape.without)
    const tools = offered.map(({ name, origin }) => (origin ? name : null))
    const calls = hasFunctions(shape.form)
      ? prompt.transcript.filter((part) => typeof part !== 'string')
      : []
    const shown = { ...prompt, images: looking.images }
    const body = bodyFor(endpoint, contract, shown, { ...shape, by })
    const hear =
      !refused.has('stream') && streams.areCounted() && written
        ? drafting(contract, { form: shape.form, clock, written })
        : undefined
    const { completion, error } = await endpoint.complete(body, { timeout, signal, hear }).then(
      (done) => ({ completion: done, error: null }),
      (failure: unknown) => ({ completion: null, error: failure }),
    )
    if (completion !== null)
      usage = plus(usage, usageOf(endpoint, body, completion, hear !== undefined))
    else {
      const has = {
        effort: body.reasoning_effort != null,
        stream: hear !== undefined,
        system: true,
        calls: calls.length > 0,
        own: calls.some(({ sent }) => sent?.by === by),
      }
      if (isPartRefused(endpoint, error, has)) continue
      if (window.isOverflow(error, body) && !isTooLong) {
        isTooLong = true
        continue
      }
      if (looking.drops(error)) continue
    }
    if (signal.aborted) return { ok: false, code: 'aborted', usage }
    const names = [contract, ...[...offered, ...cards].map(({ name }) => name)]
    const asked = { contract, form: shape.form, names, isAgain }
    const reading = completion && readCompletion(completion, asked)
    if (reading?.ok) {
      looking.proved()
      await abilities.proved(shape, tools)
      const { value, message } = reading
      return { ok: true, value, usage, sent: message && { by, message } }
    }
    const isOdd = reading === null || reading.code === 'no_call'
    const instead = isOdd ? abilities.instead(shape, tools, error) : null
    if (instead !== null) shape = instead
    else if (reading === null) return await failed(endpoint, error, { usage, body })
    else return unread(reading, usage, endpoint.settings)
  }
}

/** Request of a contract, without the parts that the endpoint refused. */
function bodyFor(
  endpoint: Endpoint,
  contract: ContractName,
  prompt: Prompt,
  { by, ...shape }: Shape & { by: string },
): ChatBody {
  const { model, refused, sized: window } = endpoint
  const how = asSet(endpoint, prompt)
  const asked = refused.has('own') ? shape : { ...shape, by }
  const shown = refused.has('calls')
    ? { ...prompt, transcript: prompt.transcript.map(exchangeText) }
    : prompt
  return fitted(window, shown, (one) => {
    const made = { ...requestBody(model, contract, one, asked), ...how }
    return refused.has('system') ? withoutSystem(made) : made
  })
}

/** Usage of one request, with its cost; estimated where the endpoint does not count (C354). */
function usageOf(
  { streams, sized: window, priced }: Endpoint,
  body: ChatBody,
  completion: Completion,
  isStreamed: boolean,
): Usage {
  const { usage } = completion
  const isCounted = usage.promptTokens > 0
  streams.counted(isStreamed, isCounted)
  window.counted(body, usage.promptTokens)
  return priced(isCounted ? usage : estimated(window, body, completion))
}

/** True if the endpoint refused a part that the request has; requests leave it out from then on. */
function isPartRefused(
  { refused, log, model, host }: Endpoint,
  error: unknown,
  has: Record<Part, boolean>,
): boolean {
  const part = partsOf(error).find((one) => has[one] && !refused.has(one))
  if (part === undefined) return false
  refused.add(part)
  if (part === 'effort')
    log.warn({ model, host }, 'model endpoint takes no reasoning effort; leaving it out')
  return true
}

/**
 * An answer that ends without its end is asked for in one piece, as from an endpoint that refuses
 * to stream.
 */
const partsOf = (error: unknown): readonly Part[] =>
  error instanceof EndlessStream || error instanceof SyntaxError ? ['stream'] : partsRefused(error)

const estimated = (window: Window, body: ChatBody, { message }: Completion) => ({
  promptTokens: Math.ceil(window.tokensIn(body)),
  completionTokens: Math.ceil(window.tokensIn(message)),
  estimated: true,
})

const asSet = ({ effort, api, refused }: Endpoint, { system, context, contracts }: Prompt) => ({
  reasoning_effort: refused.has('effort') ? undefined : (effort ?? undefined),
  // Requests that begin alike are sent where their beginning is kept: those of one contract in one
  // task have one key, and so have Decisions and the rounds of `free` (C581).
  prompt_cache_key:
    api === 'responses'
      ? createHash('sha256')
          .update(contracts?.includes('decision') ? system : `${system}\n${context}`)
          .digest('hex')
          .slice(0, 32)
      : undefined,
})

/** The request, folded where it would not fit. */
function fitted(window: Window, prompt: Prompt, bodyOf: (prompt: Prompt) => ChatBody): ChatBody {
  const whole = bodyOf(prompt)
  if (window.tokensIn(whole) <= window.limit()) return whole
  const tokens = { of: (one: Prompt) => window.tokensIn(bodyOf(one)), in: window.tokensIn }
  return bodyOf(folded(prompt, window.limit(), tokens))
}

async function failed(
  { model, log, host, settings, client, clock, apiKey }: Endpoint,
  error: unknown,
  { usage, body }: { usage: Usage; body: ChatBody },
): Promise<ModelReply> {
  const { said, ...failure } = failureOf(error, clock.now(), apiKey)
  const { code, kind, message, retryAfterMs } = failure
  const { does, mend: advice } = adviceFor(kind, settings)
  const names = kind === 'unknown_model' ? await chatModelsAt(client).catch(() => []) : []
  const listed = texts('en').doctor.listed(names.slice(0, 20))
  const mend = names.length === 0 ? advice : `${advice} ${listed}`
  // The operator has to do something about the others.
  const level = passesByItself(kind) || isOfOneRequest(kind) ? 'warn' : 'error'
  const words = said === null || repeats(said, body) ? {} : { said }
  log[level]({ model, host, ...failure, ...words }, `The model endpoint ${does}. ${mend}`)
  return code === 'bad_reply'
    ? { ok: false, code, message, mend, usage }
    : { ok: false, code, kind, message, mend, retryAfterMs, usage }
}

/** Length of a piece of a request that must not be in a log (S7), in characters. */
const pieceMost = 16

/** True if an endpoint's words hold some of the request. */
function repeats(said: string, { messages }: ChatBody): boolean {
  const asked = JSON.stringify(messages)
  const starts = said.slice(pieceMost - 1).split('')
  return starts.some((_, at) => asked.includes(said.slice(at, at + pieceMost)))
}

/**
 * The environment is read in one place (`config.ts`), so nothing is left to the client's own
 * reading of it.
 */
function createClient({
  apiKey,
  baseURL,
  fetch = leanFetch,
}: Pick<OpenAiOptions, 'apiKey' | 'baseURL' | 'fetch'>): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL,
    maxRetries: 0,
    logLevel: 'off',
    fetch,
    defaultHeaders: apiKey === null ? { Authorization: null } : undefined,
  })
}

/** Its name, or why it is not known. */
export type FirstModel = { name: string } | { failure: FailureKind; problem: string }

/**
 * The first model of an endpoint's list that can chat; for a local server usually the one that it
 * was started with.
 *
 * @returns its name, or why there is none: the endpoint lists none, or does not answer within 5 s.
 */
export async function firstModelOf(baseURL: string, apiKey: string | null): Promise<FirstModel> {
  const names = await namesAt(baseURL, apiKey)
  if ('failure' in names) return names
  const [name] = names
  return name === undefined
    ? { failure: 'unknown_model', problem: 'the model endpoint lists no model that can chat' }
    : { name }
}

/**
 * Names of an endpoint's models that can chat, or why it fails; asking for them costs no tokens.
 */
export const namesAt = (baseURL: string, apiKey: string | null, timeout?: number) =>
  chatModelsAt(createClient({ apiKey, baseURL }), timeout).catch((error: unknown) => {
    const { kind: failure, message: problem } = failureOf(error, 0, apiKey)
    return { failure, problem }
  })

const noChat =
  /embed|rerank|whisper|\btts\b|speech|transcri|audio|dall-e|image|diffusion|flux|moderation|guard|minilm|davinci|babbage|completion_chat":false|\b(?:bge|gte|e5|clip|veo|sora|realtime)\b/i

/**
 * Names of an endpoint's models that can chat, as it lists them: some send the list bare (C354).
 */
async function chatModelsAt(client: OpenAI, timeout = 5_000): Promise<string[]> {
  const body: unknown = await client.get('/models', { timeout })
  const list = isRecord(body) ? (body.data ?? body.models) : body
  if (!Array.isArray(list)) throw APIError.generate(404, undefined, 'no list', new Headers())
  return list.flatMap((one) => {
    const {
      name,
      id = name,
      type,
      task,
      capabilities,
    }: Record<string, unknown> = isRecord(one) ? one : { id: one }
    const isChat = !noChat.test(JSON.stringify([id, type, task, capabilities]))
    return isChat && typeof id === 'string' ? [id] : []
  })
}

/** An answer that cannot be used. */
function unread(
  { code, message }: Unread,
  usage: Usage,
  settings: SettingNames | undefined,
): ModelReply {
  const kind = code === 'filtered' ? code : undefined
  const { mend } = adviceFor(kind ?? 'reply_unusable', settings)
  return { ok: false, code: 'bad_reply', kind, message, mend, usage }
}
