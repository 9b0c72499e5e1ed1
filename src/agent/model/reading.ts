import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { inputText } from '../contracts/calls.ts'
import { isRecord, records } from '../contracts/forgiving.ts'
import type { ContractName } from '../contracts.ts'
import { jsonIn, mapTexts } from '../domain/clean-text.ts'
import { withoutThinking } from '../domain/thinking.ts'
import { noUsage } from '../domain/usage.ts'
import type { Usage } from '../ports/model.ts'
import { errorInside, NoCompletion } from './failures.ts'
import { type Form, hasFunctions, styleOf } from './forms.ts'
import { type JsonObject, objectInText, objectMeant, parseObject } from './json-text.ts'
import { schemaOf } from './schema.ts'
import { meantBy } from './tool-functions.ts'

/**
 * A reply longer than this is no answer to any contract, and must not end up in the store. In
 * characters.
 */
const replyLimit = 200_000

/**
 * Result of reading a completion. `message`: the raw message, if it holds calls of a free turn.
 * `no_call`: the model wrote text where it had to call a function.
 */
export type Reading =
  | { ok: true; value: unknown; message?: Record<string, unknown> | undefined }
  | Unread
export interface Unread {
  ok: false
  code: 'no_call' | 'bad_reply' | 'filtered'
  message: string
}

const anything = z.unknown().optional()
/** A value, or the one that its JSON text holds. */
const unfolded = (held: unknown) => (typeof held === 'string' ? jsonIn(held) : held)
const words = z.string().nullish().catch(null)
const Call = z.preprocess(
  // Some write the function's name and arguments into the call itself, or all of it as text.
  (call) => {
    if (!isRecord(call)) return call
    const made = call.custom ?? unfolded(call.function)
    return isRecord(made) ? { ...call, function: made } : { id: call.id, function: call }
  },
  z.looseObject({
    id: words,
    index: z.coerce.number().optional().catch(undefined),
    function: z.looseObject({ name: words, arguments: anything }),
  }),
)
export type Call = z.infer<typeof Call>

/** Messages of endpoints, whole or in pieces. They leave out or add the rest as they like. */
const Message = z.preprocess(
  // Calls stand in a field of old, too, or among the parts of the content.
  (message) => {
    if (typeof message === 'string') return { content: message }
    if (!isRecord(message)) return {}
    const { tool_calls: listed, function_call: old, ...rest } = message
    const calls = unfolded(listed)
    const parts = records(rest.content).filter(({ name }) => name !== undefined)
    return {
      ...rest,
      tool_calls: [records(calls), records(old), parts].find(({ length }) => length),
    }
  },
  z.looseObject({ content: anything, refusal: words, tool_calls: z.array(Call).default([]) }),
)
type Message = z.infer<typeof Message>

const count = z.coerce.number().nonnegative().transform(Math.round).catch(0)
const details = z.object({ cached_tokens: count.optional() }).nullish().catch(null)
const Counted = z
  .object({
    prompt_tokens: count.optional(),
    input_tokens: count.optional(),
    promptTokens: count.optional(),
    completion_tokens: count.optional(),
    output_tokens: count.optional(),
    completionTokens: count.optional(),
    prompt_tokens_details: details,
    input_tokens_details: details,
    prompt_cache_hit_tokens: count.optional(),
    cached_tokens: count.optional(),
  })
  .transform((said): Usage => {
    const promptTokens = said.prompt_tokens ?? said.input_tokens ?? said.promptTokens ?? 0
    const known = said.prompt_tokens_details ?? said.input_tokens_details
    const kept = known?.cached_tokens ?? said.prompt_cache_hit_tokens ?? said.cached_tokens
    return {
      promptTokens,
      completionTokens: said.completion_tokens ?? said.output_tokens ?? said.completionTokens ?? 0,
      cachedTokens: Math.min(kept ?? 0, promptTokens) || undefined,
    }
  })
  .catch(noUsage)

/** As much of a completion, or of a piece of one, as is relied on. */
const Body = z.object({
  choices: z.preprocess(
    (held) =>
      records(held).map((one) => ({ ...one, message: one.message ?? one.delta ?? one.text })),
    z.array(
      z.object({
        index: z.coerce.number().nullish().catch(null),
        finish_reason: words,
        error: anything,
        message: Message,
      }),
    ),
  ),
  usage: Counted,
})

/** An answer, whichever provider gave it; tokens are 0 where nobody counts. */
export interface Completion {
  finish_reason?: string | null | undefined
  message: Message
  usage: Usage
}

/**
 * Reads the body of an answer.
 *
 * @throws the failure that it holds instead.
 */
export function readBody(said: unknown): Completion {
  const body = typeof said === 'string' ? (jsonIn(said) ?? said) : said
  const found = completionIn(body)
  const error = errorInside(found ?? body)
  if (error !== null) throw error
  if (found === null && typeof body === 'string' && body.trim() !== '')
    throw new NoCompletion('wrong_address', 'something else than a model endpoint answered')
  if (found === null)
    throw new NoCompletion('reply_unusable', 'the endpoint did not answer with a chat completion')
  const { choices, usage } = Body.parse(found)
  return { message: { tool_calls: [] }, ...choices[0], usage }
}

/** The same of a part of a stream. */
export function readPiece(chunk: unknown) {
  const { choices, usage, x_groq: more, ...rest } = completionIn(chunk) ?? {}
  // Some repeat beside each piece all that has been written so far.
  const pieces = records(choices).map(({ message, delta, ...one }) => ({
    ...one,
    delta: delta ?? message,
  }))
  return Body.parse({ ...rest, choices: pieces, usage: usage ?? (isRecord(more) && more.usage) })
}

/**
 * The completion in a body, with what stands around it: gateways wrap it in objects, lists and
 * texts of their own.
 */
function completionIn(body: unknown, depth = 3): JsonObject | null {
  const value = typeof body === 'string' ? jsonIn(body) : body
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if ('choices' in value && value.choices != null) return { ...value }
  for (const held of Object.values(value)) {
    const found = completionIn(held, depth - 1)
    if (found !== null) return { ...value, ...found }
  }
  return null
}

/**
 * Reasons for which an answer ends by itself, in the words of the endpoints; none is one, too
 * (C348).
 */
const whole =
  /^(?:finish_reason_)?(?:stop|tool[-_]?calls?|function[-_]?calls?|tool_?use|end_?turn|stop_?sequence|eos(?:_?token)?|stop_?token|complete[d]?|finish(?:ed)?|done)?$/i
const filters = /filter|safety|sensitive|refusal|prohibited|blocklist|recitation|guardrail|spii/i
const tooLong = /^(?:length|max_?(?:output_?)?tokens?|model_length)$/i

/**
 * Request behind a completion. `names`: functions that may be called. `isAgain`: it already
 * corrects an answer that was refused.
 */
interface Asked {
  contract: ContractName
  form: Form
  names: readonly string[]
  isAgain: boolean
}

/**
 * Reads an answer. The messages never quote the model or the endpoint (S7): they go into traces and
 * back into prompts.
 */
export function readCompletion({ message, finish_reason }: Completion, asked: Asked): Reading {
  const { contract, form, names, isAgain } = asked
  const reason = finish_reason ?? ''
  if (message.refusal) return fail('the model refused to answer', 'filtered')
  if (filters.test(reason)) return fail('the reply was stopped by a content filter', 'filtered')
  if (tooLong.test(reason)) return fail('the reply was cut off because it became too long')
  if (!whole.test(reason)) return fail('the reply broke off before its end')
  const text = textIn(message.content)
  if (text.length > replyLimit) return fail('the reply is far too long')
  const style = styleOf(contract)
  if (style === 'plain') return { ok: true, value: { content: withoutThinking(text) } }
  const calls = callsIn(message, names)
  if (style === 'free' && hasFunctions(form)) return readTurn(withoutThinking(text), calls, message)
  // An endpoint that does not force the function lets a model call a tool at once (C578).
  const isAtOnce = contract === 'decision' && calls.every(({ name }) => name !== contract)
  const turn = isAtOnce && calls.length > 0 ? readTurn('', calls, message) : null
  if (turn?.ok && isOffered(calls, names)) return { ok: true, value: atOnce(turn.value) }
  const reading = hasFunctions(form) ? readCall(text, calls, contract) : readText(text, contract)
  return reading.ok || !isAgain || contract !== 'decision' || calls.length > 0
    ? reading
    : (proseAnswer(text) ?? reading)
}

const isOffered = (calls: Calls, names: readonly string[]) =>
  calls.every(({ name }) => names.includes(name))

/** The Decision that calls of tools stand for. */
const atOnce = (turn: unknown) => ({
  decision: 'run',
  reply: null,
  run: null,
  runs: null,
  confidence: 1,
  reason: 'began at once',
  calls: isRecord(turn) ? turn.calls : null,
})

/**
 * C448: a Decision that is plain words also when it is asked for again is its answer; null where it
 * is a try at an object.
 */
function proseAnswer(text: string): Reading | null {
  const content = withoutThinking(text).trim()
  if (content === '' || /[{}]/.test(content)) return null
  const nothingElse = { run: null, runs: null, confidence: 1, reason: 'answered in plain words' }
  return { ok: true, value: { decision: 'reply', reply: { content }, ...nothingElse } }
}

/**
 * The words of a message, which some endpoints send as a list of parts, thoughts among them (R42).
 */
export function textIn(content: unknown): string {
  // An object that was asked for, without its JSON.
  if (isRecord(content) && !('type' in content || 'text' in content)) return JSON.stringify(content)
  return [content].flat().map(wordsOf).join('')
}

function wordsOf(part: unknown): string {
  const { type = '', text: said, thought } = isRecord(part) ? part : { text: part }
  const text = isRecord(said) ? said.value : said
  const isThought = thought === true || /think|thought|reason/i.test(String(type))
  return typeof text === 'string' && !isThought ? text : ''
}

/**
 * Calls with the names that were meant: some come with the marks of a template around them, in
 * other letters, several in one, or twice under one id (C347, C992).
 */
function callsIn({ tool_calls: calls }: Message, names: readonly string[]) {
  const made = new Map<string | number, { name: string; given: unknown }>()
  for (const { id, function: called } of calls.flatMap(withoutParallel)) {
    const { name, arguments: first, parameters, args, input } = called
    const given = first ?? parameters ?? args ?? input
    const meant = nameMeant(name ?? '', names)
    if (meant === '' && isEmpty(given)) continue
    made.set(id ? JSON.stringify([id, meant, given]) : made.size, { name: meant, given })
  }
  return [...made.values()]
}

function nameMeant(name: string, names: readonly string[]): string {
  const parts = name.split(/[^\w-]+/)
  const known = parts.findLast((part) => names.includes(part))
  const alike = [...new Set(names)].filter((one) =>
    parts.some((part) => plainName(part) === plainName(one)),
  )
  const [only, ...others] = known === undefined ? alike : [known]
  return (others.length === 0 ? only : undefined) ?? parts.find(Boolean) ?? ''
}

const plainName = (name: string) => name.toLowerCase().replaceAll('-', '_')

/** The calls in one of a function that OpenAI's models know and nobody offered. */
function withoutParallel(call: Call): Call[] {
  if (!call.function.name?.includes('multi_tool_use')) return [call]
  const uses = records(objectMeant(call.function.arguments)?.tool_uses)
  const calls = z
    .array(Call)
    .safeParse(uses.map(({ recipient_name: name, parameters }) => ({ name, parameters })))
  return calls.success && calls.data.length > 0 ? calls.data : [call]
}
type Calls = ReturnType<typeof callsIn>

/** The object that arguments stand for; null where they cannot be read. */
const argumentsOf = ({ given }: Calls[number]) =>
  typeof given === 'string' && given.length > replyLimit ? null : objectMeant(given)
const isEmpty = (given: unknown) => Object.keys(objectMeant(given) ?? [0]).length === 0

/** Words, calls, or both; what may be called is checked with the contract. */
function readTurn(text: string, called: Calls, message: Message): Reading {
  const calls: { tool: string; input: unknown }[] = []
  for (const call of called) {
    const input = argumentsOf(call)
    if (input === null)
      return fail(`the arguments of "${call.name.slice(0, 80)}" are not one JSON object`)
    const meant = meantBy(call.name, input)
    calls.push({ tool: meant.tool, input: inputText(meant.input) })
  }
  const value = { text: text === '' ? null : text, calls }
  return calls.length === 0
    ? { ok: true, value }
    : { ok: true, value, message: keepable(message, called) }
}

/** A message longer than this is told in Clew's own words instead. In characters. */
const keptMost = 60_000

/**
 * The message as it came, but for fields without a value, calls that could only be read by
 * guessing, and halves of characters, which no endpoint takes.
 */
function keepable(message: Message, called: Calls): Record<string, unknown> | undefined {
  const tool_calls = message.tool_calls.map((call, at) => ({
    ...call,
    type: 'function',
    function: {
      ...call.function,
      name: called[at]?.name,
      arguments: jsonOf(called[at]?.given),
    },
  }))
  const filled = Object.entries(message).filter(([key, held]) => held != null || key === 'content')
  const kept = { ...Object.fromEntries(filled), role: 'assistant', tool_calls }
  const isKept = tool_calls.length === called.length && JSON.stringify(kept).length <= keptMost
  const sendable = isKept ? mapTexts(kept, (text) => text.toWellFormed()) : null
  return isRecord(sendable) ? sendable : undefined
}

const jsonOf = (given: unknown) =>
  typeof given === 'string' && parseObject(given) !== null
    ? given
    : JSON.stringify(objectMeant(given) ?? {})

/**
 * R48: only one call, of the one function that was asked for; the same twice is one, and an empty
 * one beside it is none.
 */
function readCall(text: string, calls: Calls, name: ContractName): Reading {
  const due = `it must be one call of the function "${name}"`
  // One empty reply says nothing of what the endpoint can do.
  if (calls.length === 0)
    return text.trim() === ''
      ? fail(`the reply is empty; ${due}`)
      : fail(`the reply is text; ${due}`, 'no_call')
  if (calls.some((other) => other.name !== name))
    return fail(`the reply calls another function; it must be one call of "${name}"`)
  const filled = calls.map(argumentsOf).filter((value) => value === null || !isEmpty(value))
  const [value = null] = filled
  if (filled.some((other) => !isDeepStrictEqual(other, value)))
    return fail(`the reply calls "${name}" ${calls.length} times; it must be one call`)
  return value === null
    ? fail(`the arguments of "${name}" are not one complete JSON object`)
    : { ok: true, value: unwrapped(value, name) }
}

/** The object that stands in a field of no meaning, beside nothing but its contract's name. */
function unwrapped(value: JsonObject, name: ContractName): JsonObject {
  const [[key = '', held] = [], ...more] = Object.entries(value).filter(([, one]) => one !== name)
  const { properties } = schemaOf(name)
  const inside = isRecord(properties) && key in properties ? null : objectMeant(held)
  return more.length > 0 || inside === null ? value : inside
}

function readText(content: string, name: ContractName): Reading {
  const value = objectInText(content)
  return value === null
    ? fail('the reply is not one JSON object and nothing else')
    : { ok: true, value: unwrapped(value, name) }
}

const fail = (message: string, code: Unread['code'] = 'bad_reply'): Unread => ({
  ok: false,
  code,
  message,
})
