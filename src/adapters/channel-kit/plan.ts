import { LRUCache } from 'lru-cache'
import { atMost } from '../../agent/domain/at-most.ts'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { keptMs } from './poster.ts'
import { type EditOutcome, editAgain } from './send-outcomes.ts'

/**
 * Note written before the plan's message is posted, so that a successor looks for it instead of
 * posting again.
 */
const posting = 'posting'
const keyOf = (runId: string) => `plan:${runId}`
/** Plans whose last rendering is remembered, so that an unchanged plan is not sent again. */
const remembered = 5_000

/** Operations by which a platform shows a plan. `At` is the address of a plan's message. */
export interface PlanPlatform<Card, At> {
  render(progress: ProgressView, conversation: Conversation): Card
  /** Returns the outcome of a change that must not be shown now, or `null` if it may be shown. */
  hold(progress: ProgressView, conversation: Conversation): Sent | null
  /** Posts the plan's message. `old` is the message that it replaces, if any. */
  post(
    shown: Card,
    progress: ProgressView,
    conversation: Conversation,
    old: At | null,
  ): Promise<{ kind: 'posted'; at: At; ref: string } | Sent>
  update(at: At, shown: Card, conversation: Conversation): Promise<EditOutcome>
  /** Deletes a message that was replaced. */
  remove?(old: At): Promise<unknown>
  /**
   * Looks for a message that may have been posted. Absent where the platform dedupes retries by a
   * nonce.
   */
  find?(runId: string, conversation: Conversation): Promise<At | null | 'unclear'>
  /** Reads the stored address of a message. */
  read(note: string): At | null
  write(at: At): string
}

/** True if a schedule's run needs only its report: it has ended, or it has a single step (C442). */
const isReportEnough = ({ scheduled = false, status, items }: ProgressView): boolean =>
  scheduled && (hasEnded(status) || items.length < 2)

/**
 * Shows the live plan of a run in one message and updates that message in place (C49). The
 * message's address is stored, so the next process that drives the run updates the same message. A
 * deleted message is replaced by a new one.
 */
export function createPlans<Card, At>(notes: Notes, platform: PlanPlatform<Card, At>) {
  const last = new LRUCache<string, string>(atMost(remembered))
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
    shown: Card,
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
      // A repeated edit is harmless: the next change shows the latest state again.
      const edited =
        at === null
          ? { kind: 'gone' as const }
          : editAgain(await platform.update(at, shown, conversation))
      const sent = edited.kind === 'gone' ? await post(progress, conversation, shown, at) : edited
      if (sent.kind === 'sent') last.set(runId, looks)
      return sent
    },

    /** True if a run's plan has not been posted yet. */
    isNew: async (workspace: string, runId: string): Promise<boolean> =>
      (await notes.get(workspace, keyOf(runId))) === null,
  }
}
