import { nothingSpent } from '../domain/budget.ts'
import { shownPlan } from '../domain/progress.ts'
import type { Observation, PendingCall, PlanItem, Task } from '../domain/task.ts'
import type { TraceEntry } from '../domain/trace.ts'
import { waitsForApproval } from './approval.ts'
import { noFailures } from './bookkeeping.ts'
import { closed } from './parts.ts'
import { waitsForPlan } from './plan-first.ts'
import { ownStrategies } from './strategies.ts'
import type { PlanPoint, PlanRules } from './strategy.ts'

interface Rewound {
  task: Task
  /** Trace of the plan and its steps up to there. */
  trace: TraceEntry[]
  /** Observations made since then, which the task no longer has. */
  undone: Observation[]
}

/**
 * A task from a step of its plan on, or why there is none: no plan, or only steps up to `last` have
 * begun.
 */
export type Restart =
  | ({ ok: true; step: number; text: string } & Rewound)
  | { ok: false; last: number | null }

/**
 * C251: a task as it was when a step of its plan began, for a run that works on from there. There
 * is none where that step has not begun, or nobody can tell when: of a plan that only a strategy
 * from outside understands.
 *
 * @param step as people number them, from 1; null: the last one that has begun.
 */
export function restartAt(
  task: Task | null,
  trace: readonly TraceEntry[],
  step: number | null,
): Restart {
  const plan = task === null ? undefined : ownStrategies.of(task)?.plan
  if (task === null || plan === undefined) return { ok: false, last: null }
  const { items, index } = shownPlan(task)
  const last = Math.min((plan.reached?.(task, items) ?? index) + 1, items.length)
  const at = (step ?? last) - 1
  const text = at < last ? items[at]?.text : undefined
  const first = text === undefined ? null : plan.firstIteration(task, { items, at }, trace)
  if (text === undefined || first === null) return { ok: false, last: last === 0 ? null : last }
  return { ok: true, step: at + 1, text, ...rewound(task, { items, at, first }, { plan, trace }) }
}

/**
 * C517: a task that was stopped or that failed, for a run that carries it on: its plan, what it
 * found and did, and what people said. Its allowance is new.
 *
 * @param mayHaveActed a call that was being made may have taken effect: people are asked about it,
 * and it is not made again by itself.
 * @returns null if there is nothing to carry on, or only a strategy from outside knows how.
 */
export function carriedOn(
  task: Task | null,
  trace: readonly TraceEntry[],
  mayHaveActed: (call: PendingCall) => boolean,
): { task: Task; trace: TraceEntry[]; step: number } | null {
  const strategy = task === null ? undefined : ownStrategies.of(task)
  if (task === null || strategy?.plan === undefined) return null
  if (task.planItems.length === 0 && task.observations.length === 0) return null
  const { approval: _, news: __, announced: ___, ...rest } = task
  const open = {
    ...rest,
    awaitingClarification: false,
    lastQuestion: null,
    questionsAsked: 0,
    refusal: null,
    settled: null,
  }
  const again = strategy.apply(open, { kind: 'continued' })
  const isHeld = waitsForApproval(task) || waitsForPlan(task)
  // One that waited for approval has not begun, and is put to people once more.
  const isUnknown = task.intent !== null && !isHeld && mayHaveActed(task.intent)
  return {
    task: isUnknown ? strategy.apply(again, { kind: 'interrupted' }) : again,
    trace: trace.filter(isOfPlan),
    step: Math.min(task.currentPlanIndex + 1, Math.max(1, task.planItems.length)),
  }
}

const isOfPlan = ({ what }: TraceEntry) => ['planned', 'replanned', 'thought'].includes(what.kind)

/**
 * Keeps people's words, later ones included. Call and turn numbers continue, so that none is
 * reused; all other spending starts anew.
 */
function rewound(
  task: Task,
  { items, at, first }: PlanPoint & { first: number },
  { plan, trace }: { plan: PlanRules; trace: readonly TraceEntry[] },
): Rewound {
  const isKept = ({ step }: { step: number }) => step < first
  const observations = task.observations.filter(isKept)
  const { approval: _, news: __, announced: ___, ...rest } = task
  const cleared = {
    ...rest,
    awaitingClarification: false,
    intent: null,
    lastQuestion: null,
    questionsAsked: 0,
    settled: null,
    failures: noFailures,
    refusal: null,
    lastChange: null,
    observations,
    conclusions: task.conclusions.filter(isKept),
    planItems: items.map((item, place) => (place < at ? item : open(item))),
    currentPlanIndex: at,
  }
  const spent = { ...nothingSpent, iterations: task.spent.iterations }
  const begun = plan.resumed({ ...cleared, spent, allowanceFrom: spent }, { items, at }, task)
  return {
    task: begun,
    trace: trace.filter(
      (entry) => isOfPlan(entry) && (entry.what.kind !== 'thought' || isKept(entry.what)),
    ),
    undone: task.observations.filter((one) => !isKept(one)),
  }
}

const open = (item: PlanItem): PlanItem => {
  const { parts, ...whole } = closed(item, false)
  return {
    ...whole,
    parts: parts?.map((part) => ({ ...part, done: false })),
  }
}
