import { afterEach } from 'vitest'
import type { ContractInputs, ContractName } from '../../../src/agent/contracts.ts'
import type { RememberedForms } from '../../../src/agent/model/abilities.ts'
import { createAiSdk } from '../../../src/agent/model/ai-sdk.ts'
import type { Form } from '../../../src/agent/model/forms.ts'
import { createOpenAiModel, type OpenAiOptions } from '../../../src/agent/model/openai.ts'
import type { Log } from '../../../src/agent/ports/log.ts'
import type { Model, ModelReply } from '../../../src/agent/ports/model.ts'
import { type FakeOpenAi, type FakeOpenAiOptions, startOpenAi } from '../../fakes/openai/server.ts'
import { inputs } from './inputs.ts'

interface LogLine {
  level: keyof Log
  fields: object
  line: string
}

export interface Bench {
  server: FakeOpenAi
  model: Model
  log: LogLine[]
  /** Calls a contract with its sample input. */
  ask<N extends ContractName>(
    contract: N,
    signal?: AbortSignal,
    input?: Partial<ContractInputs[N]>,
  ): Promise<ModelReply>
}

const running: FakeOpenAi[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

const now = Date.parse('2026-05-01T08:00:00Z')

/** An endpoint that has answered in this form before. */
export const knowing = (form: Form, at = now): RememberedForms => ({
  get: async () => JSON.stringify({ form, at }),
  put: async () => null,
})

/** The real client against the fake endpoint, which is closed after the test. `form`: what it has answered in before. */
export async function bench(
  { form, ...options }: Partial<OpenAiOptions> & { form?: Form } = {},
  endpoint: FakeOpenAiOptions = {},
): Promise<Bench> {
  const server = await startOpenAi(endpoint)
  running.push(server)
  const log: LogLine[] = []
  const model = createOpenAiModel({
    apiKey: 'sk-test',
    baseURL: server.url,
    model: 'fake-large',
    timeoutMs: 10_000,
    log: recorder(log),
    clock: { now: () => now },
    ...(form && { remembered: knowing(form) }),
    ...(options.api === 'responses' && {
      complete: await createAiSdk({
        provider: 'openai',
        apiKey: 'sk-test',
        baseURL: server.url,
        fetch: options.fetch,
      }),
    }),
    ...options,
  })
  const ask: Bench['ask'] = (contract, signal = new AbortController().signal, input = {}) =>
    model.call(contract, { ...inputs[contract], ...input }, signal)
  return { server, model, log, ask }
}

const call = { id: 'call_1_0', function: { name: 'todo', arguments: '{"input":"list"}' } }
const turn = {
  role: 'assistant',
  content: '[Step] Look',
  tool_calls: [{ ...call, type: 'function' }],
}
const sealed = [
  {
    type: 'reasoning',
    text: '',
    providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'SEALED' } },
  },
  { type: 'text', text: turn.content, providerMetadata: { openai: { itemId: 'msg_1' } } },
  {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.function.name,
    input: call.function.arguments,
    providerMetadata: { openai: { itemId: `fc_${call.id}` } },
  },
]

/** The message of the sample reply to `act` as it came, which goes back to whoever sent it (C345). */
export function sentBy({ url }: FakeOpenAi, api: 'chat' | 'responses' = 'chat') {
  const by = `fake-large@${new URL(url).host}`
  return api === 'chat'
    ? { by, message: turn }
    : { by: `${by}/responses`, message: { ...turn, parts: sealed } }
}

function recorder(lines: LogLine[]): Log {
  const record = (level: keyof Log) => (fields: object, line: string) =>
    void lines.push({ level, fields, line })
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  }
}
