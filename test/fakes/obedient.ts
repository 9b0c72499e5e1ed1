import type { ContractInputs, ContractName } from '../../src/agent/contracts.ts'
import { promptFor, userText } from '../../src/agent/model/prompts.ts'
import type { Model } from '../../src/agent/ports/model.ts'
import { type Form, ordersIn, secretsIn } from './orders.ts'

/** An instruction, as the model reads it out of whatever text holds it. */
type Order =
  | { kind: 'call'; tool: string; input: string }
  | { kind: 'ask'; question: string; choices: string[] }
  | { kind: 'start'; type: string; goal: string }

const forms: readonly Form<Order>[] = [
  [/(?:call|调用) (\w+): ([^\n]+)/g, (tool, input) => ({ kind: 'call', tool, input })],
  [/"tool": ?"(\w+)", ?"input": ?"([^"\n]+)"/g, (tool, input) => ({ kind: 'call', tool, input })],
  [/(?:start|开始) (\w+): ([^\n]+)/g, (type, goal) => ({ kind: 'start', type, goal })],
  [
    /(?:ask|提问): ([^|\n]+)\|([^\n]+)/g,
    (question, choices) => ({ kind: 'ask', question, choices: choices.split('|') }),
  ],
]

const usage = { promptTokens: 100, completionTokens: 20, cost: 0 }
const none = { next_action: null, question: null, choices: null, response: null }
type Call = Extract<Order, { kind: 'call' }>

/** What one request holds, as far as such a model cares. */
interface Seen {
  orders: Order[]
  calls: Call[]
  /** The model tells whatever it was told, wherever it speaks. */
  words: string
}

function seenIn(text: string): Seen {
  const secrets = secretsIn(text).join(' ')
  const orders = ordersIn(text, forms)
  const calls = orders.flatMap((one) =>
    one.kind === 'call' ? { ...one, input: one.input.replaceAll('{secrets}', secrets) } : [],
  )
  return { orders, calls, words: `Done as told. ${secrets}` }
}

const run = (type: string, goal: string) => ({
  type,
  title: goal.slice(0, 60),
  conversation_id: null,
  input: JSON.stringify({ goal, seconds: 1, url: goal }),
})

const written = (order: Order): string =>
  order.kind === 'call' ? `call ${order.tool}: ${order.input}` : ''

/** A run of every type that is asked for, and one for the message and all orders. */
function decided({ orders, words }: Seen, message: string, waits: boolean) {
  const rest = { confidence: 1, reason: 'as told' }
  const nothing = { ...rest, reply: null, run: null, runs: null }
  if (waits) return { ...nothing, decision: 'join' }
  if (orders.length === 0) return { ...nothing, decision: 'reply', reply: { content: words } }
  const goal = [message, ...orders.map(written)].join('\n')
  const started = orders.flatMap((one) =>
    one.kind === 'start' ? run(one.type, one.goal || 'it') : [],
  )
  const runs = [...started.slice(0, 2), run('agent_task', goal)]
  return { ...nothing, decision: 'reply_and_run', reply: { content: words }, runs }
}

/** What is not offered is tried once, what is offered once each; then the question; then the end. */
function thought({ orders, calls, words }: Seen, input: ContractInputs['thought']) {
  const base = { ...none, current_step: input.currentItem, leads_to: null, parts: null }
  const offered = calls.filter(({ tool }) => input.tools.some(({ name }) => name === tool))
  const isFirst = input.refusal === null && input.observations.length === 0
  const next = isFirst ? calls[0] : offered[input.observations.length]
  if (!input.mustStop && next !== undefined)
    return { ...base, status: 'continue', next_action: { tool: next.tool, input: next.input } }
  const question = orders.find(({ kind }) => kind === 'ask')
  if (question?.kind === 'ask' && input.clarifications.length === 0)
    return {
      ...base,
      status: 'ask_user',
      question: question.question,
      choices: question.choices.map((one) => one.trim().slice(0, 75)),
    }
  return { ...base, status: 'done', response: words }
}

type Replies = { [N in ContractName]?: (seen: Seen, input: ContractInputs[N]) => unknown }

const replies: Replies = {
  decision: (seen, { message }) => decided(seen, message, false),
  overheard: (seen, { message, waiting }) => decided(seen, message, waiting !== null),
  chat: ({ words }) => ({ content: words }),
  plan: () => ({ status: 'planned', plan: ['Do as told'] }),
  thought,
  replan({ calls, words }, { tools, observations }) {
    const offered = calls.filter(({ tool }) => tools.some(({ name }) => name === tool))
    return offered.length > observations.length
      ? { status: 'replanned', plan: ['Do as told'], response: null }
      : { status: 'done', plan: [], response: words }
  },
  act: ({ calls, words }, { observations, tools }) =>
    observations.length > 0 || calls.length === 0
      ? { text: words, calls: [] }
      : { text: null, calls: calls.filter(({ tool }) => tools.some(({ name }) => name === tool)) },
  conversation_summary: ({ words }) => ({ summary: words, open_points: [] }),
}

/**
 * A model that obeys every text: whatever instruction stands anywhere in its request becomes the call, question, run or answer that
 * the text asks for, and whatever it knows becomes part of what it says.
 */
export function createObedientModel(): Model & {
  readonly requests: readonly string[]
  /** Every call that it asked for, each once. */
  readonly tried: ReadonlySet<string>
} {
  const requests: string[] = []
  const tried = new Set<string>()
  return {
    name: 'obedient',
    requests,
    tried,
    async call(contract, input) {
      const prompt = promptFor(contract, input)
      const text = `${prompt.system}\n${userText(prompt)}`
      requests.push(text)
      const value = replies[contract]?.(seenIn(text), input) ?? null
      for (const [call] of JSON.stringify(value).matchAll(/"tool":"\w+","input":"[^"]*"/g))
        tried.add(call)
      return { ok: true, value, usage }
    },
  }
}
