import { createHash } from 'node:crypto'
import { APIError, OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { type ContractName, deciding } from '../contracts.ts'
import { imageTokens } from '../domain/attached-image.ts'
import { costOf, type Price } from '../domain/budget.ts'
import { jsonIn } from '../domain/clean-text.ts'
import { memoized } from '../domain/memoized.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { noUsage, plus } from '../domain/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Model, ModelReply, Usage, Written } from '../ports/model.ts'
import {
  type Abilities,
  createAbilities,
  fixedAbilities,
  nothingRemembered,
  type RememberedForms,
  type Sign,
} from './abilities.ts'
import { adviceFor, type SettingNames } from './advice.ts'
import { type Complete, createAiSdk } from './ai-sdk.ts'
import { createSight } from './describe-image.ts'
import { drafting } from './draft.ts'
import { type Exchange, exchangeText } from './exchanges.ts'
import {
  errorInside,
  type Failure,
  failureOf,
  noAnswer,
  type Part,
  partRefused,
} from './failures.ts'
import { folded } from './fold.ts'
import {
  type Form,
  hasFunctions,
  requestBody,
  type Shape,
  type Style,
  styleOf,
  withoutSystem,
} from './forms.ts'
import { type Prompt, promptFor } from './prompts.ts'
import { type Reading, readCompletion, usageOf, writtenIn } from './reading.ts'
import type { PromptLayout } from './rules.ts'
import { completeStreamed, createStreams, EndlessStream, type Streams } from './stream.ts'
import { functionsOf } from './tool-functions.ts'
import { leanFetch } from './transport.ts'
import { createVision, type Vision } from './vision.ts'
import { createWindow, type Window } from './window.ts'

export interface OpenAiOptions {
  /** Null for endpoints that want none. */
  apiKey: string | null
  /** Null for OpenAI's own. */
  baseURL: string | null
  model: string
  /** Answers the contracts `decision` and `chat`; null for `model`. */
  decisionModel: string | null
  /** Which of OpenAI's two ways in; Chat Completions when it is left out (C135). */
  api?: 'chat' | 'responses'
  /** How much the model thinks; null or absent: as it likes. */
  effort?: ChatBody['reasoning_effort']
  /** For a whole request, in milliseconds. */
  timeoutMs: number
  /** For the contracts `decision` and `chat`; `timeoutMs` when it is left out. */
  decisionTimeoutMs?: number
  log: Log
  clock: Pick<Clock, 'now'>
  /** `shared` where it is left out. */
  prompts?: PromptLayout
  /** The only form to ask in, whatever comes of it. */
  form?: Form
  /** How many tokens models take, by their names, where the operator says so. */
  windows?: Readonly<Record<string, number>>
  /** What models cost, by their names. */
  prices?: Readonly<Record<string, Price>>
  /** Where what the endpoint can do is remembered; nowhere when it is left out. */
  remembered?: RememberedForms
  /** What is set to ask here, for the person who has to change it. */
  settings?: SettingNames
  /** How requests are made, where it is not an OpenAI-compatible endpoint that takes them; `baseURL` then only names it. */
  complete?: Complete
  fetch?: typeof fetch
}

/**
 * The model behind any OpenAI-compatible endpoint, and behind any provider that is asked in the same shape (`complete`).
 *
 * One call is one request (C8), but for finding out what the endpoint can do, which happens once a day and model: a request
 * that is refused for its form, or answered in words, then goes out in the next form. That is not a second attempt at the
 * contract: the tokens of all requests are in the reply's usage, and the form that worked is remembered (C99).
 */
export function createOpenAiModel(options: OpenAiOptions): Model {
  const { model, timeoutMs, log, clock, remembered = nothingRemembered } = options
  const baseURL = options.baseURL ?? 'https://api.openai.com/v1'
  const client = createClient(options, baseURL)
  const byResponses = options.complete === undefined && options.api === 'responses'
  const complete =
    options.complete ?? (byResponses ? completeByResponses(options, baseURL) : completeAt(client))
  const at = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL
  const host = byResponses ? `${at}/responses` : at
  const forced = options.form && fixedAbilities(options.form)
  const abilitiesOf = (style: Style) =>
    memoized(
      (name: string) =>
        forced ?? createAbilities({ model: name, host, style, remembered, log, clock }),
    )
  const vision = createVision({ model, log })
  const endpoint: Endpoint = {
    ...options,
    vision,
    complete,
    host,
    client: options.complete === undefined ? client : null,
    streams: createStreams(),
    refused: new Set(),
    abilitiesOf: {
      forced: abilitiesOf('forced'),
      free: abilitiesOf('free'),
      plain: abilitiesOf('plain'),
    },
    windowOf: memoized((name) => createWindow(name, options.windows?.[name] ?? null, log)),
  }
  return {
    name: model,
    // `async`, so that a fault in building the prompt is a rejection at least; there is none that the input can cause.
    call: async (contract, input, signal, written) =>
      call(endpoint, contract, promptFor(contract, input, options.prompts), {
        signal,
        written,
        isAgain: 'refusal' in input && input.refusal != null,
      }),
    sight: createSight({
      complete,
      model,
      timeoutMs,
      log,
      vision,
      priced: (usage) => priced(options, model, usage),
    }),
    image: priced(options, model, { promptTokens: imageTokens, completionTokens: 0 }),
  }
}

interface Endpoint extends OpenAiOptions {
  complete: Complete
  /** Null where it is not OpenAI's client that asks. */
  client: OpenAI | null
  host: string
  streams: Streams
  /** Parts of requests that a model's endpoint does not take, with the model's name. */
  refused: Set<string>
  vision: Vision
  abilitiesOf: Readonly<Record<Style, (model: string) => Abilities>>
  windowOf(model: string): Window
}

async function call(
  endpoint: Endpoint,
  contract: ContractName,
  prompt: Prompt,
  {
    signal,
    written,
    isAgain,
  }: { signal: AbortSignal; written: Written | undefined; isAgain: boolean },
): Promise<ModelReply> {
  const { model, timeout } = settingsFor(endpoint, contract)
  const { clock, streams, refused } = endpoint
  const takes = (part: Part) => !refused.has(`${part} ${model}`)
  const how = asSet(endpoint, prompt)
  const abilities = endpoint.abilitiesOf[styleOf(contract)](model)
  const window = endpoint.windowOf(model)
  const looking = endpoint.vision.looking(prompt.images ?? [], window.limit())
  let usage = noUsage
  let isTooLong = false
  const by = `${model}@${endpoint.host}`
  let shape: Shape = await abilities.shape()
  for (;;) {
    if (signal.aborted) return { ok: false, code: 'aborted', usage }
    const tools = functionsOf(prompt.tools ?? [], shape.without).map(({ name, origin }) =>
      origin ? name : null,
    )
    const calls = hasFunctions(shape.form) ? prompt.transcript.filter(isExchange) : []
    const hasOwn = calls.some(({ sent }) => sent?.by === by)
    const told = takes('calls') ? prompt.transcript : prompt.transcript.map(exchangeText)
    const shown = { ...prompt, transcript: told, images: looking.images }
    const body = fitted(window, shown, (one) => {
      const asked = takes('own') ? { ...shape, by } : shape
      const made = { ...requestBody(model, contract, one, asked), ...how }
      return takes('system') ? made : withoutSystem(made)
    })
    const hear =
      takes('stream') && streams.maybe(model) && written
        ? drafting(contract, { form: shape.form, clock, written })
        : undefined
    const answer = await send(endpoint.complete, body, { timeout, signal, hear })
    if (answer.ok) {
      const used = usageOf(answer.body)
      const isCounted = used.promptTokens > 0
      streams.counted(model, hear !== undefined, isCounted)
      window.counted(body, used.promptTokens)
      const isUsed = isCounted || writtenIn(answer.body) == null
      const counted = isUsed ? used : estimated(window, body, answer.body)
      usage = plus(usage, priced(endpoint, model, counted))
    } else if (refusesPart(answer.error, { takes, hear, hasCalls: calls.length > 0, hasOwn })) {
      refused.add(`${partOf(answer.error)} ${model}`)
      continue
    } else if (window.isOverflow(answer.error, body) && !isTooLong) {
      isTooLong = true
      continue
    } else if (looking.drops(answer.error)) continue
    if (signal.aborted) return { ok: false, code: 'aborted', usage }
    const reading = answer.ok ? readCompletion(answer.body, contract, shape.form, isAgain) : null
    if (reading?.ok) {
      looking.proved()
      await abilities.proved(shape, tools)
    }
    const sign = signOf(answer, reading, tools)
    const instead = sign === null ? null : abilities.instead(shape, sign)
    if (instead !== null) shape = instead
    else if (reading === null || 'kind' in reading)
      return await failed(endpoint, failureIn(answer, reading, endpoint), { model, usage, body })
    else return replyOf(reading, { usage, by, settings: endpoint.settings })
  }
}

const isExchange = (part: string | Exchange): part is Exchange => typeof part !== 'string'

/** An answer that ends without its end is asked for in one piece, as from an endpoint that refuses to stream. */
const partOf = (error: unknown): Part | null =>
  error instanceof EndlessStream ? 'stream' : partRefused(error)

/** True if the request goes out again without the part that was refused, which it had. */
function refusesPart(
  error: unknown,
  has: { takes(part: Part): boolean; hear: unknown; hasCalls: boolean; hasOwn: boolean },
): boolean {
  const part = partOf(error)
  if (part === null || !has.takes(part)) return false
  if (part === 'own') return has.hasOwn
  return part === 'stream' ? has.hear !== undefined : part === 'system' || has.hasCalls
}

/** C354: what an endpoint took that does not count. */
const estimated = (window: Window, body: ChatBody, answer: unknown) => ({
  promptTokens: Math.ceil(window.tokensIn(body)),
  completionTokens: Math.ceil(window.tokensIn(writtenIn(answer))),
  estimated: true,
})

const asSet = ({ effort, api }: Endpoint, prompt: Prompt) => ({
  ...(effort ? { reasoning_effort: effort } : {}),
  ...(api === 'responses' && { prompt_cache_key: cacheKeyOf(prompt) }),
})

/** The request, folded where it would not fit. */
function fitted(window: Window, prompt: Prompt, bodyOf: (prompt: Prompt) => ChatBody): ChatBody {
  const whole = bodyOf(prompt)
  if (window.tokensIn(whole) <= window.limit()) return whole
  const tokens = { of: (one: Prompt) => window.tokensIn(bodyOf(one)), in: window.tokensIn }
  return bodyOf(folded(prompt, window.limit(), tokens))
}

/** With what it cost, and who answered where it may be one of two (C130). */
function priced({ prices, decisionModel }: OpenAiOptions, model: string, usage: Usage): Usage {
  const price = prices?.[model]
  return {
    ...usage,
    ...(price && { cost: costOf(price, usage) }),
    ...(decisionModel !== null && { model }),
  }
}

const failureIn = (
  answer: Answer,
  reading: Extract<Reading, { kind: FailureKind }> | null,
  { clock, apiKey }: Endpoint,
): Failure =>
  reading === null
    ? failureOf(answer.ok ? null : answer.error, clock.now(), apiKey)
    : noAnswer(reading.kind, reading.message)

/** What an answer may say of the form; null when it says nothing. */
function signOf(
  answer: Answer,
  reading: Reading | null,
  tools: readonly (string | null)[],
): Sign | null {
  if (!answer.ok) return { kind: 'refused', error: answer.error, tools }
  return reading !== null && !reading.ok && reading.code === 'no_call' ? { kind: 'text' } : null
}

/** The operator has to do something about these; the others pass or are about one request. */
const needsOperator: readonly FailureKind[] = [
  'key_refused',
  'no_credit',
  'unknown_model',
  'wrong_address',
]

async function failed(
  { log, host, settings, client }: Endpoint,
  { said, ...failure }: Failure,
  { model, usage, body }: { model: string; usage: Usage; body: ChatBody },
): Promise<ModelReply> {
  const { code, kind, message, retryAfterMs } = failure
  const { does, mend: advice } = adviceFor(kind, settings)
  const names = kind === 'unknown_model' && client !== null ? await modelsAt(client) : []
  const mend = names.length === 0 ? advice : `${advice} ${texts('en').doctor.listed(names)}`
  const level = needsOperator.includes(kind) ? 'error' : 'warn'
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
  return Array.from({ length: Math.max(0, said.length - pieceMost + 1) }, (_, at) => at).some(
    (at) => asked.includes(said.slice(at, at + pieceMost)),
  )
}

function settingsFor(
  options: OpenAiOptions,
  contract: ContractName,
): { model: string; timeout: number } {
  if (!deciding.includes(contract)) return { model: options.model, timeout: options.timeoutMs }
  return {
    model: options.decisionModel ?? options.model,
    timeout: options.decisionTimeoutMs ?? options.timeoutMs,
  }
}

/** The environment is read in one place (`config.ts`), so nothing is left to the client's own reading of it. */
function createClient(
  { apiKey, fetch = leanFetch }: Pick<OpenAiOptions, 'apiKey' | 'fetch'>,
  baseURL: string,
): OpenAI {
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
    ...(apiKey === null && { defaultHeaders: { Authorization: null } }),
  })
}

/** Its name, or why it is not known. */
export type FirstModel = { name: string } | { failure: FailureKind; problem: string }

/**
 * The first model of an endpoint's list that can chat; for a local server usually the one that it was started with.
 *
 * @returns its name, or why there is none: the endpoint lists none, or does not answer within 5 s.
 */
export async function firstModelOf(baseURL: string, apiKey: string | null): Promise<FirstModel> {
  try {
    const [first] = await chatModelsAt(createClient({ apiKey }, baseURL))
    return first === undefined
      ? { failure: 'unknown_model', problem: 'the model endpoint lists no model that can chat' }
      : { name: first }
  } catch (error) {
    const { kind, message } = failureOf(error, 0, apiKey)
    return { failure: kind, problem: message }
  }
}

const noChat =
  /embed|rerank|whisper|\btts\b|speech|transcri|audio|dall-e|image|diffusion|flux|moderation|guard|minilm|davinci|babbage|completion_chat":false|\b(?:bge|gte|e5|clip|veo|sora|realtime)\b/i
const Listed = z.union([
  z.looseObject({ id: z.string() }),
  z.looseObject({ name: z.string() }).transform(({ name, ...one }) => ({ ...one, id: name })),
  z.string().transform((id) => ({ id })),
])
const List = z.union([
  z.array(z.unknown()),
  z.looseObject({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.looseObject({ models: z.array(z.unknown()) }).transform(({ models }) => models),
])

/** Names of an endpoint's models that can chat, as it lists them: some send the list bare (C354). */
async function chatModelsAt(client: OpenAI): Promise<string[]> {
  const listed = List.safeParse(await client.get('/models', { timeout: 5_000 }))
  if (!listed.success) throw APIError.generate(404, undefined, 'no list', new Headers())
  return listed.data.flatMap((one) => {
    const read = Listed.safeParse(one)
    if (!read.success) return []
    const { id, type, task, capabilities }: Record<string, unknown> = read.data
    return noChat.test(JSON.stringify([id, type, task, capabilities])) ? [] : [read.data.id]
  })
}

const modelsAt = (client: OpenAI): Promise<string[]> =>
  chatModelsAt(client).then(
    (names) => names.slice(0, 20),
    () => [],
  )

type Answer = { ok: true; body: unknown } | { ok: false; error: unknown }

const completeAt =
  (client: OpenAI): Complete =>
  (body, { hear, ...request }) =>
    hear === undefined
      ? client.chat.completions.create(body, request)
      : completeStreamed(client, body, { ...request, hear })

/** OpenAI's Responses API (C135, docs/decisions/8) by its package, which is loaded with the first request. */
function completeByResponses({ apiKey, fetch }: OpenAiOptions, baseURL: string): Complete {
  const how = { provider: 'openai', apiKey: apiKey ?? 'none', baseURL, fetch } as const
  const opened = memoized(() => createAiSdk(how))
  return async (body, request) => (await opened('openai'))(body, request)
}

/** Requests that begin alike are sent where their beginning is kept: those of one contract in one task have one key. */
const cacheKeyOf = ({ system, context }: Prompt): string =>
  createHash('sha256').update(`${system}\n${context}`).digest('hex').slice(0, 32)

async function send(
  complete: Complete,
  body: ChatBody,
  request: Parameters<Complete>[1],
): Promise<Answer> {
  try {
    const said = await complete(body, request)
    // Some endpoints call their JSON plain text.
    const answer = typeof said === 'string' ? (jsonIn(said) ?? said) : said
    const error = errorInside(answer)
    return error === null ? { ok: true, body: answer } : { ok: false, error }
  } catch (error) {
    return { ok: false, error }
  }
}

function replyOf(
  reading: Exclude<Reading, { kind: FailureKind }>,
  { usage, by, settings }: { usage: Usage; by: string; settings: SettingNames | undefined },
): ModelReply {
  if (reading.ok) {
    const { value, message } = reading
    return { ok: true, value, usage, ...(message !== undefined && { sent: { by, message } }) }
  }
  const { message, code } = reading
  const { mend } = adviceFor(code === 'filtered' ? code : 'reply_unusable', settings)
  return {
    ok: false,
    code: 'bad_reply',
    ...(code === 'filtered' && { kind: code }),
    message,
    mend,
    usage,
  }
}
