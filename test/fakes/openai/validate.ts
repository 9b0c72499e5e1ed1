import { z } from 'zod'
import { looseProblems, strictProblems } from './strict-schema.ts'

/** What `POST /chat/completions` takes; whatever is not named here is an argument that the API does not recognise. */
const Text = z.union([
  z.string(),
  z.array(z.strictObject({ type: z.literal('text'), text: z.string() })).min(1),
])

const Shown = z.array(
  z.union([
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({
      type: z.literal('image_url'),
      image_url: z.strictObject({ url: z.string() }),
    }),
  ]),
)

const FunctionCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})

const Message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer', 'user']),
    content: z.union([Text, Shown]),
    name: z.string().optional(),
  }),
  // Endpoints have fields of their own here, which they want back.
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([Text, z.array(z.looseObject({ type: z.string() }))]).nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(FunctionCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: Text, tool_call_id: z.string() }),
])

const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)

const Body = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: functionName,
          description: z.string().max(1024).optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    )
    .min(1)
    .max(128)
    .optional(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({ name: z.string() }),
      }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['text', 'json_object']) }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: functionName,
          schema: z.record(z.string(), z.unknown()),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .optional(),
  temperature: z.number().min(0).max(2).nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
})
export type ChatBody = z.infer<typeof Body>

export type Validated =
  | { ok: true; body: ChatBody }
  | { ok: false; param: string | null; message: string }

/** Refuses what the real API refuses with 400, with the parameter that it would name. */
export function validateBody(json: unknown): Validated {
  const parsed = Body.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return refuse(issue?.path.join('.') || null, issue?.message ?? 'invalid request')
  }
  const body = parsed.data
  return toolProblem(body) ?? messageProblem(body) ?? formatProblem(body) ?? { ok: true, body }
}

const refuse = (param: string | null, message: string): Validated => ({ ok: false, param, message })

function toolProblem({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: ChatBody): Validated | null {
  if (tools === undefined) {
    if (choice !== undefined)
      return refuse('tool_choice', "'tool_choice' is only allowed when 'tools' are specified.")
    if (parallel !== undefined)
      return refuse(
        'parallel_tool_calls',
        "'parallel_tool_calls' is only allowed when 'tools' are specified.",
      )
    return null
  }
  for (const [index, tool] of tools.entries()) {
    const { strict, parameters } = tool.function
    const problems = strict ? strictProblems(parameters) : looseProblems(parameters)
    if (problems.length > 0)
      return refuse(
        `tools[${index}].function.parameters`,
        `Invalid schema for function '${tool.function.name}': ${problems[0]}`,
      )
  }
  if (
    typeof choice === 'object' &&
    !tools.some((tool) => tool.function.name === choice.function.name)
  )
    return refuse(
      'tool_choice',
      `Tool choice '${choice.function.name}' not found in 'tools' parameter.`,
    )
  return null
}

/** Every call id that an assistant message holds is answered by the tool messages right after it (C15). */
function messageProblem({ messages }: ChatBody): Validated | null {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        return refuse(
          `messages.[${index}].role`,
          "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        )
      continue
    }
    if (open.size > 0) return unanswered(index, open)
    if (message.role === 'assistant') open = new Set(message.tool_calls?.map((call) => call.id))
  }
  return open.size > 0 ? unanswered(messages.length, open) : null
}

function unanswered(index: number, open: ReadonlySet<string>): Validated {
  return refuse(
    `messages.[${index}].role`,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(', ')}`,
  )
}

function formatProblem({ response_format: format, messages }: ChatBody): Validated | null {
  if (format?.type === 'json_schema') {
    const [problem] = strictProblems(format.json_schema.schema)
    return problem === undefined
      ? null
      : refuse('response_format', `Invalid schema for response_format: ${problem}`)
  }
  if (
    format?.type !== 'json_object' ||
    messages.some((message) => /json/i.test(textOf(message.content)))
  )
    return null
  return refuse(
    'messages',
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  )
}

export function textOf(content: ChatBody['messages'][number]['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}
