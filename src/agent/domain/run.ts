import { z } from 'zod'
import { Chain } from './chain.ts'
import { Feedback } from './feedback.ts'
import { Forecast, RunSpent } from './forecast.ts'
import { Author } from './message.ts'
import { Destination, ScheduleMode } from './schedule.ts'

/**
 * Types whose runs are tasks: they show a plan in the thread and take in new messages (C42, C50).
 */
export const taskTypes = ['agent_task', 'coding'] as const
export type TaskType = (typeof taskTypes)[number]

export const isTaskType = (type: string): boolean => taskTypes.some((one) => one === type)

export const RunStatus = z.enum([
  'queued',
  'running',
  'awaiting_clarification',
  'paused',
  'succeeded',
  'failed',
  'canceled',
  /** The work is over, and its goal was not reached; its report says why (C501). */
  'given_up',
])
export type RunStatus = z.infer<typeof RunStatus>
export const Ending = RunStatus.extract(['succeeded', 'failed', 'canceled', 'given_up'])
export type Ending = z.infer<typeof Ending>
const endings: ReadonlySet<RunStatus> = new Set(Ending.options)

/**
 * Calls that the Decision made along with a task, which begins with them, and the report beside
 * them (C578).
 */
export const FirstMoves = z.object({
  calls: z.array(z.object({ tool: z.string(), input: z.string() })),
  report: z.string().nullable(),
})
export type FirstMoves = z.infer<typeof FirstMoves>

/** A durable unit of work. Its loop's state is the task beside it. */
export const Run = z.object({
  version: z.literal(1),
  id: z.string(),
  workspace: z.string(),
  /**
   * Null for work that nobody asked for in a thread; its first question or final opens one (R106).
   */
  conversationId: z.string().nullable(),
  /** Where its thread is opened while it has none. */
  channel: z.string(),
  type: z.string(),
  title: z.string(),
  /** Checked by the type's own schema before the run is created. */
  input: z.record(z.string(), z.unknown()),
  /** True if its request asks to see the plan first (C764). */
  planFirst: z.boolean().optional(),
  /** Absent: none. What comes after a run, or tries it again, has none of them. */
  first: FirstMoves.optional(),
  status: RunStatus,
  /** Person who asked for it; `null` for a schedule. */
  requestedBy: Author.nullable(),
  /** Time zone of the person who asked; `null` if unknown; absent: the thread's. */
  timeZone: z.string().nullable().optional(),
  /** The message that asked for it, whose mark says how it ended (C84). */
  asked: z.object({ messageId: z.string(), ref: z.string() }).optional(),
  /** The inbox entry or request that made it; the run's id follows from it (R116). */
  requestId: z.string(),
  /** Run that this one retries (F27). */
  parentRunId: z.string().nullable(),
  /**
   * Step at which a run begins again, by its number in the parent's plan, and who asked for that
   * (C251).
   */
  from: z.object({ step: z.int(), by: Author }).optional(),
  /** Run of the same turn that this one waits for (R120). */
  afterRunId: z.string().nullable(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Why it failed, in words for people. */
  error: z.string().nullable(),
  /** Outcome in words: the text of its terminal message. */
  result: z.string().nullable(),
  /** Steps of its plan, where it succeeded and some were left. */
  steps: z.object({ done: z.int(), total: z.int() }).optional(),
  /** Schedule and slot that started the run, and what the run may do (R122, S4). */
  schedule: z
    .object({
      scope: z.string(),
      id: z.int(),
      slot: z.number(),
      allow: z.array(z.string()),
      mode: ScheduleMode.optional(),
      quiet: z.boolean().optional(),
      /** Its report calls who made it (C492). */
      ping: z.boolean().optional(),
      /** The time for which they asked to be called (C491). */
      askedFor: z.number().optional(),
      place: Destination,
      /** Person who made the schedule, and so may approve what its runs want to do. */
      createdBy: Author.nullable().optional(),
    })
    .optional(),
  /** Event that started the run: its source, and its data as untrusted text (C640, S66). */
  event: z.object({ source: z.string(), text: z.string() }).optional(),
  /** Connector that started the run (C120). */
  connector: z
    .object({
      name: z.string(),
      /**
       * True if no message says how the run ended: the connector asks for it, or its group reports
       * it (C122, C123).
       */
      silent: z.boolean().optional(),
      /** The run that gathers the results of its group. */
      gatherer: z.string().optional(),
    })
    .optional(),
  /** Chain of a run that followed another one by itself, or that decides if one follows (R121). */
  chain: Chain.optional(),
  /** Ratings of its report, newest last; each person has one (C182). */
  feedback: z.array(Feedback).optional(),
  /**
   * Expected amounts: of a scheduled run from its beginning, of a task since its plan stood (C735,
   * C737).
   */
  forecast: Forecast.optional(),
  /** Amounts that it took, once its work is over; absent where a person ended it. */
  spent: RunSpent.optional(),
  /** Times that it was taken over since its last commit (P14). */
  attempts: z.int(),
})
export type Run = z.infer<typeof Run>

/** No person is there to ask: schedules and other unattended work. */
export function isUnattended(run: Pick<Run, 'requestedBy'>): boolean {
  return run.requestedBy === null
}

/**
 * True if the run may be begun again in its present state (C251). Follow-ups may not: nobody asked
 * for them.
 */
export const mayBeginAgain = ({ status, type }: Run): boolean =>
  isTaskType(type) && (hasEnded(status) || status === 'paused')

/**
 * True if the run goes on, has no thread yet and belongs to this channel (R104). Other channels do
 * not see it.
 */
export const goesOnAlone = (
  run: Pick<Run, 'conversationId' | 'status' | 'channel'>,
  channel: string,
): boolean => run.conversationId === null && run.channel === channel && !hasEnded(run.status)

/** Whose work it is: who asked for it, or made the schedule that did. */
export const ownerOf = ({ requestedBy, schedule }: Run): Author | null =>
  requestedBy ?? schedule?.createdBy ?? null

/** R102: an ended run never changes again. */
export function hasEnded(status: RunStatus): status is Ending {
  return endings.has(status)
}

/** True if the work ended without reaching its goal, so that it may be tried again. */
export const hasFallenShort = (status: RunStatus): boolean =>
  hasEnded(status) && status !== 'succeeded'
