import type { Texts } from '../../locales/texts.ts'
import type { ContractReplies, TaskView } from '../contracts.ts'
import type { AttachedImage } from '../domain/attached-image.ts'
import type { Limits, Usage } from '../domain/budget.ts'
import type { Awaited } from '../domain/elsewhere.ts'
import type { MadeFile } from '../domain/made-file.ts'
import type { Author, ToolNote } from '../domain/message.ts'
import type { AgentProgress, AgentRequest, Report } from '../domain/mission.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { FirstMoves } from '../domain/run.ts'
import type { ServiceQuestion } from '../domain/service-question.ts'
import type { StandingApproval } from '../domain/standing-approval.ts'
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

/**
 * Tool call of an action. `step` is its name within the task, from which its effect id is derived
 * (rule 5).
 */
export interface Call {
  tool: string
  input: string
  step: number
}

/** Step of a mission besides model calls, in the folder that it shares with a coding agent. */
export type FolderAction =
  /** The task file of the task's `order` is due. */
  | { kind: 'hand_over' }
  /** Its report is awaited: looked for now and then, without holding a worker (C43). */
  | { kind: 'await_report' }

/** Result of a folder action. Times are milliseconds since the epoch. */
export type FolderEvent =
  | { kind: 'order_sent'; at: number }
  /** The report is there, but may still be growing (C29). */
  | { kind: 'report_seen'; size: number; at: number }
  | { kind: 'reported'; report: Report; ms: number; made?: NonNullable<Observed['made']> }
  /** The agent is further on: its plan, or what it does. */
  | { kind: 'agent_at'; progress: AgentProgress; at: number }
  /** The agent waits for people (C871, C872). */
  | { kind: 'agent_asks'; request: AgentRequest; progress: AgentProgress; at: number }
  /** No report came in time (R135). */
  | { kind: 'overdue'; ms: number }
  | { kind: 'no_folder' }

/** Next move of a task. The driver makes it and passes the result back as an event. */
export type Action<C extends TaskContract = TaskContract> =
  | { kind: 'call_model'; contract: C }
  /**
   * `along`: the calls that come after it. As many of them from the front as only read may be made
   * at the same time, when this one only reads too. `withinMs`: the time that they have, if it is
   * less than any tool's. `untilFailure`: what comes after a call that failed is cut off and has no
   * result.
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
  | { kind: 'finish'; ok: boolean; text: string; givenUp?: boolean | undefined }
  | { kind: 'give_up'; reason: GiveUpReason }
  | (CodingContract extends C ? FolderAction : never)

type Reply<C extends TaskContract> = { [N in C]: { contract: N; reply: ContractReplies[N] } }[C]
interface Spending {
  usage: Usage
  /** Duration in milliseconds. */
  ms: number
}

/** Result of a tool call. */
export interface Observed {
  ok: boolean
  result: string
  ms: number
  /** It was cut off and may have taken effect. */
  unknown?: boolean
  /** True if it ended before the service got the answer to its question (C852). */
  unused?: boolean
  /** Words for people on what it did, if it did all that was asked (C579). */
  receipt?: Receipt
  /** Note that the tool has for the thread; `step` names the call. Strategies ignore it. */
  note?: ToolNote & { step: number }
  /** It stays open until somebody has answered (C843). */
  awaits?: Awaited
  /** Files that the tool made for people; strategies ignore them too. */
  made?: { step: number; files: readonly MadeFile[] }
}

/** Result of an action, or input from a person. */
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
   * `choice`: which of the question's choices the answer is, from 0; -1 when it is none of them.
   * `edited`: the input of the call that is approved, as the person changed it.
   */
  | {
      kind: 'answered'
      question: string
      choices?: readonly string[]
      text: string
      author: Author
      choice?: number
      edited?: string
    }
  /**
   * `aside`: it was said under the open question, and does not answer it (C503). `planFirst`: it
   * asks to see the plan (C764).
   */
  | {
      kind: 'joined'
      text: string
      author: Author
      images?: AttachedImage[]
      aside?: boolean
      planFirst?: boolean
    }
  | { kind: 'continued' }
  | (CodingContract extends C ? FolderEvent : never)

/** The model's reply to a contract. */
export type Replied<C extends TaskContract = TaskContract> = Extract<
  TaskEvent<C>,
  { kind: 'replied' }
>

/** Event that is the same under every strategy; the guards handle it. */
export type GuardEvent =
  /**
   * The next call may not be made before people have approved it; `covers` is what their word then
   * holds for. `input`: with which they are asked, where that is another one.
   */
  | { kind: 'held_back'; covers: 'call' | 'tool'; input?: string }
  /** People approved this very call for good (C771). */
  | {
      kind: 'stands'
      step: number
      approval: Pick<StandingApproval, 'id' | 'number' | 'by'>
      input?: string
    }
  /** The call was made, and its result is somebody's answer (C843). */
  | { kind: 'awaits'; answer: Awaited }
  /** A service asks the task's person something before it goes on with the call (C850). */
  | { kind: 'service_asked'; question: ServiceQuestion }
  /** The plan may not be acted on before people have approved it (C764). */
  | { kind: 'plan_shown' }
  /** The next request would go far beyond what the runs of its schedule took before (C736). */
  | { kind: 'outsized' }
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

/** Position in a plan; `at` is an index into the steps of `shownPlan`. */
export interface PlanPoint {
  items: readonly PlanItem[]
  at: number
}

/** Rules for editing a strategy's plan by hand and for restarting a task at one of its steps. */
export interface PlanRules<T extends Task = Task> {
  /**
   * C208: replaces the steps behind the first `begun` by those of a person, who saw `seen` there.
   */
  edited(task: T, begun: number, edit: PlanEdit): T
  /**
   * Nothing was done yet for the current step, so that it may still be changed; absent: it never
   * may.
   */
  isUntouched?(task: T): boolean
  /** The last step that has begun, from 0; absent: the current one. */
  reached?(task: T, items: readonly PlanItem[]): number
  /**
   * C251: from which iteration on what was done belongs to that step, or to one after it; null:
   * nobody can tell.
   */
  firstIteration(task: T, point: PlanPoint, trace: readonly TraceEntry[]): number | null
  /**
   * C251: the task that begins again there, with what it keeps besides. `before`: as it was when it
   * was left.
   */
  resumed(task: T, point: PlanPoint, before: T): T
}

/**
 * State machine of a task. Pure: no clock, no randomness, no I/O.
 *
 * Contract: `next` depends on the task alone. `apply` returns a new task, leaves the old one intact
 * and shares every unchanged part (the store writes only changed objects).
 */
export interface Strategy<T extends Task = Task, C extends TaskContract = TaskContract> {
  start(goal: string, limits: Limits, unattended: boolean): T
  next(task: T): Action<C>
  apply(task: T, event: TaskEvent<C>): T
  /** Returns the input of its contracts; the driver adds place and time (R26 to R28). */
  view(task: T): TaskView<C>
  /** Returns a reply's events for the trace and the progress lines (R38 to R41). */
  narrate(before: T, event: Replied<C>, after: T): TraceEvent[]
  /**
   * Rules for editing its plan. Absent: nobody can, as only the strategy knows what the plan means.
   */
  readonly plan?: PlanRules<T>
  /**
   * C503: contract under which words beside an open question are answered, and the words in its
   * reply. Absent: such words only wait for the answer.
   */
  readonly speaks?: { readonly contract: C; words(event: Replied<C>): string | null }
  /**
   * Returns the reply that makes the calls with which a task may begin (C578); null: this one may
   * not. Absent: none may.
   */
  ahead?(task: T, first: FirstMoves): Reply<C> | null
  /** Returns the opening of a pause's report; null: none. */
  standing?(task: T, words: Texts['core']): string | null
}
