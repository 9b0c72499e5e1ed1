import { createHash } from 'node:crypto'
import { APIError, type OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatBody } from 'openai/resources/chat/completions'
import type {
  ResponseCreateParamsNonStreaming as Body,
  ResponseInputItem as Item,
  Response,
  ResponseInputContent,
} from 'openai/resources/responses/responses'
import { z } from 'zod'
import type { Complete } from './ai-sdk.ts'
import { forcedIn, textOf } from './forms.ts'
import type { Prompt } from './prompts.ts'
import { brokenOff, completeInPieces, type Heard, type Pieces } from './stream.ts'

/**
 * OpenAI's Responses API behind the same requests (C135, docs/decisions/8): what is asked and what comes back keep the shape of
 * Chat Completions, so that forms, reading, folding and failures are the same. Nothing is kept there (`store: false`).
 */
export function completeByResponses(client: OpenAI): Complete {
  // Not by `client.responses`, which fails over an answer that is none before anybody has seen it.
  return async (body, { hear, ...request }) => {
    const asked = requestOf(body)
    if (hear === undefined)
      return completionOf(await client.post('/responses', { body: asked, ...request }))
    const ask = (how: typeof request) =>
      client.post('/responses', { body: { ...asked, stream: true }, ...how })
    return completionOf(await completeInPieces(ask, emptyResponse(), { ...request, hear }))
  }
}

const Event = z.object({
  type: z.string(),
  delta: z.string().optional().catch(undefined),
  output_index: z.number().optional(),
  item: z.object({ type: z.string(), name: z.string().optional() }).optional().catch(undefined),
  response: z.unknown().optional(),
})
const ends: readonly string[] = ['response.completed', 'response.incomplete', 'response.failed']

/** The whole response comes again with the last of its events. */
function emptyResponse(): Pieces {
  const message: Heard = { content: '', calls: [] }
  const calls = new Map<number, Heard['calls'][number]>()
  let response: unknown = null
  return {
    message,
    add(event) {
      const read = Event.safeParse(event)
      if (!read.success) return
      const { type, delta = '', output_index: at = 0, item } = read.data
      if (type === 'response.output_text.delta') message.content += delta
      if (type === 'response.output_item.added' && item?.type === 'function_call') {
        const call = { name: item.name ?? '', arguments: '' }
        calls.set(at, call)
        message.calls.push(call)
      }
      const call = calls.get(at)
      if (type === 'response.function_call_arguments.delta' && call !== undefined)
        call.arguments += delta
      if (ends.includes(type)) response = read.data.response
    },
    completion() {
      if (response === null) throw brokenOff()
      return response
    },
  }
}

function requestOf(body: ChatBody): Body {
  const { model, messages, tools = [], max_completion_tokens: most } = body
  const { reasoning_effort: effort, prompt_cache_key: cacheKey } = body
  const forced = forcedIn(body)
  return {
    model,
    input: messages.flatMap(itemsOf),
    store: false,
    ...(cacheKey ? { prompt_cache_key: cacheKey } : {}),
    ...(tools.length > 0 && {
      tools: tools.flatMap(functionOf),
      tool_choice:
        forced === null ? ('auto' as const) : { type: 'function' as const, name: forced },
    }),
    ...formatOf(body),
    ...(effort ? { reasoning: { effort } } : {}),
    ...(most ? { max_output_tokens: most } : {}),
  }
}

/** Requests that begin alike are sent where their beginning is kept: those of one contract in one task have one key. */
export function cacheKeyOf({ system, context }: Pick<Prompt, 'system' | 'context'>): string {
  return createHash('sha256').update(`${system}\n${context}`).digest('hex').slice(0, 32)
}

type Message = ChatBody['messages'][number]

function itemsOf(message: Message): Item[] {
  const { content } = message
  if (message.role === 'tool')
    return [
      { type: 'function_call_output', call_id: message.tool_call_id, output: textOf(content) },
    ]
  if (message.role === 'assistant') {
    const said = textOf(content)
    const calls = (message.tool_calls ?? []).flatMap((call): Item[] =>
      call.type === 'function'
        ? [{ type: 'function_call', call_id: call.id, ...call.function }]
        : [],
    )
    return [...(said === '' ? [] : [{ role: 'assistant' as const, content: said }]), ...calls]
  }
  if (message.role === 'function') return []
  if (typeof content === 'string' || content == null)
    return [{ role: message.role, content: content ?? '' }]
  return [{ role: message.role, content: [...content].flatMap(partOf) }]
}

type ChatPart = Extract<Message['content'], readonly unknown[]>[number]

function partOf(part: ChatPart): ResponseInputContent[] {
  if (part.type === 'image_url')
    return [{ type: 'input_image', image_url: part.image_url.url, detail: 'auto' }]
  return 'text' in part ? [{ type: 'input_text', text: part.text }] : []
}

/** Without a word the API would make a schema strict; Chat Completions would not. */
function functionOf(tool: NonNullable<ChatBody['tools']>[number]) {
  if (tool.type !== 'function') return []
  const { name, description = '', parameters = {}, strict } = tool.function
  return [{ type: 'function' as const, name, description, parameters, strict: strict ?? false }]
}

function formatOf({ response_format: format }: ChatBody): Pick<Body, 'text'> {
  if (format === undefined || format.type === 'text') return {}
  if (format.type === 'json_object') return { text: { format } }
  const { name, schema = {}, strict = false } = format.json_schema
  return { text: { format: { type: 'json_schema', name, schema, strict } } }
}

/** What failed while it answered comes under 200, with the codes of `Response.error`. */
const statusOf: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  server_error: 500,
  vector_store_timeout: 504,
}
const filtered: readonly string[] = [
  'bio_policy',
  'misalignment_policy_violation',
  'image_content_policy_violation',
]

const isResponse = (answer: unknown): answer is Response =>
  typeof answer === 'object' &&
  answer !== null &&
  'output' in answer &&
  Array.isArray(answer.output)

function completionOf(answer: unknown): unknown {
  if (!isResponse(answer)) return answer
  const { error, status, incomplete_details: incomplete, output, usage } = answer
  if (status === 'failed' && error != null) {
    const code = filtered.includes(error.code) ? 'content_filter' : error.code
    throw APIError.generate(
      statusOf[error.code] ?? 400,
      { error: { ...error, code } },
      undefined,
      new Headers(),
    )
  }
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  const content = parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('')
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.refusal : '')).join('')
  const cutOff = incomplete?.reason === 'content_filter' ? 'content_filter' : 'length'
  return {
    choices: [
      {
        finish_reason: status === 'incomplete' ? cutOff : 'stop',
        message: {
          content,
          ...(refusal !== '' && { refusal }),
          tool_calls: calls.map(({ name, arguments: given }) => ({
            function: { name, arguments: given },
          })),
        },
      },
    ],
    usage: {
      prompt_tokens: usage?.input_tokens ?? 0,
      completion_tokens: usage?.output_tokens ?? 0,
      prompt_tokens_details: { cached_tokens: usage?.input_tokens_details?.cached_tokens ?? 0 },
    },
  }
}
