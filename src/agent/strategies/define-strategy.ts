import type { z } from 'zod'
import type { TaskView } from '../contracts.ts'
import type { Limits } from '../domain/budget.ts'
import type { CustomTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { accepted, beginning, halted } from './bookkeeping.ts'
import { callAction } from './calls.ts'
import { type Guarded, guarded } from './guards.ts'
import { callsAndEnd } from './narration.ts'
import type {
  Action,
  CodingContract,
  FolderEvent,
  Replied,
  Strategy,
  TaskContract,
  TaskEvent,
} from './strategy.ts'
import { type Happening, usual } from './usual-events.ts'

/** Contract that an outside strategy may ask the model for: every one but a mission's. */
export type AskedContract = Exclude<TaskContract, CodingContract>

/** A task under a strategy from outside: what every task has, and the strategy's own `state`. */
export type OwnTask<S> = Omit<CustomTask, 'state'> & { state: S }

/**
 * A way of working. Pure: no clock, no randomness, no input or output, and every function answers a
 * new task and leaves the old one as it was. Calls that wait in line, open questions, pauses and
 * ceilings are looked after (C36).
 */
export interface StrategyDefinition<S, C extends AskedContract> {
  /** Kept with every task and written in `AGENT_STRATEGY`: small letters, digits and hyphens. */
  readonly name: string
  /** When to choose it, for the Decision where the setting is `auto`. */
  readonly description: string
  /** Phrases in a request that choose this strategy ("one by one"), in lower case. */
  readonly words?: readonly string[]
  /**
   * Schema of `state`, which is stored as JSON with the task. It must read what older versions
   * wrote.
   */
  readonly state: z.ZodType<S>
  start(goal: string, limits: Limits): S
  /** Asked whenever no call is left to make: the next request, or that the task pauses. */
  next(task: OwnTask<S>): Extract<Action<C>, { kind: 'call_model' | 'pause' }>
  /** Turns a reply, already counted, into calls (`queued`), an end (`settled`) or another state. */
  replied(task: OwnTask<S>, event: Replied<C>): OwnTask<S>
  /** Returns the input of its contracts; `loopView` has most of it. */
  view(task: OwnTask<S>): TaskView<C>
  /** All else that happens; `usual` where it is left out. */
  apply?(task: OwnTask<S>, event: Happening): OwnTask<S>
  /**
   * Returns a reply's events for the trace and the progress line. Default: the calls and the end.
   */
  narrate?(before: OwnTask<S>, event: Replied<C>, after: OwnTask<S>): TraceEvent[]
}

/** A strategy from outside as the registry takes it. */
export interface OutsideStrategy {
  readonly name: string
  readonly description: string
  readonly words: readonly string[]
  readonly strategy: Guarded
}

/** @throws Error when the name is none. */
export function defineStrategy<S, C extends AskedContract>(
  definition: StrategyDefinition<S, C>,
): OutsideStrategy {
  const { name, description, words = [] } = definition
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) throw new Error(`a strategy cannot be called "${name}"`)
  return { name, description, words, strategy: guarded(adapted(definition)) }
}

function adapted<S, C extends AskedContract>(
  definition: StrategyDefinition<S, C>,
): Strategy<CustomTask, C> {
  const own = (task: CustomTask): OwnTask<S> => ({
    ...task,
    state: definition.state.parse(task.state),
  })
  const { apply = usual, narrate = (before, _, after) => callsAndEnd(before, after) } = definition
  return {
    start(goal, limits, unattended) {
      const state = definition.start(goal, limits)
      return {
        ...beginning(goal, limits, unattended),
        strategy: 'custom' as const,
        name: definition.name,
        queue: [],
        state,
      }
    },
    next(task) {
      const halt = halted(task)
      if (halt !== null) return halt
      return task.intent === null
        ? definition.next(own(task))
        : callAction({ ...task, intent: task.intent })
    },
    apply(task, event) {
      if (isReply(event)) return definition.replied(accepted(own(task), event), event)
      return isHappening(event) ? apply(own(task), event) : task
    },
    view: (task) => definition.view(own(task)),
    narrate: (before, event, after) => narrate(own(before), event, own(after)),
  }
}

const isReply = <C extends TaskContract>(event: TaskEvent<C>): event is Replied<C> =>
  event.kind === 'replied'

const folderEvents = [
  'order_sent',
  'report_seen',
  'reported',
  'agent_at',
  'agent_asks',
  'overdue',
  'no_folder',
] satisfies FolderEvent['kind'][]

/** True for all but replies and the events of a mission's folder. */
const isHappening = <C extends TaskContract>(
  event: TaskEvent<C>,
): event is TaskEvent<C> & Happening =>
  event.kind !== 'replied' && !(folderEvents as readonly string[]).includes(event.kind)
