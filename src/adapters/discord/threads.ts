import { ChannelType, RESTJSONErrorCodes as codes, Routes } from 'discord.js'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Job } from '../channel-kit/poster.ts'
import type { NotSent } from '../channel-kit/send-outcomes.ts'
import { shownTitle } from '../thread-title.ts'
import { type Answer, type Failure, get } from './api.ts'
import type { Discord } from './context.ts'
import { type AnyChannel, isForum, isThread } from './directory.ts'
import { idAt, isAfter, limits } from './limits.ts'
import { messageKey } from './parse.ts'
import { post } from './post.ts'
import { nonceOf, type Part, plain, threadName } from './render.ts'
import { isWithoutThreads } from './without-threads.ts'

/** Place of a conversation's messages, or the reason why there is none now. */
export type Target =
  | { kind: 'at'; channelId: string; replyTo: string | null }
  /** Clew opens the conversation with a first message in this channel. */
  | { kind: 'opens'; place: AnyChannel }
  | NotSent

/** Discord cannot be asked now. */
const away = { kind: 'later', afterMs: 2_000 } as const

/**
 * Finds the place of a conversation. Creates the thread that grows from a person's message. The
 * thread's id is the message's, and a retry gets error 160004. If threads are not allowed, replies
 * go to the channel.
 */
export async function targetOf(discord: Discord, conversation: Conversation): Promise<Target> {
  const { address, title } = conversation
  const { directory } = discord
  if (address.thread === null || address.thread === address.channel) {
    const channel = await directory.find(address.channel)
    if (channel === 'away') return away
    if (channel === null)
      return { kind: 'refused', reason: 'the channel is gone or closed to Clew' }
    const opens = address.thread === null && channel.type !== ChannelType.DM
    return opens
      ? { kind: 'opens', place: channel }
      : { kind: 'at', channelId: channel.id, replyTo: null }
  }
  const thread = await directory.find(address.thread)
  if (thread === 'away') return away
  if (await isWithoutThreads(discord, conversation))
    return { kind: 'at', channelId: address.channel, replyTo: address.thread }
  if (thread !== null) return { kind: 'at', channelId: thread.id, replyTo: null }
  const grown = await grow(discord, address.channel, address.thread, title)
  if (grown.kind === 'refused' && grown.code === codes.UnknownMessage)
    await takeBack(discord, conversation)
  return grown
}

/**
 * C336: records the deletion of a message that is gone when its thread is opened, since the
 * deletion event was missed.
 */
async function takeBack({ hand, deps }: Discord, { address }: Conversation) {
  await hand({
    workspace: address.workspace,
    channel: address.channel,
    thread: address.thread,
    keys: [`x:${address.thread}`],
    author: { id: '', name: '', bot: false },
    whose: { way: 'edited', by: 'member' },
    at: deps.clock.now(),
    content: { kind: 'deleted', key: messageKey(address.thread ?? '') },
  })
}

/**
 * Returns a reply to a person's message that has no thread yet. Returns `null` if it has a thread
 * or cannot have one.
 */
export async function replyTo(
  discord: Discord,
  conversation: Conversation,
): Promise<Target | null> {
  const reply = replyPlace(conversation)
  const thread = reply && (await discord.directory.find(reply.replyTo))
  if (thread === 'away') return away
  return thread === null ? reply : null
}

/** Place of a reply to a person's message in a channel, whether or not it has a thread. */
export function replyPlace({ address: { channel, thread } }: Conversation) {
  if (thread === null || thread === channel) return null
  return { kind: 'at', channelId: channel, replyTo: thread } as const
}

/** Creates a thread from a message. */
async function grow(
  discord: Discord,
  channelId: string,
  messageId: string,
  title: string,
): Promise<Extract<Target, { kind: 'at' }> | Failure> {
  const { api, directory } = discord
  const answer = await named(title, (name) => {
    const body = { name, auto_archive_duration: limits.archiveMinutes }
    return api.call('POST', Routes.threads(channelId, messageId), { body })
  })
  if (answer.kind === 'ok') directory.keep(answer.value)
  if (
    answer.kind === 'ok' ||
    (answer.kind === 'refused' && answer.code === codes.ThreadAlreadyCreatedForMessage)
  )
    return { kind: 'at', channelId: messageId, replyTo: null }
  if (answer.kind !== 'refused') return answer
  const noThreads: number[] = [
    codes.CannotExecuteActionOnThisChannelType,
    codes.MissingPermissions,
    codes.MaximumActiveThreads,
    codes.MaximumActiveAnnouncementThreads,
  ]
  if (noThreads.includes(answer.code)) return { kind: 'at', channelId, replyTo: messageId }
  return answer
}

/** Errors for a name that a server does not allow: by AutoMod, or for Server Discovery. */
const badName: readonly number[] = [
  codes.TitleWasBlockedByAutomaticModeration,
  codes.InvalidFormBodyOrContentType,
]

/** Makes something with a title, or without its words where the server does not allow them. */
async function named(title: string, make: (name: string) => Promise<Answer>): Promise<Answer> {
  const answer = await make(threadName(title))
  return answer.kind === 'refused' && badName.includes(answer.code)
    ? await make(threadName(''))
    : answer
}

/** Channel of one person's direct messages; `null` if the conversation decides. */
export type Where = string | null
export type PostJob = Job<Part, Where>

/**
 * Returns the time from which a delivery's messages are searched, a minute early in case Discord's
 * clock is behind.
 */
export const sinceOf = ({ at }: Delivery) => at - 60_000

export const isShort = ({ body }: Delivery, parts: readonly Part[]) =>
  body.kind === 'message' && body.runId === null && parts.length === 1

/** Result of opening. The thread's id is that of its first message, or of the message above it. */
export type OpenOutcome = { kind: 'opened'; thread: string } | NotSent

/**
 * Opens a conversation that began without a person's message (R106): a post in a forum, otherwise a
 * message with a thread below. A retry finds the result of the first attempt.
 */
export async function openThread(
  discord: Discord,
  place: AnyChannel,
  { delivery, conversation, parts }: PostJob,
): Promise<OpenOutcome> {
  const [part = plain('…')] = parts
  if (isForum(place)) return await openPost(discord, place, part, conversation, sinceOf(delivery))
  const sent = await post(discord, place.id, part, nonceOf(delivery.id, 0))
  if (sent.kind !== 'sent') return sent
  // A single message gets a thread only when somebody continues from it (C81).
  if (isShort(delivery, parts)) return { kind: 'opened', thread: sent.ref }
  return await threadBelow(discord, place.id, sent.ref, shownTitle(conversation))
}

/** Opens the thread below one of our messages. */
export async function threadBelow(
  discord: Discord,
  channelId: string,
  message: string,
  title: string,
): Promise<OpenOutcome> {
  const target = await grow(discord, channelId, message, title)
  return target.kind === 'at' ? { kind: 'opened', thread: message } : target
}

async function openPost(
  discord: Discord,
  place: AnyChannel,
  part: Part,
  conversation: Conversation,
  since: number,
): Promise<OpenOutcome> {
  // A post has no nonce, so the forum is searched before a retry.
  const earlier = await findPost(discord, place, conversation, since)
  if (earlier === 'away') return { kind: 'later', afterMs: 2_000 }
  if (earlier !== null) return { kind: 'opened', thread: earlier }
  const { files = [], ...message } = part
  const applied_tags = tagsFor(place)
  const answer = await named(shownTitle(conversation), (name) => {
    const body = { name, auto_archive_duration: limits.archiveMinutes, message, applied_tags }
    return discord.api.call('POST', Routes.threads(place.id), { body, files })
  })
  if (answer.kind !== 'ok') return answer
  const post = discord.directory.keep(answer.value)
  return post === null ? { kind: 'unknown' } : { kind: 'opened', thread: post.id }
}

/** Returns the tag of a forum that demands one, if possible one that anybody may set. */
function tagsFor({ flags, available_tags: tags }: AnyChannel): string[] | undefined {
  if (((flags ?? 0) & (1 << 4)) === 0) return undefined
  const tag = tags?.find(({ moderated }) => moderated !== true) ?? tags?.[0]
  return tag && [tag.id]
}

const Active = z.object({ threads: z.array(z.unknown()) })

/**
 * Finds Clew's post in this forum with this title, not older than `since` and not of another
 * conversation.
 */
export async function findPost(
  discord: Discord,
  place: AnyChannel,
  conversation: Conversation,
  since: number,
): Promise<string | null | 'away'> {
  const { id: conversationId, address } = conversation
  const names = [threadName(shownTitle(conversation)), threadName('')]
  const guildId = place.guild_id
  const self = discord.self()
  if (self === null) return 'away'
  if (!guildId) return null
  const answer = await get(discord.api, Routes.guildActiveThreads(guildId), Active)
  if (answer.kind !== 'ok') return answer.kind === 'refused' ? null : 'away'
  const found = answer.value.threads
    .flatMap((raw) => discord.directory.keep(raw, guildId) ?? [])
    .filter(
      (one) =>
        isThread(one) &&
        one.parent_id === place.id &&
        one.owner_id === self.id &&
        names.includes(one.name ?? '') &&
        isAfter(one.id, idAt(since)),
    )
  for (const { id } of found)
    if (
      ((await discord.deps.notes.get(address.workspace, `opened:${id}`)) ?? conversationId) ===
      conversationId
    )
      return id
  return null
}
