import { z } from 'zod'
import type { Address, ThreadAddress } from '../../agent/domain/conversation.ts'
import type { Slack } from './context.ts'
import { limits } from './limits.ts'
import { type Ask, History, type HistoryMessage, readAll } from './paging.ts'

/** Types of the metadata in every message that Clew posts, by which it is found again (P2). */
export const metadataTypes = { delivery: 'clew_delivery', plan: 'clew_plan' } as const

export interface Metadata {
  event_type: (typeof metadataTypes)[keyof typeof metadataTypes]
  event_payload: Record<string, string | number>
}

/**
 * Reads the messages of a thread, or of a channel without one, since a time. Oldest first within a
 * page.
 */
export async function readBack(
  { api }: Slack,
  { workspace, channel, thread }: Address,
  since: number,
): ReturnType<typeof readAll<HistoryMessage>> {
  const method = thread === null ? 'conversations.history' : 'conversations.replies'
  const args = {
    channel,
    include_all_metadata: true,
    limit: limits.readBack,
    // Our clock and Slack's differ slightly.
    oldest: (Math.max(0, since - 60_000) / 1_000).toFixed(6),
    ts: thread ?? undefined,
  }
  const ask: Ask = (...request) => api.call(workspace, ...request)
  return await readAll(
    ask,
    { method, args, page: History },
    (count) => count === limits.readBackPages,
  )
}

/**
 * Finds the posted parts of a delivery and their total number. Returns `null` if it cannot tell
 * now.
 */
export async function partsOf(
  slack: Slack,
  deliveryId: string,
  place: Address,
  since: number,
): Promise<{ known: Map<number, string>; count: number } | null> {
  const known = new Map<number, string>()
  let count = 1
  const { items, problem } = await readBack(slack, place, since)
  // If Slack refuses to read the place, nothing can be found there.
  if (problem !== null) return problem.kind === 'refused' ? { known, count } : null
  for (const { ts, metadata } of items) {
    const payload = metadata?.event_payload
    if (metadata?.event_type !== metadataTypes.delivery || payload?.id !== deliveryId) continue
    known.set(Number(payload.part ?? 0), ts)
    count = Number(payload.parts ?? 1)
  }
  // The first part opened the thread that holds the others.
  const opened = known.get(0)
  if (place.thread !== null || opened === undefined || count === 1) return { known, count }
  return await partsOf(slack, deliveryId, { ...place, thread: opened }, since)
}

interface MessagePlace {
  workspace: string
  channel: string
  ts: string
}

/** Reads what Slack has up to a message of a thread; nothing if it does not tell now. */
export async function readUpTo(
  { api }: Slack,
  { workspace, channel, ts }: MessagePlace,
): Promise<HistoryMessage[]> {
  const args = { channel, ts, latest: ts, inclusive: true, limit: 1 }
  const answer = await api.call(workspace, 'conversations.replies', args, History, { minor: true })
  return answer.kind === 'ok' ? answer.value.items : []
}

/** Returns the thread that a message is in or opened, or `null` if Slack does not tell now. */
export async function threadAt(slack: Slack, place: MessagePlace): Promise<string | null> {
  const [message] = await readUpTo(slack, place)
  return message === undefined ? null : (message.thread_ts ?? message.ts)
}

const ParentMetadata = z.looseObject({ conversation: z.string().optional() })

/**
 * Returns the conversation of a thread that Clew opened, from its first message, or `null` for
 * other threads.
 *
 * @throws Error if Slack does not tell now, since the reply would be lost.
 */
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
  if (answer.kind === 'unknown' || (answer.kind === 'later' && answer.token === undefined))
    throw new Error('Slack does not tell now whose thread it is')
  const [parent] = answer.kind === 'ok' ? answer.value.items : []
  if (parent?.ts !== thread || parent.metadata?.event_type !== metadataTypes.delivery) return null
  return ParentMetadata.parse(parent.metadata.event_payload).conversation ?? null
}
