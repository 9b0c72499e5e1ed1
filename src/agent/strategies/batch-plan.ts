import { askCard } from '../contracts/calls.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import { sameItem } from '../domain/same-item.ts'
import type { BatchTask, PendingCall } from '../domain/task.ts'
import { noFailures } from './bookkeeping.ts'
import { callsOf } from './calls.ts'
import { withLeft } from './plan.ts'
import type { PlanPoint, PlanRules } from './strategy.ts'

/** The plan of a batch is the calls of its round. */
export const batchPlan: PlanRules<BatchTask> = { edited, firstIteration, resumed }

/**
 * The steps of a round are calls. Those that stay are made in their new order, up to the first step
 * in words alone: from there on the next round is planned by what the person said. They take the
 * lowest of their numbers, so none is given twice to a call that is made.
 */
function edited(task: BatchTask, begun: number, { seen, steps }: PlanEdit): BatchTask {
  const left = task.queue.map((call, at) => ({ call, text: seen[at] }))
  const kept: PendingCall[] = []
  for (const text of steps) {
    const at = left.findIndex((one) => one.text === text)
    if (at === -1) break
    kept.push(...left.splice(at, 1).map(({ call }) => call))
  }
  const queue = kept.map((call, at) => ({ ...call, step: task.queue[at]?.step ?? call.step }))
  const changed = { ...task, queue, planItems: withLeft(task.planItems, begun, steps) }
  return task.stage === 'close' ? { ...changed, stage: 'plan', failures: noFailures } : changed
}

function firstIteration(task: BatchTask, point: PlanPoint): number {
  const { turn, call } = roundOf(task, point)
  const rest = task.observations.filter((one) => (one.turn ?? 0) >= turn)
  return rest[call]?.step ?? task.intent?.step ?? task.spent.iterations + 1
}

/**
 * The rounds that were thought about, in the order of their conclusions; others came to no word
 * (C276).
 */
function roundsOver({ conclusions, observations }: BatchTask): number[] {
  let round = 0
  return conclusions.map(({ step }) => {
    const made = observations.findLast((one) => one.step <= step)?.turn ?? 0
    round = Math.max(round + 1, made)
    return round
  })
}

/**
 * Which round, from 1, and which of its calls. Of a round that was thought about only its name is
 * left.
 */
function roundOf(task: BatchTask, { items, at }: PlanPoint): { turn: number; call: number } {
  const inPlan = at - (items.length - task.planItems.length)
  const over = roundsOver(task)
  const isOpen = task.rounds > (over.at(-1) ?? 0)
  if (inPlan >= 0)
    return isOpen ? { turn: task.rounds, call: inPlan } : { turn: task.rounds + 1, call: 0 }
  const place = task.conclusions.findIndex(({ item }) => sameItem(item, items[at]?.text ?? ''))
  return { turn: over[place] ?? 1, call: 0 }
}

/**
 * The calls of a round that goes on are made again; one that was thought about, or that asked
 * there, is planned anew.
 */
function resumed(task: BatchTask, { items, at }: PlanPoint, before: BatchTask): BatchTask {
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
    ? {
        stage: 'think' as const,
        rounds: turn,
        intent,
        queue,
        planItems: task.planItems.slice(at - call),
      }
    : { stage: 'plan' as const, rounds: turn - 1, queue: [], planItems: task.planItems.slice(at) }
  return {
    ...task,
    ...round,
    roundsBefore: turn - 1,
    roundMs: 0,
    lastSummary,
    currentPlanIndex: isOpen ? call : 0,
  }
}
