import { APIConnectionTimeoutError, APIError } from 'openai'
import { whyUnreachable } from '../connection-problem.ts'

/** Why a request failed, in words that hold nothing of the prompt, the reply or the key (S7). */
export interface Failure {
  code: 'unavailable' | 'timeout'
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
  if (error instanceof APIConnectionTimeoutError) return noAnswer('the model did not answer in time', 'timeout')
  if (error instanceof APIError && typeof error.status === 'number') {
    const { status } = error
    const label = labelOf(error, secret)
    const message = `${meaning(status, label)} (${status}${label === null ? '' : ` ${label}`})`
    return { code: 'unavailable', message, retryAfterMs: retryAfter(error.headers, now), status, label }
  }
  if (error instanceof APIError) {
    const why = whyUnreachable(error)
    return noAnswer(`the model endpoint cannot be reached${why === null ? '' : `: ${why}`}`)
  }
  if (error instanceof SyntaxError) return noAnswer('the model endpoint answered with broken JSON')
  return noAnswer('the answer of the model endpoint broke off')
}

function noAnswer(message: string, code: Failure['code'] = 'unavailable'): Failure {
  return { code, message, retryAfterMs: null, status: null, label: null }
}

function meaning(status: number, label: string | null): string {
  if (status === 401 || status === 403) return 'the model endpoint refused the API key'
  if (label === 'context_length_exceeded') return 'the request is too long for the model'
  if (label === 'insufficient_quota') return 'the account at the model endpoint has no quota left'
  if (status === 429) return 'the model endpoint has too many requests'
  if (status >= 500) return 'the model endpoint failed'
  return 'the model endpoint refused the request'
}

/**
 * Whether an endpoint refused the form of a request: functions, a forced one, a strict schema, `response_format`.
 * There is no code for it: LM Studio, Ollama, OpenRouter and vLLM each say it in their own words, with 400, 404, 422
 * or 501. This is the one place that reads an error's text, and it only chooses another form.
 */
export function refusesForm(error: unknown): boolean {
  if (!(error instanceof APIError) || ![400, 404, 422, 501].includes(error.status ?? 0)) return false
  if (error.code === 'context_length_exceeded') return false
  const said = `${error.param ?? ''} ${error.message}`.toLowerCase()
  if (/context.?length|maximum context|too many tokens|too long/.test(said)) return false
  return /\btools?\b|tool[_ -]?(?:choice|use|call)|function[_ -]?call|response_format|json_(?:object|schema)|\bstrict\b|\bschema\b/.test(
    said,
  )
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
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number.parseFloat(text) * 1000 : Date.parse(text) - now
  const wait = Number.isFinite(ms) ? ms : seconds
  return Number.isFinite(wait) ? Math.min(Math.max(0, Math.round(wait)), longestWait) : null
}
