import { texts } from '../../locales/texts.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import { asideTrace, isDamaged } from '../kernel/aside.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { commitChange } from '../kernel/commit.ts'
import { endRun } from '../kernel/end-run.ts'
import type { Hold, LeaseDeps, Rest } from '../kernel/lease.ts'
import { postMessage, runOrigin } from '../kernel/messages.ts'
import type { Reminder } from '../kernel/questions.ts'
import type { Aside, RunState, Store } from '../ports/store.ts'

export interface BrokenDeps extends LeaseDeps {
  store: Pick<Store, 'runs' | 'conversations' | 'commits'>
  reminder: Reminder
  defaults: { locale: string }
}

/**
 * Ends a run that cannot be read or fails every time that it is worked on (P18): it fails, and its
 * thread is told. Where the run itself cannot be read, nothing says whose it is: only its trace and the log tell.
 */
export async function endBroken(deps: BrokenDeps, { lease, nextCommit }: Hold, problem: string): Promise<Rest> {
  const { id } = lease.item
  const at = deps.clock.now()
  const aside: Aside = { list: 'runs', id, row: id, problem }
  deps.log.error({ run: id, problem }, 'a run is set aside')
  const set: ChangePart = { aside: [aside], trace: [asideTrace(id, at, aside)] }
  const change = mergeChanges(set, await endOf(deps, lease.item, at))
  await commitChange(deps, lease, { id: nextCommit(), at, ...change })
  return { kind: 'over' }
}

async function endOf(deps: BrokenDeps, { workspace, id }: Hold['lease']['item'], at: number): Promise<ChangePart> {
  const blunt: ChangePart = { runs: [{ id, patch: { status: 'failed', endedAt: at, attempts: 0 } }] }
  try {
    const run = (await deps.store.runs.state(workspace, id))?.run
    if (run === undefined || hasEnded(run.status)) return {}
    const { conversationId } = run
    const thread = conversationId === null ? null : await deps.store.conversations.state(workspace, conversationId, 0)
    if (thread === null) return blunt
    const text = texts(thread.conversation.locale).core.aside.run(run.title)
    const ended = endRun(run, thread, { status: 'failed', text, at, reminder: deps.reminder })
    return mergeChanges({ conversationId: thread.conversation.id, progress: id }, ended)
  } catch (error) {
    if (!isDamaged(error)) throw error
    return blunt
  }
}

/** What was done on a task cannot be read back, so nobody may go on with it. */
class BrokenTask extends Error {
  readonly code = 'damaged_row'
}

/**
 * A run as it is stored; what waits for it and cannot be read is set aside first (P18).
 *
 * @throws BrokenTask when its task cannot be read.
 */
export async function readRun(deps: BrokenDeps, { lease, nextCommit }: Hold): Promise<RunState | null> {
  const { workspace, id } = lease.item
  for (;;) {
    const state = await deps.store.runs.state(workspace, id)
    if (state === null) return null
    if (state.problem !== null) throw new BrokenTask(state.problem)
    if (state.damaged.length === 0) return state
    const at = deps.clock.now()
    deps.log.error({ run: id, rows: state.damaged.length }, 'what waits for a run cannot be read and is set aside')
    const aside = state.damaged.map(({ row, problem }): Aside => ({ list: 'inputs', id, row, problem }))
    const change = mergeChanges(
      { aside, drop: state.damaged.map((one) => one.at), trace: aside.map((one) => asideTrace(id, at, one)) },
      await lineFor(deps, state.run, nextCommit()),
    )
    await commitChange(deps, lease, { id: nextCommit(), at, ...change })
  }
}

/** People said it, so they are told. */
async function lineFor({ store, clock, defaults }: BrokenDeps, run: Run, purpose: string): Promise<ChangePart> {
  const { id, workspace, conversationId } = run
  if (conversationId === null) return {}
  const state = await store.conversations.state(workspace, conversationId, 0)
  const words = texts(state?.conversation.locale ?? defaults.locale).core.aside.inbox
  return { conversationId, ...postMessage(runOrigin(id, conversationId, clock.now()), purpose, words) }
}

/** A run that cannot be read keeps nobody waiting. */
export function nullIfDamaged(error: unknown): null {
  if (isDamaged(error)) return null
  throw error
}
