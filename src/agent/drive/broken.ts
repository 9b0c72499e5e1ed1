import { texts } from '../../locales/texts.ts'
import { hasEnded } from '../domain/run.ts'
import { mergeChanges } from '../kernel/change.ts'
import { endRun, tellGatherer } from '../kernel/end-run.ts'
import type { Reminder } from '../kernel/questions.ts'
import { type AsideOptions, isDamaged } from '../kernel/set-aside.ts'
import type { Work } from '../kernel/verb.ts'
import type { Clock } from '../ports/clock.ts'
import type { Aside, RunState, Store } from '../ports/store.ts'
import type { Item } from '../ports/wakeups.ts'

export interface BrokenDeps {
  store: Pick<Store, 'conversations' | 'runs'>
  clock: Clock
  reminder: Reminder
}

/**
 * The end of a run that cannot be read or fails every time that it is worked on (P18): it fails,
 * and its thread is told.
 */
export async function brokenEnd(
  { store, clock, reminder }: BrokenDeps,
  { workspace, id }: Item,
): Promise<AsideOptions & { row: string }> {
  const known = await store.runs.remains(workspace, id)
  if (known.status !== undefined && hasEnded(known.status)) return { row: id, part: {}, tell: null }
  const { conversationId = null } = known
  const at = clock.now()
  const run = (await store.runs.state(workspace, id).catch(nullIfDamaged))?.run ?? null
  const thread =
    conversationId === null ? null : await store.conversations.state(workspace, conversationId, 0)
  if (run === null || thread === null || conversationId === null) {
    const row = { runs: [{ id, patch: { status: 'failed' as const, endedAt: at, attempts: 0 } }] }
    const part = mergeChanges(row, run === null ? {} : { ended: [run], ...tellGatherer(run) })
    return {
      row: id,
      part,
      tell: conversationId === null ? null : { conversationId, line: 'lost' },
    }
  }
  const text = texts(thread.conversation.locale).core.aside.run(run.title)
  const ended = endRun(run, thread, { status: 'failed', text, at, reminder })
  return { row: id, part: mergeChanges({ conversationId, progress: id }, ended), tell: null }
}

/** Error for a task whose stored state cannot be read, so that nobody may continue it. */
class BrokenTask extends Error {
  readonly code = 'damaged_row'
}

/**
 * A run as it is stored; what waits for it and cannot be read is set aside first, and people are
 * told, since they said it (P18).
 *
 * @throws BrokenTask when its task cannot be read.
 */
export async function readRun(
  { store }: BrokenDeps,
  { lease, setAside }: Work,
): Promise<RunState | null> {
  const { workspace, id } = lease.item
  for (;;) {
    const state = await store.runs.state(workspace, id)
    if (state === null) return null
    if (state.problem !== null) throw new BrokenTask(state.problem)
    if (state.damaged.length === 0) return state
    const rows = state.damaged.map(
      ({ row, problem }): Aside => ({ list: 'inputs', id, row, problem }),
    )
    const { conversationId } = state.run
    const tell = conversationId === null ? null : { conversationId, line: 'inbox' as const }
    await setAside(rows, { part: { drop: state.damaged.map(({ at }) => at) }, tell })
  }
}

/** A run that cannot be read keeps nobody waiting. */
export function nullIfDamaged(error: unknown): null {
  if (isDamaged(error)) return null
  throw error
}
