import { z } from 'zod'
import type { Address } from '../../agent/domain/conversation.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { NotSent } from '../channel-kit/send-outcomes.ts'
import { Anything } from './api.ts'
import type { Part } from './blocks.ts'
import type { Slack } from './context.ts'
import { post } from './post.ts'
import { isAboutBlocks, renderMarkdown, renderPlain } from './render.ts'

const Opened = z.looseObject({ channel: z.looseObject({ id: z.string() }) })
const keptMs = 24 * 60 * 60 * 1_000

/** Opens the direct-message channel of a person with Clew. */
export async function openDirect(
  { api }: Slack,
  workspace: string,
  user: string,
): Promise<{ kind: 'ready'; where: Address } | NotSent> {
  const opened = await api.call(workspace, 'conversations.open', { users: user }, Opened)
  if (opened.kind === 'ok')
    return { kind: 'ready', where: { workspace, channel: opened.value.channel.id, thread: null } }
  return opened.kind === 'unknown' ? { kind: 'later', afterMs: 1_000 } : opened
}

/**
 * Shows a message to one person only, in the given place. If Clew is not in that channel, sends a
 * direct message.
 */
export async function showPrivately(
  slack: Slack,
  { workspace, channel, thread }: Address,
  user: string,
  shown: Part,
): Promise<Sent | { kind: 'ready'; where: Address }> {
  const args = { channel, user, ...shown, thread_ts: thread ?? undefined }
  const answer = await slack.api.call(workspace, 'chat.postEphemeral', args, Anything)
  if (answer.kind === 'ok') return { kind: 'sent', ref: '' }
  return answer.kind === 'refused' ? await openDirect(slack, workspace, user) : answer
}

/** Sends a line to one person, outside any conversation. */
export async function tellNow(
  slack: Slack,
  to: Address & { user: string },
  text: string | readonly Part[],
): Promise<Sent> {
  const parts = typeof text === 'string' ? renderMarkdown(text, () => false) : text
  let sent: Sent = { kind: 'sent', ref: '' }
  for (const shown of parts) {
    sent = await tellPart(slack, to, shown)
    if (isAboutBlocks(sent) && shown.blocks.length > 0)
      return await tellNow(slack, to, renderPlain(parts.slice(parts.indexOf(shown))))
    if (sent.kind !== 'sent') break
  }
  return sent
}

async function tellPart(
  slack: Slack,
  { user, ...place }: Address & { user: string },
  shown: Part,
): Promise<Sent> {
  const there = await showPrivately(slack, place, user, shown)
  return there.kind === 'ready' ? await post(slack, there.where, shown) : there
}

/** Sends such a line, once per key. Never throws. */
export const tell = (
  slack: Slack,
  key: string,
  to: Address & { user: string },
  text: string,
): Promise<void> =>
  slack.once({ workspace: to.workspace, key: `said:${key}`, keptMs }, () =>
    tellNow(slack, to, text),
  )
