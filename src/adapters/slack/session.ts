import { LRUCache } from 'lru-cache'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import { shortened } from '../text.ts'
import { Anything } from './api.ts'
import type { Slack } from './context.ts'

/** How long a workspace that knows no sessions is not asked again. */
const restMs = 60 * 60 * 1_000

/** Slack's own status of a conversation with an agent; `processing` shows a native Stop button. */
const statuses: Record<RunStatus, 'active' | 'processing' | 'suspended'> = {
  ...{ queued: 'processing', running: 'processing' },
  ...{ awaiting_clarification: 'suspended', paused: 'suspended' },
  ...{ succeeded: 'active', failed: 'active', canceled: 'active' },
}

/**
 * Tells Slack when a thread's status changed. An adornment that is never waited for and never throws: what is said and shown
 * does not depend on it, and a workspace that refuses it is left alone.
 */
export function createSessions({ api, deps: { clock } }: Slack) {
  const last = new LRUCache<string, string>({ max: 5_000 })
  const off = new Map<string, number>()
  return async ({ id, address }: Conversation, { status, title }: ProgressView): Promise<void> => {
    const { workspace, channel, thread } = address
    const wanted = statuses[status]
    if (thread === null || last.get(id) === wanted || (off.get(workspace) ?? 0) > clock.now()) return
    last.set(id, wanted)
    const args = { channel_id: channel, thread_ts: thread, status: wanted, title: shortened(title, 200) }
    const answer = await api.call(workspace, 'agents.sessions.setStatus', args, Anything, { minor: true })
    const isRefused = answer.kind === 'later' ? answer.token !== undefined : answer.kind !== 'ok'
    if (isRefused) off.set(workspace, clock.now() + restMs)
  }
}
