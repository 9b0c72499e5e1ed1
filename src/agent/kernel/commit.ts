import type { Item } from '../ports/wakeups.ts'
import type { ChangePart } from './change.ts'
import { type LeaseDeps, nameOf } from './lease.ts'

/**
 * Wakes what a commit made due; the sweep would find it too. An outbox that is being emptied here
 * is not woken for progress alone. Its owner looks for progress before release, so that a step
 * costs no extra wake.
 */
export async function wakeFor(
  deps: Pick<LeaseDeps, 'wakeups' | 'nudges'>,
  { workspace, id: own }: Item,
  change: ChangePart,
): Promise<void> {
  const runs = new Set([
    ...(change.create ?? []).filter((run) => run.afterRunId === null).map((run) => run.id),
    ...(change.inputs ?? []).map(({ runId }) => runId),
    ...(change.runs ?? [])
      .filter(({ due, fenceOff }) => fenceOff || typeof due === 'number')
      .map(({ id }) => id),
  ])
  // The committer needs no wake for its own item, nor for runs that it holds and begins itself.
  const others = [...runs].filter((id) => id !== own && !change.hold?.runs.has(id))
  await Promise.all(others.map((id) => deps.wakeups.wake({ kind: 'run', workspace, id })))
  if (change.conversationId === undefined) return
  const outbox: Item = { kind: 'outbox', workspace, id: change.conversationId }
  const hasToBeSaid = (change.deliveries ?? []).length > 0
  if (hasToBeSaid || (change.progress !== undefined && !deps.nudges.has(nameOf(outbox))))
    await deps.wakeups.wake(outbox)
}
