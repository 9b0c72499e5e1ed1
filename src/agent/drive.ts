import { hasEnded, type Run } from './domain/run.ts'
import { endBroken } from './drive/broken.ts'
import { dismiss } from './drive/coding.ts'
import { driveFetch } from './drive/fetch.ts'
import { driveFollowUp } from './drive/follow-up.ts'
import { driveIndexRepo } from './drive/index-repo.ts'
import { type DriveDeps, openSession, type Session } from './drive/session.ts'
import { driveSleep } from './drive/sleep.ts'
import { driveSummary } from './drive/summarize.ts'
import { driveTask } from './drive/task.ts'
import { attempt } from './kernel/aside.ts'
import { type Hold, type Rest, withLease } from './kernel/lease.ts'
import type { Item } from './ports/wakeups.ts'

/**
 * Drives one run under its lease: asks its strategy for the next action, does it, commits, again, until it ends, waits or
 * the process stops. The run's row is read once; after that the state is in memory for as long as the fence holds.
 *
 * `begun` is a run that was made and is held by this process: nothing of it has to be read.
 */
export function createDrive(deps: DriveDeps): (item: Item, stop: AbortSignal, begun?: Run | null) => Promise<void> {
  return (item, stop, begun = null) =>
    withLease(
      deps,
      item,
      stop,
      (hold) =>
        attempt(
          deps,
          { lease: hold.lease, row: item.id, most: attemptsMost },
          () => driveOnce(deps, hold, begun),
          (problem) => endBroken(deps, hold, problem),
        ),
      begun === null ? null : { item, fence: 1 },
    )
}

/** A task gives itself up after three attempts, with what was done by then (P14); this is for when not even that works. */
const attemptsMost = 4

async function driveOnce(deps: DriveDeps, hold: Hold, begun: Run | null): Promise<Rest> {
  const session = await openSession(deps, hold, begun)
  if (session === null) return { kind: 'over' }
  const ended = await driveRun(session)
  if (hasEnded(session.run.status)) await dismiss(deps, session.run, session.task)
  return ended
}

async function driveRun(session: Session): Promise<Rest> {
  switch (session.run.type) {
    case 'sleep':
      return await driveSleep(session)
    case 'summarize_conversation':
      return await driveSummary(session)
    case 'fetch_web':
      return await driveFetch(session)
    case 'index_repo':
      return await driveIndexRepo(session)
    case 'follow_up':
      return await driveFollowUp(session)
    default:
      return await driveTask(session)
  }
}
