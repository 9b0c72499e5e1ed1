import { ChannelType, Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { atMost } from '../../agent/domain/at-most.ts'
import type { InboundEvent, Replied } from '../../agent/domain/event.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { markReadBy, take } from '../channel-kit/intake.ts'
import { showWorking } from '../channel-kit/working-sign.ts'
import { asAnswer } from './answers-outside.ts'
import type { Discord } from './context.ts'
import type { Cursors } from './cursors.ts'
import { workspaceOf } from './deps.ts'
import { type AnyChannel, isThread } from './directory.ts'
import { limits, timeOf } from './limits.ts'
import { Message } from './message.ts'
import {
  addressOf,
  Deleted,
  messageKey,
  Reaction,
  type Reader,
  readEdit,
  readMessage,
  refOf,
  repliedIn,
} from './parse.ts'
import { directly } from './private-message.ts'
import { react, seen } from './reactions.ts'
import { nonceOf } from './render.ts'
import { messageAt } from './thread-reading.ts'
import { reactedWith, watched } from './watched.ts'

/** Most cached authors. Discord does not name the author of a deleted message. */
const authorsKept = 5_000

/**
 * Converts dispatches into events and hands them to the core, one at a time. Everything throws if
 * the store is down.
 */
export function createMessages(discord: Discord, cursors: Cursors, stopping: AbortSignal) {
  const { directory } = discord
  const authors = new LRUCache<string, InboundEvent['author']>(atMost(authorsKept))

  async function hand(event: InboundEvent, live: boolean): Promise<IntakeResult> {
    const [key = ''] = event.keys
    const tell = (line: string) =>
      directly(discord, event.author.id, { text: line }, nonceOf('refused', key))
    const result = await take(discord, event, { refuses: 'daily', tell })
    if (result.kind !== 'ignored') authors.set(key, event.author)
    // An edit that adds a mention counts as a message (C78).
    const isOurs = isAddressed(event)
    if (result.kind === 'accepted' && result.messageId !== null && isOurs) {
      void showSeen(discord, event, stopping)
      if (live) void showTyping(discord, event, result, stopping)
    }
    return result
  }

  /** False if a message is not for Clew; rules may be about it then. */
  async function isTaken(
    event: InboundEvent,
    said: { message: Message; place: AnyChannel },
    live: boolean,
  ): Promise<boolean> {
    if (!concernsUs(event, said.place)) return false
    const result = await hand(await withContext(discord, event, said), live)
    if (result.kind !== 'ignored' || isAddressed(event)) return true
    if (result.reason === 'not_addressed' && isOpening(discord, said.place))
      throw new Error('a thread of ours is not bound yet')
    return false
  }

  return {
    /** Handles a message. `live` is false for a missed message that is read later. */
    async said(raw: unknown, place: AnyChannel, { live }: { live: boolean }): Promise<void> {
      const message = Message.safeParse(raw).data
      if (message === undefined) return
      const read = readMessage(message, place, readerOf(discord))
      const event = read && (await asAnswer(discord, read, place))
      if (event !== null && !(await isTaken(event, { message, place }, live)))
        await watched(discord, readerOf(discord), { message, place })
      await cursors.advance(workspaceOf(place.guild_id), message.channel_id, message.id)
    },

    async edited(raw: unknown): Promise<void> {
      const message = Message.safeParse(raw).data
      const place = message === undefined ? null : await directory.find(message.channel_id)
      if (message === undefined || place === null || place === 'away') return
      const read = readEdit(message, place, readerOf(discord))
      const event = read && (await asAnswer(discord, read, place))
      if (event !== null) await hand(await withContext(discord, event, { message, place }), true)
    },

    async deleted(raw: unknown): Promise<void> {
      const message = Deleted.safeParse(raw).data
      if (message === undefined) return
      const event = await deletion(discord, message, authors.get(messageKey(message.id)))
      if (event !== null) await hand(event, true)
    },

    reacted: (raw: unknown) => reacted(discord, raw),
  }
}

/**
 * Handles a reaction: what it starts (C781), and for a message by Clew that it was read (C115).
 * Reactions that arrive while Clew is down are lost.
 */
async function reacted(discord: Discord, raw: unknown): Promise<void> {
  const reaction = Reaction.safeParse(raw).data
  const own = discord.self()?.id
  if (reaction === undefined) return
  const { user_id: person, channel_id, message_id: id, member, emoji } = reaction
  const name = member?.nick ?? member?.user.global_name ?? member?.user.username ?? person
  if (person === own || member?.user.bot === true) return
  const place = await discord.directory.find(channel_id)
  if (place === null || place === 'away') return
  const given = {
    messageId: id,
    sign: emoji.name ?? '',
    person: { id: person, name, roles: member?.roles },
  }
  await reactedWith(discord, readerOf(discord), place, given)
  if (reaction.message_author_id !== own) return
  const root = await rootOf(discord, place, id)
  const speaker = { id: person, bot: false, guildId: place.guild_id, roles: member?.roles }
  const by = await discord.standingOf(speaker)
  await markReadBy(
    discord,
    { id: person, by },
    addressOf({ id: root, channel_id }, place),
    timeOf(id),
  )
}

/**
 * Returns the message that a thread would grow from. Outside threads, Clew's short answers are
 * replies to it (C81).
 */
async function rootOf(discord: Discord, place: AnyChannel, id: string): Promise<string> {
  if (isThread(place) || place.type === ChannelType.DM) return id
  return (await messageAt(discord, refOf(place.id, id)))?.message_reference?.message_id ?? id
}

/**
 * Builds the event of a deleted message. Its author is unknown if another process received the
 * message, or if it was only read back.
 */
async function deletion(
  { directory, deps }: Discord,
  message: z.infer<typeof Deleted>,
  known: InboundEvent['author'] | undefined,
): Promise<InboundEvent | null> {
  const place = await directory.find(message.channel_id)
  if (place === null || place === 'away') return null
  const key = messageKey(message.id)
  const address = addressOf(message, place)
  const isOurs = known !== undefined || isThread(place)
  // C343: outside threads, this may be a mention whose thread does not exist yet.
  if (!isOurs && (await deps.inbox.knows({ ...address, keys: [key] })) === null) return null
  const author = known ?? { id: '', name: '', bot: false }
  const content = { kind: 'deleted' as const, key }
  return {
    ...address,
    keys: [`x:${message.id}`],
    author,
    whose: { way: 'edited', by: author.bot ? 'bot' : 'member' },
    at: deps.clock.now(),
    content,
  }
}

const readerOf = ({ self, directory, deps }: Discord): Reader => ({
  botId: self()?.id ?? '',
  botOfRole: directory.botOfRole,
  nameOf: directory.nameOf,
  now: deps.clock.now(),
})

const isAddressed = ({ content }: InboundEvent): boolean =>
  'addressed' in content && content.addressed === true

/** True if a message may concern Clew. Outside threads, it must mention Clew. */
const concernsUs = ({ content }: InboundEvent, place: AnyChannel): boolean =>
  content.kind === 'message' && (content.addressed || isThread(place))

const isOwn = ({ self }: Discord, place: AnyChannel): boolean =>
  isThread(place) && place.owner_id === self()?.id

/**
 * True while a thread by Clew is so new that its conversation may not be stored yet. A reply is
 * then read again (R148).
 */
const isOpening = (discord: Discord, place: AnyChannel): boolean =>
  isOwn(discord, place) && discord.deps.clock.now() - timeOf(place.id) < limits.openingMs

/**
 * Adds the author's time zone, language and standing, and the conversation of a thread that Clew
 * opened.
 */
async function withContext(
  discord: Discord,
  event: InboundEvent,
  { message, place }: { message: Message; place: AnyChannel },
): Promise<InboundEvent> {
  if (event.author.bot) return event
  const replied = await repliedTo(discord, event, message)
  const { content } = event
  const speaker = { ...event.author, guildId: place.guild_id, roles: message.member?.roles }
  const [{ timeZone, locale }, by, openedFor] = await Promise.all([
    discord.people.who(event.author.id),
    discord.standingOf(speaker),
    isOwn(discord, place) ? discord.deps.notes.get(event.workspace, `opened:${place.id}`) : null,
  ])
  const isReply = content.kind === 'message' && replied !== null
  return {
    ...event,
    content: isReply ? { ...content, replied } : content,
    whose: { ...event.whose, by },
    ...(timeZone === null ? {} : { timeZone }),
    ...(locale === null ? {} : { locale }),
    ...(openedFor === null ? {} : { openedFor }),
  }
}

/**
 * Returns what a message replies to; Discord is asked where the message does not have it (C975).
 */
async function repliedTo(
  discord: Discord,
  { repliesTo }: InboundEvent,
  { referenced_message: told }: Message,
): Promise<Replied | null> {
  if (repliesTo === undefined) return null
  const message = told === undefined ? await messageAt(discord, repliesTo) : told
  return message && repliedIn(message, readerOf(discord))
}

/** Adds the first sign that a message was received (C76). */
async function showSeen(discord: Discord, { ref = '' }: InboundEvent, stopping: AbortSignal) {
  for (let tries = 0; tries < 3; tries++) {
    const marked = await react(discord, 'add', seen, ref)
    if (marked.kind !== 'later' || stopping.aborted) break
    await discord.deps.clock.sleep(marked.afterMs, stopping)
  }
}

/** Shows that Clew is typing while it thinks. Discord shows it for ten seconds each time (C180). */
async function showTyping(
  discord: Discord,
  event: InboundEvent,
  taken: Accepted,
  stopping: AbortSignal,
) {
  const [channelId = ''] = (event.ref ?? '').split('/')
  if (channelId === '') return
  const show = async () =>
    (await discord.api.call('POST', Routes.channelTyping(channelId))).kind !== 'refused'
  await showWorking(discord, event, taken, { everyMs: limits.typingEveryMs, stopping, show })
}

type Accepted = Extract<IntakeResult, { kind: 'accepted' }>
