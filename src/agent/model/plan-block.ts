import type { ActInput } from '../contracts/act.ts'
import { fence } from './fence.ts'

/** Length of the goal here, in characters; the beginning has it in full. */
const goalMost = 60

/**
 * R84, C55: where a free task stands: its goal, its step, and how to go on. It is the last message
 * of a request, so that nothing before it ever changes. C145: without what the transcript has
 * already, the goal in full and the results of completed steps.
 */
export function planBlock({ goal, plan, open }: ActInput): string | null {
  // Words beside an open question are answered without going on.
  if (plan === null || open != null) return null
  // R78: a plan without steps asks for them.
  if (plan.steps.length === 0)
    return 'No step is declared yet: with the next call declare those that are left, if several, one line each, beginning with [Step].'
  if (plan.current >= plan.steps.length)
    return 'All declared steps are completed: declare more, or end with the final report.'
  const steps = plan.steps.flatMap(({ description, status }, index) =>
    status === 'completed' ? [] : [`${index + 1}. [${status}] ${description}`],
  )
  const beginning = goal.length <= goalMost ? goal : `${goal.slice(0, goalMost).toWellFormed()}…`
  return `${fence('plan', { goal: beginning, steps })}\nStep ${plan.current + 1}/${plan.steps.length}: [Done] ends it.`
}

/** R85, F23: tells a task that it goes on after a pause. */
export function resumption(input: ActInput): string {
  const steps = input.plan?.steps ?? []
  const done = steps.filter((step) => step.status === 'completed').length
  return `[恢复任务] The task was paused and a person said "continue": go on from the current step, and do nothing again that is completed. ${done} of ${steps.length} steps are completed; ${input.successfulSteps + input.failedSteps} calls were made.`
}

/** R17: nothing but words or a question is accepted now. */
export function mustStopActing(input: ActInput): string | null {
  if (!input.mustStop) return null
  const instead = input.unattended
    ? 'the final report'
    : 'ask_user (what would get it moving again?) or the final report'
  return `Too much has failed in a row. No other call is accepted now: only ${instead}, with what was reached and what went wrong.`
}
