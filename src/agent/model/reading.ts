import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { inputText } from '../contracts/calls.ts'
import { isRecord } from '../contracts/forgiving.ts'
import type { ContractName } from '../contracts.ts'
import { mapTexts } from '../domain/clean-text.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { withoutThinking } from '../domain/thinking.ts'
import type { Usage } from '../ports/model.ts'
import { type Form, hasFunctions, styleOf } from './forms.ts'
import { objectInText, objectMeant, parseObject } from './json-text.ts'
import { meantBy } from './tool-functions.ts'

/** A reply longer than this is no answer to any contract, and must not end up in the store. In characters. */
const replyLimit = 200_000

/**
 * What a completion comes to. `message`: as it came, where it holds calls of a free turn. `no_call` means that the model wrote text
 * where it was made to call a function.
 */
export type Reading =
  | { ok: true; value: unknown; message?: Record<string, unknown> | undefined }
  | { ok: false; code: 'no_call' | 'bad_reply' | 'filtered'; message: string }
  | { ok: false; code: 'no_completion'; kind: FailureKind; message: string }

const Called = z.looseObject({ name: z.string(), arguments: z.unknown().optional() })
/** Some write the function's name and arguments into the call itself. */
const Call = z.union([
  z.looseObject({ function: Called }),
  Called.transform(({ name, arguments: given, ...rest }) => ({
    ...rest,
    function: { name, arguments: given },
  })),
])
const words = z.string().nullish().catch(null)
/** As much of a completion as is relied on. Endpoints leave out or add the rest as they like. */
const Completion = z.object({
  choices: z.array(
    z.object({
      finish_reason: words,
      message: z.looseObject({
        content: z.unknown().optional(),
        refusal: words,
        tool_calls: z.preprocess((held) => [held ?? []].flat().filter(isRecord), z.array(Call)),
        function_call: Called.nullish().catch(null),
      }),
    }),
  ),
})
type Message = z.infer<typeof Completion>['choices'][number]['message']

/** Reasons for which an answer ends by itself, in the words of the endpoints; none is one, too (C348). */
const whole =
  /^(?:finish_reason_)?(?:stop|tool_?calls?|function_?calls?|tool_?use|end_?turn|stop_?sequence|eos(?:_?token)?|stop_?token|complete[d]?|finish(?:ed)?|done)?$/i
const filters = /filter|safety|sensitive|refusal|prohibited|blocklist|recitation/i
const tooLong = /^(?:length|max_?(?:output_?)?tokens?|model_length)$/i

/**
 * Reads the body of a completion. `isAgain`: the request said what was wrong with an answer before it. The messages never quote the model or the endpoint (S7): they go into traces and
 * back into prompts.
 */
export function readCompletion(
  body: unknown,
  name: ContractName,
  form: Form,
  isAgain = false,
): Reading {
  const parsed = Completion.safeParse(body)
  if (!parsed.success && typeof body === 'string' && body.trim() !== '')
    return noCompletion('wrong_address', 'something else than a model endpoint answered')
  if (!parsed.success)
    return noCompletion('reply_unusable', 'the endpoint did not answer with a chat completion')
  const choice = parsed.data.choices[0]
  if (choice === undefined) return fail('bad_reply', 'the reply has no choices')
  const { message, finish_reason: reason } = choice
  if (message.refusal) return fail('filtered', 'the model refused to answer')
  if (filters.test(reason ?? ''))
    return fail('filtered', 'the reply was stopped by a content filter')
  if (tooLong.test(reason ?? ''))
    return fail('bad_reply', 'the reply was cut off because it became too long')
  if (!whole.test(reason ?? '')) return fail('bad_reply', 'the reply broke off before its end')
  const text = textIn(message.content)
  if (text.length > replyLimit) return fail('bad_reply', 'the reply is far too long')
  const style = styleOf(name)
  if (style === 'plain') return { ok: true, value: { content: withoutThinking(text) } }
  const calls = callsIn(message)
  if (style === 'free' && hasFunctions(form)) return readTurn(withoutThinking(text), calls, message)
  const reading = hasFunctions(form) ? readCall(text, calls, name) : readText(text)
  return reading.ok || !isAgain || name !== 'decision' || calls.length > 0
    ? reading
    : (proseAnswer(text) ?? reading)
}

/** C448: a Decision that is plain words also when it is asked for again is its answer; null where it is a try at an object. */
function proseAnswer(text: string): Reading | null {
  const content = withoutThinking(text).trim()
  if (content === '' || /[{}]/.test(content)) return null
  const nothingElse = { run: null, runs: null, confidence: 1, reason: 'answered in plain words' }
  return { ok: true, value: { decision: 'reply', reply: { content }, ...nothingElse } }
}

/** The words of a message, which some endpoints send as a list of parts, thoughts among them (R42). */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => {
      if (!isRecord(part)) return typeof part === 'string' ? part : ''
      const isThought = /think|reason/i.test(String(part.type))
      return typeof part.text === 'string' && !isThought ? part.text : ''
    })
    .join('')
}

/** Calls with the names that were meant: some come with the marks of a template around them (C347). */
function callsIn({ tool_calls: calls, function_call: old }: Message) {
  const all = calls.length > 0 || !old ? calls.map((call) => call.function) : [old]
  return all.map((call) => ({
    given: call.arguments,
    name: call.name
      .replace(/^.*\bfunctions?[.:]/s, '')
      .replace(/<\|.*|:\d+$/s, '')
      .replace(/^.*[.:/]|["'`()\s]+/gs, ''),
  }))
}
type Calls = ReturnType<typeof callsIn>

/** The words of a completion; null when there are none. */
export function wordsOf(body: unknown): string | null {
  const read = Completion.safeParse(body)
  return (read.success && textIn(read.data.choices[0]?.message.content).trim()) || null
}

/** Words, calls, or both; what may be called is checked with the contract. */
function readTurn(text: string, called: Calls, message: Message): Reading {
  const calls: { tool: string; input: unknown }[] = []
  for (const { name, given } of called) {
    const input = isTooLong(given) ? null : objectMeant(given)
    if (input === null)
      return fail('bad_reply', `the arguments of "${name.slice(0, 80)}" are not one JSON object`)
    const meant = meantBy(name, input)
    calls.push({ tool: meant.tool, input: inputText(meant.input) })
  }
  const value = { text: text === '' ? null : text, calls }
  return calls.length === 0 ? { ok: true, value } : { ok: true, value, message: keepable(message) }
}

/** A message longer than this is told in Clew's own words instead. In characters. */
const keptMost = 60_000

/**
 * The message as it came, but for fields without a value, calls that could only be read by guessing, and halves of characters,
 * which no endpoint takes.
 */
function keepable({ function_call: _, ...message }: Message): Record<string, unknown> | undefined {
  const given = callsIn(message)
  const tool_calls = message.tool_calls.map((call, at) => ({
    ...call,
    type: 'function',
    function: {
      ...call.function,
      name: given[at]?.name,
      arguments: jsonOf(call.function.arguments),
    },
  }))
  const filled = Object.entries(message).filter(([key, held]) => held != null || key === 'content')
  const kept = { ...Object.fromEntries(filled), role: 'assistant', tool_calls }
  if (tool_calls.length === 0 || JSON.stringify(kept).length > keptMost) return undefined
  const sendable = mapTexts(kept, wellFormed)
  return isRecord(sendable) ? sendable : undefined
}

const wellFormed = (text: string): string => text.toWellFormed()

const jsonOf = (given: unknown): string =>
  typeof given === 'string' && parseObject(given) !== null
    ? given
    : JSON.stringify(objectMeant(given) ?? {})

/** R48: only one call, of the one function that was asked for; the same twice is one. */
function readCall(text: string, calls: Calls, name: string): Reading {
  const [call, ...others] = calls
  // One empty reply says nothing of what the endpoint can do.
  if (call === undefined && text.trim() === '')
    return fail('bad_reply', `the reply is empty; ${due(name)}`)
  if (call === undefined) return fail('no_call', `the reply is text; ${due(name)}`)
  if (calls.some((other) => other.name !== name))
    return fail('bad_reply', `the reply calls another function; it must be one call of "${name}"`)
  if (others.some(({ given }) => !isDeepStrictEqual(given, call.given)))
    return fail('bad_reply', `the reply calls "${name}" ${calls.length} times; it must be one call`)
  const given = isTooLong(call.given) ? null : objectMeant(call.given)
  const [[key, inside] = [], ...more] = Object.entries(given ?? {})
  const isWrapped = more.length === 0 && [name, 'arguments', 'parameters'].includes(key ?? '')
  const value = isWrapped && isRecord(inside) ? inside : given
  return value === null || Object.keys(value).length === 0
    ? fail('bad_reply', `the arguments of "${name}" are not one complete JSON object`)
    : { ok: true, value }
}

const isTooLong = (given: unknown) => typeof given === 'string' && given.length > replyLimit
const due = (name: string): string => `it must be one call of the function "${name}"`

function readText(content: string): Reading {
  const value = objectInText(content)
  return value === null
    ? fail('bad_reply', 'the reply is not one JSON object and nothing else')
    : { ok: true, value }
}

function fail(code: 'no_call' | 'bad_reply' | 'filtered', message: string): Reading {
  return { ok: false, code, message }
}

const noCompletion = (kind: FailureKind, message: string): Reading => ({
  ok: false,
  code: 'no_completion',
  kind,
  message,
})

/** What the model wrote, of an answer whose tokens nobody counted. */
export function writtenIn(body: unknown): unknown {
  const read = Completion.safeParse(body)
  return read.success ? read.data.choices[0]?.message : null
}

const count = z.number().nonnegative().transform(Math.round).catch(0)
const cached = z.object({ cached_tokens: count }).nullish().catch(null)
const Counted = z.object({
  usage: z.object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: cached,
  }),
})

/** The tokens of a completion; 0 where the endpoint does not count. */
export function usageOf(body: unknown): Usage {
  const parsed = Counted.safeParse(body)
  if (!parsed.success) return { promptTokens: 0, completionTokens: 0 }
  const {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: known,
  } = parsed.data.usage
  const cachedTokens = Math.min(known?.cached_tokens ?? 0, promptTokens)
  return { promptTokens, completionTokens, ...(cachedTokens > 0 && { cachedTokens }) }
}
