import { setImmediate as othersFirst } from 'node:timers/promises'
import { APIConnectionTimeoutError, APIError, type OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import { Stream } from 'openai/streaming'
import { z } from 'zod'
import { stopWith } from '../deadline.ts'
import { errorInside } from './failures.ts'
import { parseObject } from './json-text.ts'
import { textIn } from './reading.ts'

/** As much of a message as has been written. */
export interface Heard {
  content: string
  calls: { name: string; arguments: string }[]
}

export type Hear = (soFar: Heard) => void

const anything = z.unknown().optional()
const words = z.string().nullish().catch(null)
const Called = z.looseObject({
  index: z.coerce.number().optional().catch(undefined),
  id: words,
  function: z.looseObject({ name: words, arguments: anything }).nullish().catch(null),
})
const Delta = z.looseObject({
  role: anything,
  content: anything,
  refusal: words,
  tool_calls: z.array(Called).nullish().catch(null),
  function_call: Called.shape.function,
})
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.coerce.number().nullish().catch(null),
        delta: Delta.nullish(),
        message: Delta.nullish().catch(null),
        finish_reason: words,
        error: anything,
      }),
    )
    .nullish(),
  usage: anything,
})

/** A long answer may be there all at once, and everybody else would wait until all of it is read (S11). */
const piecesAtOnce = 16

/**
 * One request whose answer is heard while it is written, and then the whole of it. An endpoint that answers at once, in one piece,
 * is taken at its word.
 *
 * @throws what the client throws; and when the answer breaks off, which a completion does not.
 */
export async function completeStreamed(
  client: OpenAI,
  body: ChatBody,
  { timeout, signal, hear }: { timeout: number; signal: AbortSignal; hear: Hear },
): Promise<unknown> {
  const streamed = { ...body, stream: true as const, stream_options: { include_usage: true } }
  const written = emptyAnswer()
  const { stop, isLate, answered } = lateAfter(timeout, signal)
  const cutOff = new AbortController()
  try {
    const response = await client.chat.completions
      .create(streamed, { timeout, signal: stop })
      .asResponse()
    const kind = response.headers.get('content-type') ?? ''
    if (!kind.includes('text/event-stream')) return wholeAnswer(kind, await response.text())
    for await (const chunk of unhurried(Stream.fromSSEResponse<unknown>(response, cutOff))) {
      written.add(chunk)
      hear(written.message)
    }
    return written.completion()
  } catch (error) {
    if (isLate()) throw new APIConnectionTimeoutError()
    if (error instanceof SyntaxError) throw new EndlessStream(error.message)
    // The endpoint's own words in the middle of its answer.
    if (error instanceof APIError && error.status === undefined && error.error !== undefined)
      throw errorInside({ error: error.error }) ?? error
    throw error
  } finally {
    answered()
  }
}

const late = Symbol('late')

/** Stops a request with `signal`, or after `ms`. `AbortSignal.timeout` would hold on to the request until then, however soon it is answered. */
export function lateAfter(
  ms: number,
  signal: AbortSignal,
): { stop: AbortSignal; isLate(): boolean; answered(): void } {
  const { stop, letGo } = stopWith(signal)
  const timer = setTimeout(() => stop.abort(late), ms)
  return {
    stop: stop.signal,
    isLate: () => stop.signal.reason === late,
    answered() {
      clearTimeout(timer)
      letGo()
    },
  }
}

/** Lets everybody else in between now and then. */
export async function* unhurried<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0
  for await (const piece of pieces) {
    yield piece
    count += 1
    if (count % piecesAtOnce === 0) await othersFirst()
  }
}

/** As the client reads an answer of one piece: what is no JSON is no completion, and JSON that breaks off is an answer that did. */
const wholeAnswer = (kind: string, text: string): unknown =>
  kind.includes('json') && text !== '' ? JSON.parse(text) : text

export const brokenOff = () => new Error('the stream ended before the answer did')

/** A stream that ended without saying that its answer is whole, or that is none. */
export class EndlessStream extends Error {}

type Call = z.infer<typeof Called> & Heard['calls'][number]

/** What has been written until now. */
function emptyAnswer() {
  const message: { content: string; calls: Call[] } = { content: '', calls: [] }
  const numbered = new Map<number, Call>()
  const more: Record<string, unknown> = {}
  let last: { finish_reason: string | null; error?: unknown } = { finish_reason: null }
  let usage: unknown
  function addCall({ index, function: called, ...rest }: z.infer<typeof Called>) {
    const name = called?.name ?? ''
    // Some endpoints do not number them, or give two one number: then a name begins a new one.
    const known = index === undefined ? message.calls.at(-1) : numbered.get(index)
    const isNext =
      name !== '' && (index === undefined || (rest.id ? rest.id !== known?.id : isWhole(known)))
    const call = known === undefined || isNext ? { ...rest, name: '', arguments: '' } : known
    if (call !== known) message.calls.push(call)
    if (index !== undefined) numbered.set(index, call)
    const given = called?.arguments ?? ''
    // It may come in pieces, or whole with each of them.
    if (call.arguments === '' && call.name !== name) call.name += name
    call.arguments += typeof given === 'string' ? given : JSON.stringify(given)
  }
  return {
    message,
    add(chunk: unknown) {
      const read = Chunk.safeParse(chunk)
      if (!read.success) return
      usage = read.data.usage ?? usage
      const choice = read.data.choices?.find(({ index }) => (index ?? 0) === 0)
      if (choice === undefined) return
      const said = choice.delta ?? choice.message ?? {}
      const { role: _, content, tool_calls: calls, function_call: old, ...rest } = said
      message.content += textIn(content)
      for (const [key, held] of Object.entries(rest)) more[key] = joined(more[key], held)
      for (const call of calls ?? []) addCall(call)
      if (old) addCall({ function: old })
      last = {
        finish_reason: choice.finish_reason || last.finish_reason,
        error: choice.error ?? last.error,
      }
    },
    completion() {
      const { content, calls } = message
      const isRead = calls.length > 0 ? calls.every(isWhole) : parseObject(content) !== null
      if (last.finish_reason === null && last.error === undefined && !isRead)
        throw new EndlessStream('the stream ended before the answer did')
      const tool_calls = calls.map(({ name, arguments: given, ...call }) => ({
        ...call,
        function: { name, arguments: given },
      }))
      const said = { ...more, content, ...(calls.length > 0 && { tool_calls }) }
      return { choices: [{ ...last, message: said }], ...(usage == null ? {} : { usage }) }
    },
  }
}

const isWhole = (call: Call | undefined): boolean =>
  call !== undefined && parseObject(call.arguments) !== null

/** A field that came in pieces, such as a thought that has to be sent back. */
function joined(before: unknown, more: unknown): unknown {
  if (typeof more === 'string') return `${before ?? ''}${more}`
  return Array.isArray(more) && Array.isArray(before) ? [...before, ...more] : (more ?? before)
}

/** Models are asked for streams whose streams count tokens as their other answers do (S8). */
export function createStreams() {
  const uncounted = new Set<string>()
  const countsElse = new Map<string, boolean>()
  return {
    maybe: (model: string) => !uncounted.has(model) || countsElse.get(model) === false,
    counted(model: string, isStream: boolean, isCounted: boolean) {
      if (!isStream) countsElse.set(model, isCounted)
      else if (!isCounted) uncounted.add(model)
    },
  }
}
export type Streams = ReturnType<typeof createStreams>
