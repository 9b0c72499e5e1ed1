import { assertNever } from '../domain/assert.ts'
import type { Author } from '../domain/message.ts'
import type { MissionStep } from '../domain/mission.ts'
import { type PlanEdit, stepsLeft } from '../domain/plan-edit.ts'
import type {
  BatchTask,
  CodingTask,
  FreeTask,
  PendingCall,
  PlanChange,
  PlanItem,
  StepTask,
  Task,
} from '../domain/task.ts'
import { declare } from '../domain/tracked-plan.ts'
import { heard, noFailures } from './bookkeeping.ts'
import { onward } from './coding-orders.ts'
import { stepAt, withSteps } from './coding-steps.ts'
import { shown } from './free.ts'
import { keepParts } from './parts.ts'
import { sameLists } from './plan.ts'

/**
 * C208: a replan by a person. The steps that have not begun become theirs; what has begun, its calls and every count stay, and no
 * model is asked. It hears of the change with its next request, like of anything that people say.
 *
 * @returns null when it does not fit any more: a step that it changes began meanwhile, the plan is another, or the task is over.
 */
export function editPlan(task: Task, by: Author, edit: PlanEdit): Task | null {
  const isOver = task.settled !== null && task.settled.kind !== 'paused'
  if (isOver) return null
  const [fitting] = placesOf(task).flatMap(({ begun, left }) => {
    const trimmed = trimmedTo(left, edit)
    return trimmed === null ? [] : [{ begun, ...trimmed }]
  })
  if (fitting === undefined) return null
  const { begun, seen, steps } = fitting
  if (sameLists(seen, steps)) return { ...task }
  const change: PlanChange = { added: without(steps, seen), dropped: without(seen, steps), because: null, by }
  const changed: Task = { ...replaced(task, begun, { seen, steps }), lastChange: change }
  return heard(changed, null, { text: inWords(change, steps), author: by })
}

/** How many steps may have begun, and those that are left then. A step whose turn has come and for which nothing was done yet may still be changed by somebody who saw it as one to come. */
function placesOf(task: Task): { begun: number; left: string[] }[] {
  const isUntouched =
    task.strategy === 'step' &&
    task.intent === null &&
    !task.awaitingClarification &&
    !task.observations.some(({ step }) => step > (task.conclusions.at(-1)?.step ?? -1))
  const at = task.currentPlanIndex
  return [...(isUntouched ? [at] : []), at + 1].flatMap((begun) => {
    const left = stepsLeft({ ...task, currentPlanIndex: begun - 1 })
    return left === null ? [] : [{ begun, left }]
  })
}

/** Steps that began where the person left them are theirs no more, and no obstacle. Null: it does not fit what is left. */
function trimmedTo(left: readonly string[], { seen, steps }: PlanEdit): PlanEdit | null {
  const gone = seen.length - left.length
  if (gone < 0 || !sameLists(seen.slice(0, gone), steps.slice(0, gone))) return null
  return sameLists(seen.slice(gone), left) ? { seen: seen.slice(gone), steps: steps.slice(gone) } : null
}

const without = (list: readonly string[], others: readonly string[]) => list.filter((one) => !others.includes(one))

const inWords = ({ added, dropped }: PlanChange, steps: readonly string[]): string =>
  [
    'I changed the plan by hand; keep to it.',
    `What is left after the current step, in this order: ${steps.length === 0 ? 'nothing' : steps.join('; ')}.`,
    ...(added.length > 0 ? [`New: ${added.join('; ')}.`] : []),
    ...(dropped.length > 0 ? [`Not to be done: ${dropped.join('; ')}.`] : []),
  ].join(' ')

function replaced(task: Task, begun: number, { seen, steps }: PlanEdit): Task {
  switch (task.strategy) {
    case 'step':
      return ofSteps(task, begun, steps)
    case 'batch':
      return ofBatch(task, begun, { seen, steps })
    case 'free':
      return ofFree(task, begun, steps)
    case 'coding':
      return ofMission(task, begun, steps)
    case 'custom':
      return task
    default:
      return assertNever(task)
  }
}

/** The plan reflects what the person said, so that calls for no other replan (C2), unless nothing is left (R14). */
function ofSteps(task: StepTask, begun: number, steps: readonly string[]): StepTask {
  const planned = task.clarificationsPlanned
  const clarificationsPlanned = planned === task.clarifications.length ? planned + 1 : planned
  const planItems = itemsOf(task, begun, steps)
  const isAtEnd = planItems[task.currentPlanIndex] === undefined
  return { ...task, planItems, clarificationsPlanned, needsReplan: task.needsReplan || isAtEnd }
}

/** What has begun or is done, and behind it what is left. */
function itemsOf({ planItems }: StepTask | BatchTask, begun: number, steps: readonly string[]): PlanItem[] {
  const kept = planItems.filter(({ done }, at) => done || at < begun)
  return keepParts([...kept, ...steps.map((text) => ({ text, done: false }))], planItems)
}

/**
 * The steps of a round are calls. Those that stay are made in their new order, up to the first step in words alone: from
 * there on the next round is planned by what the person said. They take the lowest of their numbers, so none is given twice to a call that is made.
 */
function ofBatch(task: BatchTask, begun: number, { seen, steps }: PlanEdit): BatchTask {
  const left = task.queue.map((call, at) => ({ call, text: seen[at] }))
  const kept: PendingCall[] = []
  for (const text of steps) {
    const at = left.findIndex((one) => one.text === text)
    if (at === -1) break
    kept.push(...left.splice(at, 1).map(({ call }) => call))
  }
  const queue = kept.map((call, at) => ({ ...call, step: task.queue[at]?.step ?? call.step }))
  const edited = { ...task, queue, planItems: itemsOf(task, begun, steps) }
  return task.stage === 'close' ? { ...edited, stage: 'plan', failures: noFailures } : edited
}

function ofFree(task: FreeTask, begun: number, steps: readonly string[]): FreeTask {
  if (task.plan === null) return task
  return shown(task, declare({ ...task.plan, steps: task.plan.steps.slice(0, begun) }, steps))
}

function ofMission(task: CodingTask, begun: number, steps: readonly string[]): CodingTask {
  const ofPerson = (title: string): MissionStep => ({
    ...{ title, description: title, constraints: '', expected: '' },
    state: 'open',
  })
  const left = task.steps.slice(begun)
  const wanted = steps.map((text) => left.find(({ title }) => title === text) ?? ofPerson(text))
  const edited = withSteps(task, [...task.steps.slice(0, begun), ...wanted])
  const goesOn = task.stage === 'close' && stepAt(edited) !== undefined
  return goesOn ? onward({ ...edited, reached: null }) : edited
}
