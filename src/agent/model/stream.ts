import { setImmediate as othersFirst } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { APIConnectionTimeoutError, APIError, type OpenAI } from 'openai'
import type {
  ChatCompletionCreateParamsNonStreaming as ChatBody,
  ChatCompletionCreateParams,
} from 'openai/resources/chat/completions'
import { Stream } from 'openai/streaming'
import { isRecord } from '../contracts/forgiving.ts'
import { stopWith } from '../deadline.ts'
import { memoized } from '../domain/memoized.ts'
import { noUsage } from '../domain/usage.ts'
import { errorInside, inFull } from './failures.ts'
import { parseObject } from './json-text.ts'
import { type Call, type Completion, readBody, readPiece, textIn } from './reading.ts'

/** As much of a message as has been written. */
export interface Heard {
  content: string
  calls: { name: string; arguments: string }[]
}

export type Hear = (soFar: Heard) => void

/**
 * Sends one request in the shape of Chat Completions.
 *
 * @throws the errors of the `openai` client, for every provider.
 */
export type Complete = (body: ChatBody, request: CompleteRequest) => Promise<Completion>

export interface CompleteRequest {
  timeout: number
  signal: AbortSignal
  /** Set: the answer may be heard while it is written. Who cannot do that answers at once. */
  hear?: Hear | undefined
}

/**
 * A long answer may be there all at once, and everybody else would wait until all of it is read
 * (S11).
 */
const piecesAtOnce = 16

/**
 * Time for the tokens of a stream to come behind its end, in ms; some endpoints leave it open
 * (C992).
 */
const tokensMs = 2_000

/**
 * Requests to an OpenAI-compatible endpoint. Whether it answers in one piece or in many, it is
 * taken at its word.
 *
 * @throws what the client throws; and when the answer breaks off, which a completion does not.
 */
export const completeAt =
  (client: OpenAI): Complete =>
  (body, request) =>
    inTime(request, async (signal) => {
      const { timeout, hear } = request
      const asked = hear ? { ...body, stream: true, stream_options: { include_usage: true } } : body
      const written = emptyAnswer()
      const enough = new AbortController()
      let over: NodeJS.Timeout | undefined
      const until = hear ? AbortSignal.any([signal, enough.signal]) : signal
      const sent = { body: requestText(asked), headers: asJson, timeout, signal: until }
      const response = await client.post('/chat/completions', sent).asResponse()
      const kind = response.headers.get('content-type') ?? ''
      if (!kind.includes('text/event-stream')) {
        const text = await response.text()
        // JSON that breaks off is an answer that did.
        return readBody(kind.includes('json') && text !== '' ? JSON.parse(text) : text)
      }
      const chunks = Stream.fromSSEResponse<unknown>(response, new AbortController(), client)
      try {
        for await (const chunk of unhurried(chunks)) {
          written.add(chunk)
          hear?.(written.message)
          if (written.isOver()) over ??= setTimeout(() => enough.abort(), tokensMs)
        }
      } finally {
        clearTimeout(over)
      }
      return written.completion()
    })

const asJson = { 'content-type': 'application/json' }

/** A request as JSON. Functions are the same objects in every request, and are written once. */
function requestText({ tools, ...rest }: ChatCompletionCreateParams): string {
  const text = JSON.stringify(rest)
  if (tools === undefined) return text
  return `${text.slice(0, -1)},"tools":[${tools.map(functionText).join(',')}]}`
}

const functionText = memoized((tool: object) => JSON.stringify(tool), new WeakMap())

const late = Symbol('late')

/**
 * Stops a request with its signal, or when its time is over. `AbortSignal.timeout` would hold on to
 * it until then, however soon it is answered.
 *
 * @throws APIConnectionTimeoutError when it is late.
 */
export async function inTime<T>(
  { timeout, signal }: CompleteRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { stop, letGo } = stopWith(signal)
  const timer = setTimeout(() => stop.abort(late), timeout)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.reason === late) throw new APIConnectionTimeoutError()
    // The endpoint's own words in the middle of its answer.
    if (error instanceof APIError && error.status === undefined && error.error !== undefined)
      throw inFull(errorInside({ error: error.error }) ?? error)
    throw inFull(error)
  } finally {
    clearTimeout(timer)
    letGo()
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

/** A stream that ended without saying that its answer is whole, or that is none. */
export class EndlessStream extends Error {}

type WrittenCall = Omit<Call, 'function'> & Heard['calls'][number]

/** Collects the answer as it is written. */
function emptyAnswer() {
  const message: { content: string; calls: WrittenCall[] } = { content: '', calls: [] }
  const numbered = new Map<number, WrittenCall>()
  const more: Record<string, unknown> = {}
  let finish_reason: string | null = null
  let usage = noUsage
  function knownCall({ index, id, function: { name } }: Call) {
    const numberless = index === undefined || (!numbered.has(index) && !name && !id)
    if (!numberless) return numbered.get(index)
    return (id && message.calls.find((call) => call.id === id)) || message.calls.at(-1)
  }
  function addCall(piece: Call) {
    const { index, function: part, ...rest } = piece
    const { name, arguments: given } = { ...part, arguments: part.arguments ?? '' }
    // Some endpoints do not number them, or give two one number: then a name begins a new one.
    const known = knownCall(piece)
    const isNext =
      name && (index === undefined || (rest.id ? rest.id !== known?.id : isWhole(known)))
    const more = isNext ? null : anotherOf(known, given, name)
    if (more === 'same') return
    const isNew = known === undefined || isNext || more !== null
    const call = isNew ? { ...rest, name: more?.name ?? '', arguments: '' } : known
    if (call !== known) message.calls.push(call)
    if (index !== undefined) numbered.set(index, call)
    // It may come in pieces, or whole with each of them.
    if (name && call.arguments === '' && call.name !== name) call.name += name
    call.arguments += typeof given === 'string' ? given : JSON.stringify(given)
  }
  return {
    message,
    add(chunk: unknown) {
      const { choices, usage: counted } = readPiece(chunk)
      if (counted.promptTokens > 0) usage = counted
      const choice = choices.find(({ index }) => !index) ?? choices[0]
      if (choice === undefined) {
        const failure = saysFailure(chunk) ? errorInside(chunk) : null
        if (failure !== null) throw failure
        return
      }
      const error = errorInside({ choices: [choice] })
      if (error !== null) throw error
      const { role: _, content, tool_calls: calls, ...rest } = choice.message
      message.content += textIn(content)
      for (const [key, held] of Object.entries(rest)) more[key] = joined(more[key], held)
      for (const call of calls) addCall(call)
      finish_reason = choice.finish_reason || finish_reason
    },
    isOver: () => finish_reason !== null,
    completion(): Completion {
      const { content, calls } = message
      const isRead = calls.length > 0 ? calls.every(isWhole) : parseObject(content) !== null
      if (finish_reason === null && !isRead)
        throw new EndlessStream('the stream ended before the answer did')
      const tool_calls = calls.map(({ name, arguments: given, ...call }) => ({
        ...call,
        function: { name, arguments: given },
      }))
      return { finish_reason, message: { ...more, content, tool_calls }, usage }
    },
  }
}

/**
 * The call that a piece repeats, or that it makes once more: some endpoints send whole arguments
 * under the number of the call before them, without a name. Null where it goes on with that one.
 */
function anotherOf(
  call: WrittenCall | undefined,
  piece: unknown,
  name: string | null | undefined,
): Pick<WrittenCall, 'name'> | 'same' | null {
  const given = typeof piece === 'string' && piece.startsWith('{') ? parseObject(piece) : null
  const before = given === null || call === undefined ? null : parseObject(call.arguments)
  if (call === undefined || before === null) return null
  if (name && name !== call.name) return { name: '' }
  return isDeepStrictEqual(given, before) ? 'same' : call
}

/** True for a code and words in place of a piece. */
const saysFailure = (chunk: unknown): boolean =>
  isRecord(chunk) &&
  'message' in chunk &&
  !/^(?:0|200|ok|success|undefined|null)$/i.test(`${chunk.code}`)

const isWhole = (call: WrittenCall | undefined) =>
  call !== undefined && parseObject(call.arguments) !== null

/** A field that came in pieces, such as a thought that has to be sent back. */
function joined(before: unknown, more: unknown): unknown {
  if (typeof more === 'string') return `${before ?? ''}${more}`
  return Array.isArray(more) && Array.isArray(before) ? [...before, ...more] : (more ?? before)
}

/** A model is asked for streams while those count tokens as its other answers do (S8). */
export function createStreams() {
  let inStreams = true
  let elsewhere = true
  return {
    areCounted: () => inStreams || !elsewhere,
    counted(isStream: boolean, isCounted: boolean) {
      if (!isStream) elsewhere = isCounted
      else inStreams &&= isCounted
    },
  }
}
