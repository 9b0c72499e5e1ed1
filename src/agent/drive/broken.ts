import { texts } from '../../locales/texts.ts'
import { hasEnded } from '../domain/run.ts'
import { mergeChanges } from '../kernel/change.ts'
import { endRun, tellGatherer } from '../kernel/end-run.ts'
import { type Idle, untilIdle } from '../kernel/idle.ts'
import type { Hold } from '../kernel/lease.ts'
import type { Reminder } from '../kernel/questions.ts'
import { type AsideDeps, type AsideOptions, isDamaged, setAside } from '../kernel/set-aside.ts'
import type { Aside, RunState, Store } from '../ports/store.ts'
import type { Item } from '../ports/wakeups.ts'

export interface BrokenDeps extends AsideDeps {
  store: AsideDeps['store'] & Pick<Store, 'runs'>
  reminder: Reminder
}

/** Ends a run that cannot be read or fails every time that it is worked on (P18): it fails, and its thread is told. */
export async function endBroken(deps: BrokenDeps, hold: Hold, problem: string): Promise<Idle> {
  const { item } = hold.lease
  const aside: Aside = { list: 'runs', id: item.id, row: item.id, problem }
  return await untilIdle(hold.signal, async () =>
    (await setAside(deps, hold, [aside], await endOf(deps, item))) ? { kind: 'over' } : null,
  )
}

async function endOf(
  { store, clock, reminder }: BrokenDeps,
  { workspace, id }: Item,
): Promise<AsideOptions> {
  const known = await store.runs.remains(workspace, id)
  if (known.status !== undefined && hasEnded(known.status)) return { part: {}, tell: null }
  const { conversationId = null } = known
  const at = clock.now()
  const run = (await store.runs.state(workspace, id).catch(nullIfDamaged))?.run ?? null
  const thread =
    conversationId === null ? null : await store.conversations.state(workspace, conversationId, 0)
  if (run === null || thread === null || conversationId === null) {
    const row = { runs: [{ id, patch: { status: 'failed' as const, endedAt: at, attempts: 0 } }] }
    const part = mergeChanges(row, run === null ? {} : { ended: [run], ...tellGatherer(run) })
    return { part, tell: conversationId === null ? null : { conversationId, line: 'lost' } }
  }
  const text = texts(thread.conversation.locale).core.aside.run(run.title)
  const ended = endRun(run, thread, { status: 'failed', text, at, reminder })
  return { part: mergeChanges({ conversationId, progress: id }, ended), tell: null }
}

/** What was done on a task cannot be read back, so nobody may go on with it. */
class BrokenTask extends Error {
  readonly code = 'damaged_row'
}

/**
 * A run as it is stored; what waits for it and cannot be read is set aside first, and people are told, since they said it (P18).
 *
 * @throws BrokenTask when its task cannot be read.
 */
export async function readRun(deps: BrokenDeps, hold: Hold): Promise<RunState | null> {
  const { workspace, id } = hold.lease.item
  for (;;) {
    const state = await deps.store.runs.state(workspace, id)
    if (state === null) return null
    if (state.problem !== null) throw new BrokenTask(state.problem)
    if (state.damaged.length === 0) return state
    const rows = state.damaged.map(
      ({ row, problem }): Aside => ({ list: 'inputs', id, row, problem }),
    )
    const { conversationId } = state.run
    const tell = conversationId === null ? null : { conversationId, line: 'inbox' as const }
    await setAside(deps, hold, rows, { part: { drop: state.damaged.map(({ at }) => at) }, tell })
  }
}

/** A run that cannot be read keeps nobody waiting. */
export function nullIfDamaged(error: unknown): null {
  if (isDamaged(error)) return null
  throw error
}
