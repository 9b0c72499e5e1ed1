import { z } from 'zod'
import type { Address } from '../../agent/domain/conversation.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { EditOutcome } from '../channel-kit/send-outcomes.ts'
import type { Part } from './blocks.ts'
import type { Slack } from './context.ts'
import { deleted } from './gone.ts'
import { limits } from './limits.ts'
import { type Metadata, threadAt } from './readback.ts'

const Posted = z.looseObject({
  ts: z.string(),
  message: z.looseObject({ thread_ts: z.string().optional() }).optional(),
})

/** Options against link previews and mentions by name. */
const quietly = { unfurl_links: false, unfurl_media: false, link_names: false } as const

/**
 * Posts a message, which begins a thread if none is given. Its reference is its `ts`; the reason of
 * a refusal is Slack's error code.
 *
 * Below a message that was deleted meanwhile Slack posts at the top of the channel. That is taken
 * back, and counts as refused (C343).
 */
export async function post(
  slack: Slack,
  { workspace, channel, thread }: Address,
  { text, blocks }: Part,
  metadata?: Metadata,
): Promise<Sent> {
  const args = {
    channel,
    text,
    ...quietly,
    blocks: blocks.length > 0 ? blocks : undefined,
    thread_ts: thread ?? undefined,
    metadata,
  }
  const answer = await slack.api.call(workspace, 'chat.postMessage', args, Posted)
  if (answer.kind !== 'ok') return answer
  const { ts, message } = answer.value
  const isInPlace = thread === null || message === undefined || message.thread_ts !== undefined
  // Taken back only if Slack says outright that it opened a thread of its own.
  if (isInPlace || (await threadAt(slack, { workspace, channel, ts })) !== ts)
    return { kind: 'sent', ref: ts }
  await takeBack(slack, workspace, { channel, ts })
  await deleted(slack, { workspace }, { channel, ts: thread, thread, user: '' })
  return { kind: 'refused', reason: 'thread_not_found' }
}

/** Deletes a post that stands where it should not, or tells the operator where it stands. */
async function takeBack(
  { api, deps: { clock, log } }: Slack,
  workspace: string,
  at: { channel: string; ts: string },
): Promise<void> {
  for (let tries = 0; tries < limits.takeBackTries; tries++) {
    const answer = await api.call(workspace, 'chat.delete', at, z.looseObject({}))
    if (answer.kind === 'ok') return
    if (answer.kind === 'refused' && answer.reason === 'message_not_found') return
    if (answer.kind === 'refused') break
    const afterMs = answer.kind === 'later' ? answer.afterMs : limits.takeBackMs
    await clock.sleep(Math.min(afterMs, limits.takeBackMs))
  }
  log.error({ workspace, ...at }, 'post below a deleted message not removed; delete it by hand')
}

/** Edits a message. `gone`: Slack no longer has it. */
export async function edit(
  { api }: Slack,
  workspace: string,
  at: { channel: string; ts: string },
  shown: Part,
): Promise<EditOutcome> {
  const answer = await api.call(workspace, 'chat.update', { ...at, ...shown }, Posted)
  if (answer.kind === 'ok') return { kind: 'sent', ref: at.ts }
  return answer.kind === 'refused' && answer.reason === 'message_not_found'
    ? { kind: 'gone' }
    : answer
}

const Replies = z.looseObject({ messages: z.array(z.unknown()) })

/** Deletes a message of ours that nobody has answered. `gone`: Slack no longer has it. */
export async function remove(
  { api }: Slack,
  workspace: string,
  { channel, ts }: { channel: string; ts: string },
): Promise<EditOutcome> {
  const around = { channel, ts, limit: 2 }
  const replies = await api.call(workspace, 'conversations.replies', around, Replies)
  if (replies.kind === 'ok' && replies.value.messages.length > 1)
    return { kind: 'refused', reason: 'it was answered' }
  const answer = await api.call(workspace, 'chat.delete', { channel, ts }, z.looseObject({}))
  if (answer.kind === 'ok') return { kind: 'sent', ref: ts }
  return answer.kind === 'refused' && answer.reason === 'message_not_found'
    ? { kind: 'gone' }
    : answer
}
