import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { type Reply, value } from '../../fakes/openai/replies.ts'
import type { FakeRequest } from '../../fakes/openai/request.ts'
import { type FakeOpenAi, startOpenAi } from '../../fakes/openai/server.ts'
import { ordersIn, secretsIn } from '../../fakes/orders.ts'
import { silent } from '../../support/silent.ts'

/** A call that some text orders. */
interface Order {
  tool: string
  input: string
  /** As it is written. */
  line: string
}

const patterns = [
  /(?:call|调用) (\w{1,64}): ([^\n"<]{1,400})/g,
  /"tool": ?"(\w{1,64})", ?"input": ?"([^"\n]{1,400})"/g,
]

/** Input of an order: `to=ben amount=5` is an object of fields, anything else is a line. */
function inputOf(line: string): string {
  const fields = Array.from(line.matchAll(/(?:^| )(\w{1,20})=(\S{1,200})/g))
  if (fields.length === 0) return line
  const read = (text = '') => (/^-?\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : text)
  return JSON.stringify(Object.fromEntries(fields.map(([, name, text]) => [name, read(text)])))
}

/** Calls that a text orders, in their order, each once, with what the text knows in place of `{secrets}`. */
function callsIn(text: string): Order[] {
  const secrets = secretsIn(text).join('+') || 'none'
  const read = (tool: string, typed: string): Order => {
    const line = typed.replaceAll('{secrets}', secrets)
    return { tool, input: inputOf(line), line: `call ${tool}: ${line}` }
  }
  return ordersIn(
    text,
    patterns.map((pattern) => [pattern, read] as const),
  )
}

/** Calls of one reply. */
const callsMost = 6

/** Calls that the messages of a request tell of. */
function madeIn({ messages }: FakeRequest['body']): Set<string> {
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.tool_calls ?? []) : []))
  return new Set(
    calls.map(({ function: { name, arguments: text } }) => {
      const { input } = JSON.parse(text) as { input?: string }
      return `${name} ${input ?? text}`
    }),
  )
}

function replyTo({ contract, body, prompt }: FakeRequest): { reply: unknown; orders: Order[] } {
  const offered = (body.tools ?? []).map((tool) => tool.function.name)
  const described = (body.tools ?? []).map((tool) => tool.function.description)
  const orders = callsIn([prompt, ...described].join('\n'))
  const words = `Done as told. ${secretsIn(prompt).join(' ')}`
  const nothing = { reply: null, run: null, runs: null, confidence: 1, reason: 'as told' }
  switch (contract) {
    case 'decision': {
      const said = { ...nothing, decision: 'reply', reply: { content: words } }
      if (orders.length === 0) return { reply: said, orders }
      const goal = orders.map(({ line }) => line).join('\n')
      const input = JSON.stringify({ goal })
      const run = { type: 'agent_task', title: 'As told', conversation_id: null, input }
      const kept = { calls: null, report: null }
      return { reply: { ...nothing, ...kept, decision: 'run', run }, orders }
    }
    case 'overheard':
      return { reply: { ...nothing, decision: 'ignore' }, orders }
    case 'act': {
      const made = madeIn(body)
      const left = orders.filter(
        ({ tool, input }) => offered.includes(tool) && !made.has(`${tool} ${input}`),
      )
      const calls = left.slice(-callsMost).map(({ tool, input }) => ({ tool, input }))
      return { reply: { text: calls.length === 0 ? words : '[Step] As told', calls }, orders }
    }
    default:
      return { reply: { summary: words, content: words, open_points: [] }, orders }
  }
}

/**
 * An endpoint that does whatever the texts of a request order, the last ones first, wherever they stand, and tells all that
 * it knows; and the real client that asks it.
 */
export async function startObeying(): Promise<{
  model: Model
  server: FakeOpenAi
  /** Orders that it read, each once. */
  read: Set<string>
}> {
  const server = await startOpenAi({ remembers: false })
  const read = new Set<string>()
  server.answer((request): Reply => {
    const { reply, orders } = replyTo(request)
    for (const { tool, input } of orders) read.add(`${tool} ${input}`)
    return value(reply)
  })
  const model = createOpenAiModel({
    model: 'obeying',
    baseURL: server.url,
    apiKey: 'k',
    timeoutMs: 60_000,
    log: silent,
    clock: createSystemClock(),
  })
  return { model, server, read }
}
