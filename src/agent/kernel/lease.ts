import { deriveId } from '../domain/id.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Lease, Leases } from '../ports/store.ts'
import type { Item, Wakeups } from '../ports/wakeups.ts'
import type { Idle } from './idle.ts'

/**
 * P14: a lost worker is noticed within 15 s: a lease lasts 10 s, is renewed every 3 s and swept for
 * every 5 s.
 */
export const leaseMs = 10_000
export const renewEveryMs = 3_000
export const sweepEveryMs = 5_000

/** Access that work on an item gets. */
export interface Hold {
  lease: Lease
  /** Aborts when the lease is lost or the process stops. */
  signal: AbortSignal
  /**
   * An id for the next commit under this lease; none comes twice, however often `work` is called.
   */
  nextCommit(): string
  /**
   * Calls `look` whenever something may have come in for the item, until the returned function is
   * called.
   */
  onNudge(look: () => void): () => void
}

/**
 * Thrown by work whose lease was taken over: nothing more may be written, and nothing has to be.
 */
export class Fenced extends Error {
  readonly code = 'fenced'
  constructor(item: Item) {
    super(`the lease on ${item.kind} ${item.id} is somebody else's now`)
  }
}

export interface LeaseDeps {
  leases: Leases
  /**
   * Items that are being worked on here; a wake for one of them makes it look at its lease and its
   * mailbox. What came in for one that is named here is sure to be seen: it is taken out before it
   * is given up.
   */
  nudges: Pick<Map<string, () => void>, 'has' | 'delete'> & {
    set(name: string, nudge: () => void): unknown
  }
  wakeups: Pick<Wakeups, 'wake'>
  clock: Clock
  log: Log
}

/**
 * Works on one item under its lease: claims it, renews by a timer, and gives it up only when its
 * mailbox is empty (P5). Conversations, runs and outboxes all go through here.
 *
 * Contract: `work` stops soon after its signal aborts (the lease was lost, or `stop` aborted for a
 * shutdown; then the item is free at once for the next worker). When `work` throws, the lease is
 * left to end by itself, so that the worker that takes it over sees that the attempt failed.
 *
 * @param held a lease that is held already; without one it is claimed.
 */
export async function withLease(
  deps: LeaseDeps,
  item: Item,
  stop: AbortSignal,
  work: (hold: Hold) => Promise<Idle>,
  held: Lease | null = null,
): Promise<void> {
  // What waited for its place until the process stopped is the next worker's.
  const lease = held ?? (stop.aborted ? null : await deps.leases.claim(item, leaseMs))
  if (lease === null) return
  const lost = new AbortController()
  const keeper = createKeeper(deps, lease, lost)
  const signal = AbortSignal.any([lost.signal, stop])
  let commits = 0
  const nextCommit = () =>
    deriveId('k', item.workspace, item.kind, item.id, String(lease.fence), String(commits++))
  try {
    for (;;) {
      const ended = await work({ lease, signal, nextCommit, onNudge: keeper.onNudge })
      if (lost.signal.aborted) return
      keeper.giveUp()
      if (stop.aborted) return await deps.leases.park(lease, deps.clock.now())
      if ((await letGo(deps, lease, ended)) === 'released') return
      keeper.keepOn()
    }
  } catch (error) {
    if (error instanceof Fenced || lost.signal.aborted) return
    deps.log.error({ item, err: error }, 'item failed; retrying when its lease ends')
  } finally {
    keeper.stop()
  }
}

/**
 * Gives the item up as its work asked for; `more`: something came in meanwhile, and the lease is
 * still held.
 */
async function letGo(
  { leases, wakeups, clock }: LeaseDeps,
  lease: Lease,
  ended: Idle,
): Promise<'released' | 'more'> {
  const { item } = lease
  if (ended.kind === 'park') {
    await leases.park(lease, ended.until)
    await wakeups.wake(item, Math.max(0, ended.until - clock.now()))
    return 'released'
  }
  if ((await leases.release(lease, releaseOptions(ended))) === 'more') return 'more'
  const soon = ended.kind === 'wakeAt' ? Math.max(0, ended.at - clock.now()) : null
  // Later than that the sweep is in time by itself; schedules are to be on time to the second.
  if (soon !== null && (soon <= sweepEveryMs || item.kind === 'schedules'))
    await wakeups.wake(item, soon)
  return 'released'
}

export const nameOf = (item: Item) => `${item.workspace} ${item.kind} ${item.id}`

function releaseOptions(ended: Idle): NonNullable<Parameters<Leases['release']>[1]> {
  if (ended.kind === 'wakeAt') return { wakeAt: ended.at, seen: ended.seen }
  if (ended.kind === 'over') return { over: true }
  return ended.kind === 'idle' && ended.done !== undefined ? { done: ended.done } : {}
}

/** Keeps a lease by a timer, and tells of what comes in for its item. */
function createKeeper(deps: LeaseDeps, lease: Lease, lost: AbortController) {
  const name = nameOf(lease.item)
  const renewal = createRenewal(deps, lease, lost)
  // Whatever comes in while the lease is being given up must not take it back: nobody would be
  // working under it.
  const renew = async () => {
    if (deps.nudges.has(name)) await renewal()
  }
  const stopRenewing = deps.clock.every(renewEveryMs, renew)
  const listeners = new Set<() => void>()
  const nudge = () => {
    // An outbox asks for its lease with everything that it sends.
    if (lease.item.kind !== 'outbox') void renew()
    for (const look of listeners) look()
  }
  deps.nudges.set(name, nudge)
  const onNudge: Hold['onNudge'] = (look) => {
    listeners.add(look)
    return () => void listeners.delete(look)
  }
  return {
    onNudge,
    giveUp: () => void deps.nudges.delete(name),
    keepOn: () => void deps.nudges.set(name, nudge),
    stop() {
      stopRenewing()
      deps.nudges.delete(name)
    },
  }
}

/**
 * Renews the lease once; never throws. If the store is away for longer than the lease, the lease is
 * lost.
 */
function createRenewal(
  { leases, clock, log }: LeaseDeps,
  lease: Lease,
  lost: AbortController,
): () => Promise<void> {
  let heldUntil = clock.now() + leaseMs
  return async () => {
    const asked = clock.now()
    try {
      if (await leases.renew(lease, leaseMs)) heldUntil = asked + leaseMs
      else lost.abort()
    } catch (error) {
      log.warn({ item: lease.item, err: error }, 'lease not renewed')
      if (clock.now() >= heldUntil) lost.abort()
    }
  }
}
