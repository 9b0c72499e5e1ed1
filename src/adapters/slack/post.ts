import { z } from 'zod'
import type { Address } from '../../agent/domain/conversation.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Edited } from '../channel-kit/send-outcomes.ts'
import type { Part } from './blocks.ts'
import type { Slack } from './context.ts'
import type { Metadata } from './readback.ts'

const Posted = z.looseObject({ ts: z.string() })

/** No previews, and nobody is called by their name. */
const quietly = { unfurl_links: false, unfurl_media: false, link_names: false } as const

/** A new message, which begins a thread where there is none. Its name is its `ts`; what it is refused for is Slack's code. */
export async function post(
  { api }: Slack,
  { workspace, channel, thread }: Address,
  { text, blocks }: Part,
  metadata?: Metadata,
): Promise<Sent> {
  const args = {
    ...{ channel, text, ...quietly },
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(thread === null ? {} : { thread_ts: thread }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  const answer = await api.call(workspace, 'chat.postMessage', args, Posted)
  return answer.kind === 'ok' ? { kind: 'sent', ref: answer.value.ts } : answer
}

/** Changes a message; `gone` where Slack has none there any more. */
export async function edit(
  { api }: Slack,
  workspace: string,
  at: { channel: string; ts: string },
  shown: Part,
): Promise<Edited> {
  const answer = await api.call(workspace, 'chat.update', { ...at, ...shown }, Posted)
  if (answer.kind === 'ok') return { kind: 'sent', ref: at.ts }
  return answer.kind === 'refused' && answer.reason === 'message_not_found'
    ? { kind: 'gone' }
    : answer
}
