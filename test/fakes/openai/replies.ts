import { setTimeout as sleep } from 'node:timers/promises'
import { assertNever } from '../../../src/agent/domain/assert.ts'
import type { FakeRequest } from './request.ts'

export interface ReplyOptions {
  /** Tokens that the reply reports; null leaves `usage` out. Default: about a quarter of the characters. */
  usage?: { prompt: number; completion: number; cached?: number } | null
  finishReason?: string
}

/** What the endpoint does with one request. Made by the functions below. */
export type Reply =
  | { kind: 'value'; value: unknown; options: ReplyOptions }
  /** A name of null is the forced function's. In the text forms the first arguments are the text. */
  | {
      kind: 'calls'
      calls: readonly { name: string | null; arguments: string }[]
      options: ReplyOptions
      content?: string | null
    }
  | { kind: 'text'; content: string | null; refusal: string | null; options: ReplyOptions }
  | { kind: 'raw'; status: number; headers: Record<string, string>; body: string }
  /** Half of `body` under the length of all of it, then a reset. */
  | { kind: 'half'; body: string }
  /** A stream, where one is asked for; `before` each piece, and a reset instead of the piece `breaksAt`. */
  | { kind: 'pieces'; reply: Reply; before: (piece: number) => Promise<unknown>; breaksAt: number }
  | { kind: 'cut' }
  | { kind: 'hang' }
  | { kind: 'later'; until: () => Promise<unknown>; reply: Reply }

/** The contract's value in whatever form the request asks for: the forced function's arguments, or JSON in text. */
export const value = (content: unknown, options: ReplyOptions = {}): Reply => ({
  kind: 'value',
  value: content,
  options,
})

/** A call of the forced function with these arguments as they are: cut off, fenced, empty, not JSON. */
export const rawArguments = (text: string, options: ReplyOptions = {}) =>
  calls([{ name: null, arguments: text }], options)

/** A call of another function than the forced one. */
export const otherTool = (name: string, args: unknown = {}) =>
  calls([{ name, arguments: JSON.stringify(args) }])

/** Several calls at once; a name of null is the forced function's. */
export const severalCalls = (...args: unknown[]) =>
  calls(args.map((one) => ({ name: null, arguments: JSON.stringify(one) })))

/** Words instead of a call; in the text forms, the words as they are. */
export const text = (content: string, options: ReplyOptions = {}): Reply => ({
  kind: 'text',
  content,
  refusal: null,
  options,
})

export const refusal = (words = "I'm sorry, I can't assist with that."): Reply => ({
  kind: 'text',
  content: null,
  refusal: words,
  options: {},
})

/** The reply broke off at the token limit. */
export const cutOff = (partial = '{"status":"cont'): Reply =>
  rawArguments(partial, { finishReason: 'length' })

export const filtered = (): Reply => text('', { finishReason: 'content_filter' })

export const noChoices = (): Reply =>
  raw(JSON.stringify({ id: 'c', object: 'chat.completion', choices: [] }))

/** An error with OpenAI's body. */
export function httpError(
  status: number,
  error: {
    message?: string
    code?: string | null
    type?: string
    param?: string | null
    headers?: Record<string, string>
  } = {},
): Reply {
  const {
    headers = {},
    message = `fake error ${status}`,
    code = null,
    type = 'fake_error',
    param = null,
  } = error
  return raw(JSON.stringify({ error: { message, type, param, code } }), { status, headers })
}

/** Any answer at all, by default 200 and JSON. */
export const raw = (
  body: string,
  { status = 200, headers = {} as Record<string, string> } = {},
): Reply => ({
  kind: 'raw',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

/** What a reply is written like where a stream is asked for: piece after piece, and perhaps not to its end. */
export const inPieces = (
  reply: Reply,
  before: (piece: number) => Promise<unknown> = async () => undefined,
  breaksAt = Number.POSITIVE_INFINITY,
): Reply => ({ kind: 'pieces', reply, before, breaksAt })

/** The connection breaks before, or in the middle of, the answer. */
export const cutConnection = (): Reply => ({ kind: 'cut' })
export const halfBody = (): Reply => ({
  kind: 'half',
  body: JSON.stringify({ choices: [{ message: { content: 'x'.repeat(4_000) } }] }),
})

/** No answer until the server closes. For time-outs and aborts. */
export const hang = (): Reply => ({ kind: 'hang' })

type Later = Extract<Reply, { kind: 'later' }>

/** Holds a reply back until `release` is called, so that a test can look at what happens meanwhile. */
export function held(reply: Reply): Later & { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { kind: 'later', until: () => promise, reply, release: resolve }
}

/** A reply after this many milliseconds of real time. */
export const delayed = (ms: number, reply: Reply): Later => ({
  kind: 'later',
  until: () => sleep(ms),
  reply,
})

function calls(list: Calls, options: ReplyOptions = {}): Extract<Reply, { kind: 'calls' }> {
  return { kind: 'calls', calls: list, options }
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The HTTP answer of a reply that has one; null for those that only happen to the connection. */
export function answerOf(reply: Reply, request: FakeRequest): HttpAnswer | null {
  switch (reply.kind) {
    case 'raw':
      return reply
    case 'value':
      return answerOf(
        spoken(request, reply) ?? rawArguments(JSON.stringify(reply.value), reply.options),
        request,
      )
    case 'calls':
      return completion(
        request,
        callMessage(request, reply.calls, reply.content ?? null),
        reply.options,
      )
    case 'text':
      return completion(
        request,
        { role: 'assistant', content: reply.content, refusal: reply.refusal },
        reply.options,
      )
    case 'pieces':
      return answerOf(reply.reply, request)
    case 'half':
    case 'cut':
    case 'hang':
    case 'later':
      return null
    default:
      return assertNever(reply)
  }
}

/** The two contracts that force nothing: plain words, and words with calls of tools. */
function spoken(
  { contract, form }: FakeRequest,
  { value, options }: Extract<Reply, { kind: 'value' }>,
): Reply | null {
  if (contract === 'summary') return text((value as { content: string }).content, options)
  if (contract !== 'act' || !/function/.test(form)) return null
  const turn = value as { text: string | null; calls: readonly { tool: string; input: string }[] }
  if (turn.calls.length === 0) return text(turn.text ?? '', options)
  const made = turn.calls.map(({ tool, input }) => ({
    name: tool,
    arguments: JSON.stringify({ input }),
  }))
  return { ...calls(made, options), content: turn.text }
}

type Calls = Extract<Reply, { kind: 'calls' }>['calls']

function callMessage(
  request: FakeRequest,
  list: Calls,
  content: string | null,
): Record<string, unknown> {
  const message = { role: 'assistant', content, refusal: null }
  if (!/function/.test(request.form)) return { ...message, content: list[0]?.arguments ?? '' }
  const toolCalls = list.map((call, index) => ({
    id: `call_${request.number}_${index}`,
    type: 'function',
    function: { name: call.name ?? request.contract, arguments: call.arguments },
  }))
  return { ...message, tool_calls: toolCalls }
}

function completion(
  request: FakeRequest,
  message: Record<string, unknown>,
  options: ReplyOptions,
): HttpAnswer {
  const body = JSON.stringify(message)
  const usage =
    options.usage === undefined
      ? { prompt: Math.ceil(request.prompt.length / 4), completion: Math.ceil(body.length / 4) }
      : options.usage
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id: `chatcmpl-${request.number}`,
      object: 'chat.completion',
      created: 0,
      model: request.body.model,
      // A forced function ends with `stop`, as the API does it.
      choices: [
        { index: 0, message, logprobs: null, finish_reason: options.finishReason ?? 'stop' },
      ],
      ...(usage !== null && {
        usage: {
          prompt_tokens: usage.prompt,
          completion_tokens: usage.completion,
          total_tokens: usage.prompt + usage.completion,
          ...('cached' in usage && { prompt_tokens_details: { cached_tokens: usage.cached } }),
        },
      }),
    }),
  }
}
