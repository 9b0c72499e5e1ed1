import { Routes } from 'discord.js'
import { z } from 'zod'
import { assertNever } from '../../agent/domain/assert.ts'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Author, Outcome } from '../../agent/domain/message.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import { type Discord, keep } from './context.ts'
import { codes, idAt, isAfter } from './limits.ts'
import { createParts } from './parts.ts'
import { nonceOf, type Part, plain } from './render.ts'
import { noteHome } from './sent-directly.ts'
import { findPost, idIn, openThread, outcomeOf, targetOf, threadBelow, wake } from './threads.ts'
import { whisper } from './whisper.ts'

/** What has been sent of a conversation's newest delivery; the outbox sends one at a time. */
const Outgoing = z.object({
  delivery: z.string(),
  thread: z.string().nullable(),
  refs: z.array(z.string()),
  done: z.boolean(),
})
type Outgoing = z.infer<typeof Outgoing>

const QuestionNote = z.object({ channelId: z.string(), messageId: z.string() })
const readNote = <S extends z.ZodType>(schema: S, text: string | null): z.infer<S> | null =>
  text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)

/** What Discord says where it takes no file. */
const noFiles: readonly number[] = [codes.missingPermissions, codes.tooLarge]

/** A clock of Discord's that is behind ours must not hide a message. */
const skewMs = 60_000

export function createSender(discord: Discord) {
  const { deps, rest } = discord
  const { shelf } = deps.store
  const partsOf = createParts(discord)
  const outKey = (id: string) => `out:${id}`

  async function outgoing(delivery: Delivery, workspace: string): Promise<Outgoing> {
    const note = readNote(Outgoing, await shelf.get(workspace, outKey(delivery.conversationId)))
    return note?.delivery === delivery.id ? note : { delivery: delivery.id, thread: null, refs: [], done: false }
  }
  const remember = (conversation: Conversation, note: Outgoing) =>
    shelf.put(conversation.address.workspace, outKey(conversation.id), JSON.stringify(note), keep.outgoing)

  async function post(delivery: Delivery, conversation: Conversation, parts: readonly Part[]): Promise<Sent> {
    const note = await outgoing(delivery, conversation.address.workspace)
    if (note.done) return sentAs(note)
    const way = { delivery, conversation, parts, note }
    let target = await targetOf(discord, conversation)
    if (target.kind === 'opens') {
      if (note.thread === null) {
        const [part = plain('…')] = parts
        const { title, id } = conversation
        const opened = await openThread(discord, {
          place: target.place,
          part,
          deliveryId: delivery.id,
          title,
          since: delivery.at - skewMs,
        })
        if (opened.kind !== 'opened') return opened
        note.thread = opened.thread
        note.refs.push(opened.message)
        // A reply may come in before the core has bound the thread (R148).
        await shelf.put(conversation.address.workspace, `opened:${opened.thread}`, id, keep.outgoing)
        await remember(conversation, note)
      }
      if (note.refs.length >= parts.length) return await postRest({ ...way, channelId: note.thread, replyTo: null })
      // Where no thread may be made, the rest goes below the first part as replies.
      const below = { ...conversation, address: { ...conversation.address, thread: note.thread } }
      target = await targetOf(discord, below)
    }
    if (target.kind === 'opens') return { kind: 'unknown' }
    return target.kind === 'at' ? await postRest({ ...way, ...target }) : target
  }

  /** The parts that are not there yet, in order; each is noted, so that a crash repeats none. */
  async function postRest(way: {
    delivery: Delivery
    conversation: Conversation
    parts: readonly Part[]
    note: Outgoing
    channelId: string
    replyTo: string | null
  }): Promise<Sent> {
    const { delivery, conversation, parts, note, channelId, replyTo } = way
    for (let index = note.refs.length; index < parts.length; index++) {
      const part: Part = parts[index] ?? plain('…')
      const { files = [], ...body } = part
      const reply = replyTo === null ? {} : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }
      const say = (along: typeof files) =>
        rest.call('POST', Routes.channelMessages(channelId), {
          body: { ...body, ...reply, nonce: nonceOf(delivery.id, index), enforce_nonce: true },
          files: along,
        })
      let answer = await say(files)
      // Words are not kept back for a file that may not be attached here.
      if (answer.kind === 'failed' && files.length > 0 && noFiles.includes(answer.code)) {
        deps.log.warn({ delivery: delivery.id, code: answer.code }, 'Discord did not take a file; its words go alone')
        answer = await say([])
      }
      if (answer.kind === 'failed' && answer.code === codes.unknownChannel) discord.directory.forget(channelId)
      if (answer.kind !== 'ok') return outcomeOf(answer)
      const ref = idIn(answer.value)
      if (ref === null) return { kind: 'unknown' }
      note.refs.push(ref)
      if (index < parts.length - 1) await remember(conversation, note)
    }
    note.done = true
    await Promise.all([remember(conversation, note), noteQuestion(delivery, conversation, channelId, note.refs[0])])
    return sentAs(note)
  }

  async function noteQuestion(
    { body }: Delivery,
    conversation: Conversation,
    channelId: string,
    messageId: string | undefined,
  ) {
    if (body.kind !== 'question' || messageId === undefined) return
    const note = JSON.stringify({ channelId, messageId })
    await shelf.put(conversation.address.workspace, `question:${body.question.id}`, note, keep.question)
  }

  /** The question becomes what was answered; where it cannot be found any more, a line says it. */
  async function close(delivery: Delivery, conversation: Conversation): Promise<Sent> {
    if (delivery.body.kind !== 'answered') return { kind: 'refused', reason: 'not an answer' }
    const { answered } = delivery.body
    const { workspace } = conversation.address
    const note = readNote(QuestionNote, await shelf.get(workspace, `question:${answered.question.id}`))
    const [body = plain('…')] = await partsOf(delivery, conversation)
    if (note === null) return await post(delivery, conversation, [body])
    const change = () => rest.call('PATCH', Routes.channelMessage(note.channelId, note.messageId), { body })
    let answer = await change()
    if (answer.kind === 'failed' && answer.code === codes.archived && (await wake(discord, note.channelId)))
      answer = await change()
    if (answer.kind === 'ok') return { kind: 'sent', ref: note.messageId }
    // An edit may be made again without harm, so an unclear outcome is simply tried again.
    if (answer.kind === 'unknown') return { kind: 'later', afterMs: 1_000 }
    if (answer.kind === 'failed') return await post(delivery, conversation, [body])
    return answer
  }

  async function send(delivery: Delivery, conversation: Conversation): Promise<Sent> {
    const { body } = delivery
    switch (body.kind) {
      case 'message':
      case 'final':
      case 'question':
        return await post(delivery, conversation, await partsOf(delivery, conversation))
      case 'answered':
        return await close(delivery, conversation)
      case 'private': {
        const [part = plain('…')] = await partsOf(delivery, conversation)
        const told = await whisper(discord, { delivery, conversation, to: body.to, text: part.content ?? '…' })
        // Nobody is left without an answer: who takes no direct messages reads it in the thread.
        return told.kind === 'refused' ? await post(delivery, conversation, [part]) : told
      }
      case 'receipt':
        return await mark(discord, body.ref ?? null, body.outcome)
      default:
        return assertNever(body)
    }
  }

  /** Looks for what an earlier try left, by its words, behind what was sent before it. */
  async function find(delivery: Delivery, conversation: Conversation) {
    const note = await outgoing(delivery, conversation.address.workspace)
    if (note.done) return refOf(note)
    // A question that was closed can be closed again without anybody noticing.
    const parts = delivery.body.kind === 'answered' ? [] : await partsOf(delivery, conversation)
    const channelId = await whereFirst(delivery, conversation, note)
    if (parts.length === 0 || channelId === null) return null
    const said = await ownMessages(channelId, note.refs.at(-1) ?? idAt(delivery.at - skewMs))
    const before = await lastRef(conversation)
    for (let index = note.refs.length; index < parts.length; index++) {
      const wanted = (parts[index]?.content ?? '').trim()
      const found = said.find(
        (one) =>
          one.content.trim() === wanted && !note.refs.includes(one.id) && (before === null || isAfter(one.id, before)),
      )
      if (found === undefined) return null
      note.refs.push(found.id)
    }
    if (conversation.address.thread === null && note.thread === null) {
      const [first] = note.refs
      if (first === undefined) return null
      const opened =
        channelId === first
          ? { kind: 'opened' as const, thread: first }
          : await threadBelow(discord, channelId, first, conversation.title)
      if (opened.kind !== 'opened') return null
      note.thread = opened.thread
    }
    note.done = true
    await Promise.all([
      remember(conversation, note),
      noteQuestion(delivery, conversation, note.thread ?? channelId, note.refs[0]),
    ])
    return refOf(note)
  }

  /** The last message of the delivery before this one: an equal text up to it was another delivery's. */
  async function lastRef(conversation: Conversation): Promise<string | null> {
    const note = readNote(Outgoing, await shelf.get(conversation.address.workspace, outKey(conversation.id)))
    return note?.refs.at(-1) ?? null
  }

  async function whereFirst(
    delivery: Delivery,
    { address, title }: Conversation,
    note: Outgoing,
  ): Promise<string | null> {
    if (note.thread !== null) return note.thread
    if (address.thread !== null) return address.thread
    const place = await discord.directory.find(address.channel)
    if (place === null || place === 'away') return null
    if (place.type !== 15 && place.type !== 16) return place.id
    const post = await findPost(discord, place, title, delivery.at - skewMs)
    return post === 'away' ? null : post
  }

  async function ownMessages(channelId: string, after: string): Promise<{ id: string; content: string }[]> {
    const answer = await rest.call('GET', Routes.channelMessages(channelId), {
      query: { after: isAfter(after, '0') ? String(BigInt(after) - 1n) : '0', limit: '100' },
    })
    const list = answer.kind === 'ok' ? Said.safeParse(answer.value).data : undefined
    return (list ?? []).filter(({ author }) => author.id === discord.self()?.id).reverse()
  }

  /** To one person, when the place took it no more; with a note of where it belongs. */
  async function direct(delivery: Delivery, conversation: Conversation, to: Author): Promise<Sent> {
    const channel = await rest.call('POST', Routes.userChannels(), { body: { recipient_id: to.id } })
    if (channel.kind !== 'ok') return outcomeOf(channel)
    const channelId = discord.directory.keep(channel.value)?.id
    if (channelId === undefined) return { kind: 'unknown' }
    const { discord: words } = texts(conversation.locale)
    const parts = await partsOf(delivery, conversation, true)
    const head = plain(words.cannotPostThere(`<#${conversation.address.thread ?? conversation.address.channel}>`))
    const { workspace } = conversation.address
    await noteHome(deps.store.shelf, delivery, to.id, workspace)
    // What has arrived in the place itself counts for nothing here.
    const own = { ...delivery, id: `${delivery.id}:direct` }
    const note = await outgoing(own, workspace)
    return await postRest({ delivery: own, conversation, parts: [head, ...parts], note, channelId, replyTo: null })
  }

  return { send, find, direct }
}

const Said = z.array(z.object({ id: z.string(), content: z.string(), author: z.object({ id: z.string() }) }))

const refOf = ({ refs, thread }: Outgoing) => ({ ref: refs.at(-1) ?? '', ...(thread === null ? {} : { thread }) })
const sentAs = (note: Outgoing): Sent => ({ kind: 'sent', ...refOf(note) })

export const emoji = { seen: '👀', joined: '👍', answer: '✅', failed: '⚠️', refused: '🚫' } as const

/** What became of a person's message, as a mark on it. A mark that cannot be made is no loss. */
async function mark(discord: Discord, ref: string | null, outcome: Outcome): Promise<Sent> {
  const [channelId, messageId] = ref?.split('/') ?? []
  if (channelId === undefined || messageId === undefined) return { kind: 'sent', ref: '' }
  const put = (sign: string) =>
    discord.rest.call('PUT', Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(sign)))
  const drop = (sign: string) =>
    discord.rest.call('DELETE', Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(sign)))
  const answer = await markFor(outcome, put, drop)
  return answer?.kind === 'later' ? answer : { kind: 'sent', ref: ref ?? '' }
}

function markFor(outcome: Outcome, put: (sign: string) => ReturnType<Discord['rest']['call']>, drop: typeof put) {
  switch (outcome.kind) {
    // What these came to is seen in the thread.
    case 'waiting':
    case 'answered':
    case 'started':
    case 'command':
      return null
    case 'joined':
      return put(emoji.joined)
    case 'answer':
      return put(emoji.answer)
    case 'failed':
      return put(emoji.failed)
    case 'ignored':
      return outcome.reason === 'not_allowed' ? put(emoji.refused) : drop(emoji.seen)
    default:
      return assertNever(outcome)
  }
}
