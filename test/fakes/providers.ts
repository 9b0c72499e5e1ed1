import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ContractReplies } from '../../src/agent/contracts.ts'
import type { Provider } from '../../src/agent/model/providers.ts'
import {
  chatUsage,
  type Event,
  isStreamed,
  type Parts,
  responseOf,
  writePieces,
} from './provider-streams.ts'

/**
 * What a provider answers next: a contract's value, words, or a failure as it documents it; `hang`: nothing; `cut`: a broken line.
 * Where it is asked for pieces, `breaksAt` says before which of them it breaks off, and `because` what it says then.
 */
export type Answer =
  | {
      kind: 'value'
      contract: keyof ContractReplies
      value: unknown
      breaksAt?: number
      because?: Event
    }
  | { kind: 'words'; text: string }
  | { kind: 'failure'; status: number; body: unknown; headers?: Record<string, string> }
  | { kind: 'hang' }
  | { kind: 'cut' }

/** What was asked, in no provider's own words. */
export interface Asked {
  path: string
  headers: Record<string, unknown>
  body: Record<string, unknown>
  text: string
}

/** Anthropic's Messages, Google's generateContent or Bedrock's Converse on a loopback port, as their references have them. */
export async function startProvider(provider: Provider) {
  const asked: Asked[] = []
  const script: Answer[] = []
  let answerer: ((asked: Asked) => Answer) | null = null
  const server = createServer(async (incoming, outgoing) => {
    const text = (await incoming.toArray()).join('')
    const one: Asked = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: JSON.parse(text),
      text,
    }
    if (answerer === null) asked.push(one)
    const answer = script.shift() ??
      answerer?.(one) ?? {
        kind: 'failure' as const,
        status: 500,
        body: { error: { message: 'no script' } },
      }
    if (answer.kind === 'hang') return
    if (answer.kind === 'cut') return void incoming.socket.destroy()
    if (answer.kind !== 'failure' && isStreamed[provider](one.path, one.body)) {
      const { breaksAt = null, because } = 'breaksAt' in answer ? answer : {}
      return writePieces(outgoing, provider, partsOf(answer), { breaksAt, because })
    }
    const [status, body] =
      answer.kind === 'failure'
        ? [answer.status, answer.body]
        : [200, shapes[provider](partsOf(answer))]
    outgoing.writeHead(status, {
      'content-type': 'application/json',
      ...(answer.kind === 'failure' ? answer.headers : {}),
    })
    outgoing.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}${provider === 'google' ? '/v1beta' : provider === 'bedrock' ? '' : '/v1'}`,
    asked,
    answer: (...answers: Answer[]) => void script.push(...answers),
    /** Answers every request for which no answer is left; these are not remembered. */
    answerBy(given: (asked: Asked) => Answer) {
      answerer = given
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function partsOf(answer: Extract<Answer, { kind: 'value' | 'words' }>): Parts {
  if (answer.kind === 'words') return { text: answer.text, calls: [] }
  if (answer.contract === 'summary')
    return { text: (answer.value as { content: string }).content, calls: [] }
  if (answer.contract !== 'act')
    return { text: null, calls: [{ name: answer.contract, input: answer.value }] }
  const turn = answer.value as ContractReplies['act']
  return {
    text: turn.text,
    calls: turn.calls.map(({ tool, input }) => ({ name: tool, input: { input } })),
  }
}

function chatShape({ text, calls }: Parts) {
  const tool_calls = calls.map(({ name, input }, at) => ({
    ...{ id: `call0000${at}`, type: 'function' },
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message = {
    ...{ role: 'assistant', content: text ?? '' },
    ...(calls.length > 0 && { tool_calls }),
  }
  return {
    ...{ id: 'c_1', object: 'chat.completion', created: 1, model: 'm', usage: chatUsage },
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
  }
}

/** 100 tokens of prompt, 40 of them from the cache, and 7 of reply. */
const shapes: Record<Provider, (parts: Parts) => unknown> = {
  mistral: chatShape,
  deepseek: chatShape,
  groq: chatShape,
  'openai-compatible': chatShape,
  xai: responseOf,
  anthropic: ({ text, calls }) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null },
    content: [
      ...(text === null ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: {
      input_tokens: 60,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 0,
      output_tokens: 7,
    },
  }),
  google: ({ text, calls }) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            ...(text === null ? [] : [{ text }]),
            ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 7,
      totalTokenCount: 107,
    },
  }),
  bedrock: ({ text, calls }) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(text === null ? [] : [{ text }]),
          ...calls.map(({ name, input }, at) => ({
            toolUse: { toolUseId: `t_${at}`, name, input },
          })),
        ],
      },
    },
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 60, cacheReadInputTokens: 40, outputTokens: 7, totalTokens: 107 },
    metrics: { latencyMs: 1 },
  }),
}
