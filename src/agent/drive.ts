import { hasEnded, type Run } from './domain/run.ts'
import { brokenEnd } from './drive/broken.ts'
import { dropCall } from './drive/calls.ts'
import { dismiss } from './drive/coding.ts'
import { finishRun } from './drive/finish.ts'
import { driverOf } from './drive/run-types.ts'
import { endWith } from './drive/scene.ts'
import { type DriveDeps, type Driver, notYet, openSession } from './drive/session.ts'
import type { Idle } from './kernel/idle.ts'
import { verb, type Work } from './kernel/verb.ts'
import type { Item } from './ports/wakeups.ts'

/**
 * Drives one run under its lease: asks its strategy for the next action, does it, commits, again,
 * until it ends, waits or the process stops. The run's row is read once; after that the state is in
 * memory for as long as the fence holds.
 *
 * `begun` holds a run that was made and is held by this process: nothing of it has to be read the
 * first time, and then it is taken out.
 */
export function createDrive(
  deps: DriveDeps,
): (item: Item, stop: AbortSignal, begun?: Run[]) => Promise<void> {
  return (item, stop, begun = []) => {
    const row = { list: 'runs' as const, id: item.id, most: attemptsMost }
    const drive = verb(deps, async (work) => {
      const once = () => driveOnce(deps, work, begun.shift() ?? null)
      return (await work.attempt(row, once, () => brokenEnd(deps, item))) ?? { kind: 'over' }
    })
    return drive(item, stop, begun.length === 0 ? null : { item, fence: 1 })
  }
}

/**
 * A task gives itself up after three attempts, with what was done by then (P14); this is for when
 * not even that works.
 */
const attemptsMost = 4

async function driveOnce(deps: DriveDeps, work: Work, begun: Run | null): Promise<Idle> {
  const opened = await openSession(deps, work, begun)
  if (opened === null) return { kind: 'over' }
  const { session, isNew } = opened
  const hadEnded = hasEnded(session.run.status)
  // C674: work in a channel whose profile was never understood waits until it is.
  if (!hadEnded && deps.profileIn?.(session.run.channel)?.closed) return notYet(session)
  const drive = driverOf(session.run.type, deps.runTypes) ?? refuse
  const idle: Idle = hadEnded
    ? { kind: 'over' }
    : await deps.tracer({ kind: 'run', run: session.run }, () => drive(session, work, isNew))
  if (hasEnded(session.run.status)) {
    dropCall(session)
    await dismiss(session)
  }
  return idle
}

/** A run of a type that this version does not know ends, and says so. */
const refuse: Driver = async (session) => {
  const { run, deps } = session
  deps.log.error({ run: run.id, type: run.type }, 'there is no run type of this name')
  return await endWith(session, (scene) =>
    finishRun(scene, { status: 'failed', text: scene.words.core.unknownRunType(run.type) }),
  )
}
