import type { Limits } from '../../../src/agent/domain/budget.ts'
import type { BatchTask } from '../../../src/agent/domain/task.ts'
import { batch } from '../../../src/agent/strategies/batch.ts'
import type { BatchContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'

type Event = TaskEvent<BatchContract>
const call = { usage: { promptTokens: 10, completionTokens: 2 }, ms: 100 }

export const begun = (over: Partial<Limits> = {}, unattended = false): BatchTask =>
  batch.start('Book the offsite', { ...limits, ...over }, unattended)

export const play = (task: BatchTask, ...events: readonly Event[]): BatchTask =>
  events.reduce(batch.apply, task)

type Planned = string | [tool: string, input: string]
export const planRound = (...steps: Planned[]): Event => ({
  kind: 'replied',
  contract: 'plan_tool_call',
  reply: {
    steps: steps.map((step) => {
      const [tool, input] = typeof step === 'string' ? ['todo', step] : step
      return { tool, arguments: input, purpose: null }
    }),
    reasoning: 'secret',
    estimated_steps: null,
  },
  ...call,
})
export const think = (
  user_summary: string,
  task_completed = false,
  next_steps_preview: string | null = null,
  next_round: readonly string[] | null = null,
): Event => ({
  kind: 'replied',
  contract: 'think',
  reply: {
    ...{ internal_analysis: 'secret', user_summary, task_completed, next_steps_preview },
    ...{ given_up: null, say: null },
    next_round:
      next_round?.map((input) => ({ tool: 'todo', arguments: input, purpose: null })) ?? null,
  },
  ...call,
})
export const summary = (content: string): Event => ({
  kind: 'replied',
  contract: 'summary',
  reply: { content },
  ...call,
})
export const refused = (contract: BatchContract, problem = 'not a JSON object'): Event => ({
  kind: 'refused',
  contract,
  problem,
  ...call,
})
export const away = (contract: BatchContract): Event => ({
  kind: 'unavailable',
  contract,
  waitMs: 0,
  ...call,
})
export const worked = (result = 'fine', ms = 5): Event => ({
  kind: 'observed',
  ok: true,
  result,
  ms,
})
export const failed = (result = 'no such to-do', ms = 5): Event => ({
  kind: 'observed',
  ok: false,
  result,
  ms,
})

export const contractOf = (task: BatchTask): BatchContract | null => {
  const action = batch.next(task)
  return action.kind === 'call_model' ? action.contract : null
}
