import type { Author } from '../domain/message.ts'
import { type PlanEdit, stepsLeft } from '../domain/plan-edit.ts'
import { present } from '../domain/present.ts'
import type { PlanChange, Task } from '../domain/task.ts'
import { heard } from './bookkeeping.ts'
import { sameLists } from './plan.ts'
import type { PlanRules } from './strategy.ts'

/**
 * C208: a replan by a person. The steps that have not begun become theirs; what has begun, its
 * calls and every count stay, and no model is asked. It hears of the change with its next request,
 * like of anything that people say.
 *
 * @returns null when it does not fit any more: a step that it changes began meanwhile, the plan is
 *   another, or the task is over.
 */
export function editPlan(
  task: Task,
  { by, ...edit }: PlanEdit & { by: Author },
  plan: PlanRules,
): Task | null {
  if (task.settled !== null && task.settled.kind !== 'paused') return null
  const [fitting] = placesOf(task, plan).flatMap(({ begun, left }) => {
    const trimmed = trimmedTo(left, edit)
    return trimmed === null ? [] : [{ begun, ...trimmed }]
  })
  if (fitting === undefined) return null
  const { begun, seen, steps } = fitting
  if (sameLists(seen, steps)) return { ...task }
  const change: PlanChange = {
    added: without(steps, seen),
    dropped: without(seen, steps),
    because: null,
    by,
  }
  const changed: Task = { ...plan.edited(task, begun, { seen, steps }), lastChange: change }
  return heard(changed, null, { text: inWords(change, steps), author: by })
}

/**
 * Returns how many steps may count as begun, each with the steps then left. The current step may
 * still be edited while it is untouched: the editor may have seen it as open.
 */
function placesOf(task: Task, plan: PlanRules): { begun: number; left: string[] }[] {
  const at = task.currentPlanIndex
  return present([plan.isUntouched?.(task) && at, at + 1]).flatMap((begun) => {
    const left = stepsLeft({ ...task, currentPlanIndex: begun - 1 })
    return left === null ? [] : [{ begun, left }]
  })
}

/**
 * Steps that began where the person left them are theirs no more, and no obstacle. Null: it does
 * not fit what is left.
 */
function trimmedTo(left: readonly string[], { seen, steps }: PlanEdit): PlanEdit | null {
  const gone = seen.length - left.length
  if (gone < 0 || !sameLists(seen.slice(0, gone), steps.slice(0, gone))) return null
  return sameLists(seen.slice(gone), left)
    ? { seen: seen.slice(gone), steps: steps.slice(gone) }
    : null
}

const without = (list: readonly string[], others: readonly string[]) =>
  list.filter((one) => !others.includes(one))

const inWords = ({ added, dropped }: PlanChange, steps: readonly string[]) =>
  present([
    'I changed the plan by hand; keep to it.',
    `What is left after the current step, in this order: ${steps.length === 0 ? 'nothing' : steps.join('; ')}.`,
    added.length > 0 && `New: ${added.join('; ')}.`,
    dropped.length > 0 && `Not to be done: ${dropped.join('; ')}.`,
  ]).join(' ')
