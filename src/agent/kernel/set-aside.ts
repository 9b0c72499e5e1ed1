import { texts } from '../../locales/texts.ts'
import type { Aside, Store } from '../ports/store.ts'
import { type ChangePart, traced } from './change.ts'
import { type Origin, postMessage } from './messages.ts'

/*
 * One bad row stops nothing behind it (P18): whatever list it is in, work on it is attempted
 * (`verb.ts`), its failures are counted, and then it is set aside in one commit, with the row
 * itself for the operator, an entry in the trace and a line to people.
 */

/**
 * True if a retry can help: what is away comes back, and a newer Clew can read a row of a later
 * version.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : null
  if (code === 'away' || code === 'unknown_version' || 'syscall' in error) return true
  return error.name === 'AbortError' || error.name === 'TimeoutError' || isAway(error.cause)
}

/** A row that the store could not read. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'damaged_row'

/** In a few words; a fault's own words are cut, since they may quote the row. */
export const problemOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)

/** Key in `core.aside`: the line that a thread reads about a damaged row. */
type Line = 'conversation' | 'inbox' | 'lost' | 'outbox'

export interface AsideOptions {
  /**
   * Rest of the commit: rows removed from their list, and the effects on those who wait for them.
   */
  part: ChangePart
  /**
   * The thread that is told, and what; null where nobody knows which, or where people hear of it by
   * `part`.
   */
  tell: { conversationId: string; line: Line } | null
  /** In whose trace it stands; the item's where it is left out. */
  of?: string
}

/**
 * Begins the id of a line about what was set aside. If that cannot be shown either, no other one is
 * said about it.
 */
const noticePrefix = 'aside_'

/** Returns the trace of a row that is set aside. */
export const tracedAside = (of: string, at: number, { list, id, problem }: Aside) =>
  traced(of, at, { kind: 'set_aside', list, id, problem: problem.slice(0, 300) })

/** The line that tells people of rows that are set aside; nothing where nobody is to be told. */
export async function noticeOf(
  { conversations }: Pick<Store, 'conversations'>,
  tell: AsideOptions['tell'],
  rows: readonly Aside[],
  { workspace, id: refId, at }: { workspace: string; id: string; at: number },
): Promise<ChangePart> {
  if (tell === null || rows.every(({ id }) => id.startsWith(noticePrefix))) return {}
  const { conversationId, line } = tell
  const state = await conversations.state(workspace, conversationId, 0)
  if (state === null) return {}
  const text = texts(state.conversation.locale).core.aside[line]
  const origin: Origin = { conversationId, cause: { kind: 'turn', refId }, at }
  const { messages, deliveries } = postMessage(origin, 'aside', text)
  const named = deliveries.map((one) => ({ ...one, id: noticePrefix + one.id }))
  return { conversationId, messages, deliveries: named }
}
