import type { Texts } from '../../locales/texts.ts'
import type { ContractReplies, TaskView } from '../contracts.ts'
import type { AttachedImage } from '../domain/attached-image.ts'
import type { Limits, Usage } from '../domain/budget.ts'
import type { MadeFile } from '../domain/made-file.ts'
import type { Author, Offer } from '../domain/message.ts'
import type { Report } from '../domain/mission.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import type {
  GiveUpReason,
  ModelFailure,
  PauseReason,
  PlanItem,
  SentMessage,
  Task,
} from '../domain/task.ts'
import type { TraceEntry, TraceEvent } from '../domain/trace.ts'
import type { PeriodCeiling } from '../domain/usage.ts'

/** The contracts of the strategies, by strategy. */
export type StepContract = 'plan' | 'thought' | 'replan'
export type BatchContract = 'plan_tool_call' | 'think' | 'summary'
export type FreeContract = 'act'
export type CodingContract = 'mission' | 'evaluate' | 'mission_report'
export type TaskContract = StepContract | BatchContract | FreeContract | CodingContract

/** One tool call of an action. `step` names it within the task; its effect id follows from it (rule 5). */
export interface Call {
  tool: string
  input: string
  step: number
}

/** What a mission does beside asking its model: it works through a folder that it shares with a coding agent. */
export type FolderAction =
  /** The task file of the task's `order` is due. */
  | { kind: 'hand_over' }
  /** Its report is awaited: looked for now and then, without holding a worker (C43). */
  | { kind: 'await_report' }

/** What came of it. Times are milliseconds since the epoch. */
export type FolderEvent =
  | { kind: 'order_sent'; at: number }
  /** The report is there, but may still be growing (C29). */
  | { kind: 'report_seen'; size: number; at: number }
  | { kind: 'reported'; report: Report; ms: number }
  /** No report came in time (R135). */
  | { kind: 'overdue'; ms: number }
  | { kind: 'no_folder' }

/** What a task does next. The driver does it and tells the strategy what came of it. */
export type Action<C extends TaskContract = TaskContract> =
  | { kind: 'call_model'; contract: C }
  /**
   * `along`: the calls that come after it. As many of them from the front as only read may be made at the same time, when
   * this one only reads too. `withinMs`: the time that they have, if it is less than any tool's. `untilFailure`:
   * what comes after a call that failed is cut off and has no result.
   */
  | ({
      kind: 'call_tool'
      along?: readonly Call[]
      withinMs?: number
      untilFailure?: boolean
    } & Call)
  /** A question is open: nothing happens until somebody answers (R11). */
  | { kind: 'wait' }
  | { kind: 'pause'; reason: PauseReason }
  /** A blank `text` is made up for by a digest, without a model (R62). */
  | { kind: 'finish'; ok: boolean; text: string }
  | { kind: 'give_up'; reason: GiveUpReason }
  | (CodingContract extends C ? FolderAction : never)

type Reply<C extends TaskContract> = { [N in C]: { contract: N; reply: ContractReplies[N] } }[C]
interface Spending {
  usage: Usage
  /** How long it took, in milliseconds. */
  ms: number
}

/** What a tool call came to. */
export interface Observed {
  ok: boolean
  result: string
  ms: number
  /** It was cut off and may have taken effect. */
  unknown?: boolean
  /** What the tool has for the thread; `step` names the call. Strategies have no use for it. */
  note?: { step: number; text: string; offers: readonly Offer[] }
  /** What it made for people, likewise. */
  made?: { step: number; files: readonly MadeFile[] }
}

/** What came of an action, or came in from a person. */
export type TaskEvent<C extends TaskContract = TaskContract> =
  | ({ kind: 'replied'; sent?: SentMessage | undefined } & Reply<C> & Spending)
  /** The reply broke its contract; `problem` says how. */
  | ({ kind: 'refused'; contract: C; problem: string } & Spending)
  /** Nobody answered at `at`, because of `failure`; `waitMs` goes by before the next attempt. */
  | ({
      kind: 'unavailable'
      contract: C
      failure?: FailureKind
      waitMs: number
      at?: number
    } & Spending)
  /** `along`: of the calls that were made at the same time, in their order. */
  | ({ kind: 'observed'; along?: readonly Observed[] } & Observed)
  /** A call with an unkeyed effect was cut off by a crash: nobody knows whether it happened. */
  | { kind: 'interrupted' }
  /**
   * `choice`: which of the question's choices the answer is, from 0; -1 when it is none of them. `edited`: the input of the
   * call that is approved, as the person changed it.
   */
  | {
      kind: 'answered'
      question: string
      text: string
      author: Author
      choice?: number
      edited?: string
    }
  | { kind: 'joined'; text: string; author: Author; images?: AttachedImage[] }
  | { kind: 'continued' }
  | (CodingContract extends C ? FolderEvent : never)

/** The model's reply to a contract. */
export type Replied<C extends TaskContract = TaskContract> = Extract<
  TaskEvent<C>,
  { kind: 'replied' }
>

/** What happens to a task under every strategy; the guards deal with it. */
export type GuardEvent =
  /** The next call may not be made before people have approved it; `covers` is what their word then holds for. */
  | { kind: 'held_back'; covers: 'call' | 'tool' }
  /** A ceiling of the day is reached: nothing more is asked of the model. */
  | { kind: 'capped'; reason: PeriodCeiling }
  /** The model is away and is not asked; the task goes on by itself (C93). */
  | { kind: 'away'; failure: ModelFailure }
  /** It is back. */
  | { kind: 'back' }
  /** There is no model (R44). */
  | { kind: 'not_configured' }
  /** Nobody answered the question of work that nobody watches (C48). */
  | { kind: 'expired' }
  /** Somebody changed what is left of the plan by hand (C208). */
  | ({
      kind: 'plan_edited'
      entryId: string
      by: Author & { operator?: boolean | undefined }
    } & PlanEdit)
  /** Its worker died at the same step too often (P14). */
  | { kind: 'worn_out' }

export type AnyEvent = TaskEvent | GuardEvent

/** Of the steps that `shownPlan` has, which one, from 0. */
export interface PlanPoint {
  items: readonly PlanItem[]
  at: number
}

/** How a strategy's plan is changed by hand, and how a task begins again at a step of it. */
export interface PlanRules<T extends Task = Task> {
  /** C208: what follows the first `begun` steps of the plan is a person's now; `seen` has stood there. */
  edited(task: T, begun: number, edit: PlanEdit): T
  /** Nothing was done yet for the current step, so that it may still be changed; absent: it never may. */
  isUntouched?(task: T): boolean
  /** The last step that has begun, from 0; absent: the current one. */
  reached?(task: T, items: readonly PlanItem[]): number
  /** C251: from which iteration on what was done belongs to that step, or to one after it; null: nobody can tell. */
  firstIteration(task: T, point: PlanPoint, trace: readonly TraceEntry[]): number | null
  /** C251: the task that begins again there, with what it keeps besides. `before`: as it was when it was left. */
  resumed(task: T, point: PlanPoint, before: T): T
}

/**
 * How a task advances. Pure: no clock, no randomness, no input or output.
 *
 * Contract: `next` depends on the task alone; `apply` answers a new task and leaves the old one as it was, sharing every
 * part that did not change (the store writes only what is another object).
 */
export interface Strategy<T extends Task = Task, C extends TaskContract = TaskContract> {
  start(goal: string, limits: Limits, unattended: boolean): T
  next(task: T): Action<C>
  apply(task: T, event: TaskEvent<C>): T
  /** What its contracts are told of the task; the driver adds where and when (R26 to R28). */
  view(task: T): TaskView<C>
  /** What a reply came to, for the trace and the progress lines (R38 to R41). */
  narrate(before: T, event: Replied<C>, after: T): TraceEvent[]
  /** What people can do with its plan; absent: nothing, as only the strategy knows what it means. */
  readonly plan?: PlanRules<T>
  /** What the report of a pause begins with; null: nothing. */
  standing?(task: T, words: Texts['core']): string | null
}
