import type { Run } from '../domain/run.ts'
import type { Aside, Lease, Store } from '../ports/store.ts'
import type { Item } from '../ports/wakeups.ts'
import { type ChangePart, mergeChanges } from './change.ts'
import { wakeFor } from './commit.ts'
import { type Beginning, beginHere } from './create-run.ts'
import type { Idle } from './idle.ts'
import { Fenced, type Hold, type LeaseDeps, withLease } from './lease.ts'
import {
  type AsideOptions,
  isAway,
  isDamaged,
  noticeOf,
  problemOf,
  tracedAside,
} from './set-aside.ts'
import type { Counted, WarnOfUsage } from './usage-warning.ts'

export interface VerbDeps extends LeaseDeps {
  store: Pick<Store, 'commits' | 'conversations'>
  /** Needed where commits count tokens. */
  warnOfUsage?: WarnOfUsage
}

/** Places for runs that may be begun here at once are needed where commits make any. */
type Deps = VerbDeps & Partial<Beginning>

/**
 * Work on one row that failed this often in a row, while the store was there, fails because of the
 * row.
 */
const attemptsMost = 3

/** Options of one commit. */
interface How {
  /** Else the next id of this lease. */
  id?: string
  /** Else now. */
  at?: number
  /** Which of the runs that it makes may be begun here at once; else none. */
  may?(run: Run): boolean
  /** Person and place of the tokens that it counts, for a warning there. */
  counted?: { cause: Counted['cause']; where(): Promise<Counted['where']> | Counted['where'] }
}

/** A verb: works on one item under its lease, until it is idle. */
export const verb =
  (deps: Deps, work: (work: Work) => Promise<Idle>) =>
  (item: Item, stop: AbortSignal, held: Lease | null = null) =>
    withLease(deps, item, stop, (hold) => work(workOf(deps, hold)), held)

/** A worker's hold on one item, with the only ways to write under it. */
export type Work = ReturnType<typeof workOf>

function workOf(deps: Deps, hold: Hold) {
  const { lease, signal, nextCommit } = hold
  const { item } = lease

  /**
   * Writes one step (rule 3), wakes what it made due, begins the runs that it makes where there is
   * room for them, and has people told when most of an allowance is used.
   *
   * @returns null for a conflict: something came in that the change did not know of, and nothing
   *   was written.
   * @throws Fenced when the item is somebody else's now.
   */
  async function commit(
    given: ChangePart,
    { id = nextCommit(), at = deps.clock.now(), may = () => false, counted }: How = {},
  ) {
    const freeSlots = deps.freeSlots?.() ?? 0
    const { change, runs } = beginHere(given, { now: at, freeSlots, may })
    const committed = await deps.store.commits.commit(lease, { id, at, ...change })
    if (committed.kind === 'fenced') throw new Fenced(item)
    if (committed.kind === 'conflict') return null
    const { progress: _, ...unseen } = change
    await wakeFor(deps, item, committed.isUnseen ? unseen : change)
    for (const run of runs) deps.begin?.(run, id)
    const { usage: now } = committed
    const { usage } = change
    if (counted !== undefined && usage !== undefined && now != null) {
      const { cause, where } = counted
      await deps.warnOfUsage?.({ lease, commit }, { usage, now, cause, where: await where() })
    }
    return committed
  }

  /** Sets rows aside in one commit (P18); false for a conflict: then nothing was written. */
  async function setAside(rows: readonly Aside[], { part, tell, of = item.id }: AsideOptions) {
    const id = nextCommit()
    const at = deps.clock.now()
    const line = await noticeOf(deps.store, tell, rows, { workspace: item.workspace, id, at })
    const change = mergeChanges(
      { aside: rows },
      ...rows.map((row) => tracedAside(of, at, row)),
      line,
      part,
    )
    if ((await commit(change, { id, at })) === null) return false
    const isTold = (change.messages ?? []).length > 0
    for (const { list, id: row, problem } of rows)
      deps.log.error(
        { item, list, row, problem, isTold },
        'a row is set aside: it cannot be read or fails every time',
      )
    return true
  }

  /**
   * Works on the first row of a list. When that fails again and again, and not because something is
   * away, the row is set aside instead, and undefined is answered. Until then it throws: the lease
   * ends by itself, and the next worker tries the row again.
   *
   * @param most failures in a row that it takes.
   */
  async function attempt<T>(
    { list, id, most = attemptsMost }: Pick<Aside, 'list' | 'id'> & { most?: number },
    work: () => Promise<T> | T,
    aside: () => Promise<AsideOptions & { row: string }>,
  ) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Fenced || isAway(error)) throw error
      const times = await deps.leases.failed(lease, id)
      // What cannot be read today cannot be read in ten seconds either.
      if (times < (isDamaged(error) ? 1 : most)) throw error
      for (let isWritten = false; !isWritten && !signal.aborted; ) {
        const { row, ...options } = await aside()
        isWritten = await setAside([{ list, id, row, problem: problemOf(error) }], options)
      }
      return undefined
    }
  }

  return { ...hold, commit, setAside, attempt }
}
