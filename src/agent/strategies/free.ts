import type { Texts } from '../../locales/texts.ts'
import { askCard } from '../contracts/calls.ts'
import type { Limits } from '../domain/budget.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import { present } from '../domain/present.ts'
import type { FirstMoves } from '../domain/run.ts'
import type { FreeTask, Observation, SentMessage } from '../domain/task.ts'
import type { TraceEntry, TraceEvent } from '../domain/trace.ts'
import {
  complete,
  declare,
  emptyPlan,
  stepIterationsMost,
  type TrackedPlan,
  type TrackedStep,
  tick,
} from '../domain/tracked-plan.ts'
import {
  accepted,
  beginning,
  cut,
  ended,
  halted,
  loopView,
  say,
  type spentOn,
} from './bookkeeping.ts'
import { callAction, queued, resultsIn } from './calls.ts'
import { reported, withoutReport } from './early-report.ts'
import { apart, givesUp, goesOn, marksIn, saidIn, stepsIn, withoutMarks } from './markers.ts'
import { callsAndEnd, itemsOf } from './narration.ts'
import type { Action, FreeContract, PlanPoint, Replied, Strategy, TaskEvent } from './strategy.ts'
import { usual, withQuestion } from './usual-events.ts'

/** F23: iterations until the task pauses, when the settings say nothing. */
const iterationsDefault = 200
/** R80: a transition needs this many iterations before it. */
const transitionAfter = 1
/** F22: a step's result is the last so many results, each cut. */
const resultsKept = 3
const resultMost = 120
const descriptionMost = 200

type Event = TaskEvent<FreeContract>
type ActReplied = Pick<Extract<Event, { kind: 'replied' }>, 'reply' | 'sent'>

/**
 * A free tool loop; Clew keeps the plan that the model declares, the model never calls a tool for
 * it (R72).
 */
export const free: Strategy<FreeTask, FreeContract> = {
  start,
  next,
  apply,
  view,
  narrate,
  plan: { edited, firstIteration, resumed },
  standing,
  ahead,
  speaks: { contract: 'act', words: ({ reply }) => withoutMarks(reply.text ?? '') },
}

function start(goal: string, limits: Limits, unattended: boolean): FreeTask {
  return {
    ...beginning(goal, limits, unattended),
    strategy: 'free',
    queue: [],
    plan: null,
    resumed: false,
  }
}

function next(task: FreeTask): Action<FreeContract> {
  const halt = halted(task)
  if (halt !== null) return halt
  if (task.intent !== null) return callAction({ ...task, intent: task.intent })
  const iterations = task.spent.modelCalls - task.allowanceFrom.modelCalls
  return iterations >= (task.limits.maxIterations ?? iterationsDefault)
    ? { kind: 'pause', reason: 'iterations' }
    : { kind: 'call_model', contract: 'act' }
}

function apply(task: FreeTask, event: Event): FreeTask {
  if (event.kind === 'replied')
    return isSilent(event.reply) ? silent(task, event) : applyReply(accepted(task, event), event)
  const told = usual(task, event)
  if (event.kind === 'observed')
    return reported(told, resultsIn(event), (one, text) => track(one, text, false))
  // Whatever else happens, the report did not know of it.
  return event.kind === 'continued'
    ? { ...withoutReport(told), resumed: true }
    : withoutReport(told)
}

function applyReply(task: FreeTask, { reply, sent }: ActReplied): FreeTask {
  const { early: _, ...rest } = task
  const answered: FreeTask = { ...rest, resumed: false }
  const text = reply.text ?? ''
  if (reply.calls.length === 0)
    return { ...track(answered, text, false), settled: ended(withoutMarks(text), givesUp(text)) }
  const { words, report } = apart(text)
  const tracked = say(track(answered, words, true), saidIn(words))
  const { modelCalls: turn } = tracked.spent
  const acting = queued(tracked, turn, reply.calls, cut(text, textMost))
  const holds = report !== null && !givesUp(report)
  const early = holds ? { early: { text: report, receipts: [], isAlone: false } } : {}
  return withQuestion(withSent({ ...acting, ...early }, sent))
}

/** C578. */
function ahead(_: FreeTask, { calls, report }: FirstMoves) {
  const text = report === null ? null : `[Report]\n${report}`
  return { contract: 'act' as const, reply: { text, calls } }
}

const isSilent = ({ text, calls }: ActReplied['reply']): boolean =>
  calls.length === 0 && (text ?? '').trim() === ''

/**
 * C448: neither words nor a call is asked for again; where all is done, Clew's digest says it in
 * the end (R62).
 */
function silent(task: FreeTask, event: Parameters<typeof spentOn>[1]): FreeTask {
  const problem = 'the reply has neither words nor a call'
  const told = usual(task, { ...event, kind: 'refused', contract: 'act', problem })
  const open = told.planItems.filter(({ done }) => !done)
  const isDone = told.observations.at(-1)?.ok === true && open.length <= 1
  return told.settled?.kind === 'paused' && isDone
    ? { ...told, settled: { kind: 'finished', ok: true, text: '' } }
    : told
}

/** C345. */
const withSent = (task: FreeTask, sent: SentMessage | undefined): FreeTask =>
  sent === undefined || task.intent === null ? task : { ...task, intent: { ...task.intent, sent } }

/** Length of a model's text kept beside its calls, in characters; the rest is repetition. */
const textMost = 4_000

/**
 * R77: takes in what the text declares and closes at most one step (R82). A plan begins with the
 * first tool call (R73); until it has a step there is nothing to close (C22).
 */
function track(task: FreeTask, text: string, acts: boolean): FreeTask {
  if (task.plan === null && !acts) return task
  const before = task.plan ?? emptyPlan
  const declared = declare(
    before,
    stepsIn(text).map((one) => cut(one, descriptionMost)),
  )
  if (before.steps[before.current] === undefined) return shown(task, declared)
  const inStep = (task.inStep ?? 0) + 1
  const ticked = tick(declared, inStep)
  // A last step is closed by the final text itself; steps behind it stay open and are named in the
  // reply (C23).
  const isLastWord = !acts && ticked.current === ticked.steps.length - 1
  const over = isLastWord ? 'done' : whyOver(task, ticked, text)
  if (over === null) return { ...shown(task, declared), inStep }
  const made = resultsOf(task, ticked)
  // C113: its time passed without anything that worked.
  const hasFailed = over === 'late' && made.length > 0 && made.every((one) => !one.ok)
  const closed = complete(ticked, inWords(made), hasFailed ? 'failed' : 'completed')
  return { ...shown(task, acts ? closed : withMarked(closed, marksIn(text) - 1)), inStep: 0 }
}

/** C545: closes as many steps as a final text marks behind the running one. */
const withMarked = (plan: TrackedPlan, marks: number): TrackedPlan =>
  marks > 0 ? withMarked(complete(plan, null), Math.min(marks, plan.steps.length) - 1) : plan

/** R82: a marker, else a transition, else too many iterations. */
function whyOver(task: FreeTask, plan: TrackedPlan, text: string): 'done' | 'late' | null {
  const iterations = plan.steps[plan.current]?.iterations ?? 0
  if (marksIn(text) > 0) return 'done'
  if (task.limits.transitions !== false && iterations > transitionAfter && goesOn(text))
    return 'done'
  return iterations >= stepIterationsMost ? 'late' : null
}

/** Returns the results of the running step's calls. */
function resultsOf(task: FreeTask, plan: TrackedPlan): Observation[] {
  const since = task.spent.modelCalls - (plan.steps[plan.current]?.iterations ?? 0)
  return task.observations.filter((one) => (one.turn ?? 0) >= since && one.tool !== askCard.name)
}

function inWords(made: readonly Observation[]): string | null {
  const results = made
    .slice(-resultsKept)
    .map((one) => `${one.tool}: ${cut(one.result.replace(/\s+/g, ' ').trim(), resultMost)}`)
  return results.length === 0 ? null : results.join('; ')
}

/** The thread shows the tracked plan like any other. */
function shown(task: FreeTask, plan: TrackedPlan): FreeTask {
  if (plan === task.plan) return task
  const planItems = plan.steps.map((step) => ({
    text: step.description,
    done: step.status === 'completed',
  }))
  return { ...task, plan, planItems, currentPlanIndex: plan.current }
}

function view(task: FreeTask) {
  return {
    ...loopView(task),
    plan: task.plan,
    resumed: task.resumed,
    mustStop: task.failures.tool >= task.limits.maxToolFailures,
    unshown: task.early === null,
  }
}

/** The story of a turn: the plan when it grows, each step when it is closed. */
function narrate(before: FreeTask, _: Replied<FreeContract>, after: FreeTask): TraceEvent[] {
  return [...planOf(before, after), ...callsAndEnd(before, after)]
}

function planOf(before: FreeTask, after: FreeTask): TraceEvent[] {
  if (after.plan === null || after.plan === before.plan) return []
  const { current } = after.plan
  const items = itemsOf(after)
  const isGrown = before.plan === null || items.length > before.planItems.length
  const isClosed = current > (before.plan?.current ?? 0)
  return present([
    isGrown && { kind: 'planned' as const, items },
    isClosed && {
      kind: 'thought' as const,
      decision: 'step_done' as const,
      index: current - 1,
      step: after.spent.iterations,
    },
  ])
}

function edited(task: FreeTask, begun: number, { steps }: PlanEdit): FreeTask {
  if (task.plan === null) return task
  return shown(task, declare({ ...task.plan, steps: task.plan.steps.slice(0, begun) }, steps))
}

function firstIteration(
  _: FreeTask,
  { at }: PlanPoint,
  trace: readonly TraceEntry[],
): number | null {
  if (at === 0) return 0
  const ends = trace.findLast(({ what }) => what.kind === 'thought' && what.index === at - 1)?.what
  return ends?.kind === 'thought' ? ends.step + 1 : null
}

/** Its turns have the numbers of the model calls, so these go on. */
function resumed(task: FreeTask, { at }: PlanPoint, before: FreeTask): FreeTask {
  const spent = { ...task.spent, modelCalls: before.spent.modelCalls }
  const begun = { ...task, spent, allowanceFrom: spent }
  if (task.plan === null) return begun
  const steps = task.plan.steps.map((step, place) =>
    place < at ? step : notBegun(step, place === at),
  )
  return {
    ...shown({ ...begun, plan: null }, { steps, current: at }),
    queue: [],
    resumed: true,
    inStep: 0,
  }
}

const notBegun = (step: TrackedStep, isNext: boolean): TrackedStep => ({
  ...step,
  status: isNext ? 'running' : 'pending',
  result: null,
  iterations: 0,
})

/** R88: goal, done of total, current step, iterations used, and the steps with their marks. */
function standing(task: FreeTask, { standing: say }: Texts['core']): string | null {
  if (task.plan === null) return null
  const current = task.planItems[task.currentPlanIndex]
  const done = task.planItems.filter((item) => item.done).length
  return present([
    say.goal(task.goal),
    say.steps(done, task.planItems.length),
    current !== undefined && say.current(current.text),
    say.iterations(task.spent.modelCalls),
    ...task.planItems.map(({ done, text }, index) => {
      const open = index === task.currentPlanIndex ? '▶' : '○'
      return `${done ? '✓' : open} ${text}`
    }),
  ]).join('\n')
}
