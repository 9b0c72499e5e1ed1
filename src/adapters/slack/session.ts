import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Api } from './api.ts'
import { short } from './blocks.ts'

const Anything = z.looseObject({})
/** How long a workspace that knows no sessions is not asked again. */
const restMs = 60 * 60 * 1_000

/** Slack's own status of a conversation with an agent; `processing` shows a native Stop button. */
const statuses: Record<RunStatus, 'active' | 'processing' | 'suspended'> = {
  queued: 'processing',
  running: 'processing',
  awaiting_clarification: 'suspended',
  paused: 'suspended',
  succeeded: 'active',
  failed: 'active',
  canceled: 'active',
}

export interface Sessions {
  /** Tells Slack when a thread's status changed. Never throws and is never waited for. */
  set(conversation: Conversation, progress: ProgressView): Promise<void>
}

/** An adornment: what is said and shown does not depend on it, and a workspace that refuses it is left alone. */
export function createSessions(deps: { api: Api; clock: Clock }): Sessions {
  const last = new LRUCache<string, string>({ max: 5_000 })
  const off = new Map<string, number>()
  return {
    async set({ id, address }, { status, title }) {
      const { workspace, channel, thread } = address
      const wanted = statuses[status]
      if (thread === null || last.get(id) === wanted || (off.get(workspace) ?? 0) > deps.clock.now()) return
      last.set(id, wanted)
      const args = { channel_id: channel, thread_ts: thread, status: wanted, title: short(title, 200) }
      const answer = await deps.api.call(workspace, 'agents.sessions.setStatus', args, Anything, { minor: true })
      if (!answer.ok && answer.problem.kind !== 'later') off.set(workspace, deps.clock.now() + restMs)
    },
  }
}
