import { z } from 'zod'
import { Chain } from './chain.ts'
import { Author } from './message.ts'
import { Destination, ScheduleMode } from './schedule.ts'

/** Types whose runs are tasks: they show a plan in the thread and take in new messages (C42, C50). */
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
])
export type RunStatus = z.infer<typeof RunStatus>
export const Ending = RunStatus.extract(['succeeded', 'failed', 'canceled'])
export type Ending = z.infer<typeof Ending>

/** What one person thinks of a report. */
const Feedback = z.object({ author: Author, good: z.boolean(), at: z.number() })

/** A durable unit of work. Its loop's state is the task beside it. */
export const Run = z.object({
  version: z.literal(1),
  id: z.string(),
  workspace: z.string(),
  /** Null for work that nobody asked for in a thread; its first question or final opens one (R106). */
  conversationId: z.string().nullable(),
  /** Where its thread is opened while it has none. */
  channel: z.string(),
  type: z.string(),
  title: z.string(),
  /** Checked by the type's own schema before the run is created. */
  input: z.record(z.string(), z.unknown()),
  status: RunStatus,
  /** Who asked for it; null for a schedule. */
  requestedBy: Author.nullable(),
  /** Of who asked for it; null where it is not known; absent: it is the thread's. */
  timeZone: z.string().nullable().optional(),
  /** The message that asked for it, whose mark says how it ended (C84). */
  asked: z.object({ messageId: z.string(), ref: z.string() }).optional(),
  /** The inbox entry or request that made it; the run's id follows from it (R116). */
  requestId: z.string(),
  /** Of a retry: the run that is tried again (F27). */
  parentRunId: z.string().nullable(),
  /** Of one that begins again at a step of its parent's plan: which one, as it is numbered there, and by whom (C251). */
  from: z.object({ step: z.number().int(), by: Author }).optional(),
  /** Of several runs of one turn: the one to wait for (R120). */
  afterRunId: z.string().nullable(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Why it failed, in words for people. */
  error: z.string().nullable(),
  /** What it came to; the text that its terminal message carries. */
  result: z.string().nullable(),
  /** Of a run that a schedule started: which slot of which schedule, and what it may do (R122, S4). */
  schedule: z
    .object({
      scope: z.string(),
      id: z.number().int(),
      slot: z.number(),
      allow: z.array(z.string()),
      mode: ScheduleMode.optional(),
      quiet: z.boolean().optional(),
      /** Its report calls who made it (C492). */
      ping: z.boolean().optional(),
      /** The time for which they asked to be called (C491). */
      askedFor: z.number().optional(),
      place: Destination,
      /** Who made it, and so may approve what its runs want to do. */
      createdBy: Author.nullable().optional(),
    })
    .optional(),
  /** Of a run that a connector started (C120). */
  connector: z
    .object({
      name: z.string(),
      /** How it ended is told to nobody by itself: the connector asks for it, or its group reports it (C122, C123). */
      silent: z.boolean().optional(),
      /** The run that gathers the results of its group. */
      gatherer: z.string().optional(),
    })
    .optional(),
  /** Of a run that followed another one by itself, or decides whether one follows (R121). */
  chain: Chain.optional(),
  /** What people think of its report, the newest last; each person has one word (C182). */
  feedback: z.array(Feedback).optional(),
  /** Times that it was taken over since its last commit (P14). */
  attempts: z.number().int(),
})
export type Run = z.infer<typeof Run>

/** No person is there to ask: schedules and other unattended work. */
export function isUnattended(run: Pick<Run, 'requestedBy'>): boolean {
  return run.requestedBy === null
}

/** Whether it may be begun again while it stays as it is (C251); a follow-up is nothing that anybody asked for. */
export const mayBeginAgain = ({ status, type }: Pick<Run, 'status' | 'type'>): boolean =>
  isTaskType(type) && (hasEnded(status) || status === 'paused')

/** Whether a run still goes on that has no thread yet, for this channel (R104): it is nobody else's business. */
export const goesOnAlone = (
  run: Pick<Run, 'conversationId' | 'status' | 'channel'>,
  channel: string,
): boolean => run.conversationId === null && run.channel === channel && !hasEnded(run.status)

/** Whose work it is: who asked for it, or made the schedule that did. */
export const ownerOf = ({
  requestedBy,
  schedule,
}: Pick<Run, 'requestedBy' | 'schedule'>): Author | null =>
  requestedBy ?? schedule?.createdBy ?? null

/** R102: an ended run never changes again. */
export function hasEnded(status: RunStatus): status is Ending {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}
