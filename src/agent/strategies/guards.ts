import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import {
  approvedBefore,
  granted,
  grants,
  heldBack,
  refusal,
  refused,
  waitsForApproval,
} from './approval.ts'
import { applyAside, asideAction, isOfAside } from './aside.ts'
import { answerOf, awaiting, awaitsAnswer } from './await-answer.ts'
import { waitingFor } from './bookkeeping.ts'
import { answerAgent } from './coding-agent.ts'
import { editPlan } from './edit-plan.ts'
import { modelCallOf, narrate, replannedOf } from './narration.ts'
import { planAnswered, planShown, waitsForPlan } from './plan-first.ts'
import { serviceAnswered, serviceAsked, waitsForService, withUnused } from './service.ts'
import type { AnyEvent, GuardEvent, Strategy, TaskContract, TaskEvent } from './strategy.ts'

/**
 * A strategy for the driver: it also knows approvals, and what ends or halts a task whatever its
 * way of working.
 */
export interface Guarded extends Omit<Strategy, 'apply' | 'narrate'> {
  apply(task: Task, event: AnyEvent): Task
  narrate(before: Task, event: AnyEvent, after: Task): TraceEvent[]
}

/** Puts around a strategy what is the same for all of them. */
export function guarded<T extends Task, C extends TaskContract>(plain: Strategy<T, C>): Guarded {
  // The name that a task carries ties it to its strategy; see `strategyOf`.
  const strategy = plain as unknown as Strategy
  return {
    ...strategy,
    next: (task) => asideAction(task, strategy) ?? strategy.next(task),
    apply(before, event) {
      const aside = applyAside(before, event, strategy)
      if (aside !== null) return aside
      const isAnswered = event.kind === 'answered' && before.aside === true
      const task = wished(isAnswered ? { ...before, aside: false } : before, event)
      if (isGuardEvent(event)) return applyGuard(task, event, strategy)
      if (event.kind === 'answered' && waitsForPlan(task))
        return planAnswered(strategy, task, event)
      if (event.kind === 'answered' && waitsForService(task)) return serviceAnswered(task, event)
      if (event.kind === 'observed') return withUnused(task, strategy.apply(task, event), event)
      if (event.kind === 'answered' && task.lastQuestion?.reason === 'outsized')
        return mayGoOn(task, event, strategy)
      if (event.kind === 'answered' && awaitsAnswer(task))
        return strategy.apply({ ...task, awaitingClarification: false }, answerOf(task, event))
      if (event.kind !== 'answered' || !waitsForApproval(task)) return strategy.apply(task, event)
      if (!grants(event)) return refused(strategy, task, event)
      return allowedAgent(granted(task, event))
    },
    narrate(before, event, after) {
      if (isOfAside(before, event)) return [modelCallOf(event)]
      if (event.kind === 'stands') return standsTold(before, event)
      if (isGuardEvent(event))
        return event.kind === 'plan_edited' && before.lastChange !== after.lastChange
          ? [replannedOf(before, after)]
          : []
      if (event.kind === 'answered' && waitsForPlan(before)) return [planSaid(before, event)]
      if (event.kind === 'answered' && awaitsAnswer(before))
        return narrate(strategy, before, answerOf(before, event), after)
      if (event.kind !== 'answered' || !waitsForApproval(before))
        return narrate(strategy, before, event, after)
      const { tool, step, input } = before.intent
      const { author: by, edited } = event
      const change = edited === undefined ? {} : { edited: { from: input, to: edited } }
      const said: TraceEvent = {
        kind: 'approval',
        tool,
        step,
        granted: grants(event),
        by,
        ...change,
      }
      return grants(event) ? [said] : [said, ...narrate(strategy, before, refusal(event), after)]
    },
  }
}

/** C871: what a mission's agent asked for is approved. */
const allowedAgent = (task: Task): Task =>
  task.strategy === 'coding' ? answerAgent(task, { allow: true, text: null }) : task

/** C764: whoever asks for the plan while the task works sees it before the next call that acts. */
function wished(task: Task, event: AnyEvent): Task {
  const isWish = event.kind === 'joined' && event.planFirst === true
  if (!isWish || task.planFirst !== undefined) return task
  return { ...task, planFirst: task.intent?.step ?? -1 }
}

/** The call and by which approval it is made (C772). */
function standsTold({ intent }: Task, { approval }: Guard<'stands'>): TraceEvent[] {
  if (intent === null) return []
  const { tool, step } = intent
  const { by, number: standing } = approval
  return [{ kind: 'approval', tool, step, granted: true, by, standing }]
}

const planSaid = (
  before: Task,
  { choice, author: by }: Extract<AnyEvent, { kind: 'answered' }>,
): TraceEvent => ({
  kind: 'plan_answered',
  granted: choice === 0,
  by,
  steps: before.approval?.plan?.asked ?? [],
})

type Guard<K> = Extract<GuardEvent, { kind: K }>

/** Handlers of the events that every strategy treats alike. */
const guards: {
  readonly [K in GuardEvent['kind']]: (task: Task, event: Guard<K>, strategy: Strategy) => Task
} = {
  held_back: heldBack,
  awaits: (task, { answer }) => awaiting(task, answer),
  service_asked: (task, { question }) => serviceAsked(task, question),
  plan_shown: planShown,
  outsized: (task) => ({
    ...task,
    outsized: true,
    ...waitingFor('outsized'),
  }),
  stands: approvedBefore,
  capped: (task, { reason }) => ({ ...task, settled: { kind: 'paused', reason } }),
  away: (task, { failure }) => ({
    ...task,
    settled: { kind: 'paused', reason: 'model_unavailable', failure },
  }),
  back: (task) => ({ ...task, settled: null, failures: { ...task.failures, unavailable: 0 } }),
  not_configured: (task) => ({ ...task, settled: { kind: 'gave_up', reason: 'not_configured' } }),
  expired: (task) => ({
    ...task,
    awaitingClarification: false,
    settled: { kind: 'paused', reason: 'unanswered' },
  }),
  plan_edited(task, { by: { id, name }, seen, steps }, { plan }) {
    return (plan && editPlan(task, { by: { id, name }, seen, steps }, plan)) ?? task
  },
  worn_out: (task) => ({ ...task, settled: { kind: 'gave_up', reason: 'attempts' } }),
}

/**
 * C736: the answer to a run that took far more than those before it; words of other kinds are for
 * the task (C50).
 */
function mayGoOn(
  task: Task,
  { choice, text, author }: Extract<TaskEvent, { kind: 'answered' }>,
  strategy: Strategy,
): Task {
  const goesOn = { ...task, awaitingClarification: false }
  if (choice === 0) return goesOn
  if (choice === 1)
    return { ...goesOn, settled: { kind: 'finished', ok: false, givenUp: true, text: '' } }
  return strategy.apply(goesOn, { kind: 'joined', text, author })
}

const isGuardEvent = (event: AnyEvent): event is GuardEvent => event.kind in guards

function applyGuard<K extends GuardEvent['kind']>(
  task: Task,
  event: Guard<K> & { kind: K },
  strategy: Strategy,
): Task {
  return guards[event.kind](task, event, strategy)
}
