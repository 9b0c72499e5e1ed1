import type { ThoughtInput } from '../../src/agent/contracts/step.ts'
import type { ContractInputs, ContractName } from '../../src/agent/contracts.ts'
import type { Model } from '../../src/agent/ports/model.ts'

/** What one plan item does: its tool calls in order, perhaps a question, perhaps a wait for the story's driver. */
interface Item {
  calls?: readonly { tool: string; input: string }[]
  ask?: { question: string; choices: string[] }
  /** The `at`-th move of this item waits for a gate. */
  gate?: { name: Gate; at: number }
}

/** Doors that the story's driver opens when the thread has come far enough. */
export type Gate = 'joined' | 'canceled' | 'regretted'

const plans: Readonly<Record<string, readonly string[]>> = {
  offsite: ['Note what is to do', 'Look around', 'Choose the city'],
  grind: ['Grind'],
  dig: ['Dig'],
  mine: ['Mine'],
  both: ['Book both'],
  'Look back': ['Look'],
}

const items: Readonly<Record<string, Item>> = {
  'Note what is to do': { calls: [{ tool: 'todo', input: 'add Call the venue --tag offsite' }] },
  'Look around': {
    calls: [
      { tool: 'todo', input: 'list' },
      { tool: 'ledger', input: 'looked around' },
      { tool: 'memory', input: 'propose The team looks around first --key habit' },
    ],
    gate: { name: 'joined', at: 1 },
  },
  'Choose the city': { ask: { question: 'Which city?', choices: ['Lisbon', 'Porto'] } },
  'Check the price': { calls: [{ tool: 'ledger', input: 'checked the price' }] },
  'Book in Lisbon': { calls: [{ tool: 'booking', input: 'Lisbon' }] },
  'Book both': { calls: ['Lisbon', 'Porto'].map((input) => ({ tool: 'booking', input })) },
  Grind: {
    calls: Array.from({ length: 8 }, (_, index) => ({ tool: 'ledger', input: `ground ${index}` })),
  },
  Dig: {
    calls: [
      { tool: 'ledger', input: 'dug' },
      { tool: 'schedule', input: 'list' },
    ],
    gate: { name: 'canceled', at: 0 },
  },
  Mine: { calls: [{ tool: 'ledger', input: 'mined' }], gate: { name: 'canceled', at: 1 } },
}

/** What people say adds these items. */
const additions: Readonly<Record<string, string>> = {
  'Keep it cheap, please': 'Check the price',
  Lisbon: 'Book in Lisbon',
}

/** Titles are in the goal; a message that is none of these gets a reply. */
const requests: readonly { begins: string; title: string; type: string; input: object }[] = [
  { begins: 'Organise', title: 'Offsite', type: 'agent_task', input: { goal: 'offsite' } },
  { begins: 'Grind', title: 'Grind', type: 'agent_task', input: { goal: 'grind' } },
  { begins: 'Book', title: 'Book', type: 'agent_task', input: { goal: 'both' } },
  { begins: 'Dig', title: 'Dig', type: 'agent_task', input: { goal: 'dig' } },
  { begins: 'Mine', title: 'Mine', type: 'agent_task', input: { goal: 'mine' } },
  { begins: 'Regret', title: 'Regret', type: 'agent_task', input: { goal: 'dig' } },
  { begins: 'Code', title: 'Code', type: 'coding', input: { goal: 'code' } },
  { begins: 'Wait', title: 'Wait', type: 'sleep', input: { seconds: 1 } },
]

/**
 * A model whose every reply follows from what it is asked, so that a call which is repeated after a crash gets the same
 * answer and the story without a crash is what every story must come to.
 *
 * @param passed resolves when a gate is open, or when the signal aborts.
 */
export function createScriptedModel(
  passed: (gate: Gate, signal: AbortSignal) => Promise<void>,
): Model {
  const contracts: {
    [N in ContractName]?: (input: ContractInputs[N], signal: AbortSignal) => unknown
  } = {
    decision: async ({ message }, signal) => {
      if (message.startsWith('Regret')) await passed('regretted', signal)
      return decide(message)
    },
    overheard: ({ message, waiting }) => ({
      ...decide(message),
      ...(waiting === null ? {} : { decision: 'join' }),
    }),
    chat: () => ({ content: 'Hello.' }),
    summary: () => ({ summary: 'They greeted each other.', open_points: [] }),
    plan: ({ goal }) => ({ status: 'planned', plan: plans[goal] ?? [] }),
    thought: async (input, signal) => {
      const move = recent(input).length
      const gate = items[input.currentItem]?.gate
      if (gate?.at === move) await passed(gate.name, signal)
      return think(input, move)
    },
    plan_tool_call: (input) => ({
      steps: nextCalls(input).map(({ tool, input: line }) => ({
        tool,
        arguments: line,
        purpose: null,
      })),
      ...{ reasoning: null, estimated_steps: null },
    }),
    think: (input) => ({
      ...{ internal_analysis: null, user_summary: 'All of it is done.', next_steps_preview: null },
      task_completed: nextCalls(input).length === 0,
    }),
    mission: () => ({ steps: ['Mend it', 'Name it'].map(missionStep) }),
    evaluate: ({ report }) => judge(report?.status ?? ''),
    mission_report: () => ({ report: 'All of it is done.' }),
    act: (input) => ({
      text: nextCalls(input).length === 0 ? 'All of it is done.' : null,
      calls: nextCalls(input),
    }),
    replan({ remainingPlan, newClarifications }) {
      const added = newClarifications.flatMap(({ text }) => additions[text] ?? [])
      const plan = [...remainingPlan, ...added.filter((item) => !remainingPlan.includes(item))]
      if (plan.length > 0) return { status: 'replanned', plan, response: null }
      return { status: 'done', plan: [], response: 'All of it is done.' }
    },
  }
  return {
    name: 'scripted',
    async call(contract, input, signal) {
      const value = await contracts[contract]?.(input, signal)
      const usage = { promptTokens: 100, completionTokens: 10 }
      return signal.aborted ? { ok: false, code: 'aborted', usage } : { ok: true, value, usage }
    },
  }
}

const missionStep = (title: string) => ({
  title,
  description: `${title}.`,
  constraints: '',
  expected: '',
})

function judge(status: string) {
  const decision = status === 'success' ? 'next' : 'retry'
  return {
    decision,
    evidence: `It was a ${status}.`,
    instruction: 'Once more.',
    project_context: null,
  }
}

function decide(message: string) {
  const request = requests.find(({ begins }) => message.startsWith(begins))
  const common = { runs: null, confidence: 0.9, reason: 'scripted' }
  if (request === undefined)
    return { decision: 'reply', reply: { content: `You said: ${message}` }, run: null, ...common }
  const { type, title, input } = request
  const run = { type, title, conversation_id: null, input: JSON.stringify(input) }
  return { decision: 'run', reply: null, run, ...common }
}

/** One call a request, for the strategies that plan calls and no items. */
function nextCalls({ goal, observations }: { goal: string; observations: readonly unknown[] }) {
  const calls = (plans[goal] ?? []).flatMap((item) => items[item]?.calls ?? [])
  return calls.slice(observations.length, observations.length + 1)
}

/** What was observed for the current item; a call that was passed over is none. */
function recent({ observations, conclusions }: ThoughtInput) {
  const since = conclusions.at(-1)?.step ?? -1
  return observations.filter(({ step, result }) => step > since && !result.startsWith('skipped: '))
}

function think(input: ThoughtInput, move: number) {
  const item = items[input.currentItem] ?? {}
  const nothing = {
    current_step: input.currentItem,
    next_action: null,
    question: null,
    choices: null,
    response: null,
  }
  const call = item.calls?.[move]
  if (call !== undefined) {
    // All calls of an item that waits for no gate are one reply (C509).
    const more =
      input.combined && item.gate === undefined ? item.calls?.slice(move + 1, move + 8) : null
    return { ...nothing, status: 'continue', next_action: call, more_actions: more ?? null }
  }
  const asked = input.clarifications.some(
    ({ question }) => question?.includes(item.ask?.question ?? '?') ?? false,
  )
  if (item.ask !== undefined && !asked) return { ...nothing, status: 'ask_user', ...item.ask }
  const isNews = input.clarifications.some(({ text }) => {
    const added = additions[text]
    return added !== undefined && !input.planItems.some((one) => one.text === added)
  })
  const leads_to = input.combined && isNews ? 'replan' : null
  return { ...nothing, status: 'done', response: `${input.currentItem}: done.`, leads_to }
}
