import { setImmediate as othersFirst } from 'node:timers/promises'
import { APIConnectionTimeoutError, APIError, type OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import { Stream } from 'openai/streaming'
import { z } from 'zod'
import { stopWith } from '../deadline.ts'
import { errorInside } from './failures.ts'

/** As much of a message as has been written. */
export interface Heard {
  content: string
  calls: { name: string; arguments: string }[]
}

export type Hear = (soFar: Heard) => void

const Called = z.object({
  index: z.number().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
})
const Delta = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(Called).nullish(),
})
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        delta: Delta.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
})

/** A long answer may be there all at once, and everybody else would wait until all of it is read (S11). */
const piecesAtOnce = 16

/** What one way of asking makes of the pieces of an answer. */
export interface Pieces {
  message: Heard
  add(chunk: unknown): void
  /** @throws Error when it has not come to its end. */
  completion(): unknown
}

/**
 * One request whose answer is heard while it is written, and then the whole of it. An endpoint that answers at once, in one piece,
 * is taken at its word.
 *
 * @throws what the client throws; and when the answer breaks off, which a completion does not.
 */
export async function completeInPieces(
  ask: (request: { timeout: number; signal: AbortSignal }) => { asResponse(): Promise<Response> },
  written: Pieces,
  { timeout, signal, hear }: { timeout: number; signal: AbortSignal; hear: Hear },
): Promise<unknown> {
  const { stop, isLate, answered } = lateAfter(timeout, signal)
  const cutOff = new AbortController()
  try {
    const response = await ask({ timeout, signal: stop }).asResponse()
    const kind = response.headers.get('content-type') ?? ''
    if (!kind.includes('text/event-stream')) return wholeAnswer(kind, await response.text())
    for await (const chunk of unhurried(Stream.fromSSEResponse<unknown>(response, cutOff))) {
      written.add(chunk)
      hear(written.message)
    }
    return written.completion()
  } catch (error) {
    if (isLate()) throw new APIConnectionTimeoutError()
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

/** By Chat Completions. */
export async function completeStreamed(
  client: OpenAI,
  body: ChatBody,
  request: { timeout: number; signal: AbortSignal; hear: Hear },
): Promise<unknown> {
  const streamed = { ...body, stream: true as const, stream_options: { include_usage: true } }
  return await completeInPieces(
    (how) => client.chat.completions.create(streamed, how),
    emptyAnswer(),
    request,
  )
}

/** As the client reads an answer of one piece: what is no JSON is no completion, and JSON that breaks off is an answer that did. */
const wholeAnswer = (kind: string, text: string): unknown =>
  kind.includes('json') && text !== '' ? JSON.parse(text) : text

export const brokenOff = () => new Error('the stream ended before the answer did')

/** What has been written until now. */
function emptyAnswer(): Pieces {
  const message: Heard = { content: '', calls: [] }
  let refusal = ''
  let finishReason: string | null = null
  let usage: unknown
  function addCall({ index, function: called }: z.infer<typeof Called>) {
    // Some endpoints do not number them: a name begins a new one.
    const at =
      index ?? (called?.name ? message.calls.length : Math.max(0, message.calls.length - 1))
    const call = message.calls[at] ?? { name: '', arguments: '' }
    message.calls[at] = call
    const given = called?.arguments ?? ''
    call.name ||= called?.name ?? ''
    call.arguments += typeof given === 'string' ? given : JSON.stringify(given)
  }
  return {
    message,
    add(chunk: unknown) {
      const read = Chunk.safeParse(chunk)
      if (!read.success) return
      usage = read.data.usage ?? usage
      const choice = read.data.choices?.find(({ index }) => (index ?? 0) === 0)
      message.content += choice?.delta?.content ?? ''
      refusal += choice?.delta?.refusal ?? ''
      for (const call of choice?.delta?.tool_calls ?? []) addCall(call)
      finishReason = choice?.finish_reason ?? finishReason
    },
    completion() {
      if (finishReason === null) throw brokenOff()
      const calls = message.calls.filter((call) => call !== undefined)
      const said = {
        content: message.content === '' ? null : message.content,
        refusal: refusal === '' ? null : refusal,
        ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ function: { ...call } })) }),
      }
      return {
        choices: [{ finish_reason: finishReason, message: said }],
        ...(usage == null ? {} : { usage }),
      }
    },
  }
}

/** Which models are asked for streams: those that do not refuse, and whose streams count tokens as their other answers do (S8). */
export function createStreams() {
  const refusing = new Set<string>()
  const uncounted = new Set<string>()
  const countsElse = new Map<string, boolean>()
  return {
    maybe: (model: string) =>
      !refusing.has(model) && (!uncounted.has(model) || countsElse.get(model) === false),
    refused: (model: string) => void refusing.add(model),
    counted(model: string, isStream: boolean, isCounted: boolean) {
      if (!isStream) countsElse.set(model, isCounted)
      else if (!isCounted) uncounted.add(model)
    },
  }
}
export type Streams = ReturnType<typeof createStreams>
