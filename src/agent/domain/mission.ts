import { z } from 'zod'
import { uuidFrom } from './id.ts'

/** Status with which a coding agent ends its work (C28). */
export const ReportStatus = z.enum(['success', 'failed', 'partial', 'waiting_input'])
export type ReportStatus = z.infer<typeof ReportStatus>

/** Step of a mission: a piece of work for a coding agent, as its task file says it (R126). */
export const MissionStep = z.object({
  title: z.string(),
  description: z.string(),
  constraints: z.string(),
  expected: z.string(),
  /** `failed`: given up after its retries. `skipped`: left out because a person said so. */
  state: z.enum(['open', 'done', 'failed', 'skipped']),
})
export type MissionStep = z.infer<typeof MissionStep>

/** Report of a coding agent on one task (R127). */
export const Report = z.object({
  status: ReportStatus,
  /** Under which the agent goes on with the same work; null when it did not say (R128). */
  sessionId: z.string().nullable(),
  /** The report as it was written, without its frontmatter. */
  text: z.string(),
  deliverables: z.string().nullable(),
  pitfalls: z.string().nullable(),
  advice: z.string().nullable(),
  /** With `waiting_input`: what the agent has to know. */
  question: z.string().nullable(),
})
export type Report = z.infer<typeof Report>

/** Decision on a report, and the evidence for it in words for people (R129). */
export const Verdict = z.object({
  decision: z.enum(['next', 'retry', 'replan', 'abort']),
  evidence: z.string(),
  /** The step that was judged. */
  index: z.int(),
  /** The iteration that judged it. */
  step: z.int(),
})

/** Request of a coding agent that waits for people while it works (C871, C872). */
export const AgentRequest = z.object({
  /** Unique; the same again if the agent repeats a request whose answer it never got. */
  id: z.string(),
  kind: z.enum(['approval', 'question']),
  text: z.string(),
  choices: z.array(z.string()),
})
export type AgentRequest = z.infer<typeof AgentRequest>

/** Answer to a request: leave to act, or words. `text` is null where there are none. */
export const AgentAnswer = z.object({
  id: z.string(),
  allow: z.boolean(),
  text: z.string().nullable(),
})
export type AgentAnswer = z.infer<typeof AgentAnswer>

/** Plan of a coding agent within its step, and its tool call in hand, in words. */
export const AgentProgress = z.object({
  plan: z.array(z.object({ text: z.string(), done: z.boolean() })),
  doing: z.string().nullable(),
})
export type AgentProgress = z.infer<typeof AgentProgress>

/**
 * A task file that is due or whose report is awaited. Its name follows from the run and `ordinal`.
 */
export const Order = z.object({
  ordinal: z.int(),
  command: z.enum(['new', 'continue']),
  /** Beyond what the step says: what to do differently, or what a person answered. */
  instruction: z.string().nullable(),
  /** When the agent got it, in milliseconds; null while it is still to be written. */
  sentAt: z.number().nullable(),
  /** The report as it was last seen: it is taken when it is whole and has not grown since (C29). */
  seen: z.object({ size: z.int(), at: z.number() }).nullable(),
  /** Request that people are asked about; absent: none. */
  asks: AgentRequest.optional(),
  /** Answers so far, in order; absent: none. */
  answers: z.array(AgentAnswer).optional(),
})

/** Content of a task file (R126). */
export interface Letter {
  /** A UUID. */
  id: string
  missionId: string
  /** Mission that this one goes on with, whose work it finds; absent: none. */
  after?: string
  /** Milliseconds since the epoch. */
  createdAt: number
  /** Null: the agent chooses one. */
  sessionId: string | null
  command: 'new' | 'continue' | 'end'
  title: string
  description: string
  constraints: string
  expected: string
}

/** R126, rule 5: the `ordinal`-th task of a mission has one name, however often it is written. */
export const orderIdOf = (runId: string, ordinal: number): string =>
  uuidFrom(runId, 'order', String(ordinal))

/** The file that says that a mission is over (R126). */
export const endIdOf = (runId: string): string => uuidFrom(runId, 'end')
