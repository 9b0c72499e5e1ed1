import { APIConnectionTimeoutError, APIError } from 'openai'
import { whyUnreachable } from '../connection-problem.ts'
import { isRecord, records, saysNothing } from '../contracts/forgiving.ts'
import { cut } from '../domain/cut.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { adviceFor } from './advice.ts'
import { retryAfter } from './retry-after.ts'

/** Why a request failed, in words that hold nothing of the prompt, the reply or the key (S7). */
export interface Failure {
  /** `bad_reply`: what the model wrote could not be read by its endpoint. */
  code: 'unavailable' | 'timeout' | 'bad_reply'
  kind: FailureKind
  message: string
  retryAfterMs: number | null
  /** Null when there was no answer from the endpoint. */
  status: number | null
  /** The endpoint's own code for it, and its words, for the operator's log. */
  label: string | null
  said: string | null
}

/** Something that answered under 200, and not with a completion. */
export class NoCompletion extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Turns whatever the client throws into a value. It throws more than `APIError`: a `SyntaxError`
 * for a body that is not JSON, a `TypeError` for one that ends too early.
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
    const hidden = secret ? error.message.replaceAll(secret, '…') : error.message
    return {
      code: fault.test(saidIn(error)) ? 'bad_reply' : 'unavailable',
      kind,
      message: `the model endpoint ${adviceFor(kind).does} (${status}${label === null ? '' : ` ${label}`})`,
      retryAfterMs: retryAfter(error, now),
      status,
      label,
      said: cut(hidden, 300),
    }
  }
  if (error instanceof APIError) {
    const why = whyUnreachable(error)
    return noAnswer(
      'unreachable',
      `the model endpoint cannot be reached${why === null ? '' : `: ${why}`}`,
    )
  }
  if (error instanceof NoCompletion) return noAnswer(error.kind, error.message)
  if (error instanceof SyntaxError)
    return noAnswer('overloaded', 'the model endpoint answered with broken JSON')
  return noAnswer('unreachable', 'the answer of the model endpoint broke off')
}

/** A failure without the words of an endpoint. */
function noAnswer(kind: FailureKind, message: string): Failure {
  const code = kind === 'timed_out' ? 'timeout' : 'unavailable'
  return { code, kind, message, retryAfterMs: null, status: null, label: null, said: null }
}

/**
 * An answer that is no API's, but a page: something else is served there (C352), unless its status
 * says what is wrong (C990).
 */
const page = /^(?:\d{3} )?\s*<(?:!doctype|html)/i
const saidByPages: readonly number[] = [401, 408, 413, 429]
const noPlace =
  /^404 \W*(?:\w+\W{1,4})?not found\W*$|invalid url|no route|cannot (?:post|get)\b|page not found|unknown request url|unexpected endpoint/i
/** The model failed to write its call or its JSON; it may well do so when it is asked again. */
const fault =
  /tool_use_failed|failed_generation|json_validate_failed|malformed.?function.?call|failed to (?:call a function|parse (?:tool|input at)|generate json)|error parsing tool call|remaining in message header|while expecting start token|produced (?:invalid content|output that does not match)/i
const manyTokens =
  /context.?(?:length|size|window|limit)|max(?:imum)?(?: \w{1,20})? length|too many (?:input )?tokens(?!.{0,40}wait)|max_(?:model|seq)_len|max_prompt_tokens|max(?:imum)? input tokens|input token(?:s exceed| count)|too.?l(?:ong|arge)|payload size exceeds|tokens\b.{0,20}exceeds?\b|length of input|input length|token limit|tokens?\W.{0,60}must be <=|exceed(?:s|ed)? .{0,40}tokens|demasiado largo|trop long|zu lang|过长|長すぎ|(?:长度|上下文|token).{0,6}超[出过限]|超[出过].{0,12}(?:长度|上下文|token)/i
/** A field of a request that is too long, whatever a gateway makes of it (C990). */
const longField = /(?:string|array) too long/i
const longText = /content'?(?:\[\d{1,4}\]\.text)?'?: string too long/i

/**
 * The words of the providers, the first that fits; before it, the codes and types that they
 * document. Whoever says it and under whatever status: DeepSeek and Groq say 400 to a model that
 * they do not know, xAI to a wrong key, LiteLLM to a budget that is spent.
 */
const byWords: readonly (readonly [FailureKind, RegExp])[] = [
  ['context_too_long', /request too large|\bexceed_context_size|\brequest_too_large/i],
  [
    'unknown_model',
    /no endpoints \w{1,10} matching|no models? loaded|access to (?:the )?model|model access is denied|on-demand throughput|not work with the specified model|n[o']t support chat\b(?! template)|model.{0,80}not supported by any|non-serverless model|model_not_supported|model (?:is )?disabled|end of life/i,
  ],
  [
    'no_credit',
    /insufficient.{0,12}(?:balance|quota|credits?|funds)|balance.{0,20}(?:insufficient|not enough|too low)|credit_balance|no credits?\b|budget.{0,20}exceeded|exceeded_current_quota|overdue|arrear|used all.{0,20}credits|credits?.{0,20}(?:depleted|exhausted)|out of credits|free.?(?:tier|quota).{0,30}exhausted|key limit exceeded|payment required|spend(?:ing)? (?:limit|cap)|api usage limits|requires a subscription|guthaben|billing_(?:error|not_active|hard)|欠费|余额|额度不足|充值/i,
  ],
  [
    'filtered',
    /content.{0,20}(?:filter|polic|risk|violat|inspect|moderat|audit)|violat.{0,20}(?:usage|polic|guideline)|PolicyViolation|inappropriate content|data_inspection|safety_check|_policy\b|was flagged|high risk|requires moderation|sensitive (?:word|content|info)|safety (?:system|filter)|(?:prompt|content|response) was blocked|guardrail|prohibited.?content|敏感|违规|违禁|内容安全|不当な?内容|不適切/i,
  ],
  [
    'overloaded',
    /overloaded|capacity.?exceeded|at capacity|server_is_busy|(?:is|too) busy|temporarily (?:un|not )available|service unavailable|upstream connect error|is (?:currently )?loading|getting ready|过载|繁忙|负载.{0,6}饱和/i,
  ],
  [
    'rate_limited',
    /rate.?limit|slow_down|throttl|too many (?:concurrent )?requests|too many tokens|request limit (?:reached|exceeded)|速率限制|并发|请求过于频繁/i,
  ],
  [
    'unknown_model',
    /model.{0,80}(?:not.?exist|n.t exist|not.?found|decommissioned|has been (?:deprecated|retired)|(?:not|no longer).available|shut down|not loaded|existiert nicht|is invalid|not (?:a )?valid|support chat)|(?:invalid|unknown|no such|unrecognized|not a valid|unsupported|not a supported|no) model\b|(?:无效|错误)的?模型|无可用渠道|模型.{0,12}(?:不存在|未找到|找不到|下线|无效)/i,
  ],
  [
    'key_refused',
    /api.?key.{0,30}(?:not valid|invalid|incorrect|expired|missing|not found|required|revoked|disabled|无效|错误)|missing bearer|token.{0,12}(?:expired|revoked)|(?:invalid|incorrect|missing|expired|valid|no)\s?.{0,12}api.?key|auth(?:entication)?.{0,8}(?:fail|error)|no.?auth\w{0,2}error|virtual key expected|organization.{0,20}restricted|access token (?:is )?invalid|permission_error|login fail|(?:invalid|missing).{0,20}credentials|unauthori[sz]ed|invalid (?:access |auth\w* )?token\b|location is not supported|令牌|密钥|身份验证|鉴权/i,
  ],
]

/** Words of gateways for a server behind them, which may well answer when it is asked again. */
const behind =
  /model (?:has )?(?:crashed|unloaded|reloaded)|channel error|bad.response.status.code|upstream.{0,10}(?:fail|error)|do_request_failed|deadline exceeded|peer closed connection|no healthy upstream/i

const byStatus: Readonly<Record<number, FailureKind>> = {
  401: 'key_refused',
  402: 'no_credit',
  403: 'key_refused',
  405: 'wrong_address',
  407: 'wrong_address',
  408: 'timed_out',
  409: 'overloaded',
  413: 'context_too_long',
  424: 'overloaded',
  425: 'overloaded',
  429: 'rate_limited',
  498: 'overloaded',
  499: 'overloaded',
  504: 'timed_out',
}

const saidIn = ({ code, type, param, message }: APIError) =>
  [code, type, param, message].filter((one) => one != null).join(' ')

const isTooLong = (said: string) =>
  longField.test(said) ? longText.test(said) : manyTokens.test(said)

function kindOfAnswer(error: APIError, status: number): FailureKind {
  const said = saidIn(error)
  if (fault.test(said)) return 'reply_unusable'
  if (page.test(error.message) && status < 500 && !saidByPages.includes(status))
    return 'wrong_address'
  if (isTooLong(said) && status !== 429 && status !== 401) return 'context_too_long'
  const found = byWords.find(([, words]) => words.test(said))
  // A server that is out of order may speak of anything.
  if (found !== undefined && (status < 500 || found[0] !== 'key_refused')) return found[0]
  if (status === 404)
    return error.error === undefined || noPlace.test(error.message)
      ? 'wrong_address'
      : 'unknown_model'
  if (behind.test(said) && status !== 401) return 'overloaded'
  return byStatus[status] ?? (status >= 500 ? 'overloaded' : 'reply_unusable')
}

/**
 * The failure that an answer under 200 holds: routers send that of the provider behind them
 * (openrouter.ai/docs/api-reference/errors), in the body or in its choice; MiniMax sends
 * `base_resp`.
 */
export function errorInside(body: unknown): APIError | null {
  if (!isRecord(body)) return null
  const [choice] = records(body.choices)
  const isBare = body.choices == null && body.output == null && body.response == null
  const isSaid = isBare && ['message', 'msg', 'detail', 'error_msg'].some((name) => name in body)
  const inResponse = isRecord(body.Response) ? body.Response.Error : null
  const found = [
    body.error,
    choice?.error,
    isBare && body.base_resp,
    isBare && inResponse,
    isSaid && body,
  ].find((one) => (typeof one === 'string' ? one !== '' : isRecord(one) && !saysNothing(one)))
  if (found === undefined) return null
  const said: Record<string, unknown> = isRecord(found) ? found : { message: found }
  const words = [said.message, said.msg, said.status_msg, said.error_msg, said.Message]
  const message = words.find((one) => one != null) ?? JSON.stringify(said.detail)
  const error = { ...said, code: said.code ?? said.error_code ?? said.Code, message }
  const code = Number(error.code)
  const isRefused =
    body.status === 'failed' || body.base_resp != null || refusesKey(`${error.code} ${message}`)
  const unsaid = isRefused && !/serv(?:er|ice)[_ ]error/.test(JSON.stringify(body)) ? 400 : 502
  const status = code >= 400 && code < 600 ? code : unsaid
  return APIError.generate(status, { error }, undefined, new Headers())
}

const refusesKey = (said: string) =>
  byWords.find(([, words]) => words.test(said))?.[0] === 'key_refused'

/**
 * The error with what the provider behind a router said (C970): the router's own words are always
 * the same.
 */
export function inFull(error: unknown): unknown {
  if (!(error instanceof APIError) || !isRecord(error.error)) return error
  const { metadata } = error.error
  const raw = isRecord(metadata) ? (metadata.raw ?? null) : null
  if (raw !== null)
    error.message += ` ${cut(typeof raw === 'string' ? raw : JSON.stringify(raw), 2_000)}`
  return error
}

/** Words by which a server that is well says under 500 what it cannot make of a request (C991). */
const cannot =
  /\bjinja\b|\bgrammar\b|\btemplate\b|at row \d|roles? must alternate|not (?:implemented|supported)|unsupported|n't support/i

const mayRefuse = (error: unknown): error is APIError =>
  error instanceof APIError &&
  ([400, 404, 422].includes(error.status ?? 0) ||
    error.status === 501 ||
    cannot.test(error.message))

/**
 * Parts of a request that an endpoint may refuse for good, in whatever words; there is no code for
 * it.
 */
const parts = {
  effort: /reasoning.?effort|n[o']t support (?:thinking|reasoning)\b/i,
  calls:
    /tool.?call.?ids?\b|tool_calls\[\d{1,4}\]\.id|reasoning_content|thought.?signature|after role|roles? must alternate|alternate user|preceding message|must (?:be followed|follow|immediately)|unexpected role(?!.{0,3}system)|message order|content.{0,60}(?:valid string|is empty|got null|non-empty)/i,
  system:
    /(?:system|developer).{0,20}(?:role|message|prompt|instruction).{0,40}\bnot?\b|support.{0,12}system|(?:role|value):?.{0,3}(?:system|developer)\b|roles? must alternate|'user' (?:and|or) 'assistant'|only user and (?:assistant|model) roles/i,
  stream: /\bstream/i,
} as const
export type Part = keyof typeof parts | 'own'

/**
 * The parts that an endpoint may have refused, the likeliest first (C345): a reasoning effort,
 * calls as they were made, a system message, streaming or how it counts; `own`: perhaps its own
 * messages as they came.
 */
export function partsRefused(error: unknown): readonly Part[] {
  if (!mayRefuse(error) || !isUnsaid(error)) return []
  const said = saidIn(error)
  const named = (['effort', 'calls', 'system', 'stream'] as const).filter((one) =>
    parts[one].test(said),
  )
  if (named.length > 0 || refusesForm(error) || (error.status ?? 0) >= 500) return named
  return ['own']
}

/** True if nothing else is known of a failure. */
const isUnsaid = (error: APIError) =>
  !fault.test(saidIn(error)) &&
  (behind.test(saidIn(error)) || kindOfAnswer(error, 400) === 'reply_unusable')

/**
 * True if an endpoint refused the form of a request: functions, a forced one, a strict schema,
 * `response_format`. There is no code for it: LM Studio, Ollama, OpenRouter, llama.cpp and vLLM
 * each say it in their own words, with 400, 404, 422, 500 or 501.
 */
export const refusesForm = (error: unknown): boolean =>
  mayRefuse(error) &&
  isUnsaid(error) &&
  /\btools?\b|tool[_ -]?(?:choice|use|call)|function[_ -]?call|response_format|json_(?:object|schema)|structured.?outputs?|\bgrammar\b|\btemplate\b|\bstrict\b|\bschema\b/i.test(
    saidIn(error),
  )

/**
 * True if an endpoint may have refused a request's images: it names them, or does not say what it
 * refuses.
 */
export function refusesImages(error: unknown): boolean {
  if (!(error instanceof APIError) || (error.status ?? 0) < 400) return false
  const kind = kindOfAnswer(error, error.status ?? 0)
  return (
    kind === 'reply_unusable' ||
    kind === 'context_too_long' ||
    /\bimages?\b|vision|multi-?modal/i.test(error.message)
  )
}

/**
 * The tool that a request was refused for, of those that others run: endpoints name it, or say
 * which of the list it was.
 *
 * @param tools in the order of the request; null stands for one of Clew's own.
 */
export function toolRefused(error: unknown, tools: readonly (string | null)[]): string | null {
  if (!(error instanceof APIError) || ![400, 422].includes(error.status ?? 0)) return null
  const said = `${error.param ?? ''} ${error.message}`
  const named = tools
    .filter((name) => name !== null && said.includes(name))
    .sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))
  const [, at] =
    /function_?declarations(?:\.|\[)(\d{1,4})\b/i.exec(said) ??
    /tools(?:\.|\[)(\d{1,4})\b/.exec(said) ??
    []
  return named[0] ?? (at === undefined ? null : (tools[Number(at)] ?? null))
}

function labelOf(error: APIError, secret: string | null): string | null {
  const labels = [error.code, error.type].filter((one) => typeof one === 'string')
  const isShown = (label: string) => secret === null || !label.includes(secret)
  return labels.find((one) => /^[a-z][\w.-]{0,59}$/i.test(one) && isShown(one)) ?? null
}
