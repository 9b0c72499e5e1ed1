import type { Notes } from '../../agent/ports/notes.ts'
import { createPlans } from '../channel-kit/plan.ts'
import { type Api, asSent } from './api.ts'
import type { Post } from './blocks.ts'
import { limits } from './limits.ts'
import { edit, PostAnswer, quietly } from './post.ts'
import { metadataTypes, readBack } from './readback.ts'
import { renderPlan } from './render-plan.ts'
import type { Sessions } from './session.ts'

/** The live plan as a message of blocks; where it is, is its `ts`. */
export function createSlackPlans({ api, notes, sessions }: { api: Api; notes: Notes; sessions: Sessions }) {
  return createPlans<Post, string>(notes, {
    keptMs: limits.placeKeptMs,
    read: (ts) => ts,
    write: (ts) => ts,
    render: (progress, { locale }) => renderPlan(progress, locale),

    hold(progress, conversation) {
      void sessions.set(conversation, progress)
      if (progress.items.length === 0) return { kind: 'sent', ref: '' }
      // The thread opens with the first thing that is said in it.
      return conversation.address.thread === null ? { kind: 'later', afterMs: 1_000 } : null
    },

    async post(shown, { runId }, { address: { workspace, channel, thread } }) {
      const metadata = { event_type: metadataTypes.plan, event_payload: { id: runId } }
      const args = { channel, thread_ts: thread, ...shown, metadata, ...quietly }
      const answer = await api.call(workspace, 'chat.postMessage', args, PostAnswer, { lane: channel })
      return answer.ok ? { kind: 'posted', at: answer.value.ts, ref: answer.value.ts } : asSent(answer.problem)
    },

    update: (ts, shown, { address: { workspace, channel } }) => edit(api, workspace, { channel, ts }, shown),

    async find(runId, { address, createdAt }) {
      const answer = await readBack(api, address, createdAt)
      if (!answer.ok) return 'unclear'
      const isPlan = ({ metadata }: (typeof answer.value)[number]) =>
        metadata?.event_type === metadataTypes.plan && metadata.event_payload.id === runId
      return answer.value.find(isPlan)?.ts ?? null
    },
  })
}
