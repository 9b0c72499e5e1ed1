import { APIConnectionTimeoutError, APIError } from 'openai'
import { z } from 'zod'
import { whyUnreachable } from '../connection-problem.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { adviceFor } from './advice.ts'

/** Why a request failed, in words that hold nothing of the prompt, the reply or the key (S7). */
export interface Failure {
  code: 'unavailable' | 'timeout'
  kind: FailureKind
  message: string
  retryAfterMs: number | null
  /** Null when there was no answer from the endpoint. */
  status: number | null
  /** The endpoint's own code for it, for the operator's log. */
  label: string | null
}

/** The longest wait that an endpoint may ask for, in milliseconds. */
const longestWait = 60 * 60 * 1000

/**
 * Turns whatever the client throws into a value. It throws more than `APIError`: a `SyntaxError` for a body that is not
 * JSON, a `TypeError` for one that ends too early.
 *
 * @param now milliseconds since the epoch, for `retry-after` dates.
 * @param secret never part of the answer, even when the endpoint echoes it.
 */
export function failureOf(error: unknown, now: number, secret: string | null): Failure {
  if (error instanceof APIConnectionTimeoutError)
    return noAnswer('timed_out', 'the model did not answer in time')
  if (error instanceof APIError && typeof error.status === 'number') {
    const { status } = error
    const label = labelOf(error, secret)
    const kind = kindOfAnswer(error, status)
    const message = `the model endpoint ${adviceFor(kind).does} (${status}${label === null ? '' : ` ${label}`})`
    return {
      code: 'unavailable',
      kind,
      message,
      retryAfterMs: retryAfter(error.headers, now),
      status,
      label,
    }
  }
  if (error instanceof APIError) {
    const why = whyUnreachable(error)
    return noAnswer(
      'unreachable',
      `the model endpoint cannot be reached${why === null ? '' : `: ${why}`}`,
    )
  }
  if (error instanceof SyntaxError)
    return noAnswer('overloaded', 'the model endpoint answered with broken JSON')
  return noAnswer('unreachable', 'the answer of the model endpoint broke off')
}

function noAnswer(kind: FailureKind, message: string): Failure {
  const code = kind === 'timed_out' ? 'timeout' : 'unavailable'
  return { code, kind, message, retryAfterMs: null, status: null, label: null }
}

/**
 * Codes and types that say more than the status, as the providers document them:
 * OpenAI, developers.openai.com/api/docs/guides/error-codes (429 is also an account without credit); Anthropic,
 * platform.claude.com/docs/en/api/errors (529 `overloaded_error`, 402 `billing_error`, 413 `request_too_large`); Azure OpenAI,
 * learn.microsoft.com/azure/ai-services/openai/concepts/content-filter (400 `content_filter`); llama.cpp, tools/server/README.md.
 */
const byLabel: Readonly<Record<string, FailureKind>> = {
  invalid_api_key: 'key_refused',
  authentication_error: 'key_refused',
  permission_error: 'key_refused',
  insufficient_quota: 'no_credit',
  credit_balance_exhausted: 'no_credit',
  billing_error: 'no_credit',
  billing_not_active: 'no_credit',
  billing_hard_limit_reached: 'no_credit',
  model_not_found: 'unknown_model',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_error: 'rate_limited',
  slow_down: 'rate_limited',
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  context_length_exceeded: 'context_too_long',
  exceed_context_size_error: 'context_too_long',
  request_too_large: 'context_too_long',
  content_filter: 'filtered',
  content_policy_violation: 'filtered',
  ResponsibleAIPolicyViolation: 'filtered',
}

const byStatus: Readonly<Record<number, FailureKind>> = {
  401: 'key_refused',
  402: 'no_credit',
  403: 'key_refused',
  404: 'unknown_model',
  408: 'timed_out',
  409: 'overloaded',
  413: 'context_too_long',
  429: 'rate_limited',
  504: 'timed_out',
}

/**
 * What has no code, and a status that says something else, in the words of Anthropic (platform.claude.com/docs/en/api/errors), Google
 * (cloud.google.com/docs/authentication/api-keys, `API_KEY_INVALID`), Bedrock and OpenRouter (openrouter.ai/docs/api-reference/errors).
 */
const byWords: readonly (readonly [status: number, words: RegExp, kind: FailureKind])[] = [
  [400, /credit balance is too low/i, 'no_credit'],
  [400, /pass a valid api key|api key expired/i, 'key_refused'],
  [400, /model identifier is invalid|not a valid model id/i, 'unknown_model'],
  [403, /requires moderation|was flagged/i, 'filtered'],
]

/** A long request has no code at vLLM, Ollama and Anthropic: there the text says it, with status 400. */
function kindOfAnswer(error: APIError, status: number): FailureKind {
  for (const label of [error.code, error.type]) {
    const kind = typeof label === 'string' ? byLabel[label] : undefined
    if (kind !== undefined) return kind
  }
  if (status >= 400 && status < 500 && saysTooLong(error)) return 'context_too_long'
  const said = byWords.find(([at, words]) => at === status && words.test(error.message))
  if (said !== undefined) return said[2]
  return byStatus[status] ?? (status >= 500 ? 'overloaded' : 'reply_unusable')
}

const saysTooLong = ({ param, message }: APIError): boolean =>
  /context.?(?:length|size|window)|maximum context|too many (?:input )?tokens|input token(?:s exceed| count)|too long/i.test(
    `${param ?? ''} ${message}`,
  )

const Inside = z.object({
  error: z.looseObject({ message: z.string(), code: z.unknown().optional() }),
})

/** Routers answer 200 with the failure of the provider behind them: openrouter.ai/docs/api-reference/errors. */
export function errorInside(body: unknown): APIError | null {
  const read = Inside.safeParse(body)
  if (!read.success) return null
  const { code } = read.data.error
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 502
  return APIError.generate(status, read.data, undefined, new Headers())
}

/**
 * Whether an endpoint refused the form of a request: functions, a forced one, a strict schema, `response_format`.
 * There is no code for it: LM Studio, Ollama, OpenRouter and vLLM each say it in their own words, with 400, 404, 422
 * or 501. It only chooses another form; besides it `kindOfAnswer`, `refusesStream` and `toolRefused` read an error's text.
 */
export function refusesForm(error: unknown): boolean {
  if (!(error instanceof APIError) || ![400, 404, 422, 501].includes(error.status ?? 0))
    return false
  if (kindOfAnswer(error, 400) !== 'reply_unusable') return false
  const said = `${error.param ?? ''} ${error.message}`.toLowerCase()
  return /\btools?\b|tool[_ -]?(?:choice|use|call)|function[_ -]?call|response_format|json_(?:object|schema)|\bstrict\b|\bschema\b/.test(
    said,
  )
}

/** Whether an endpoint may have refused the images of a request: it names them, or does not say what it refuses. */
export function refusesImages(error: unknown): boolean {
  if (!(error instanceof APIError) || (error.status ?? 0) < 400) return false
  const kind = kindOfAnswer(error, error.status ?? 0)
  return (
    kind === 'reply_unusable' ||
    kind === 'context_too_long' ||
    /\bimages?\b|vision|multi-?modal/i.test(error.message)
  )
}

/** Whether an endpoint refused to stream, or the option by which a stream counts its tokens; there is no code for it either. */
export function refusesStream(error: unknown): boolean {
  if (!(error instanceof APIError) || ![400, 404, 422, 501].includes(error.status ?? 0))
    return false
  return (
    kindOfAnswer(error, 400) === 'reply_unusable' &&
    /\bstream/i.test(`${error.param ?? ''} ${error.message}`)
  )
}

/**
 * The tool that a request was refused for, of those that others run: endpoints name it, or say which of the list it was.
 *
 * @param tools in the order of the request; null stands for one of Clew's own.
 */
export function toolRefused(error: unknown, tools: readonly (string | null)[]): string | null {
  if (!(error instanceof APIError) || ![400, 422].includes(error.status ?? 0)) return null
  const said = `${error.param ?? ''} ${error.message}`
  const named = tools
    .filter((name) => name !== null && said.includes(name))
    .sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))
  const at = /(?:function_declarations|functionDeclarations|tools)(?:\.|\[)(\d{1,4})\b/.exec(
    said,
  )?.[1]
  return named[0] ?? (at === undefined ? null : (tools[Number(at)] ?? null))
}

function labelOf(error: APIError, secret: string | null): string | null {
  for (const label of [error.code, error.type]) {
    if (typeof label !== 'string' || !/^[a-z][\w.-]{0,59}$/i.test(label)) continue
    if (secret === null || !label.includes(secret)) return label
  }
  return null
}

function retryAfter(headers: Headers | undefined, now: number): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  const text = headers?.get('retry-after') ?? ''
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(text)
    ? Number.parseFloat(text) * 1000
    : Date.parse(text) - now
  const wait = Number.isFinite(ms) ? ms : seconds
  return Number.isFinite(wait) ? Math.min(Math.max(0, Math.round(wait)), longestWait) : null
}
