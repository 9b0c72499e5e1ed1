import { texts } from '../../locales/texts.ts'
import type { Aside, Lease, Store } from '../ports/store.ts'
import { type ChangePart, mergeChanges } from './change.ts'
import { commitChange } from './commit.ts'
import { Fenced, type Hold, type LeaseDeps } from './lease.ts'
import { postMessage } from './messages.ts'

/*
 * One bad row stops nothing behind it (P18): whatever list it is in, work on it is attempted, its failures are counted, and
 * then it is set aside in one commit, with the row itself for the operator, an entry in the trace and a line to people.
 */

/** Whether trying again later can help: what is away comes back, and a row of a version to come has a newer Clew to read it. */
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
const problemOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)

/** Work on one row that failed this often in a row, while the store was there, fails because of the row. */
const attemptsMost = 3

/**
 * Works on the first row of a list. When that fails again and again, and not because something is away, the row is set aside
 * instead, so that the ones behind it go on. Until then it throws: the lease ends by itself, and the next worker tries the
 * row again.
 *
 * @param row names it for as long as it is first.
 * @param instead sets it aside.
 */
export async function attempt<T>(
  deps: Pick<LeaseDeps, 'leases'>,
  { lease, row, most = attemptsMost }: { lease: Lease; row: string; most?: number },
  work: () => Promise<T> | T,
  instead: (problem: string) => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fenced || isAway(error)) throw error
    const times = await deps.leases.failed(lease, row)
    // What cannot be read today cannot be read in ten seconds either.
    if (times < (isDamaged(error) ? 1 : most)) throw error
    return await instead(problemOf(error))
  }
}

export interface AsideDeps extends LeaseDeps {
  store: Pick<Store, 'commits' | 'conversations'>
}

/** Of `core.aside`: what a thread is told of a row whose name nobody knows. */
type Line = 'conversation' | 'inbox' | 'lost' | 'outbox'

export interface AsideOptions {
  /** What else is in the commit: the rows out of their list, and what that means for those who wait for them. */
  part: ChangePart
  /** The thread that is told, and what; null where nobody knows which, or where people hear of it by `part`. */
  tell: { conversationId: string; line: Line } | null
  /** In whose trace it stands; the item's where it is left out. */
  of?: string
}

/** Begins the id of a line about what was set aside. If that cannot be shown either, no other one is said about it. */
const noticePrefix = 'aside_'

/** @returns false when an expectation of the part did not hold: then nothing was written. */
export async function setAside(
  deps: AsideDeps,
  { lease, nextCommit }: Pick<Hold, 'lease' | 'nextCommit'>,
  rows: readonly Aside[],
  { part, tell, of = lease.item.id }: AsideOptions,
): Promise<boolean> {
  const { item } = lease
  const id = nextCommit()
  const at = deps.clock.now()
  const isAboutNotice = rows.every((row) => row.id.startsWith(noticePrefix))
  const line =
    tell === null || isAboutNotice
      ? {}
      : await noticeOf(deps, tell, { workspace: item.workspace, id, at })
  const trace = rows.map(({ list, id, problem }) => ({
    of,
    entry: { at, what: { kind: 'set_aside' as const, list, id, problem: problem.slice(0, 300) } },
  }))
  const whole = mergeChanges({ aside: rows, trace }, line, part)
  if ((await commitChange(deps, lease, { id, at, ...whole })) === null) return false
  const isTold = (whole.messages ?? []).length > 0
  for (const { list, id, problem } of rows)
    deps.log.error(
      { item, list, row: id, problem, isTold },
      'a row is set aside: it cannot be read or fails every time',
    )
  return true
}

async function noticeOf(
  { store }: AsideDeps,
  { conversationId, line }: NonNullable<AsideOptions['tell']>,
  { workspace, id: refId, at }: { workspace: string; id: string; at: number },
): Promise<ChangePart> {
  const state = await store.conversations.state(workspace, conversationId, 0)
  if (state === null) return {}
  const text = texts(state.conversation.locale).core.aside[line]
  const { messages, deliveries } = postMessage(
    { conversationId, cause: { kind: 'turn', refId }, at },
    'aside',
    text,
  )
  return {
    conversationId,
    messages,
    deliveries: deliveries.map((one) => ({ ...one, id: noticePrefix + one.id })),
  }
}
