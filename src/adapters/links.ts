import { addressesIn, addressesKnown } from '../agent/domain/address.ts'
import type { Conversation } from '../agent/domain/conversation.ts'
import type { Conversations } from '../agent/ports/store.ts'
import { linksAmong, type MayLink } from './safety.ts'

/** How many messages of a thread are looked through for the addresses that people wrote. */
const messagesRead = 200

/** Which links of a conversation may be followed (S2, S21); the conversation is read only for a text that has any. */
export function createLinks(deps: {
  conversations: Pick<Conversations, 'state' | 'overheard'>
  /** Hosts that may be linked to besides. */
  linkHosts: readonly string[]
}) {
  return async (
    { id, address }: Pick<Conversation, 'id' | 'address'>,
    text: string,
  ): Promise<MayLink> => {
    if (addressesIn(text).length === 0) return linksAmong([], deps.linkHosts)
    const [state, overheard] = await Promise.all([
      deps.conversations.state(address.workspace, id, messagesRead),
      deps.conversations.overheard(address.workspace, id),
    ])
    return linksAmong(addressesKnown(state?.messages ?? [], overheard), deps.linkHosts)
  }
}
