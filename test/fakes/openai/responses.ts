import { z } from 'zod'
import type { HttpAnswer } from './replies.ts'

/*
 * `POST /responses` as OpenAI documents it (developers.openai.com/api/reference/resources/responses), in the terms of `/chat/completions`:
 * one script answers both.
 */

const Content = z.union([
  z.string(),
  z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('input_text'), text: z.string() }),
        z.strictObject({
          type: z.literal('input_image'),
          image_url: z.string().startsWith('data:'),
          detail: z.enum(['low', 'high', 'auto']).optional(),
        }),
      ]),
    )
    .min(1),
])
const Item = z.union([
  z.strictObject({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: Content }),
  z.strictObject({
    type: z.literal('function_call'),
    call_id: z.string().max(64),
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string(),
    encrypted_content: z.string(),
    summary: z.array(z.unknown()),
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.string(),
  }),
])
const Tool = z.strictObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
  strict: z.boolean(),
})
const Body = z.strictObject({
  model: z.string(),
  input: z.array(Item).min(1),
  store: z.literal(false),
  include: z.tuple([z.literal('reasoning.encrypted_content')]).optional(),
  prompt_cache_key: z.string().max(64).optional(),
  tools: z.array(Tool).min(1).optional(),
  tool_choice: z
    .union([z.literal('auto'), z.strictObject({ type: z.literal('function'), name: z.string() })])
    .optional(),
  text: z
    .strictObject({
      format: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('json_object') }),
        z.strictObject({
          type: z.literal('json_schema'),
          name: z.string(),
          schema: z.record(z.string(), z.unknown()),
          strict: z.boolean(),
        }),
      ]),
    })
    .optional(),
  reasoning: z
    .strictObject({ effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']) })
    .optional(),
  max_output_tokens: z.int().min(16).optional(),
  stream: z.boolean().optional(),
})

export const asksForPieces = (json: unknown): boolean => Body.safeParse(json).data?.stream === true

/** The request in the other API's words; one that this API would refuse is not one there either. */
export function asChatBody(json: unknown): unknown {
  const read = Body.safeParse(json)
  if (!read.success) return { refused: z.prettifyError(read.error) }
  const { model, input, tools, tool_choice: choice, text, max_output_tokens: most } = read.data
  return {
    model,
    messages: messagesOf(input),
    ...(tools && {
      tools: tools.map(({ type, ...one }) => ({ type, function: one.strict ? one : without(one) })),
    }),
    ...(choice && {
      tool_choice:
        choice === 'auto' ? choice : { type: 'function', function: { name: choice.name } },
    }),
    ...(text && { response_format: formatOf(text.format) }),
    ...(most && { max_completion_tokens: most }),
  }
}

const without = ({ strict: _, ...tool }: Omit<z.infer<typeof Tool>, 'type'>) => tool

function formatOf(format: NonNullable<z.infer<typeof Body>['text']>['format']) {
  if (format.type === 'json_object') return format
  const { type, ...json_schema } = format
  return { type, json_schema }
}

/** Calls in a row, and the words before them, are one message there. */
function messagesOf(items: readonly z.infer<typeof Item>[]) {
  const messages: {
    role: string
    content?: unknown
    tool_calls?: unknown[]
    tool_call_id?: string
  }[] = []
  for (const item of items) {
    if ('role' in item) {
      const content = typeof item.content === 'string' ? item.content : item.content.map(chatPart)
      messages.push({ role: item.role, content })
    } else if (item.type === 'reasoning') continue
    else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output })
    else {
      const last = messages.at(-1)
      const message = last?.role === 'assistant' ? last : { role: 'assistant', content: null }
      if (message !== last) messages.push(message)
      const call = {
        id: item.call_id,
        type: 'function',
        function: { name: item.name, arguments: item.arguments },
      }
      Object.assign(message, {
        tool_calls: [...(last === message ? (last.tool_calls ?? []) : []), call],
      })
    }
  }
  return messages
}

const chatPart = (part: Exclude<z.infer<typeof Content>, string>[number]) =>
  part.type === 'input_text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: part.image_url } }

const Completion = z.object({
  id: z.string(),
  model: z.string(),
  choices: z.array(
    z.object({
      finish_reason: z.string(),
      message: z.object({
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .nullish(),
      }),
    }),
  ),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      prompt_tokens_details: z.object({ cached_tokens: z.number() }).optional(),
    })
    .optional(),
})

/** The answer in this API's words; what is no completion (an error, half of one, a page) stays as it is. */
export function asResponse(answer: HttpAnswer): HttpAnswer {
  const read = Completion.safeParse(parsed(answer.body))
  if (!read.success) return answer
  const { id, model, choices, usage } = read.data
  const [choice] = choices
  const { content, refusal, tool_calls: calls } = choice?.message ?? {}
  const isCut = choice?.finish_reason === 'length' || choice?.finish_reason === 'content_filter'
  const said = [
    ...(content ? [{ type: 'output_text', text: content, annotations: [] }] : []),
    ...(refusal ? [{ type: 'refusal', refusal }] : []),
  ]
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'SEALED' },
    ...(said.length > 0
      ? [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: said }]
      : []),
    ...(calls ?? []).map(({ id: call_id, function: called }) => ({
      ...{ type: 'function_call', id: `fc_${call_id}`, call_id, status: 'completed' },
      ...called,
    })),
  ]
  const reason = choice?.finish_reason === 'length' ? 'max_output_tokens' : 'content_filter'
  const body = {
    ...{ id, object: 'response', created_at: 0, model, error: null, output },
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason } : null,
    ...(usage && {
      usage: {
        input_tokens: usage.prompt_tokens,
        input_tokens_details: { cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0 },
        output_tokens: usage.completion_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.prompt_tokens + usage.completion_tokens,
      },
    }),
  }
  return { ...answer, body: JSON.stringify(body) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
