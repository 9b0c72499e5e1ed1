import type { AgentAnswer, AgentProgress, AgentRequest } from '../domain/mission.ts'
import type { CodingTask } from '../domain/task.ts'
import { noApproval } from './approval.ts'
import { cut, question, questionsMost, waitingFor } from './bookkeeping.ts'
import { stepAt } from './coding-steps.ts'

/* An agent that is watched while it works: its plan, and what it asks (C870 to C872). */

/** Longest text of a plan's part, in characters, and most parts that are shown. */
const partMost = 200
const partsMost = 20

/**
 * The agent's plan becomes the parts of the step in hand; its tool call is what the thread shows.
 */
export function agentAt(task: CodingTask, { plan, doing }: AgentProgress, at: number): CodingTask {
  const { order, intent } = task
  if (order === null) return task
  const parts = plan
    .slice(0, partsMost)
    .map(({ text, done }) => ({ text: cut(text, partMost), done }))
  const planItems = task.planItems.map((item, index) =>
    index === task.currentPlanIndex && parts.length > 0 ? { ...item, parts } : item,
  )
  const input = cut(doing ?? stepAt(task)?.title ?? task.goal, partMost)
  return {
    ...task,
    planItems,
    order: { ...order, seen: { size: 0, at } },
    intent: intent && { ...intent, input },
  }
}

/** True if the thread does not show this yet. */
export function isFurther(task: CodingTask, progress: AgentProgress): boolean {
  const shown = ({ planItems, currentPlanIndex, intent }: CodingTask) =>
    JSON.stringify([planItems[currentPlanIndex]?.parts, intent?.input])
  return shown(agentAt(task, progress, 0)) !== shown(task)
}

/**
 * Puts the agent's request before people. A question beyond the limit, or of work that nobody
 * watches, is declined.
 */
export function agentAsks(task: CodingTask, request: AgentRequest): CodingTask {
  const { order, intent } = task
  if (order === null || intent === null) return task
  const asking: CodingTask = { ...task, order: { ...order, asks: request } }
  if (request.kind === 'approval') {
    const before = task.approval ?? noApproval
    return {
      ...asking,
      intent: { ...intent, input: request.text },
      ...waitingFor('approval'),
      approval: { ...before, asked: before.asked + 1, covers: 'call' },
    }
  }
  if (task.unattended || task.questionsAsked >= questionsMost)
    return answerAgent(asking, { allow: false, text: null })
  const { text, choices } = request
  return question(asking, { text, choices, reason: 'asked' })
}

/** Records the answer to the open request, for the next look. */
export function answerAgent(
  task: CodingTask,
  { allow, text }: Pick<AgentAnswer, 'allow' | 'text'>,
): CodingTask {
  const { order } = task
  if (order?.asks === undefined) return task
  const { asks, answers = [], ...rest } = order
  const answer = { id: asks.id, allow, text }
  return {
    ...task,
    awaitingClarification: false,
    order: { ...rest, seen: null, answers: [...answers, answer] },
  }
}
