import { z } from 'zod'
import {
  Address,
  type Conversation,
  conversationIdOf,
  newConversation,
  titleFrom,
} from '../../agent/domain/conversation.ts'
import { entryIdOf, type InboundEvent, type InboxEntry } from '../../agent/domain/event.ts'
import { deriveId } from '../../agent/domain/id.ts'
import { personMessage } from '../../agent/domain/message.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Inbox } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { encode, fieldsOf, readJson, readOne } from './codec.ts'
import { keysOf, threadOf, workspacesKey } from './keys.ts'

/** Retries come up to 5 minutes later; a day leaves room (P3, I3). */
const seenForMs = 24 * 60 * 60 * 1000

const Receipt = z.object({ entryId: z.string(), messageId: z.string().nullable(), conversationId: z.string() })
type Receipt = z.infer<typeof Receipt>

const Answer = z.tuple([z.enum(['accepted', 'duplicate', 'moved']), z.string()])

type Place = Parameters<Inbox['knows']>[0]

export function createInbox(client: Client, clock: Clock): Inbox {
  async function write(conversationId: string, entry: InboxEntry, opening: { locale: string; timeZone: string }) {
    const { event } = entry
    const receipt: Receipt = { entryId: entry.id, messageId: entry.messageId, conversationId }
    const keys = keysOf(event.workspace)
    const places = keys.conversation(conversationId)
    const lists = [places.row, places.inbox, places.messages, places.out]
    const indexes = [keys.conversations, keys.due('conversation'), keys.threads]
    const answer = await client.run(
      'accept',
      [...lists, ...indexes, ...event.keys.map((key) => keys.seen(key))],
      [
        encode(receipt),
        seenForMs,
        event.at,
        conversationId,
        encode(entry),
        entry.messageId === null ? '' : encode(messageOf(entry)),
        event.thread === null ? '' : threadOf({ channel: event.channel, thread: event.thread }),
        clock.now(),
        ...fieldsOf(openedBy(event, conversationId, opening)),
      ],
    )
    return Answer.parse(answer)
  }

  const boundTo = async ({ workspace, channel, thread }: Place): Promise<string | null> =>
    thread === null ? null : await client.redis.hget(keysOf(workspace).threads, threadOf({ channel, thread }))

  /** The conversation of a thread that is bound to none. */
  async function ownIdOf({ workspace, channel, thread, openedFor: id, keys }: Place): Promise<string> {
    if (thread === null) return deriveId('c', workspace, channel, 'asked', keys[0] ?? '')
    const own = conversationIdOf(workspace, channel, thread)
    if (id === undefined) return own
    // Only a conversation of this channel that has no other thread can have been opened here (R142).
    const text = await client.redis.hget(keysOf(workspace).conversation(id).row, 'address')
    const address = readOne(Address, text)
    if (address?.channel !== channel) return own
    return address.thread === null || address.thread === thread ? id : own
  }

  return {
    async knows(place) {
      const keys = keysOf(place.workspace)
      const id = (await boundTo(place)) ?? (await ownIdOf(place))
      return (await client.redis.exists(keys.conversation(id).row)) === 1 ? id : null
    },
    async accept(event, opening) {
      const entry = entryOf(event)
      const ownId = await ownIdOf(event)
      // Known before its first row, so that no sweep can overlook the workspace: one connection keeps their order.
      const named = client.redis.sadd(workspacesKey, event.workspace)
      // Where both fail it is the write that tells whether anything was kept (C63).
      named.catch(() => {})
      const first = await write(ownId, entry, opening)
      await named
      const [kind, detail] = first[0] === 'moved' ? await write(first[1], entry, opening) : first
      if (kind === 'accepted') return { kind, entry, conversationId: first[0] === 'moved' ? first[1] : ownId }
      const seen = readJson(Receipt, detail)
      return {
        kind: 'duplicate',
        entry: { ...entry, id: seen.entryId, messageId: seen.messageId },
        conversationId: seen.conversationId,
      }
    },
  }
}

function entryOf(event: InboundEvent): InboxEntry {
  const id = entryIdOf(event.workspace, event.keys[0] ?? '')
  return { version: 1, id, messageId: event.content.kind === 'message' ? deriveId('m', 'event', id) : null, event }
}

function messageOf(entry: InboxEntry) {
  const { author, at, content } = entry.event
  const text = content.kind === 'message' ? content.text : ''
  return personMessage(entry.id, { id: author.id, name: author.name }, text, at)
}

function openedBy(event: InboundEvent, id: string, opening: { locale: string; timeZone: string }): Conversation {
  const { workspace, channel, thread, at, content, locale = opening.locale, timeZone = opening.timeZone } = event
  const title = content.kind === 'message' ? titleFrom(content.text) : ''
  return newConversation({ id, address: { workspace, channel, thread }, title, at, lastReadAt: at, locale, timeZone })
}
