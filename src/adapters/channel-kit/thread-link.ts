import type { Run } from '../../agent/domain/run.ts'
import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { ChannelDeps } from './deps.ts'

/** Returns the address of a task's thread, or `null` if it has none (C447). */
export async function threadLink(
  { conversations }: Pick<ChannelDeps, 'conversations'>,
  { linkTo }: Pick<ChannelTraits, 'linkTo'>,
  { workspace, conversationId }: Run,
): Promise<string | null> {
  const state =
    conversationId === null ? null : await conversations.state(workspace, conversationId, 0)
  return state === null ? null : (linkTo?.(state.conversation.address) ?? null)
}
