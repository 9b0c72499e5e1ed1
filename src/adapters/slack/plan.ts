import { createPlans } from '../channel-kit/plan.ts'
import type { Part } from './blocks.ts'
import type { Slack } from './context.ts'
import type { HistoryMessage } from './paging.ts'
import { edit, post } from './post.ts'
import { metadataTypes, readBack } from './readback.ts'
import { renderPlan } from './render-plan.ts'
import { createSessions } from './status.ts'

/** Shows the live plan as a message of blocks, addressed by its `ts`. */
export function createSlackPlans(slack: Slack) {
  const setSession = createSessions(slack)
  return createPlans<Part, string>(slack.deps.notes, {
    read: (ts) => ts,
    write: (ts) => ts,
    render: (progress, { locale }) => renderPlan(progress, locale),

    hold(progress, conversation) {
      void setSession(conversation, progress)
      if (progress.items.length === 0) return { kind: 'sent', ref: '' }
      // The plan waits for the first message of the thread.
      return conversation.address.thread === null ? { kind: 'later', afterMs: 1_000 } : null
    },

    async post(shown, { runId }, { address }) {
      const metadata = { event_type: metadataTypes.plan, event_payload: { id: runId } }
      const sent = await post(slack, address, shown, metadata)
      return sent.kind === 'sent' ? { kind: 'posted', at: sent.ref, ref: sent.ref } : sent
    },

    update: (ts, shown, { address: { workspace, channel } }) =>
      edit(slack, workspace, { channel, ts }, shown),

    async find(runId, { address, createdAt }) {
      const { items, problem } = await readBack(slack, address, createdAt)
      if (problem !== null) return 'unclear'
      const isPlan = ({ metadata }: HistoryMessage) =>
        metadata?.event_type === metadataTypes.plan && metadata.event_payload.id === runId
      return items.find(isPlan)?.ts ?? null
    },
  })
}
