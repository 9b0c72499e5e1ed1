import type { ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import type { Provider } from '../../src/agent/model/providers.ts'

/** Words and calls of one answer. */
export interface Parts {
  text: string | null
  calls: { name: string; input: unknown }[]
}

/** Characters of a piece. */
const pieceSize = 16
const piecesOf = (text: string): string[] =>
  text.match(new RegExp(`[^]{1,${pieceSize}}`, 'g')) ?? []

const byBody = (_: string, { stream }: Record<string, unknown>) => stream === true

/** Whether a provider is asked to answer in pieces. */
export const isStreamed: Record<
  Provider,
  (path: string, body: Record<string, unknown>) => boolean
> = {
  anthropic: byBody,
  mistral: byBody,
  deepseek: byBody,
  xai: byBody,
  groq: byBody,
  'openai-compatible': byBody,
  google: (path) => path.includes(':streamGenerateContent'),
  bedrock: (path) => path.endsWith('/converse-stream'),
}

/**
 * One answer as a provider streams it; with `breaksAt` the line breaks before that piece, as it does between two events, and
 * `because` is the last of them.
 */
export function writePieces(
  outgoing: ServerResponse,
  provider: Provider,
  parts: Parts,
  { breaksAt, because }: { breaksAt: number | null; because?: Event | undefined },
): void {
  const type = provider === 'bedrock' ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  outgoing.writeHead(200, { 'content-type': type })
  const events = eventsOf[provider](parts)
  for (const event of breaksAt === null ? events : events.slice(0, breaksAt))
    outgoing.write(frames[provider](event))
  if (because !== undefined) outgoing.write(frames[provider](because))
  outgoing.end()
}

export type Event = Record<string, unknown>

/** The same tokens as in one piece: 100 of prompt, 40 of them from the cache, and 7 of reply. */
const eventsOf: Record<Provider, (parts: Parts) => Event[]> = {
  mistral: chatPieces,
  deepseek: chatPieces,
  groq: chatPieces,
  'openai-compatible': chatPieces,
  xai: responsePieces,
  anthropic({ text, calls }) {
    const usage = {
      input_tokens: 60,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 0,
      output_tokens: 1,
    }
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage,
    }
    const block = (index: number, content_block: Event, deltas: Event[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
    const said = piecesOf(text ?? '').map((piece) => ({ type: 'text_delta', text: piece }))
    const called = calls.flatMap(({ name, input }, at) => {
      const given = piecesOf(JSON.stringify(input)).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }))
      return block(at + 1, { type: 'tool_use', id: `toolu_${at}`, name, input: {} }, given)
    })
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    return [
      { type: 'message_start', message },
      ...(text === null ? [] : block(0, { type: 'text', text: '' }, said)),
      ...called,
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 7 },
      },
      { type: 'message_stop' },
    ]
  },
  google({ text, calls }) {
    const chunk = (parts: Event[], more: Event = {}) => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 7,
      },
    })
    return [
      ...piecesOf(text ?? '').map((piece) => chunk([{ text: piece }])),
      chunk(
        calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
        { finishReason: 'STOP' },
      ),
    ]
  },
  bedrock({ text, calls }) {
    const said = piecesOf(text ?? '').map((piece) => ({
      contentBlockDelta: { contentBlockIndex: 0, delta: { text: piece } },
    }))
    const called = calls.flatMap(({ name, input }, at) => [
      {
        contentBlockStart: {
          contentBlockIndex: at + 1,
          start: { toolUse: { toolUseId: `t_${at}`, name } },
        },
      },
      ...piecesOf(JSON.stringify(input)).map((piece) => ({
        contentBlockDelta: { contentBlockIndex: at + 1, delta: { toolUse: { input: piece } } },
      })),
      { contentBlockStop: { contentBlockIndex: at + 1 } },
    ])
    return [
      { messageStart: { role: 'assistant' } },
      ...said,
      ...(text === null ? [] : [{ contentBlockStop: { contentBlockIndex: 0 } }]),
      ...called,
      { messageStop: { stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' } },
      {
        metadata: {
          usage: { inputTokens: 60, cacheReadInputTokens: 40, outputTokens: 7, totalTokens: 107 },
        },
      },
    ]
  },
}

/** Tokens as Chat Completions count them. */
export const chatUsage = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 40 },
  num_cached_tokens: 40,
  prompt_cache_hit_tokens: 40,
}

function chatPieces({ text, calls }: Parts): Event[] {
  const chunk = (delta: Event, finish_reason: string | null = null) => ({
    ...{ id: 'c_1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const called = calls.flatMap(({ name, input }, index) => {
    const [first = '', ...others] = piecesOf(JSON.stringify(input))
    const call = { index, id: `call0000${index}`, type: 'function' }
    return [
      chunk({ tool_calls: [{ ...call, function: { name, arguments: first } }] }),
      ...others.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]
  })
  const end = chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')
  return [
    chunk({ role: 'assistant', content: '' }),
    ...piecesOf(text ?? '').map((content) => chunk({ content })),
    ...called,
    { ...end, usage: chatUsage, x_groq: { id: 'r_1', usage: chatUsage } },
  ]
}

/** An answer as the Responses API has it. */
export function responseOf({ text, calls }: Parts) {
  const content = [{ type: 'output_text', text: text ?? '', annotations: [], logprobs: [] }]
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  return {
    ...{ id: 'r_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: [
      ...(text === null ? [] : [message]),
      ...calls.map(({ name, input }, at) => ({
        ...{ type: 'function_call', id: `fc_${at}`, call_id: `call0000${at}`, name },
        ...{ arguments: JSON.stringify(input), status: 'completed' },
      })),
    ],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 107,
    },
  }
}

function responsePieces(parts: Parts): Event[] {
  const response = responseOf(parts)
  const items = response.output.flatMap((item, output_index): Event[] => {
    const at = { output_index, content_index: 0, item_id: item.id }
    if (!('arguments' in item)) {
      const pieces = piecesOf(parts.text ?? '').map((delta) => ({
        type: 'response.output_text.delta',
        ...at,
        delta,
      }))
      return [
        { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
        ...pieces,
        { type: 'response.output_item.done', output_index, item },
      ]
    }
    const delta = 'response.function_call_arguments.delta'
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } },
      ...piecesOf(item.arguments).map((piece) => ({ type: delta, ...at, delta: piece })),
      { type: 'response.output_item.done', output_index, item },
    ]
  })
  return [
    {
      type: 'response.created',
      response: { ...response, status: 'in_progress', output: [], usage: null },
    },
    ...items,
    { type: 'response.completed', response },
  ]
}

const chatFrame = (event: Event) => `data: ${JSON.stringify(event)}\n\n`

const frames: Record<Provider, (event: Event) => string | Buffer> = {
  mistral: chatFrame,
  deepseek: chatFrame,
  xai: chatFrame,
  groq: chatFrame,
  'openai-compatible': chatFrame,
  anthropic: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  google: (event) => `data: ${JSON.stringify(event)}\r\n\r\n`,
  bedrock: awsFrame,
}

/** Amazon's event stream encoding: lengths and their sum, headers, the payload, and the sum of it all. */
function awsFrame(event: Event): Buffer {
  const [[name, payload] = ['', {}]] = Object.entries(event)
  const body = Buffer.from(JSON.stringify(payload))
  const headers = Buffer.concat([
    awsHeader(':message-type', 'event'),
    awsHeader(':event-type', name),
  ])
  const frame = Buffer.alloc(16 + headers.length + body.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(headers.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headers.copy(frame, 12)
  body.copy(frame, 12 + headers.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
  return frame
}

function awsHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([7]),
    length,
    Buffer.from(value),
  ])
}
