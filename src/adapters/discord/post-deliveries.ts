import { RESTJSONErrorCodes as codes, Routes } from 'discord.js'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { keptMs, type Outgoing, type PostPlatform } from '../channel-kit/poster.ts'
import type { NotSent } from '../channel-kit/send-outcomes.ts'
import { broken, defang } from '../safety.ts'
import { shortened } from '../text.ts'
import { shownTitle } from '../thread-title.ts'
import { type Failure, get } from './api.ts'
import type { Discord } from './context.ts'
import { type AnyChannel, isForum } from './directory.ts'
import { idAt, isAfter, limits } from './limits.ts'
import { type PostOutcome, post } from './post.ts'
import { nonceOf, type Part, renderFiles } from './render.ts'
import {
  findPost,
  isShort,
  type OpenOutcome,
  openThread,
  type PostJob,
  replyPlace,
  replyTo,
  sinceOf,
  type Target,
  targetOf,
  threadBelow,
  type Where,
} from './threads.ts'
import { workWithoutThreads } from './without-threads.ts'

/** Error codes with which Discord refuses a file. */
const noFiles: readonly number[] = [
  codes.MissingPermissions,
  codes.RequestEntityTooLarge,
  codes.FileUploadedExceedsMaximumSize,
  codes.InvalidFileUploaded,
  codes.AccessToFileUploadsHasBeenLimitedForThisGuild,
]
/** Status of a request that was too large for the proxy in front of Discord, which has no code. */
const tooLarge = 413

/** Error codes for a message that may refer to no other here (C998). */
const noReply: readonly number[] = [
  codes.CannotReplyWithoutPermissionToReadMessageHistory,
  codes.CannotReferenceAMessageWithoutPermissionToReadMessageHistory,
  codes.NSFWChannelMessageReferenceNotAllowed,
]

const harmful: readonly number[] = [codes.MessageBlockedByHarmfulLinksFilter]

const isRefusedFor = (sent: OpenOutcome | PostOutcome, errors: readonly number[]): boolean =>
  sent.kind === 'refused' && 'code' in sent && errors.includes(Number(sent.code))

const isAboutFiles = (sent: OpenOutcome | PostOutcome, { files = [] }: Part): boolean =>
  files.length > 0 &&
  (isRefusedFor(sent, noFiles) ||
    (sent.kind === 'refused' && 'status' in sent && sent.status === tooLarge))

export type PostTarget = Omit<Extract<Target, { kind: 'at' }>, 'kind'>

/** Posts messages, each with a nonce that makes a retry harmless. */
export function discordPosts(discord: Discord): PostPlatform<Part, Where, PostTarget> {
  return {
    keyOf: ({ delivery }) => `out:${delivery.conversationId}`,
    looksFirst: false,
    begin: (job, out) => begin(discord, job, out),
    look: (job, out, before) => look(discord, job, out, before),

    async post({ delivery, conversation }, { part, index, target: { channelId, replyTo }, out }) {
      const reply =
        replyTo === null
          ? {}
          : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }
      const nonce = nonceOf(delivery.id, index)
      const say = async (said: Part) => {
        const sent = await post(discord, channelId, { ...said, ...reply }, nonce)
        return isRefusedFor(sent, noReply) ? await post(discord, channelId, said, nonce) : sent
      }
      let sent = await say(part)
      if (isRefusedFor(sent, harmful)) sent = await say(withoutLinks(part))
      // If files are refused here, the message goes without them, followed by their text.
      if (isAboutFiles(sent, part)) {
        noteRefused(discord, delivery, sent)
        sent = await say({ ...part, files: [] })
        if (sent.kind === 'sent')
          sent = (await sayFiles(discord, delivery, conversation, { channelId, part })) ?? sent
      }
      if (sent.kind === 'refused' && sent.code === codes.UnknownChannel)
        discord.directory.forget(channelId)
      if (
        sent.kind === 'refused' &&
        (await workWithoutThreads(discord, conversation, channelId, sent))
      )
        return { kind: 'later', afterMs: 0 }
      if (sent.kind !== 'sent') return sent
      // Direct messages have no threads: replies to the message are the thread of a question
      // (C843).
      if (conversation.asks != null && conversation.address.thread === null) out.thread ??= sent.ref
      return { kind: 'posted', ref: sent.ref }
    },
  }
}

/** Breaks the addresses of a message, where Discord takes one of them for harmful. */
const withoutLinks = ({ content = '', ...part }: Part): Part => ({
  ...part,
  content: shortened(
    defang(content, () => false, broken),
    limits.contentCharacters,
  ),
})

const noteRefused = ({ deps }: Discord, { id: delivery }: Delivery, refused: object) =>
  deps.log.warn({ delivery, refused }, 'Discord refused a file; sending the text alone')

/** Posts the text of files that Discord refused. Returns what went wrong, or `null`. */
async function sayFiles(
  discord: Discord,
  { id }: Delivery,
  { locale }: Conversation,
  { channelId, part: { files = [] } }: { channelId: string; part: Part },
): Promise<Failure | null> {
  for (const [at, text] of renderFiles(files, locale).entries()) {
    const said = await post(discord, channelId, text, nonceOf(id, channelId, 'file', at))
    if (said.kind !== 'sent') return said
  }
  return null
}

/** Opens a conversation. If its files are refused there, their text follows its first message. */
async function open(discord: Discord, place: AnyChannel, job: PostJob): Promise<OpenOutcome> {
  const { delivery, conversation, parts } = job
  const [first, ...rest] = parts
  const openWith = (part: Part) => openThread(discord, place, { ...job, parts: [part, ...rest] })
  const opened = await openThread(discord, place, job)
  if (first === undefined) return opened
  if (isRefusedFor(opened, harmful)) return await openWith(withoutLinks(first))
  if (!isAboutFiles(opened, first)) return opened
  noteRefused(discord, delivery, opened)
  const bare = await openWith({ ...first, files: [] })
  if (bare.kind !== 'opened') return bare
  const channelId = isShort(delivery, parts) && !isForum(place) ? place.id : bare.thread
  return (await sayFiles(discord, delivery, conversation, { channelId, part: first })) ?? bare
}

/** Finds the place of a delivery, or opens it with the first part. */
async function begin(
  discord: Discord,
  job: PostJob,
  out: Outgoing,
): Promise<{ kind: 'ready'; target: PostTarget } | NotSent> {
  const { delivery, conversation, parts, where } = job
  if (where !== null) return { kind: 'ready', target: { channelId: where, replyTo: null } }
  const { address, id } = conversation
  let target = await placeFor(discord, delivery, conversation, parts)
  if (target.kind === 'opens') {
    if (out.thread === null) {
      const opened = await open(discord, target.place, job)
      if (opened.kind !== 'opened') return opened
      out.thread = opened.thread
      out.refs.push(opened.thread)
      // Stored now, since a reply may arrive before the core has bound the thread (R148).
      await discord.deps.notes.put(address.workspace, `opened:${opened.thread}`, id, keptMs.posted)
    }
    if (out.refs.length >= parts.length)
      return { kind: 'ready', target: { channelId: out.thread, replyTo: null } }
    // If threads are not allowed, the other parts follow as replies to the first.
    target = await targetOf(discord, {
      ...conversation,
      address: { ...address, thread: out.thread },
    })
  }
  if (target.kind === 'opens') return { kind: 'unknown' }
  return target.kind === 'at' ? { kind: 'ready', target } : target
}

/**
 * C81: returns the place of a delivery. Threads are for tasks; an answer of one message is a reply.
 */
async function placeFor(
  discord: Discord,
  delivery: Delivery,
  conversation: Conversation,
  parts: readonly Part[],
) {
  return (
    (isShort(delivery, parts) ? await replyTo(discord, conversation) : null) ??
    (await targetOf(discord, conversation))
  )
}

/**
 * Looks for a delivery by its text. An equal text up to the previous delivery's message belongs to
 * that one.
 */
async function look(
  discord: Discord,
  { delivery, conversation, parts }: PostJob,
  out: Outgoing,
  before: string | null,
): Promise<{ whole: boolean } | null> {
  const isOurs =
    (part: Part | undefined) =>
    ({ id, content }: OwnMessage) =>
      content.trim() === (part?.content ?? '').trim() &&
      !out.refs.includes(id) &&
      (before === null || isAfter(id, before))
  const reply = isShort(delivery, parts) ? replyPlace(conversation) : null
  const replies = reply && (await ownReplies(discord, delivery, reply))
  if (replies === 'away') return null
  const replied = replies?.find(isOurs(parts[0]))
  if (replied) {
    out.refs.push(replied.id)
    return { whole: true }
  }
  const channelId = await whereFirst(discord, delivery, conversation, { parts, thread: out.thread })
  if (channelId === 'away') return null
  if (channelId === null || channelId === reply?.channelId) return { whole: false }
  const said = await ownMessages(discord, channelId, out.refs.at(-1) ?? idAt(sinceOf(delivery)))
  if (said === 'away') return null
  for (const part of parts.slice(out.refs.length)) {
    const found = said.find(isOurs(part))
    if (found === undefined) return { whole: false }
    out.refs.push(found.id)
  }
  const [first] = out.refs
  if (conversation.address.thread !== null || out.thread !== null || first === undefined)
    return { whole: first !== undefined }
  const isPost = channelId === first || isShort(delivery, parts)
  if (
    !isPost &&
    (await threadBelow(discord, channelId, first, shownTitle(conversation))).kind !== 'opened'
  )
    return { whole: false }
  out.thread = first
  return { whole: true }
}

/**
 * Own replies in the channel to a message, which may have got a thread since. Equal words to
 * another message are another answer.
 */
async function ownReplies(
  discord: Discord,
  delivery: Delivery,
  { channelId, replyTo }: NonNullable<ReturnType<typeof replyPlace>>,
) {
  const said = await ownMessages(discord, channelId, idAt(sinceOf(delivery)))
  if (said === 'away') return said
  return said.filter(({ message_reference: to }) => to?.message_id === replyTo)
}

/** Channel or thread in which a delivery would stand; `null` if there is none. */
async function whereFirst(
  discord: Discord,
  delivery: Delivery,
  conversation: Conversation,
  { parts, thread }: { parts: readonly Part[]; thread: string | null },
): Promise<string | 'away' | null> {
  const { address } = conversation
  if (thread !== null) return thread
  if (address.thread !== null) {
    const target = await placeFor(discord, delivery, conversation, parts)
    if (target.kind === 'at') return target.channelId
    return target.kind === 'refused' ? null : 'away'
  }
  const place = await discord.directory.find(address.channel)
  if (place === null || place === 'away') return place
  return isForum(place) ? await findPost(discord, place, conversation, sinceOf(delivery)) : place.id
}

const OwnMessage = z.object({
  id: z.string(),
  content: z.string(),
  author: z.object({ id: z.string() }),
  message_reference: z.object({ message_id: z.string().nullish() }).nullish(),
})
type OwnMessage = z.infer<typeof OwnMessage>
/** A message in a form that is not known is none of ours. */
const Messages = z.array(OwnMessage.nullable().catch(null))

/**
 * Own messages of a channel, oldest first; none where Clew may not read. Before Discord has said who
 * Clew is, nobody can tell which are its own.
 */
async function ownMessages(
  { api, self }: Discord,
  channelId: string,
  after: string,
): Promise<OwnMessage[] | 'away'> {
  const own = self()
  if (own === null) return 'away'
  const query = { after: isAfter(after, '0') ? String(BigInt(after) - 1n) : '0', limit: '100' }
  const answer = await get(api, Routes.channelMessages(channelId), Messages, query)
  if (answer.kind === 'refused') return []
  if (answer.kind !== 'ok') return 'away'
  return answer.value
    .filter((message) => message !== null)
    .filter(({ author }) => author.id === own.id)
    .reverse()
}
