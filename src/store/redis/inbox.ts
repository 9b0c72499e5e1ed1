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
import { type Connection, channelIn } from './connection.ts'
import { wordsFrom } from './indexed-words.ts'
import { keysOf, needName, threadOf } from './keys.ts'

/**
 * Time for which an event's key is remembered, in ms. Retries come up to 5 minutes later; a day
 * leaves room (P3, I3).
 */
const seenForMs = 24 * 60 * 60 * 1000

const Receipt = z.object({
  entryId: z.string(),
  messageId: z.string().nullable(),
  conversationId: z.string(),
})
type Receipt = z.infer<typeof Receipt>

const Answer = z.tuple([z.enum(['accepted', 'duplicate', 'moved']), z.string()])

type BoundAddress = Parameters<Inbox['knows']>[0]

type Opening = Parameters<Inbox['accept']>[1]

export function createInbox(client: Client, clock: Clock): Inbox {
  const { redis } = client
  return {
    async knows(place) {
      const id = (await boundTo(redis, place)) ?? (await ownIdOf(redis, place))
      return (await redis.exists(keysOf(place.workspace).conversation(id).row)) === 1 ? id : null
    },
    async accept(event, opening) {
      const entry = entryOf(event)
      const write = async (id: string) => {
        const { keys, args } = acceptance(redis, id, entry, { ...opening, now: clock.now() })
        return Answer.parse(await client.run('accept', keys, args))
      }
      const ownId = await ownIdOf(redis, event)
      const named = client.workspaces.add(event.workspace)
      // If both fail, the error of the write says if anything was stored (C63).
      named.catch(() => {})
      const first = await write(ownId)
      await named
      const conversationId = first[0] === 'moved' ? first[1] : ownId
      const [kind, detail] = first[0] === 'moved' ? await write(conversationId) : first
      if (kind === 'accepted') return { kind, entry, conversationId }
      const { entryId: id, messageId, ...seen } = readJson(Receipt, detail)
      return { kind: 'duplicate', entry: { ...entry, id, messageId }, ...seen }
    },
  }
}

const boundTo = async (redis: Connection, { workspace, channel, thread }: BoundAddress) =>
  thread === null
    ? null
    : await redis.hget(keysOf(workspace).threads, threadOf({ channel, thread }))

/** Id of the conversation for a thread that is bound to none. */
async function ownIdOf(redis: Connection, place: BoundAddress): Promise<string> {
  const { workspace, channel, thread, openedFor: id, keys } = place
  const own =
    thread === null
      ? deriveId('c', workspace, channel, 'asked', keys[0] ?? '')
      : conversationIdOf(workspace, channel, thread)
  if (id === undefined) return own
  // Only a conversation of this channel without another thread can have been opened here (R142).
  const address = readOne(
    Address,
    await redis.hget(keysOf(workspace).conversation(id).row, 'address'),
  )
  if (address?.channel !== channel) return own
  // What is said to it before its thread is bound names no thread.
  return [address.thread, thread].includes(null) || address.thread === thread ? id : own
}

function entryOf(event: InboundEvent): InboxEntry {
  const id = entryIdOf(event.workspace, event.keys[0] ?? '')
  return {
    version: 1,
    id,
    messageId: event.content.kind === 'message' ? deriveId('m', 'event', id) : null,
    event,
  }
}

/** Keys and arguments of the script that accepts the entry into this conversation. */
function acceptance(
  redis: Connection,
  conversationId: string,
  entry: InboxEntry,
  opening: Opening & { now: number },
) {
  const { event } = entry
  const { at, channel, thread, content } = event
  const author = { id: event.author.id, name: event.author.name }
  // An opinion on a report says nothing new in its thread.
  const spoke = content.kind === 'feedback' || content.kind === 'keep_test' ? 0 : at
  const receipt: Receipt = { entryId: entry.id, messageId: entry.messageId, conversationId }
  const said =
    content.kind === 'message'
      ? [personMessage(entry.id, author, content.text, at, content.files)]
      : []
  const keys = keysOf(event.workspace)
  const { row, inbox, messages, out, words } = keys.conversation(conversationId)
  return {
    keys: [
      ...[row, inbox, messages, out, keys.conversations, keys.due('conversation'), keys.threads],
      ...[keys.needs(), channelIn(redis, keys.news), keys.words.all, words],
      ...event.keys.map((key) => keys.seen(key)),
    ],
    args: [
      ...[
        encode(receipt),
        seenForMs,
        spoke,
        conversationId,
        encode(entry),
        said.map(encode).join(''),
      ],
      ...[
        thread === null ? '' : threadOf({ channel, thread }),
        opening.now,
        needName.failed(conversationId),
      ],
      wordsFrom({ address: event, messages: said }),
      ...fieldsOf(openedBy(event, conversationId, opening)),
    ],
  }
}

function openedBy(event: InboundEvent, id: string, opening: Opening): Conversation {
  const {
    workspace,
    channel,
    thread,
    at,
    content,
    locale = opening.locale,
    timeZone = opening.timeZone,
  } = event
  // A file without a message text names the thread.
  const title =
    content.kind === 'message'
      ? titleFrom(content.text.trim() || (content.files?.[0]?.name ?? ''))
      : ''
  return newConversation({
    id,
    address: { workspace, channel, thread },
    title,
    at,
    lastReadAt: at,
    locale,
    timeZone,
  })
}
