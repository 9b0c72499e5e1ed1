import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { type Api, asSent } from './api.ts'
import type { Post } from './blocks.ts'
import { limits } from './limits.ts'
import { renderPlan } from './plan.ts'
import { metadataTypes, readBack } from './readback.ts'
import type { Sessions } from './session.ts'

const PostAnswer = z.looseObject({ ts: z.string() })

/** Noted before the plan's message is posted, so that a successor looks for it instead of posting a second one. */
const posting = 'posting'

/**
 * One message a run, updated in place (C49). Where it is, is kept for all processes, so that whoever drives the run next
 * goes on with the same message.
 */
export function createShow(deps: { api: Api; shelf: Notes; log: Log; sessions: Sessions }) {
  const { api, shelf, log } = deps
  const places = new LRUCache<string, string>({ max: limits.sentInMemory })
  const shownLast = new LRUCache<string, string>({ max: limits.sentInMemory })

  async function placeOf(runId: string, conversation: Conversation): Promise<string | null | 'unclear'> {
    const known = places.get(runId)
    if (known !== undefined) return known
    const { workspace, channel, thread } = conversation.address
    const noted = await shelf.get(workspace, `plan:${runId}`)
    if (noted !== posting) return noted
    const answer = await readBack(api, { workspace, channel, thread }, conversation.createdAt)
    if (!answer.ok) return 'unclear'
    const found = answer.value.find(
      ({ metadata }) => metadata?.event_type === metadataTypes.plan && metadata.event_payload.id === runId,
    )
    if (found !== undefined) await keep(workspace, runId, found.ts)
    return found?.ts ?? null
  }

  async function keep(workspace: string, runId: string, ts: string): Promise<void> {
    places.set(runId, ts)
    await shelf.put(workspace, `plan:${runId}`, ts, limits.placeKeptMs)
  }

  async function post(runId: string, { text, blocks }: Post, conversation: Conversation): Promise<Sent> {
    const { workspace, channel, thread } = conversation.address
    await shelf.put(workspace, `plan:${runId}`, posting, limits.placeKeptMs)
    const metadata = { event_type: metadataTypes.plan, event_payload: { id: runId } }
    const quietly = { unfurl_links: false, unfurl_media: false, link_names: false }
    const args = { channel, thread_ts: thread, text, blocks, metadata, ...quietly }
    const answer = await api.call(workspace, 'chat.postMessage', args, PostAnswer, { lane: channel })
    if (!answer.ok) return asSent(answer.problem)
    await keep(workspace, runId, answer.value.ts)
    return { kind: 'sent', ref: answer.value.ts }
  }

  async function update(runId: string, ts: string, shown: Post, conversation: Conversation): Promise<Sent> {
    const { workspace, channel } = conversation.address
    const answer = await api.call(workspace, 'chat.update', { channel, ts, ...shown }, PostAnswer)
    if (answer.ok) return { kind: 'sent', ref: ts }
    const { problem } = answer
    if (problem.kind === 'refused' && problem.code === 'message_not_found') {
      // Somebody deleted it: the next change is shown in a new one.
      places.delete(runId)
      await shelf.drop(workspace, `plan:${runId}`)
      return { kind: 'later', afterMs: 100 }
    }
    // The latest state is shown again with the next change; doing it twice changes nothing.
    return problem.kind === 'unknown' ? { kind: 'later', afterMs: 1_000 } : asSent(problem)
  }

  async function show(progress: ProgressView, conversation: Conversation): Promise<Sent> {
    const { runId } = progress
    try {
      void deps.sessions.set(conversation, progress)
      if (progress.items.length === 0) return { kind: 'sent', ref: '' }
      // The thread opens with the first thing that is said in it.
      if (conversation.address.thread === null) return { kind: 'later', afterMs: 1_000 }
      const shown = renderPlan(progress, conversation.locale)
      const ts = await placeOf(runId, conversation)
      if (ts === 'unclear') return { kind: 'later', afterMs: 2_000 }
      const looks = JSON.stringify(shown)
      if (ts !== null && shownLast.get(runId) === looks) return { kind: 'sent', ref: ts }
      const sent = ts === null ? await post(runId, shown, conversation) : await update(runId, ts, shown, conversation)
      if (sent.kind === 'sent') shownLast.set(runId, looks)
      return sent
    } catch (error) {
      log.warn({ err: error, run: runId }, 'progress waits: the store did not answer')
      return { kind: 'later', afterMs: 1_000 }
    }
  }

  return {
    show,
    /** Whether a run's plan is in no message yet. */
    async isNew(workspace: string, runId: string): Promise<boolean> {
      return !places.has(runId) && (await shelf.get(workspace, `plan:${runId}`)) === null
    },
  }
}
