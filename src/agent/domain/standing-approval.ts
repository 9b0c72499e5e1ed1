import { z } from 'zod'
import { Author } from './message.ts'

/**
 * Approval that stays (C770): of one tool with one input, in one channel, for what one person asks.
 * Its row is never changed but by its end, so that it tells who let what be done, until when.
 */
export const StandingApproval = z.object({
  version: z.literal(1),
  /** The question that it answered, by id. */
  id: z.string(),
  /** By which people name it; in the order of their making. */
  number: z.int(),
  channel: z.string(),
  /** Person for whose requests it holds. */
  asker: Author,
  /** Person who gave it. */
  by: Author,
  tool: z.string(),
  input: z.string(),
  at: z.number(),
  /** Null: until somebody ends it. */
  until: z.number().nullable(),
  ended: z.object({ by: Author, at: z.number() }).nullable(),
})
export type StandingApproval = z.infer<typeof StandingApproval>

/** Use of one of them: a record of its own for each call. */
export const ApprovalUse = z.object({
  version: z.literal(1),
  approval: z.string(),
  runId: z.string(),
  step: z.int(),
  at: z.number(),
})
export type ApprovalUse = z.infer<typeof ApprovalUse>

/** Call that somebody asks for somewhere. */
export interface AskedCall {
  channel: string
  /** Id of who asked. */
  asker: string
  tool: string
  input: string
}

export const stands = ({ until, ended }: StandingApproval, now: number): boolean =>
  ended === null && (until === null || now < until)

/** True if it covers the call: the same place, person, tool and arguments, and no others (S77). */
export const covers = (approval: StandingApproval, call: AskedCall, now: number): boolean =>
  stands(approval, now) &&
  approval.channel === call.channel &&
  approval.asker.id === call.asker &&
  approval.tool === call.tool &&
  canonical(approval.input) === canonical(call.input)

/**
 * An input without what says nothing: the order of a JSON object's fields, and blanks around it.
 */
function canonical(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), (_, value: unknown) => sorted(value))
  } catch {
    return input.trim()
  }
}

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
