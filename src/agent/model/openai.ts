import { OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { ContractName } from '../contracts.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { noUsage, plus } from '../domain/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Model, ModelReply, Usage } from '../ports/model.ts'
import { advice } from './advice.ts'
import { errorInside, failureOf, refusesForm } from './failures.ts'
import { type Form, formAfter, type KnownForms, requestBody } from './forms.ts'
import { type Prompt, promptFor } from './prompts.ts'
import { type Reading, readCompletion, usageOf } from './reading.ts'
import { createSight } from './see.ts'

/** Text replies in a row after which an endpoint that once could do forced functions is taken to have changed. */
const textRepliesUntilGivenUp = 3

export interface OpenAiOptions {
  /** Null for endpoints that want none. */
  apiKey: string | null
  /** Null for OpenAI's own. */
  baseURL: string | null
  model: string
  /** Answers the contracts `decision` and `chat`; null for `model`. */
  decisionModel: string | null
  /** For a whole request, in milliseconds. */
  timeoutMs: number
  /** For the contracts `decision` and `chat`; `timeoutMs` when it is left out. */
  decisionTimeoutMs?: number
  log: Log
  clock: Pick<Clock, 'now'>
  /** What is known of the endpoint's abilities; nothing when it is left out. */
  knownForms?: KnownForms
  fetch?: typeof fetch
}

/**
 * The model behind any OpenAI-compatible endpoint.
 *
 * One call is one request (C8), with one exception that happens once a model and host: an endpoint that cannot do forced
 * functions shows it by refusing the request or by answering in plain text, and the same call then goes out in the next
 * form. That is finding out what the endpoint is, not a second attempt at the contract: it is logged, the tokens of both
 * requests are in the reply's usage, and the answer is remembered. Once a form is known, whatever comes back is the
 * answer of that one request.
 */
export function createOpenAiModel(options: OpenAiOptions): Model {
  const { model, timeoutMs, log } = options
  const baseURL = options.baseURL ?? 'https://api.openai.com/v1'
  const client = createClient(options, baseURL)
  const endpoint: Endpoint = {
    ...options,
    client,
    host: URL.canParse(baseURL) ? new URL(baseURL).host : baseURL,
    knownForms: options.knownForms ?? new Map(),
    textReplies: new Map(),
  }
  return {
    name: model,
    // `async`, so that a fault in building the prompt is a rejection at least; there is none that the input can cause.
    call: async (contract, input, signal) => call(endpoint, contract, promptFor(contract, input), signal),
    see: createSight({ client, model, timeoutMs, log }),
  }
}

interface Endpoint extends OpenAiOptions {
  client: OpenAI
  host: string
  knownForms: KnownForms
  /** Replies in a row that were text instead of the forced function, by model and host. */
  textReplies: Map<string, number>
}

async function call(
  endpoint: Endpoint,
  contract: ContractName,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { client, host, knownForms } = endpoint
  const { model, timeout } = settingsFor(endpoint, contract)
  const key = keyOf(model, host)
  const known = knownForms.get(key)
  let usage = noUsage
  let form = known ?? 'function'
  for (;;) {
    if (signal.aborted) return { ok: false, code: 'aborted', usage }
    const answer = await send(client, requestBody(model, contract, prompt, form), { timeout, signal })
    if (answer.ok) usage = plus(usage, usageOf(answer.body))
    if (signal.aborted) return { ok: false, code: 'aborted', usage }
    const next = formAfter(form)
    if (!answer.ok) {
      if (next === null || !refusesForm(answer.error)) return failed(endpoint, answer.error, model, usage)
      form = giveUp(endpoint, { model, form, next })
      continue
    }
    const reading = readCompletion(answer.body, contract, form)
    if (reading.ok) {
      endpoint.textReplies.delete(key)
      if (known !== form) knownForms.set(key, form)
    } else if (reading.code === 'no_call' && next !== null && isTextTooOften(endpoint, key, known)) {
      form = giveUp(endpoint, { model, form, next })
      if (known === undefined) continue
    }
    return replyOf(reading, usage)
  }
}

/** Counts a reply that was text. Once is too often where nothing is known of the endpoint. */
function isTextTooOften({ textReplies }: Endpoint, key: string, known: Form | undefined): boolean {
  const inRow = (textReplies.get(key) ?? 0) + 1
  textReplies.set(key, inRow)
  return known === undefined || inRow >= textRepliesUntilGivenUp
}

function giveUp(
  { log, knownForms, host }: Endpoint,
  { model, form, next }: { model: string; form: Form; next: Form },
): Form {
  log.info({ model, host, form, next }, 'The model endpoint cannot answer in this form; the next one is used')
  knownForms.set(keyOf(model, host), next)
  return next
}

const keyOf = (model: string, host: string): string => `${model}@${host}`

/** The operator has to do something about these; the others pass or are about one request. */
const needsOperator: readonly FailureKind[] = ['key_refused', 'no_credit', 'unknown_model']

function failed({ apiKey, clock, log, host }: Endpoint, error: unknown, model: string, usage: Usage): ModelReply {
  const { code, kind, message, retryAfterMs, status, label } = failureOf(error, clock.now(), apiKey)
  const { does, mend } = advice[kind]
  const level = needsOperator.includes(kind) ? 'error' : 'warn'
  log[level]({ model, host, kind, status, label, retryAfterMs, message }, `The model endpoint ${does}. ${mend}`)
  return { ok: false, code, kind, message, retryAfterMs, usage }
}

function settingsFor(options: OpenAiOptions, contract: ContractName): { model: string; timeout: number } {
  if (contract !== 'decision' && contract !== 'chat') return { model: options.model, timeout: options.timeoutMs }
  return {
    model: options.decisionModel ?? options.model,
    timeout: options.decisionTimeoutMs ?? options.timeoutMs,
  }
}

/** The environment is read in one place (`config.ts`), so nothing is left to the client's own reading of it. */
function createClient({ apiKey, fetch }: Pick<OpenAiOptions, 'apiKey' | 'fetch'>, baseURL: string): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL,
    maxRetries: 0,
    logLevel: 'off',
    ...(apiKey === null && { defaultHeaders: { Authorization: null } }),
    ...(fetch !== undefined && { fetch }),
  })
}

/** Its name, or why it is not known. */
export type FirstModel = { name: string } | { failure: FailureKind; problem: string }

/**
 * The first model that an endpoint lists; for a local server usually the one that it was started with.
 *
 * @returns its name, or why there is none: the endpoint lists none, or does not answer within 5 s.
 */
export async function firstModelOf(baseURL: string, apiKey: string | null): Promise<FirstModel> {
  try {
    const page = await createClient({ apiKey }, baseURL).models.list({ timeout: 5_000 })
    const [first] = page.data
    return first === undefined
      ? { failure: 'unknown_model', problem: 'the model endpoint lists no model' }
      : { name: first.id }
  } catch (error) {
    const { kind, message } = failureOf(error, 0, apiKey)
    return { failure: kind, problem: message }
  }
}

type Answer = { ok: true; body: unknown } | { ok: false; error: unknown }

async function send(
  client: OpenAI,
  body: ChatCompletionCreateParamsNonStreaming,
  request: { timeout: number; signal: AbortSignal },
): Promise<Answer> {
  try {
    const answer: unknown = await client.chat.completions.create(body, request)
    const error = errorInside(answer)
    return error === null ? { ok: true, body: answer } : { ok: false, error }
  } catch (error) {
    return { ok: false, error }
  }
}

function replyOf(reading: Reading, usage: Usage): ModelReply {
  if (reading.ok) return { ok: true, value: reading.value, usage }
  const { message, code } = reading
  if (code === 'not_a_completion')
    return { ok: false, code: 'unavailable', kind: 'reply_unusable', message, retryAfterMs: null, usage }
  return { ok: false, code: 'bad_reply', ...(code === 'filtered' && { kind: code }), message, usage }
}
