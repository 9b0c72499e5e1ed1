import type { Limits } from '../../../src/agent/domain/budget.ts'
import type { StepTask } from '../../../src/agent/domain/task.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import type { StepContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'

export const ana = { id: 'ana', name: 'Ana' }
export const ben = { id: 'ben', name: 'Ben' }

type Contract = 'plan' | 'thought' | 'replan'
const call = { usage: { promptTokens: 10, completionTokens: 2 }, ms: 100 }

export const begun = (over: Partial<Limits> = {}, unattended = false): StepTask =>
  step.start('Book the offsite', { ...limits, ...over }, unattended)

export const play = (task: StepTask, ...events: readonly TaskEvent<StepContract>[]): StepTask =>
  events.reduce(step.apply, task)

/** A task whose plan has been accepted. */
export const planned = (
  items: readonly string[],
  over: Partial<Limits> = {},
  unattended = false,
): StepTask => play(begun(over, unattended), plan(...items))

export const plan = (...items: string[]): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'plan',
  reply: { status: 'planned', plan: items, calls: null, leads_to: null },
  ...call,
})

const nothing = {
  next_action: null,
  more_actions: null,
  say: null,
  question: null,
  choices: null,
  response: null,
  leads_to: null,
  parts: null,
}
export const act = (
  tool = 'todo',
  input = 'list',
  current_step = 'item',
  leads_to: 'item_done' | null = null,
  parts: string[] | null = null,
): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'thought',
  reply: {
    ...nothing,
    status: 'continue',
    current_step,
    next_action: { tool, input },
    leads_to,
    parts,
  },
  ...call,
})
export const askUser = (
  question = 'Which city?',
  choices: string[] | null = null,
): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'thought',
  reply: { ...nothing, status: 'ask_user', current_step: 'item', question, choices },
  ...call,
})
export const stepDone = (
  response: string | null = null,
  leads_to: 'replan' | null = null,
): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'thought',
  reply: { ...nothing, status: 'done', current_step: 'item', response, leads_to },
  ...call,
})
export const replan = (...items: string[]): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'replan',
  reply: { status: 'replanned', plan: items, say: null, reopen: null, response: null },
  ...call,
})
export const finish = (response = 'Booked.'): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'replan',
  reply: { status: 'done', plan: [], say: null, reopen: null, response },
  ...call,
})
export const refused = (
  contract: Contract,
  problem = 'not a JSON object',
): TaskEvent<StepContract> => ({
  kind: 'refused',
  contract,
  problem,
  ...call,
})
export const unavailable = (contract: Contract, waitMs = 0): TaskEvent<StepContract> => ({
  kind: 'unavailable',
  contract,
  waitMs,
  ...call,
})
export const observed = (ok = true, result = 'nothing yet'): TaskEvent<StepContract> => ({
  kind: 'observed',
  ok,
  result,
  ms: 5,
})
export const answered = (
  text = 'Lisbon',
  question = 'Which city?',
  author = ana,
): TaskEvent<StepContract> => ({
  kind: 'answered',
  question,
  text,
  author,
})
export const joined = (text = 'Under 4,000 euros', author = ben): TaskEvent<StepContract> => ({
  kind: 'joined',
  text,
  author,
})
export const continued: TaskEvent<StepContract> = { kind: 'continued' }

/** The items that are closed, by their texts. */
export const closed = (task: StepTask): string[] =>
  task.planItems.filter((item) => item.done).map((item) => item.text)

export const nextContract = (task: StepTask): Contract | null => {
  const action = step.next(task)
  return action.kind === 'call_model' ? action.contract : null
}
