import { LRUCache } from 'lru-cache'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { keptMs } from './poster.ts'
import { type Edited, editAgain } from './send-outcomes.ts'

/** Noted before the plan's message is posted, so that a successor looks for it instead of posting a second one. */
const posting = 'posting'
const keyOf = (runId: string) => `plan:${runId}`
/** Plans whose last state is remembered, so that nothing is sent that shows nothing new. */
const remembered = 5_000

/** How a platform shows a plan; `At` says where a plan's message is. */
export interface PlanPlatform<Shown, At> {
  render(progress: ProgressView, conversation: Conversation): Shown
  /** What becomes of a change that is not shown now, and null for one that is. */
  hold(progress: ProgressView, conversation: Conversation): Sent | null
  /** Posts the message of a run, or one that takes the place of an older message. */
  post(
    shown: Shown,
    progress: ProgressView,
    conversation: Conversation,
    old: At | null,
  ): Promise<{ kind: 'posted'; at: At; ref: string } | Sent>
  update(at: At, shown: Shown, conversation: Conversation): Promise<Edited>
  /** Takes away a message whose place another one has taken. */
  remove?(old: At): Promise<unknown>
  /** Looks for a message that may have been posted. Absent where a second try is known to the platform by a nonce. */
  find?(runId: string, conversation: Conversation): Promise<At | null | 'unclear'>
  /** How it is noted where a message is. */
  read(note: string): At | null
  write(at: At): string
}

/** True if a schedule's run needs no plan beside its report: it is over, or has a single step (C442). */
const isReportEnough = ({ scheduled = false, status, items }: ProgressView): boolean =>
  scheduled && (hasEnded(status) || items.length < 2)

/**
 * Shows the live plan of a run in one message and updates that message in place (C49). Its address is stored, so the
 * process that drives the run next updates the same message. A message that was deleted is replaced by a new one.
 */
export function createPlans<Shown, At>(notes: Notes, platform: PlanPlatform<Shown, At>) {
  const last = new LRUCache<string, string>({ max: remembered })
  const keep = (workspace: string, runId: string, note: string) =>
    notes.put(workspace, keyOf(runId), note, keptMs.shown)

  async function whereIs(
    runId: string,
    conversation: Conversation,
  ): Promise<At | null | 'unclear'> {
    const { workspace } = conversation.address
    const note = await notes.get(workspace, keyOf(runId))
    if (note !== posting) return note === null ? null : platform.read(note)
    const found = (await platform.find?.(runId, conversation)) ?? null
    if (found !== null && found !== 'unclear') await keep(workspace, runId, platform.write(found))
    return found
  }

  async function post(
    progress: ProgressView,
    conversation: Conversation,
    shown: Shown,
    old: At | null,
  ): Promise<Sent> {
    const { workspace } = conversation.address
    if (platform.find !== undefined) await keep(workspace, progress.runId, posting)
    const posted = await platform.post(shown, progress, conversation, old)
    if (posted.kind !== 'posted') return posted
    await keep(workspace, progress.runId, platform.write(posted.at))
    if (old !== null) await platform.remove?.(old)
    return { kind: 'sent', ref: posted.ref }
  }

  return {
    async show(progress: ProgressView, conversation: Conversation): Promise<Sent> {
      const { runId } = progress
      const shown = platform.render(progress, conversation)
      const looks = JSON.stringify(shown)
      if (last.get(runId) === looks) return { kind: 'sent', ref: '' }
      const held = platform.hold(progress, conversation)
      if (held !== null) return held
      const at = await whereIs(runId, conversation)
      if (at === 'unclear') return { kind: 'later', afterMs: 2_000 }
      if (at === null && isReportEnough(progress)) return { kind: 'sent', ref: '' }
      // The latest state is shown again with the next change; doing it twice changes nothing.
      const edited =
        at === null
          ? { kind: 'gone' as const }
          : editAgain(await platform.update(at, shown, conversation))
      const sent = edited.kind === 'gone' ? await post(progress, conversation, shown, at) : edited
      if (sent.kind === 'sent') last.set(runId, looks)
      return sent
    },

    /** Whether a run's plan is in no message yet. */
    isNew: async (workspace: string, runId: string): Promise<boolean> =>
      (await notes.get(workspace, keyOf(runId))) === null,
  }
}
