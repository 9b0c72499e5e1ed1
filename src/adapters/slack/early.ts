import { LRUCache } from 'lru-cache'
import type { Clock } from '../../agent/ports/clock.ts'
import { limits } from './limits.ts'
import type { SlackMessage } from './message.ts'

/**
 * Replies in threads that Clew does not follow, in memory and for a short time. The mention that
 * they are below may arrive after them: Slack promises no order (C997).
 */
export function createEarly(clock: Pick<Clock, 'now'>) {
  const replies = new LRUCache<string, readonly SlackMessage[]>({
    max: limits.earlyThreads,
    ttl: limits.earlyMs,
    ttlResolution: 0,
    perf: clock,
  })
  const nameOf = (workspace: string, { channel, thread }: SlackMessage) =>
    `${workspace} ${channel}:${thread}`
  return {
    keep(workspace: string, reply: SlackMessage): void {
      const name = nameOf(workspace, reply)
      replies.set(name, [...(replies.get(name) ?? []), reply].slice(-limits.earlyReplies))
    },
    /** Returns the replies below a first message, and forgets them. */
    take(workspace: string, first: SlackMessage): readonly SlackMessage[] {
      const name = nameOf(workspace, first)
      const kept = replies.get(name) ?? []
      replies.delete(name)
      return kept
    },
  }
}
export type Early = ReturnType<typeof createEarly>
