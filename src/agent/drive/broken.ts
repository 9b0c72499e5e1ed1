import { texts } from '../../locales/texts.ts'
import { hasEnded } from '../domain/run.ts'
import { asideTrace, isDamaged } from '../kernel/aside.ts'
import { ending } from '../kernel/end-run.ts'
import { Fenced, type Hold, type Rest } from '../kernel/lease.ts'
import { together } from '../kernel/messages.ts'
import type { Aside, Change } from '../ports/store.ts'
import type { DriveDeps } from './session.ts'

/**
 * Ends a run that cannot be read or fails every time that it is worked on (P18): it is failed, and whoever waits for it in a
 * thread is told. Where not even the run says whose it is, its trace and the log are all there is.
 */
export async function endBroken(deps: DriveDeps, { lease, nextCommit }: Hold, problem: string): Promise<Rest> {
  const { id } = lease.item
  const at = deps.clock.now()
  const aside: Aside = { list: 'runs', id, row: id, problem }
  deps.log.error({ run: id, problem }, 'a run is set aside')
  const committed = await deps.store.commits.commit(lease, {
    id: nextCommit(),
    at,
    ...together({ aside: [aside], trace: [asideTrace(id, at, aside)] }, await endOf(deps, lease.item, at)),
  })
  if (committed.kind === 'fenced') throw new Fenced(lease.item)
  return { kind: 'over' }
}

async function endOf(deps: DriveDeps, { workspace, id }: Hold['lease']['item'], at: number): Promise<Partial<Change>> {
  const blunt: Partial<Change> = { runs: [{ id, patch: { status: 'failed', endedAt: at, attempts: 0 } }] }
  try {
    const run = (await deps.store.runs.state(workspace, id))?.run
    if (run === undefined || hasEnded(run.status)) return {}
    const { conversationId } = run
    const place = conversationId === null ? null : await deps.store.conversations.state(workspace, conversationId, 0)
    if (place === null) return blunt
    const text = texts(place.conversation.locale).core.aside.run(run.title)
    const outcome = { status: 'failed' as const, text, at, reminder: deps.reminder }
    return together({ conversationId: place.conversation.id }, ending(run, place, outcome))
  } catch (error) {
    if (!isDamaged(error)) throw error
    return blunt
  }
}
