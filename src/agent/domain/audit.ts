import { z } from 'zod'

/**
 * Places where an argument's words stand; `task`: in what the model made of the request, `model`:
 * in none of them (S71).
 */
export const origins = [
  'asker',
  'records',
  'others',
  'event',
  'file',
  'tool',
  'web',
  'task',
  'model',
] as const

/**
 * Fields of every row. People are named by their ids, threads and runs by theirs; no row holds
 * contents.
 */
const common = {
  version: z.literal(1),
  workspace: z.string(),
  /** Conversation that it belongs to; null: none. */
  thread: z.string().nullable(),
  /** Id of the person who asked for it; null: nobody did. */
  by: z.string().nullable(),
}
/** A call of a run, by its step; `effect` is the id under which it acts once. */
const call = { run: z.string(), step: z.number(), tool: z.string(), effect: z.string() }

/** Entry of the record of what Clew did, as the commit that does it says it (C710). */
export const AuditEntry = z.discriminatedUnion('kind', [
  /** A call that acts is about to be made. */
  z.object({
    ...common,
    ...call,
    kind: z.literal('intent'),
    /**
     * Rule that lets it be made: nobody has to approve it, people approved the call, or once its
     * tool in this run, or a schedule allows it.
     */
    rule: z.enum(['free', 'call', 'tool', 'schedule']),
    /** Id of the person who approved it. */
    approvedBy: z.string().nullable(),
    /** Acting as the asker on Clew's own records, or with the accounts of the installation. */
    as: z.enum(['asker', 'installation']),
    /** Origin of each argument, by its name. */
    origin: z.record(z.string(), z.enum(origins)),
  }),
  /** Result of that call; `unknown`: nobody can tell whether it took effect. */
  z.object({
    ...common,
    ...call,
    kind: z.literal('outcome'),
    result: z.enum(['ok', 'failed', 'unknown']),
  }),
  /**
   * `by` approved or refused a call; `standing`: by an approval that stays, which has this number.
   */
  z.object({
    ...common,
    ...call,
    kind: z.literal('approval'),
    granted: z.boolean(),
    standing: z.int().optional(),
  }),
  /**
   * Something that Clew keeps was changed, or all that is kept of a person or in a thread was
   * handed out or erased (C893). `effect` is the id of the change.
   */
  z.object({
    ...common,
    kind: z.literal('kept'),
    what: z.enum(['todo', 'schedule', 'memory', 'setting', 'person', 'thread', 'message']),
    scope: z.string(),
    id: z.string(),
    change: z.string(),
    effect: z.string(),
  }),
  /** The retention removed the rows up to number `to`, whose hash is in `last`. */
  z.object({ ...common, kind: z.literal('trimmed'), to: z.number(), last: z.string() }),
])
export type AuditEntry = z.infer<typeof AuditEntry>

/**
 * Fields that the store adds: number, instant of the commit in milliseconds since the epoch, hash
 * of the row before, keyed hash of its contents, own hash.
 */
const chained = {
  seq: z.number(),
  before: z.string(),
  contents: z.string(),
  at: z.number(),
  hash: z.string(),
}
export const AuditRow = z.intersection(z.object(chained), AuditEntry)
export type AuditRow = z.infer<typeof AuditRow>

/** Change of something that Clew keeps, but for who made it. */
export type KeptChange = Pick<
  Extract<AuditEntry, { kind: 'kept' }>,
  'workspace' | 'what' | 'scope' | 'id' | 'change'
>

/** An entry with what only its keyed hash is kept of; absent: nothing. */
export interface Audited {
  entry: AuditEntry
  contents?: string
}

/**
 * Text of an entry in ASCII alone, so that each byte of a row is one sign and none is lost in
 * reading.
 */
export function entryText(entry: AuditEntry, at: number): string {
  const text = JSON.stringify({ at, ...entry })
  if (!foreign.test(text)) return text
  return text.replaceAll(
    /[^\x20-\x7e]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
const foreign = /[^\x20-\x7e]/

/** Row of a chain by its number and its hash. */
export interface ChainHead {
  seq: number
  hash: string
}
