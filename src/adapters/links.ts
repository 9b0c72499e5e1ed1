import { addressesIn, addressesKnown, addressOf } from '../agent/domain/address.ts'
import type { Conversation } from '../agent/domain/conversation.ts'
import type { Conversations } from '../agent/ports/store.ts'
import { linksAmong, type MayLink } from './safety.ts'

/** Messages of a thread that are searched for addresses. */
const messagesRead = 200

/**
 * Decides which links of a conversation people may follow (S2, S21). Reads the conversation only if
 * the text contains a link. `handed`: an address that one person alone is given to open (C854).
 */
export function createLinks(deps: {
  conversations: Pick<Conversations, 'state' | 'overheard'>
  /** Hosts that may be linked to in addition. */
  linkHosts: readonly string[]
}) {
  return async (
    { id, address }: Pick<Conversation, 'id' | 'address'>,
    text: string,
    handed?: string,
  ): Promise<MayLink> => {
    if (addressesIn(text).length === 0) return linksAmong([], deps.linkHosts)
    const own = handed === undefined ? null : addressOf(handed)
    if (own !== null) return linksAmong([own], deps.linkHosts)
    const [state, overheard] = await Promise.all([
      deps.conversations.state(address.workspace, id, messagesRead),
      deps.conversations.overheard(address.workspace, id),
    ])
    return linksAmong(addressesKnown(state?.messages ?? [], overheard), deps.linkHosts)
  }
}
