import type { ServerResponse } from 'node:http'
import type { HttpAnswer, Reply } from './replies.ts'

/** Characters of a piece. */
const pieceSize = 16

interface Completion {
  choices: { message: Message; finish_reason: string }[]
  usage?: object
}
interface Message {
  content: string | null
  refusal?: string | null
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

/**
 * A completion as the API streams it: chunks of text and of arguments, why it ended, what it cost where that was asked for, and
 * `[DONE]`.
 */
export async function writeStream(
  outgoing: ServerResponse,
  { body }: HttpAnswer,
  { reply, countsTokens }: { reply: Reply; countsTokens: boolean },
): Promise<void> {
  const events = eventsOf(JSON.parse(body) as Completion, countsTokens)
  await writeEvents(outgoing, events, { reply, last: 'data: [DONE]\n\n' })
}

async function writeEvents(
  outgoing: ServerResponse,
  events: readonly object[],
  { reply, last = '' }: { reply: Reply; last?: string },
): Promise<void> {
  const { before, breaksAt } =
    reply.kind === 'pieces'
      ? reply
      : { before: async () => undefined, breaksAt: Number.POSITIVE_INFINITY }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const [at, event] of events.entries()) {
    await before(at)
    if (at === breaksAt) return void outgoing.destroy()
    await new Promise((written) => outgoing.write(`data: ${JSON.stringify(event)}\n\n`, written))
  }
  outgoing.end(last)
}

interface Response {
  status: string
  output: {
    id: string
    type: string
    content?: { text?: string }[]
    name?: string
    arguments?: string
  }[]
}

/** A response as the API streams it: each item of its output, and at the end all of it again (platform.openai.com/docs/api-reference/responses-streaming). */
export async function writeResponseStream(
  outgoing: ServerResponse,
  { body }: HttpAnswer,
  reply: Reply,
): Promise<void> {
  const response = JSON.parse(body) as Response
  const items = response.output.flatMap((item, output_index): object[] => {
    const kind = item.type === 'function_call' ? 'function_call_arguments' : 'output_text'
    const text = item.arguments ?? item.content?.[0]?.text ?? ''
    const added = { ...item, ...(item.type === 'function_call' && { arguments: '' }), content: [] }
    return [
      { type: 'response.output_item.added', output_index, item: added },
      ...piecesOf(text).map((delta) => ({
        type: `response.${kind}.delta`,
        output_index,
        item_id: item.id,
        content_index: 0,
        delta,
      })),
      { type: 'response.output_item.done', output_index, item },
    ]
  })
  const created = {
    type: 'response.created',
    response: { ...response, status: 'in_progress', output: [] },
  }
  await writeEvents(
    outgoing,
    [created, ...items, { type: `response.${response.status}`, response }],
    { reply },
  )
}

function eventsOf({ choices: [choice], usage }: Completion, countsTokens: boolean): object[] {
  if (choice === undefined) return [{ choices: [] }]
  const { content, refusal, tool_calls: calls = [] } = choice.message
  const delta = (delta: object, finish: string | null = null) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const said = piecesOf(content ?? '').map((piece) => delta({ content: piece }))
  const called = calls.flatMap(({ id, type, function: { name, arguments: args } }, index) => [
    delta({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
    ...piecesOf(args).map((piece) =>
      delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ])
  return [
    delta({ role: 'assistant', content: null, ...(refusal ? { refusal } : {}) }),
    ...said,
    ...called,
    delta({}, choice.finish_reason),
    ...(countsTokens && usage !== undefined ? [{ choices: [], usage }] : []),
  ]
}

const piecesOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / pieceSize) }, (_, at) =>
    text.slice(at * pieceSize, (at + 1) * pieceSize),
  )
