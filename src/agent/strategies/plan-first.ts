import { shownPlan } from '../domain/progress.ts'
import { sameItem } from '../domain/same-item.ts'
import type { Task } from '../domain/task.ts'
import { noApproval } from './approval.ts'
import { cut, ownQuestion, waitingFor } from './bookkeeping.ts'
import { callsOf, skipped } from './calls.ts'
import { withoutReport } from './early-report.ts'
import type { Strategy, TaskEvent } from './strategy.ts'

/** Length of a call that stands for a step, in characters. */
const callMost = 300

/** Steps that are left, as people see them; the calls themselves where the task has no plan. */
function stepsAhead(task: Task): string[] {
  const open = shownPlan(task).items.filter(({ done }) => !done)
  return open.length > 0
    ? open.map(({ text }) => text)
    : callsOf(task).map(({ tool, input }) => cut(`${tool}: ${input}`, callMost))
}

/**
 * True if the task's plan, as it is now, has a step that people have not approved (C764). What they
 * approved stays approved when steps are done or left out.
 */
export function mustShowPlan(task: Task): boolean {
  const approved = task.approval?.plan?.approved ?? []
  return stepsAhead(task).some((step) => !approved.some((one) => sameItem(one, step)))
}

export const waitsForPlan = (task: Task): boolean =>
  task.awaitingClarification && task.lastQuestion?.reason === 'plan'

/** The calls stay decided while the plan is looked at. */
export function planShown(task: Task): Task {
  const before = task.approval ?? noApproval
  return {
    ...withoutReport(task),
    ...waitingFor('plan'),
    approval: {
      ...before,
      asked: before.asked + 1,
      plan: { asked: stepsAhead(task), approved: before.plan?.approved ?? [] },
    },
  }
}

type Answered = Extract<TaskEvent, { kind: 'answered' }>

/** The steps that were shown are approved, whatever the plan became meanwhile. */
export function planAnswered(strategy: Strategy, task: Task, event: Answered): Task {
  const before = task.approval ?? noApproval
  const { asked = [], approved = [] } = before.plan ?? {}
  if (event.choice === 0) {
    const plan = { asked, approved: [...approved, ...asked] }
    return { ...task, awaitingClarification: false, approval: { ...before, plan } }
  }
  const open = withoutPlan(strategy, { ...task, awaitingClarification: false }, event.author.name)
  if (event.choice === 1) return ownQuestion(open, 'plan_change')
  return strategy.apply(open, { kind: 'joined', text: event.text, author: event.author })
}

/**
 * Nothing of the plan is done as it was; a mission's steps are thought over. A `free` plan only
 * grows, so its open steps go (C1003).
 */
function withoutPlan(strategy: Strategy, task: Task, by: string): Task {
  if (task.strategy === 'coding') return { ...task, stage: 'replan', order: null }
  const left = skipped(task, `${by} wants the plan to be changed; it was not done`)
  if (left.strategy !== 'free') return left
  return strategy.plan?.edited(left, left.currentPlanIndex, { seen: [], steps: [] }) ?? left
}
