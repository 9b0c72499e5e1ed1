import { z } from 'zod'
import type { Address, ThreadAddress } from '../../agent/domain/conversation.ts'
import type { Slack } from './context.ts'
import { limits } from './limits.ts'
import { type Ask, History, readAll, type Told } from './paging.ts'

/** What Clew leaves in the metadata of everything that it posts, to find it again (P2). */
export const metadataTypes = { delivery: 'clew_delivery', plan: 'clew_plan' } as const

export interface Metadata {
  event_type: (typeof metadataTypes)[keyof typeof metadataTypes]
  event_payload: Record<string, string | number>
}

/** What was posted in a thread (or, without one, in a channel) since an instant, oldest first within a page. */
export async function readBack(
  { api }: Slack,
  { workspace, channel, thread }: Address,
  since: number,
): ReturnType<typeof readAll<Told>> {
  const method = thread === null ? 'conversations.history' : 'conversations.replies'
  const args = {
    ...{ channel, include_all_metadata: true, limit: limits.readBack },
    // Our clock and Slack's differ a little.
    oldest: (Math.max(0, since - 60_000) / 1_000).toFixed(6),
    ...(thread === null ? {} : { ts: thread }),
  }
  const ask: Ask = (...request) => api.call(workspace, ...request)
  return await readAll(
    ask,
    { method, args, page: History },
    (count) => count === limits.readBackPages,
  )
}

/** Where each part of a delivery is, and how many it has. Null: it cannot be found out now. */
export async function partsOf(
  slack: Slack,
  deliveryId: string,
  place: Address,
  since: number,
): Promise<{ known: Map<number, string>; count: number } | null> {
  const known = new Map<number, string>()
  let count = 1
  const { items, problem } = await readBack(slack, place, since)
  // A place that Slack does not let us read any more holds nothing that we could find.
  if (problem !== null) return problem.kind === 'refused' ? { known, count } : null
  for (const { ts, metadata } of items) {
    const payload = metadata?.event_payload
    if (metadata?.event_type !== metadataTypes.delivery || payload?.id !== deliveryId) continue
    known.set(Number(payload.part ?? 0), ts)
    count = Number(payload.parts ?? 1)
  }
  // The first part opened the thread in which the others are.
  const opened = known.get(0)
  if (place.thread !== null || opened === undefined || count === 1) return { known, count }
  return await partsOf(slack, deliveryId, { ...place, thread: opened }, since)
}

/** The thread that a message is in or has opened; null where that is not told now. */
export async function threadAt(
  { api }: Slack,
  { workspace, channel, ts }: { workspace: string; channel: string; ts: string },
): Promise<string | null> {
  const args = { channel, ts, latest: ts, inclusive: true, limit: 1 }
  const answer = await api.call(workspace, 'conversations.replies', args, History, { minor: true })
  const [message] = answer.kind === 'ok' ? answer.value.items : []
  return message === undefined ? null : (message.thread_ts ?? message.ts)
}

const ParentMetadata = z.looseObject({ conversation: z.string().optional() })

/** The conversation that Clew opened a thread for, from its first message; null when it is no thread of Clew's. */
export async function openedFor({ api }: Slack, place: ThreadAddress): Promise<string | null> {
  const { workspace, channel, thread } = place
  const args = {
    channel,
    ts: thread,
    latest: thread,
    inclusive: true,
    limit: 1,
    include_all_metadata: true,
  }
  const answer = await api.call(workspace, 'conversations.replies', args, History)
  const [parent] = answer.kind === 'ok' ? answer.value.items : []
  if (parent?.ts !== thread || parent.metadata?.event_type !== metadataTypes.delivery) return null
  return ParentMetadata.parse(parent.metadata.event_payload).conversation ?? null
}
