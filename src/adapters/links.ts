import type { Conversation } from '../agent/domain/conversation.ts'
import type { Conversations } from '../agent/ports/store.ts'
import { hostsOf, linksTo, type MayLink } from './safety.ts'

/** How many messages of a thread are looked through for the hosts that people wrote. */
const messagesRead = 200

/** Which links of a conversation may be followed (S2); the conversation is read only for a text that has any. */
export function createLinks(deps: {
  conversations: Pick<Conversations, 'state'>
  /** Hosts that may be linked to besides those that people wrote. */
  linkHosts: readonly string[]
}) {
  return async ({ id, address }: Pick<Conversation, 'id' | 'address'>, text: string): Promise<MayLink> => {
    if (hostsOf(text).length === 0) return linksTo([], deps.linkHosts)
    const state = await deps.conversations.state(address.workspace, id, messagesRead)
    const written = (state?.messages ?? []).filter(({ role }) => role === 'user').map((message) => message.text)
    return linksTo(written, deps.linkHosts)
  }
}
