import { z } from 'zod'
import { deriveId } from './id.ts'
import { Author } from './message.ts'

/**
 * Something a run must know before it goes on. Asked once, kept until it is answered or its run
 * ends (R11, P13).
 */
export const Question = z.object({
  version: z.literal(1),
  id: z.string(),
  runId: z.string(),
  text: z.string(),
  /** Answers to choose from; any other words are an answer too. */
  choices: z.array(z.string()),
  askedAt: z.number(),
  /** Whom the question names; anyone allowed may answer it (C47). */
  askedOf: z.string().nullable(),
  /** Person who is called to answer it (C82). */
  owner: Author.nullable().optional(),
  /** Only `owner`, or an admin, may answer (C47). */
  ownerOnly: z.boolean().optional(),
  /** All of the call that it is about, where its text shows only the beginning. */
  whole: z.string().optional(),
  /**
   * The input of the call that it is about, where people may change it before they approve it
   * (C184).
   */
  input: z.string().optional(),
  /** Tool of the call, where its approval may stay from now on (C770). */
  tool: z.string().optional(),
  /**
   * It approves something that takes effect outside: only the person who asked for the work, or an
   * admin, may answer.
   */
  approval: z.boolean().optional(),
  /**
   * True if it shows a plan that waits for approval: other words than a yes or a no change it
   * (C765).
   */
  plan: z.boolean().optional(),
  /** It is a service's: its person alone may answer, no admin either (C851). */
  service: z
    .object({
      /** The service's words and choices, which nobody else sees; absent: `text` has them. */
      alone: z.string().optional(),
      /** True if words are the answer, so that a number in them is no choice. */
      typed: z.boolean(),
      /** Page that they are to open (C854). */
      link: z.string().optional(),
    })
    .optional(),
  /** Ids of those who may give this approval besides admins. */
  approvers: z.array(z.string()).optional(),
})
export type Question = z.infer<typeof Question>

/**
 * True if a person may answer it, who is no admin (C47). An approval of an earlier release may name
 * nobody; then the core decides.
 */
export function isAskedOf(
  { approval, approvers, owner, ownerOnly }: Question,
  person: string,
): boolean {
  const named = approvers ?? (owner == null ? [person] : [owner.id])
  return approval === true || ownerOnly === true ? named.includes(person) : true
}

/**
 * The question as a person sees it: a service's words for them alone in place of the thread's
 * (C853).
 */
export function seenBy(question: Question, person: string | null): Question {
  const { service, owner } = question
  const isTheirs = person !== null && owner?.id === person
  return isTheirs && service?.alone !== undefined ? { ...question, text: service.alone } : question
}

/** Closed question and its answer, for a late answer and for "✅ Ana chose *Lisbon*". */
export const AnsweredQuestion = z.object({
  question: Question,
  answer: z.string(),
  /** The call as it was approved, where the person who did had changed it. */
  edited: z.string().optional(),
  author: z.object({ id: z.string(), name: z.string() }),
  at: z.number(),
})
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>

/** The `ordinal`-th question of a run has one id, however often it is asked again after a crash. */
export function questionIdOf(runId: string, ordinal: number): string {
  return deriveId('q', runId, String(ordinal))
}

/** The same asked of another person; null where this one is not asked. */
export function questionFor(question: Question, person: string, to: Author): Question | null {
  const { owner, approvers } = question
  const isOwner = owner?.id === person
  if (!isOwner && !approvers?.includes(person)) return null
  return {
    ...question,
    ...(isOwner ? { owner: to, askedOf: to.name } : {}),
    approvers: approvers?.map((one) => (one === person ? to.id : one)),
  }
}
