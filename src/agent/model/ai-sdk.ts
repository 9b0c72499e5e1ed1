import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Reasoning,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4TextPart,
} from '@ai-sdk/provider'
import { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { isRecord } from '../contracts/forgiving.ts'
import { assertNever } from '../domain/assert.ts'
import { present } from '../domain/present.ts'
import { errorInside } from './failures.ts'
import { forcedIn, textOf } from './forms.ts'
import { parseObject } from './json-text.ts'
import type { Provider } from './providers.ts'
import type { Completion } from './reading.ts'
import { endOfShared } from './rules.ts'
import { type Complete, EndlessStream, type Hear, type Heard, inTime, unhurried } from './stream.ts'

export interface ProviderOptions {
  /** `openai`: its Responses API (C135). */
  provider: Provider | 'openai'
  apiKey: string
  /** Null for the provider's own. */
  baseURL: string | null
  /** Region of Bedrock. */
  region?: string | null
  fetch?: typeof fetch | undefined
}

/** Asks a provider through its package; only what is named is loaded (docs/decisions/7). */
export async function createAiSdk(options: ProviderOptions): Promise<Complete> {
  const modelOf = await openProvider(options)
  return (body, request) =>
    inTime(request, async (abortSignal) => {
      const { hear, signal } = request
      const model = modelOf(body.model)
      const asked = { ...requestOf(body, options.provider), abortSignal }
      try {
        if (hear === undefined) return completionOf(await model.doGenerate(asked))
        const { stream } = await model.doStream(asked)
        return completionOf(await inPieces(stream, hear))
      } catch (error) {
        throw signal.aborted ? new APIUserAbortError() : asOpenAiError(error)
      }
    })
}

async function openProvider({
  provider,
  apiKey,
  baseURL,
  region,
  fetch,
}: ProviderOptions): Promise<(name: string) => LanguageModelV4> {
  const at = { apiKey, baseURL: baseURL ?? undefined, fetch }
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(at).responses
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(at)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(at)
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      return createAmazonBedrock({ ...at, region: region || undefined })
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
      return createOpenAICompatible({ name: provider, ...at, baseURL: baseURL ?? '' })
    }
    default:
      return assertNever(provider)
  }
}

function requestOf(
  body: ChatBody,
  provider: ProviderOptions['provider'],
): LanguageModelV4CallOptions {
  const { max_completion_tokens: maxOutputTokens, response_format: format } = body
  return {
    prompt: promptOf(body),
    maxOutputTokens: maxOutputTokens ?? undefined,
    ...toolsOf(body, provider),
    providerOptions: provider === 'openai' ? { openai: openAiOf(body) } : undefined,
    responseFormat: format && {
      type: 'json',
      ...(format.type === 'json_schema' && {
        name: format.json_schema.name,
        schema: format.json_schema.schema ?? {},
      }),
    },
  }
}

/** Nothing is kept there; an effort counts for models whose names say nothing, too. */
const openAiOf = ({ reasoning_effort: effort, prompt_cache_key: promptCacheKey }: ChatBody) => ({
  store: false,
  promptCacheKey: promptCacheKey ?? undefined,
  ...(effort && { reasoningEffort: effort, reasoningSummary: null, forceReasoning: true }),
})

/** The rules and what has happened so far are kept by the provider where it has to be told so. */
const cached = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  bedrock: { cachePoint: { type: 'default' } },
}

function promptOf({ messages }: ChatBody): LanguageModelV4Message[] {
  const names = new Map<string, string>()
  const prompt: LanguageModelV4Message[] = []
  for (const message of messages) {
    if (message.role === 'system') prompt.push({ role: 'system', content: textOf(message.content) })
    if (message.role === 'user') prompt.push({ role: 'user', content: userParts(message.content) })
    if (message.role === 'assistant') {
      for (const call of callsOf(message)) names.set(call.toolCallId, call.toolName)
      prompt.push({ role: 'assistant', content: assistantParts(message) })
    }
    if (message.role !== 'tool') continue
    const { tool_call_id: toolCallId, content } = message
    const output = { type: 'text' as const, value: textOf(content) }
    const toolName = names.get(toolCallId) ?? ''
    const result = { type: 'tool-result' as const, toolCallId, toolName, output }
    const before = prompt.at(-1)
    // Results of one turn are one message.
    if (before?.role === 'tool') before.content.push(result)
    else prompt.push({ role: 'tool', content: [result] })
  }
  return prompt.map((message, at) =>
    at === 0 || at === prompt.length - 2 ? { ...message, providerOptions: cached } : message,
  )
}

type Content = ChatBody['messages'][number]['content']
type Assistant = Extract<ChatBody['messages'][number], { role: 'assistant' }>
type UserParts = Extract<LanguageModelV4Message, { role: 'user' }>['content']
type AssistantParts = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

const callsOf = ({ tool_calls: calls = [] }: Assistant) =>
  calls.flatMap((call) =>
    call.type === 'function'
      ? [
          {
            type: 'tool-call' as const,
            toolCallId: call.id,
            toolName: call.function.name,
            input: parseObject(call.function.arguments) ?? {},
          },
        ]
      : [],
  )

const more = { providerMetadata: z.record(z.string(), z.record(z.string(), z.json())).default({}) }
const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1), ...more }),
  z.object({ type: z.literal('reasoning'), text: z.string(), ...more }),
  z.object({ type: z.literal('tool-call'), toolCallId: z.string(), ...more }),
])

/**
 * The parts of a message as they came, with the calls as they were read (C345); without them, its
 * words and calls.
 */
function assistantParts(message: Assistant): AssistantParts {
  const calls = callsOf(message)
  const sent = 'parts' in message && Array.isArray(message.parts) ? message.parts : []
  const parts = sent.flatMap((one): AssistantParts => {
    const read = Part.safeParse(one)
    if (!read.success) return []
    const { providerMetadata: providerOptions, ...part } = read.data
    if (part.type !== 'tool-call') return [{ ...part, providerOptions }]
    const call = calls.find(({ toolCallId }) => toolCallId === part.toolCallId)
    return call === undefined ? [] : [{ ...call, providerOptions }]
  })
  const isWhole = parts.filter(({ type }) => type === 'tool-call').length === calls.length
  if (isWhole && calls.length > 0) return parts
  const text = textOf(message.content)
  return present([text !== '' && { type: 'text' as const, text }, ...calls])
}

function userParts(content: Content): UserParts {
  if (typeof content === 'string') return inTwo(content)
  return [...(content ?? [])].flatMap((part): UserParts => {
    if (part.type !== 'image_url') return inTwo('text' in part ? part.text : '')
    const [, mediaType = '', data = ''] =
      /^data:([^;,]*);base64,(.*)$/.exec(part.image_url.url) ?? []
    return [{ type: 'file' as const, mediaType, data: { type: 'data' as const, data } }]
  })
}

/**
 * C140: where requests of a strategy begin alike, what they share is kept, and their end is not.
 */
function inTwo(text: string): LanguageModelV4TextPart[] {
  const end = text.lastIndexOf(endOfShared)
  if (end === -1) return [{ type: 'text', text }]
  return [
    { type: 'text', text: text.slice(0, end), providerOptions: cached },
    { type: 'text', text: text.slice(end) },
  ]
}

/**
 * DeepSeek's package throws at a strict function, but at one address; OpenAI's API makes strict
 * what says nothing of it.
 */
function toolsOf(
  { tools = [], ...body }: ChatBody,
  provider: ProviderOptions['provider'],
): Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {}
  const toolName = forcedIn(body)
  return {
    tools: tools.flatMap((one) => {
      if (one.type !== 'function') return []
      const { name, description = '', parameters: inputSchema = {}, strict } = one.function
      const isStrict = strict && provider !== 'deepseek'
      const how = isStrict || provider === 'openai' ? { strict: isStrict ?? false } : {}
      return [{ type: 'function', name, description, inputSchema, ...how }]
    }),
    toolChoice: toolName === null ? { type: 'auto' } : { type: 'tool', toolName },
  }
}

/** Heard while it is written, then the whole of it; what a model thinks is not heard (R42). */
async function inPieces(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  hear: Hear,
): Promise<Result> {
  const content: LanguageModelV4Content[] = []
  const texts = new Map<string, LanguageModelV4Text | LanguageModelV4Reasoning>()
  const draft = createDraft()
  let ended: Omit<Result, 'content'> | null = null
  for await (const part of unhurried(stream)) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const text = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' } as const
      texts.set(part.id, text)
      content.push(text)
    }
    const text = 'id' in part ? texts.get(part.id ?? '') : undefined
    if (text !== undefined && 'delta' in part) text.text += part.delta
    if (text !== undefined && 'providerMetadata' in part && part.providerMetadata !== undefined)
      text.providerMetadata = part.providerMetadata
    if (part.type === 'tool-call') content.push(part)
    if (part.type === 'finish') ended = part
    draft.write(part)
    hear(draft.message)
  }
  if (ended === null || !known.test(ended.finishReason.unified))
    throw content.length + draft.message.calls.length > 0
      ? new Error('the stream ended before the answer did')
      : new EndlessStream('nothing was streamed')
  return { ...ended, content }
}

/** Answer as far as it is written: its text and its calls. */
function createDraft() {
  const message: Heard = { content: '', calls: [] }
  const calls = new Map<string, Heard['calls'][number]>()
  return {
    message,
    write(part: LanguageModelV4StreamPart) {
      if (part.type === 'text-delta') message.content += part.delta
      if (part.type === 'tool-input-start') {
        const call = { name: part.toolName, arguments: '' }
        calls.set(part.id, call)
        message.calls.push(call)
      }
      if (part.type === 'tool-input-delta') {
        const call = calls.get(part.id)
        if (call !== undefined) call.arguments += part.delta
      }
    },
  }
}

/**
 * Reasons for which an answer ends; the packages end what broke off as well, by `other` or `error`
 * (C348).
 */
const known = /^(?:stop|length|content-filter|tool-calls)$/

type Result = Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason' | 'usage'>

function completionOf({ content, finishReason, usage }: Result): Completion {
  const cachedTokens = usage.inputTokens.cacheRead ?? 0
  return {
    finish_reason: finishReason.unified,
    message: {
      content: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      parts: content,
      tool_calls: content.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: part.input } }]
          : [],
      ),
    },
    usage: {
      promptTokens: usage.inputTokens.total ?? 0,
      completionTokens: usage.outputTokens.total ?? 0,
      cachedTokens: cachedTokens || undefined,
    },
  }
}

const Failed = z.looseObject({
  statusCode: z.number(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.unknown(),
})

/** Maps the errors of every provider to those of the `openai` client. */
function asOpenAiError(error: unknown): unknown {
  if (error instanceof EndlessStream) return error
  // The provider's own words in the middle of its answer.
  if (!(error instanceof Error)) return errorInside({ error }) ?? error
  const failed = Failed.safeParse(error)
  if (failed.data?.responseBody === undefined) return new APIConnectionError({ cause: error })
  const { statusCode, responseHeaders, responseBody } = failed.data
  const text = typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody)
  const body = parseObject(text) ?? {}
  // An answer under 200 that cannot be read, or failed, and is no page.
  if (body.status === 'failed' || (statusCode < 400 && !/^\s*</.test(text)))
    return errorInside(body) ?? new SyntaxError('the answer cannot be read')
  const said = isRecord(body.error) ? body.error : body
  const words = [said.message, body.error, text].find((one) => typeof one === 'string')
  const headers = new Headers(responseHeaders)
  return APIError.generate(
    statusCode,
    { error: { ...said, message: words || error.message } },
    error.message,
    headers,
  )
}
