import { z } from 'zod'
import { AttachedImage } from './attached-image.ts'
import { Limits, Spent } from './budget.ts'
import { Awaited } from './elsewhere.ts'
import { Author } from './message.ts'
import { MissionStep, Order, Report, Verdict } from './mission.ts'
import { FailureKind } from './model-failure.ts'
import { ServiceQuestions } from './service-question.ts'
import { TrackedPlan } from './tracked-plan.ts'
import { variant } from './variant.ts'

const PlanPart = z.object({ text: z.string(), done: z.boolean() })
/**
 * `parts`: its sub-steps, where it turned out to be several (C127); they have none of their own.
 */
export const PlanItem = z.object({ ...PlanPart.shape, parts: z.array(PlanPart).optional() })
export type PlanItem = z.infer<typeof PlanItem>

/**
 * An assistant's message as its endpoint sent it, and who that was: it goes back unchanged, and
 * nobody else reads it (C345, R42).
 */
export const SentMessage = z.object({ by: z.string(), message: z.record(z.string(), z.unknown()) })
export type SentMessage = z.infer<typeof SentMessage>

/**
 * Report that a model wrote beside calls, before their results (C579). It is shown if each of them
 * did what it says; `receipts` are those that have, `isAlone` where they have to stand without it.
 */
export const EarlyReport = z.object({
  text: z.string(),
  receipts: z.array(z.string()),
  isAlone: z.boolean(),
})
export type EarlyReport = z.infer<typeof EarlyReport>

const call = {
  /** The iteration that makes it; unique within the task. */
  step: z.int(),
  tool: z.string(),
  input: z.string(),
  /** Calls that were decided together have one; absent where each is decided by itself. */
  turn: z.int().optional(),
  /** Text that the model wrote along with its calls; kept on the first of them. */
  said: z.string().optional(),
  /** The message that holds the calls; on the first of them. */
  sent: SentMessage.optional(),
}

/** Result of a tool call. `ok` says if it worked; the text never decides that (F5). */
export const Observation = z.object({
  ...call,
  ok: z.boolean(),
  result: z.string(),
  /** Cut off on its way: it may have taken effect (C13). */
  unknown: z.boolean().optional(),
})
export type Observation = z.infer<typeof Observation>

/**
 * Something a person said to the task: the answer to its question, or a message while it worked
 * (C50).
 */
export const Clarification = z.object({
  step: z.int(),
  /** Null when nobody had asked. */
  question: z.string().nullable(),
  /** The answers that the question offered; absent: none. */
  choices: z.array(z.string()).optional(),
  text: z.string(),
  author: Author,
  /** Attached images (C160); absent: none. */
  images: z.array(AttachedImage).optional(),
})
export type Clarification = z.infer<typeof Clarification>

/** Words of the thought that closed a plan item (R13). */
export const Conclusion = z.object({
  step: z.int(),
  item: z.string(),
  text: z.string().nullable(),
  /** Words of a round's end for the next one alone (R55); absent: none. */
  analysis: z.string().optional(),
  ok: z.boolean(),
})
export type Conclusion = z.infer<typeof Conclusion>

/** Changes that the last replan made to the list, and their cause (shown in the thread). */
export const PlanChange = z.object({
  added: z.array(z.string()),
  dropped: z.array(z.string()),
  /** The words of the person that caused it; null after an ordinary subtask. */
  because: Clarification.nullable(),
  /** The person that changed it by hand (C208). */
  by: Author.optional(),
})
export type PlanChange = z.infer<typeof PlanChange>

/**
 * Decision in the model's newest reply, in a word; `index` is the item that it was about (R38,
 * R39).
 */
export const News = z.object({
  kind: z.enum(['planned', 'replanned', 'act', 'step_done', 'ask']),
  index: z.int(),
})
export type News = z.infer<typeof News>

/**
 * Behaviour of a paused task: `ask` waits for "continue", `auto` goes on with any next message
 * (F24).
 */
export type OnPause = 'ask' | 'auto'

/** Why a task stopped with work left; "continue" goes on (C35). */
export const PauseReason = z.enum([
  'steps',
  'rounds',
  'iterations',
  'model_calls',
  'tool_calls',
  'tokens',
  'cost',
  'time',
  /** Ceilings on the use of a person, a channel or the whole team in a day or month (S8, C131). */
  'person_day',
  'team_day',
  'channel_day',
  'person_month',
  'team_month',
  'channel_month',
  'model_unavailable',
  'model_unusable',
  /** Work that nobody watches asked something and nobody answered in time (C48). */
  'unanswered',
  /** The folder that is shared with the coding agent cannot be used. */
  'no_desk',
])
export type PauseReason = z.infer<typeof PauseReason>

/**
 * Why nobody answered a task's request, since when, and how long it is to wait, in milliseconds.
 */
export const ModelFailure = z.object({ kind: FailureKind, waitMs: z.number(), since: z.number() })
export type ModelFailure = z.infer<typeof ModelFailure>

/** Why a task failed without an answer of the model's. */
export const GiveUpReason = z.enum(['no_plan', 'not_configured', 'attempts'])
export type GiveUpReason = z.infer<typeof GiveUpReason>

/** A tool call that has been decided and not yet observed. Committed before the tool runs. */
export const PendingCall = z.object({
  ...call,
  /** The call whose effect this one has, when it makes up for one that was cut off (C13). */
  effect: z.int().optional(),
  /** It ends its plan item if it succeeds (C141). */
  endsItem: z.boolean().optional(),
  /** Progress in words of its tool (C922). */
  said: z.string().optional(),
})
export type PendingCall = z.infer<typeof PendingCall>

const questionReasons = [
  'asked',
  'stuck',
  'outcome_unknown',
  'approval',
  'mission_stuck',
  /** Its plan waits for people; they want another one, and have not said which. */
  'plan',
  'plan_change',
  /** It took far more than those before it (C736). */
  'outsized',
  /** Somebody was asked elsewhere, or by name, and has not answered (C843). */
  'elsewhere',
  /** A service asks something in the middle of a call (C850). */
  'service',
] as const

/**
 * Fields that every strategy keeps. The driver, the thread and the store know a task by these
 * alone.
 */
const common = {
  version: z.literal(1),
  goal: z.string(),
  unattended: z.boolean(),
  limits: Limits,
  spent: Spent,
  /** `spent` as it was at the start or the last "continue": the ceilings count from here. */
  allowanceFrom: Spent,
  planItems: z.array(PlanItem),
  currentPlanIndex: z.int(),
  awaitingClarification: z.boolean(),
  intent: PendingCall.nullable(),
  /**
   * Step of the call whose intent is in the audit and whose outcome is not (C710); absent, null:
   * none.
   */
  announced: z.int().nullable().optional(),
  /** Question that the model or a failure wants to ask; becomes the open question. */
  lastQuestion: z
    .object({
      /** Null: Clew's own question, for the given reason. */
      text: z.string().nullable(),
      choices: z.array(z.string()),
      reason: z.enum(questionReasons),
      /** Answer that it waits for; absent: that of anybody here. */
      awaits: Awaited.optional(),
    })
    .nullable(),
  questionsAsked: z.int(),
  /** Words for the thread beside the work, in order (C502); absent: none. */
  said: z.array(z.object({ step: z.int(), text: z.string() })).optional(),
  /**
   * Somebody spoke under the open question without answering it; the model may say something
   * (C503).
   */
  aside: z.boolean().optional(),
  /** Absent until a call has to be approved. */
  approval: z
    .object({
      /** Number of times that people were asked. */
      asked: z.int(),
      /**
       * Scope of the open question, or the last one: the one call, or every further use of its
       * tool.
       */
      covers: z.enum(['call', 'tool']),
      /** The step of the call that was approved last. */
      granted: z.int().nullable(),
      /** Tools that need no further approval in this task. */
      tools: z.array(z.string()),
      /** Steps of the plan as they were shown last, and all that were approved (C764). */
      plan: z.object({ asked: z.array(z.string()), approved: z.array(z.string()) }).optional(),
      /** Id of the person who approved a tool last, by its name (S71). */
      by: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** Absent until a service asks something. */
  service: ServiceQuestions.optional(),
  /**
   * Calls behind this one wait until people have approved the plan (C764); one up to it may have
   * begun already. Absent: nobody asked for that when it began.
   */
  planFirst: z.int().optional(),
  /**
   * People were asked if it may go on, since it took far more than those before it (C736); absent:
   * never.
   */
  outsized: z.literal(true).optional(),
  /** Consecutive ones; each kind is counted apart (C5). */
  failures: z.object({
    tool: z.int(),
    contract: z.int(),
    unavailable: z.int(),
    repeatedQuestion: z.int(),
    /** Refused replies since only `ask_user` or `done` is accepted (C5). */
    refusedStops: z.int(),
  }),
  /** Why the last reply was refused; goes into the next request, then is cleared. */
  refusal: z.string().nullable(),
  lastChange: PlanChange.nullable(),
  /** Absent until a reply decided something. */
  news: News.optional(),
  /** Set when the task is over or has to wait; the driver carries it out in the same commit. */
  settled: z
    .discriminatedUnion('kind', [
      variant('finished', {
        ok: z.boolean(),
        text: z.string(),
        /** The model's own word that the goal was not reached (C501). */
        givenUp: z.boolean().optional(),
      }),
      variant('gave_up', { reason: GiveUpReason }),
      /**
       * `failure`: why the model did not answer, where that is the reason, and how long to wait at
       * least.
       */
      variant('paused', {
        reason: PauseReason,
        failure: ModelFailure.optional(),
      }),
    ])
    .nullable(),
  observations: z.array(Observation),
  clarifications: z.array(Clarification),
  conclusions: z.array(Conclusion),
}

/** R36: the state of one task under the `step` strategy. */
export const StepTask = z.object({
  ...common,
  strategy: z.literal('step'),
  /** Calls of the same reply that come after `intent`; none in rows of earlier versions. */
  queue: z.array(PendingCall).default([]),
  planInitialized: z.boolean(),
  needsReplan: z.boolean(),
  /** Short words for the progress line; never the model's reasoning (R42). */
  lastThought: z.object({ status: z.string(), currentStep: z.string() }).nullable(),
  /** Number of clarifications that the plan already reflects. */
  clarificationsPlanned: z.int(),
  /** Items that have ended since the plan was looked at last (C142); absent: none. */
  unplanned: z.int().optional(),
})
export type StepTask = z.infer<typeof StepTask>

/** The state of one task under the `batch` strategy: rounds of plan, execute, think (R45). */
export const BatchTask = z.object({
  ...common,
  strategy: z.literal('batch'),
  /** Calls of this round that come after `intent`. */
  queue: z.array(PendingCall),
  /**
   * Purpose of the next request, when no call is left to make. `close`: the summary that is always
   * written (R61).
   */
  stage: z.enum(['plan', 'think', 'close']),
  /** Accepted plans since the start, and how many of them were before the last "continue". */
  rounds: z.int(),
  roundsBefore: z.int(),
  /** Calls that were planned for the round after a pause (C512); absent: none. */
  nextRound: z
    .array(z.object({ tool: z.string(), arguments: z.string(), purpose: z.string().nullable() }))
    .optional(),
  /** Work in this round so far, in milliseconds (R65). */
  roundMs: z.int(),
  /** R56: the last words for people; the final ones when nothing better comes (R60). */
  lastSummary: z.string().nullable(),
})
export type BatchTask = z.infer<typeof BatchTask>

/** The state of one task under the `free` strategy: a tool loop with a tracked plan. */
export const FreeTask = z.object({
  ...common,
  strategy: z.literal('free'),
  queue: z.array(PendingCall),
  /** Null until the first tool call (R73). */
  plan: TrackedPlan.nullable(),
  /**
   * Iterations in the running step that `plan` does not hold yet, so that a call of the model does
   * not write the whole plan again (C596); absent in rows of earlier versions.
   */
  inStep: z.int().optional(),
  /** A person said "continue" and the model has not been told yet (R85). */
  resumed: z.boolean(),
  /**
   * Report beside the calls that are made now. Null: it did not hold, and the model has not been
   * told yet; absent: none.
   */
  early: EarlyReport.nullable().optional(),
})
export type FreeTask = z.infer<typeof FreeTask>

/**
 * The state of one mission under the `coding` strategy: steps that a coding agent works on, one at
 * a time (R125).
 */
export const CodingTask = z.object({
  ...common,
  strategy: z.literal('coding'),
  steps: z.array(MissionStep),
  /**
   * `work`: a task file is due or its report is awaited. `close`: the summary that always is there
   * (R138).
   */
  stage: z.enum(['plan', 'work', 'evaluate', 'replan', 'close']),
  order: Order.nullable(),
  /** Task files so far. */
  orders: z.int(),
  /** Retries of the current step (R131). */
  retries: z.int(),
  /** Steps given up in a row (R134). */
  failedInRow: z.int(),
  sessionId: z.string().nullable(),
  /** The one that is judged. */
  report: Report.nullable(),
  /** Context that later steps need, as the last evaluation put it (F33). */
  context: z.string(),
  /** Problems met on the way that are worth knowing, newest last. */
  pitfalls: z.array(z.string()),
  verdict: Verdict.nullable(),
  /** Set when the mission is over: whether its goal was reached. */
  reached: z.boolean().nullable(),
  /** A person said something when all was done: there may be nothing more to do. */
  reopened: z.boolean(),
})
export type CodingTask = z.infer<typeof CodingTask>

/**
 * The state of one task under a strategy from outside. The record is readable whether or not that
 * strategy is there; what is in `state`, any JSON, only the strategy itself knows.
 */
export const CustomTask = z.object({
  ...common,
  strategy: z.literal('custom'),
  /** The strategy's own name. */
  name: z.string(),
  queue: z.array(PendingCall),
  state: z.unknown(),
})
export type CustomTask = z.infer<typeof CustomTask>

/** The state of a run's loop. One member a strategy, and one for all from outside. */
export const Task = z.discriminatedUnion('strategy', [
  StepTask,
  BatchTask,
  FreeTask,
  CodingTask,
  CustomTask,
])
export type Task = z.infer<typeof Task>

/** Ways of working that a task can be asked to have; `coding` is a run type of its own. */
export const strategyNames = ['step', 'batch', 'free'] as const
export type StrategyName = (typeof strategyNames)[number]

/** The parts of a task that only grow. The store appends to them and never writes them again. */
export const growing = ['observations', 'clarifications', 'conclusions'] as const
