import { askCard } from '../contracts/calls.ts'
import { assertNever } from '../domain/assert.ts'
import { nothingSpent } from '../domain/budget.ts'
import { shownPlan } from '../domain/progress.ts'
import { sameItem } from '../domain/same-item.ts'
import type { BatchTask, CodingTask, Observation, PendingCall, PlanItem, Task } from '../domain/task.ts'
import type { TraceEntry } from '../domain/trace.ts'
import type { TrackedStep } from '../domain/tracked-plan.ts'
import { noFailures } from './bookkeeping.ts'
import { callsOf } from './calls.ts'
import { onward } from './coding-orders.ts'
import { withSteps } from './coding-steps.ts'
import { shown } from './free.ts'
import { closed as closedItem } from './parts.ts'

interface Rewound {
  task: Task
  /** What its trace knows of the plan and of its steps up to there. */
  trace: TraceEntry[]
  /** What was done since then, and is not known to it. */
  undone: Observation[]
}

/** A task from a step of its plan on, or why there is none: no plan, or only steps up to `last` have begun. */
export type Restart = ({ ok: true; step: number; text: string } & Rewound) | { ok: false; last: number | null }

/**
 * C251: a task as it was when a step of its plan began, for a run that works on from there. There is none where that step has not
 * begun, or nobody can tell when: of a plan that only a strategy from outside understands.
 *
 * @param step as people number them, from 1; null: the last one that has begun.
 */
export function restartAt(task: Task | null, trace: readonly TraceEntry[], step: number | null): Restart {
  if (task === null) return { ok: false, last: null }
  const { items } = shownPlan(task)
  const last = Math.min(reachedIn(task) + 1, items.length)
  const at = (step ?? last) - 1
  const text = at < last ? items[at]?.text : undefined
  const first = text === undefined ? null : firstIteration(task, trace, { items, at })
  if (text === undefined || first === null)
    return { ok: false, last: last === 0 || task.strategy === 'custom' ? null : last }
  return { ok: true, step: at + 1, text, ...rewound(task, trace, { items, at, first }) }
}

/**
 * What people said stays, also what they said later. The numbers of calls and of the turns that they belong to go on, so that none is
 * given twice; all else that is spent is new.
 */
function rewound(
  task: Task,
  trace: readonly TraceEntry[],
  { items, at, first }: RewindPoint & { first: number },
): Rewound {
  const isKept = ({ step }: { step: number }) => step < first
  const observations = task.observations.filter(isKept)
  const { approval: _, news: __, ...rest } = task
  const cleared = {
    ...rest,
    ...{ awaitingClarification: false, intent: null, lastQuestion: null, questionsAsked: 0, settled: null },
    ...{ failures: noFailures, refusal: null, lastChange: null },
    ...{ observations, conclusions: task.conclusions.filter(isKept) },
    planItems: items.map((item, place) => (place < at ? item : open(item))),
    currentPlanIndex: at,
  }
  const { iterations, modelCalls } = task.spent
  const spent = { ...nothingSpent, iterations, modelCalls: task.strategy === 'free' ? modelCalls : 0 }
  const begun = resumed({ ...cleared, spent, allowanceFrom: spent }, task, { items, at })
  const known = ({ what }: TraceEntry) =>
    what.kind === 'planned' || what.kind === 'replanned' || (what.kind === 'thought' && isKept(what))
  return { task: begun, trace: trace.filter(known), undone: task.observations.filter((one) => !isKept(one)) }
}

/** The last step that has begun, from 0. A mission that was given up stands at the first open one, which has not. */
function reachedIn(task: Task): number {
  const { items, index } = shownPlan(task)
  if (task.strategy !== 'coding' || task.stage !== 'close') return index
  return items.length - task.steps.length + task.steps.findLastIndex(({ state }) => state !== 'open')
}

/** Of the steps that `shownPlan` has, which one, from 0. */
interface RewindPoint {
  items: readonly PlanItem[]
  at: number
}

const open = (item: PlanItem): PlanItem => {
  const { parts, ...whole } = closedItem(item, false)
  return { ...whole, ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part, done: false })) }) }
}

/** From which iteration on what was done belongs to that step, or to one after it. */
function firstIteration(task: Task, trace: readonly TraceEntry[], { items, at }: RewindPoint): number | null {
  switch (task.strategy) {
    case 'step':
    case 'coding': {
      const names = items.slice(at)
      const over = task.conclusions.findIndex(({ item }) => names.some(({ text }) => sameItem(text, item)))
      const before = over === -1 ? task.conclusions : task.conclusions.slice(0, over)
      return (before.at(-1)?.step ?? -1) + 1
    }
    case 'batch': {
      const { turn, call } = roundOf(task, { items, at })
      const rest = task.observations.filter((one) => (one.turn ?? 0) >= turn)
      return rest[call]?.step ?? task.intent?.step ?? task.spent.iterations + 1
    }
    case 'free': {
      if (at === 0) return 0
      const ends = trace.findLast(({ what }) => what.kind === 'thought' && what.index === at - 1)?.what
      return ends?.kind === 'thought' ? ends.step + 1 : null
    }
    case 'custom':
      return null
    default:
      return assertNever(task)
  }
}

/** The rounds that were thought about, in the order of their conclusions; others came to no word (C276). */
function roundsOver({ conclusions, observations }: BatchTask): number[] {
  let round = 0
  return conclusions.map(({ step }) => {
    const made = observations.findLast((one) => one.step <= step)?.turn ?? 0
    round = Math.max(round + 1, made)
    return round
  })
}

/** Which round, from 1, and which of its calls. Of a round that was thought about only its name is left. */
function roundOf(task: BatchTask, { items, at }: RewindPoint): { turn: number; call: number } {
  const inPlan = at - (items.length - task.planItems.length)
  const over = roundsOver(task)
  const isOpen = task.rounds > (over.at(-1) ?? 0)
  if (inPlan >= 0) return isOpen ? { turn: task.rounds, call: inPlan } : { turn: task.rounds + 1, call: 0 }
  const place = task.conclusions.findIndex(({ item }) => sameItem(item, items[at]?.text ?? ''))
  return { turn: over[place] ?? 1, call: 0 }
}

/** What each strategy keeps besides. `before`: as the task was when it was left. */
function resumed(task: Task, before: Task, place: RewindPoint): Task {
  switch (task.strategy) {
    case 'step': {
      const { unplanned: _, ...rest } = task
      const clarificationsPlanned = task.clarifications.length
      return { ...rest, planInitialized: true, needsReplan: false, lastThought: null, clarificationsPlanned }
    }
    case 'batch':
      return before.strategy === 'batch' ? inRound(task, before, place) : task
    case 'free': {
      if (task.plan === null) return task
      const steps = task.plan.steps.map((step, at) => (at < place.at ? step : notBegun(step, at === place.at)))
      return { ...shown({ ...task, plan: null }, { steps, current: place.at }), queue: [], resumed: true }
    }
    case 'coding':
      return mission(task, place)
    case 'custom':
      return task
    default:
      return assertNever(task)
  }
}

const notBegun = (step: TrackedStep, isNext: boolean): TrackedStep => ({
  ...step,
  ...{ status: isNext ? 'running' : 'pending', result: null, iterations: 0 },
})

/** The calls of a round that goes on are made again; one that was thought about, or that asked there, is planned anew. */
function inRound(task: BatchTask, before: BatchTask, { items, at }: RewindPoint): BatchTask {
  const { turn, call } = roundOf(before, { items, at })
  const made = before.observations.filter((one) => one.turn === turn).slice(call)
  const [intent = null, ...queue] = [
    ...made.map(({ ok: _, result: __, unknown: ___, ...again }): PendingCall => again),
    ...(turn === before.rounds ? callsOf(before) : []),
  ]
  const lastSummary = task.conclusions.at(-1)?.text ?? null
  const isCall = intent !== null && intent.tool !== askCard.name
  const isOpen = isCall && turn > (roundsOver(before).at(-1) ?? 0)
  const round = isOpen
    ? { stage: 'think' as const, rounds: turn, intent, queue, planItems: task.planItems.slice(at - call) }
    : { stage: 'plan' as const, rounds: turn - 1, queue: [], planItems: task.planItems.slice(at) }
  return { ...task, ...round, roundsBefore: turn - 1, roundMs: 0, lastSummary, currentPlanIndex: isOpen ? call : 0 }
}

/** The coding agent knows nothing of the task that it had, so it is told all of it as something new. */
function mission(task: CodingTask, { items, at }: RewindPoint): CodingTask {
  const from = at - (items.length - task.steps.length)
  const steps = task.steps.map((step, place) => (place < from ? step : { ...step, state: 'open' as const }))
  const anew = { sessionId: null, report: null, verdict: null, reached: null, reopened: false, order: null }
  return onward(withSteps({ ...task, ...anew, retries: 0, failedInRow: 0 }, steps))
}
