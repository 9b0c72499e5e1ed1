import type {
  AssistantModelMessage,
  ImagePart,
  JSONValue,
  ModelMessage,
  TextPart,
  TextStreamPart,
  ToolSet,
} from 'ai'
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import { isRecord } from '../contracts/forgiving.ts'
import { assertNever } from '../domain/assert.ts'
import { errorInside } from './failures.ts'
import { forcedIn, textOf } from './forms.ts'
import { parseObject } from './json-text.ts'
import type { Provider } from './providers.ts'
import { endOfShared } from './rules.ts'
import { brokenOff, type Hear, type Heard, lateAfter, unhurried } from './stream.ts'

/**
 * One request in the shape of Chat Completions, and its answer in the same shape.
 *
 * @throws what the `openai` client throws, for every provider.
 */
export type Complete = (body: ChatBody, request: CompleteRequest) => Promise<unknown>

export interface CompleteRequest {
  timeout: number
  signal: AbortSignal
  /** Set: the answer may be heard while it is written. Who cannot do that answers at once. */
  hear?: Hear | undefined
}

export interface ProviderOptions {
  provider: Provider
  apiKey: string
  /** Null for the provider's own. */
  baseURL: string | null
  /** Of Bedrock. */
  region: string | null
}

/** Asks a provider through the `ai` package; only what is named is loaded (docs/decisions/7). */
export async function createAiSdk(options: ProviderOptions): Promise<Complete> {
  const [ai, modelOf] = await Promise.all([import('ai'), openProvider(options)])
  const { jsonSchema } = ai
  globalThis.AI_SDK_LOG_WARNINGS = false
  return async (body, { timeout, signal, hear }) => {
    const { stop, isLate, answered } = lateAfter(timeout, signal)
    const format =
      body.response_format?.type === 'json_schema'
        ? body.response_format.json_schema.schema
        : undefined
    const counted = counting()
    const request = {
      model: ai.wrapLanguageModel({ model: modelOf(body.model), middleware: counted.middleware }),
      maxRetries: 0,
      allowSystemInMessages: true,
      messages: messagesOf(body, ai.assistantModelMessageSchema),
      abortSignal: stop,
      ...(body.max_completion_tokens ? { maxOutputTokens: body.max_completion_tokens } : {}),
      ...toolsOf(body, jsonSchema, options.provider !== 'deepseek'),
      ...(format === undefined ? {} : { output: ai.Output.object({ schema: jsonSchema(format) }) }),
    }
    try {
      if (hear === undefined) return completionOf(await ai.generateText(request))
      const streamed = ai.streamText({ ...request, onError: () => {} })
      const heard = await inPieces(streamed.fullStream, hear)
      return completionOf({ ...heard, responseMessages: await streamed.responseMessages })
    } catch (error) {
      // What the package makes of an answer that is not as it was asked for is ours to read.
      if (ai.NoObjectGeneratedError.isInstance(error))
        return completionOf({ ...error, text: error.text ?? '', toolCalls: [] })
      if (ai.ToolChoiceViolationError.isInstance(error) && !known.test(error.finishReason))
        throw brokenOff()
      if (ai.ToolChoiceViolationError.isInstance(error))
        return completionOf(unforced(error, counted.usage()))
      throw asOpenAiError(error, { isLate: isLate(), signal })
    } finally {
      answered()
    }
  }
}

type ProviderModel = Parameters<typeof import('ai').wrapLanguageModel>[0]['model']

async function openProvider({
  provider,
  apiKey,
  baseURL,
  region,
}: ProviderOptions): Promise<(name: string) => ProviderModel> {
  const at = { apiKey, ...(baseURL === null ? {} : { baseURL }) }
  switch (provider) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(at)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(at)
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      return createAmazonBedrock({ ...at, ...(region === null ? {} : { region }) })
    }
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral(at)
    case 'deepseek':
      return (await import('@ai-sdk/deepseek')).createDeepSeek(at)
    case 'xai':
      return (await import('@ai-sdk/xai')).createXai(at)
    case 'groq':
      return (await import('@ai-sdk/groq')).createGroq(at)
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name: provider, apiKey, baseURL: baseURL ?? '' })
    }
    default:
      return assertNever(provider)
  }
}

/** The rules and what has happened so far are kept by the provider where it has to be told so. */
const cached = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  bedrock: { cachePoint: { type: 'default' } },
}

function messagesOf(
  { messages }: ChatBody,
  made: typeof import('ai').assistantModelMessageSchema,
): ModelMessage[] {
  const names = new Map<string, string>()
  return messages.flatMap((message, at): ModelMessage[] => {
    const keep = at === 0 || at === messages.length - 2 ? { providerOptions: cached } : {}
    if (message.role === 'system')
      return [{ role: 'system', content: textOf(message.content), ...keep }]
    if (message.role === 'user')
      return [{ role: 'user', content: userParts(message.content), ...keep }]
    if (message.role === 'tool') {
      const toolName = names.get(message.tool_call_id) ?? ''
      const output = { type: 'text' as const, value: textOf(message.content) }
      return [
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: message.tool_call_id, toolName, output }],
          ...keep,
        },
      ]
    }
    if (message.role !== 'assistant') return []
    const calls = (message.tool_calls ?? []).flatMap((call) => {
      if (call.type !== 'function') return []
      names.set(call.id, call.function.name)
      const input = parseObject(call.function.arguments) as JSONValue
      return [
        { type: 'tool-call' as const, toolCallId: call.id, toolName: call.function.name, input },
      ]
    })
    const sent = made.safeParse({ role: 'assistant', content: 'parts' in message && message.parts })
    if (sent.success && isAsRead(sent.data, names)) return [{ ...sent.data, ...keep }]
    const words = textOf(message.content ?? '')
    return [
      {
        role: 'assistant',
        content: [...(words === '' ? [] : [{ type: 'text' as const, text: words }]), ...calls],
        ...keep,
      },
    ]
  })
}

/** True if a message holds its calls as they were read. */
const isAsRead = ({ content }: AssistantModelMessage, names: ReadonlyMap<string, string>) =>
  typeof content !== 'string' &&
  content.every(
    (part) =>
      part.type !== 'tool-call' ||
      (names.get(part.toolCallId) === part.toolName && isRecord(part.input)),
  )

type Content = ChatBody['messages'][number]['content']

function userParts(content: Content): string | (ImagePart | TextPart)[] {
  if (typeof content === 'string') return inTwo(content)
  return [...(content ?? [])].flatMap((part): (ImagePart | TextPart)[] => {
    if (part.type === 'image_url') return [{ type: 'image', image: part.image_url.url }]
    const parts = inTwo('text' in part ? part.text : '')
    return typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts
  })
}

/** C140: where requests of a strategy begin alike, what they share is kept, and their end is not. */
function inTwo(content: string): string | TextPart[] {
  const end = content.lastIndexOf(endOfShared)
  if (end === -1) return content
  return [
    { type: 'text', text: content.slice(0, end), providerOptions: cached },
    { type: 'text', text: content.slice(end) },
  ]
}

/** @param maybeStrict DeepSeek's package throws at a strict function, but at one address. */
function toolsOf(
  { tools = [], ...body }: ChatBody,
  jsonSchema: typeof import('ai').jsonSchema,
  maybeStrict: boolean,
) {
  if (tools.length === 0) return {}
  const set: ToolSet = Object.fromEntries(
    tools.flatMap((one) => {
      if (one.type !== 'function') return []
      const { name, description = '', parameters = {}, strict } = one.function
      return [
        [
          name,
          {
            description,
            inputSchema: jsonSchema(parameters),
            ...(strict && maybeStrict ? { strict: true } : {}),
          },
        ],
      ]
    }),
  )
  const forced = forcedIn(body)
  return {
    tools: set,
    toolChoice: forced === null ? ('auto' as const) : { type: 'tool' as const, toolName: forced },
  }
}

/** Heard while it is written, then the whole of it; what a model thinks is not heard (R42). */
async function inPieces(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  hear: Hear,
): Promise<Result> {
  const calls = new Map<string, Heard['calls'][number]>()
  const message: Heard = { content: '', calls: [] }
  const toolCalls: Result['toolCalls'][number][] = []
  let ended: Pick<Result, 'finishReason' | 'usage'> | null = null
  for await (const part of unhurried(stream)) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') message.content += part.text
    if (part.type === 'tool-input-start') {
      const call = { name: part.toolName, arguments: '' }
      calls.set(part.id, call)
      message.calls.push(call)
    }
    const call = part.type === 'tool-input-delta' ? calls.get(part.id) : undefined
    if (part.type === 'tool-input-delta' && call !== undefined) call.arguments += part.delta
    if (part.type === 'tool-call') toolCalls.push(part)
    // The packages end what broke off as well, but without the provider's reason.
    if (part.type === 'finish' && part.rawFinishReason !== undefined)
      ended = { finishReason: part.finishReason, usage: part.totalUsage }
    hear(message)
  }
  if (ended === null || !known.test(ended.finishReason ?? '')) throw brokenOff()
  return { text: message.content, toolCalls, ...ended }
}

/** Reasons for which an answer ends; the packages call whatever else it was `other` or `error` (C348). */
const known = /^(?:stop|length|content-filter|tool-calls)$/

interface Result {
  text: string
  toolCalls: readonly { toolCallId: string; toolName: string; input?: unknown }[]
  /** What the package wants to get back with the results. */
  responseMessages?: readonly { role: string; content: unknown }[] | undefined
  finishReason?: string | undefined
  usage?:
    | (Record<'inputTokens' | 'outputTokens', Count> & {
        inputTokenDetails: { cacheReadTokens: Count }
      })
    | undefined
}
type Count = number | undefined

function completionOf({ text, toolCalls, finishReason, usage, responseMessages }: Result) {
  const parts = responseMessages?.find(({ role }) => role === 'assistant')?.content
  const tool_calls = toolCalls.map(({ toolCallId: id, toolName: name, input }) => ({
    id,
    function: {
      name,
      arguments: typeof input === 'string' ? input : JSON.stringify(input ?? null),
    },
  }))
  return {
    choices: [
      {
        finish_reason: finishReason?.replace('-', '_') ?? 'stop',
        message: { content: text, parts, ...(tool_calls.length > 0 && { tool_calls }) },
      },
    ],
    usage: {
      prompt_tokens: usage?.inputTokens ?? 0,
      completion_tokens: usage?.outputTokens ?? 0,
      prompt_tokens_details: { cached_tokens: usage?.inputTokenDetails?.cacheReadTokens ?? 0 },
    },
  }
}

/** What an answer of one piece took, which the package keeps to itself where the call that was asked for is not in it. */
function counting() {
  let usage: Result['usage']
  const wrapGenerate: import('ai').LanguageModelMiddleware['wrapGenerate'] = async ({
    doGenerate,
  }) => {
    const answer = await doGenerate()
    const { inputTokens: prompt, outputTokens: reply } = answer.usage
    const inputTokenDetails = { cacheReadTokens: prompt.cacheRead }
    usage = { inputTokens: prompt.total, outputTokens: reply.total, inputTokenDetails }
    return answer
  }
  return { middleware: { specificationVersion: 'v3' as const, wrapGenerate }, usage: () => usage }
}

/** An answer without the call that was asked for. */
function unforced(
  { content, finishReason }: import('ai').ToolChoiceViolationError,
  usage: Result['usage'],
): Result {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return {
    text,
    toolCalls: content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
    finishReason,
    usage,
  }
}

/** One vocabulary of failures for every provider. */
function asOpenAiError(
  error: unknown,
  { isLate, signal }: { isLate: boolean; signal: AbortSignal },
): unknown {
  if (signal.aborted) return new APIUserAbortError()
  if (isLate) return new APIConnectionTimeoutError()
  // The provider's own words in the middle of its answer.
  if (!(error instanceof Error)) return errorInside({ error }) ?? error
  const { statusCode, responseHeaders, responseBody, message } = error as Error & {
    statusCode?: number
    responseHeaders?: Record<string, string>
    responseBody?: string
  }
  if (statusCode === undefined) return new APIConnectionError({ cause: error })
  // An answer under 200 that cannot be read.
  if (statusCode < 400) return new SyntaxError('the answer cannot be read')
  const body = parseObject(responseBody ?? '') ?? {}
  const said = isRecord(body.error) ? body.error : body
  const words = [said.message, body.error, responseBody].find((one) => typeof one === 'string')
  const headers = new Headers(responseHeaders)
  // Google says in its body how long to wait.
  const wait = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(responseBody ?? '')?.[1]
  if (wait !== undefined && !headers.has('retry-after')) headers.set('retry-after', wait)
  return APIError.generate(
    statusCode,
    { error: { ...said, message: words || message } },
    message,
    headers,
  )
}
