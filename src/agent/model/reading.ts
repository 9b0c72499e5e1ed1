import { z } from 'zod'
import { inputText } from '../contracts/calls.ts'
import { isRecord } from '../contracts/forgiving.ts'
import type { ContractName } from '../contracts.ts'
import { cleanTexts } from '../domain/clean-text.ts'
import type { Usage } from '../ports/model.ts'
import { type Form, hasFunctions, styleOf } from './forms.ts'
import { objectInText, parseObject, withoutThinking } from './json-text.ts'
import { meantBy } from './tool-functions.ts'

/** A reply longer than this is no answer to any contract, and must not end up in the store. In characters. */
const replyLimit = 200_000

/** What a completion comes to. `no_call` means that the model wrote text where it was made to call a function. */
export type Reading =
  | { ok: true; value: unknown }
  | { ok: false; code: 'no_call' | 'bad_reply' | 'filtered' | 'not_a_completion'; message: string }

/** As much of a completion as is relied on. Endpoints leave out or add the rest as they like. */
const Completion = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              // Some endpoints send the arguments as an object rather than as its text.
              function: z.object({
                name: z.string(),
                arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
              }),
            }),
          )
          .nullish(),
      }),
    }),
  ),
})
type Message = z.infer<typeof Completion>['choices'][number]['message']

/**
 * Reads the body of a completion. The messages never quote the model or the endpoint (S7): they go into traces and
 * back into prompts.
 */
export function readCompletion(body: unknown, name: ContractName, form: Form): Reading {
  const parsed = Completion.safeParse(body)
  if (!parsed.success)
    return fail('not_a_completion', 'the endpoint did not answer with a chat completion')
  const choice = parsed.data.choices[0]
  if (choice === undefined) return fail('bad_reply', 'the reply has no choices')
  if (choice.message.refusal) return fail('filtered', 'the model refused to answer')
  if (choice.finish_reason === 'content_filter')
    return fail('filtered', 'the reply was stopped by a content filter')
  if (choice.finish_reason === 'length')
    return fail('bad_reply', 'the reply was cut off because it became too long')
  const words = choice.message.content ?? ''
  const style = styleOf(name)
  if (style === 'plain') return readWords(words)
  if (!hasFunctions(form)) return readText(words)
  return style === 'free' ? readTurn(choice.message) : readCall(choice.message, name)
}

/** R61: the words as they are. */
function readWords(content: string): Reading {
  if (content.length > replyLimit) return fail('bad_reply', 'the reply is far too long')
  return { ok: true, value: { content: withoutThinking(content) } }
}

/** The words of a completion; null when there are none. */
export function wordsOf(body: unknown): string | null {
  const read = Completion.safeParse(body)
  return (read.success && read.data.choices[0]?.message.content?.trim()) || null
}

/** Words, calls, or both; what may be called is checked with the contract. */
function readTurn(message: Message): Reading {
  const text = withoutThinking(message.content ?? '')
  if (text.length > replyLimit) return fail('bad_reply', 'the reply is far too long')
  const calls: { tool: string; input: unknown }[] = []
  for (const { function: called } of message.tool_calls ?? []) {
    const given = called.arguments
    if (typeof given === 'string' && given.length > replyLimit)
      return fail('bad_reply', 'the reply is far too long')
    const input = typeof given === 'string' ? parseObject(given) : cleanTexts(given)
    if (!isRecord(input))
      return fail(
        'bad_reply',
        `the arguments of "${called.name.slice(0, 80)}" are not one JSON object`,
      )
    const meant = meantBy(called.name, input)
    calls.push({ tool: meant.tool, input: inputText(meant.input) })
  }
  return { ok: true, value: { text: text === '' ? null : text, calls } }
}

/** R48: only one call, of the one function that was asked for. */
function readCall(message: Message, name: string): Reading {
  const calls = message.tool_calls ?? []
  const call = calls[0]
  // One empty reply says nothing of what the endpoint can do.
  if (call === undefined && isBlank(message.content))
    return fail('bad_reply', `the reply is empty; ${due(name)}`)
  if (call === undefined) return fail('no_call', `the reply is text; ${due(name)}`)
  if (calls.some((other) => other.function.name !== name))
    return fail('bad_reply', `the reply calls another function; it must be one call of "${name}"`)
  if (calls.length > 1)
    return fail('bad_reply', `the reply calls "${name}" ${calls.length} times; it must be one call`)
  const given = call.function.arguments
  if (typeof given !== 'string') return { ok: true, value: given }
  if (given.length > replyLimit) return fail('bad_reply', 'the reply is far too long')
  const value = parseObject(given)
  return value === null
    ? fail('bad_reply', `the arguments of "${name}" are not one complete JSON object`)
    : { ok: true, value }
}

const isBlank = (text: string | null | undefined): boolean => (text ?? '').trim() === ''
const due = (name: string): string => `it must be one call of the function "${name}"`

function readText(content: string): Reading {
  if (content.length > replyLimit) return fail('bad_reply', 'the reply is far too long')
  const value = objectInText(content)
  return value === null
    ? fail('bad_reply', 'the reply is not one JSON object and nothing else')
    : { ok: true, value }
}

function fail(code: Extract<Reading, { ok: false }>['code'], message: string): Reading {
  return { ok: false, code, message }
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
