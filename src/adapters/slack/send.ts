import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Question } from '../../agent/domain/question.ts'
import { questionDeliveryId } from '../../agent/kernel/questions.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { texts } from '../../locales/texts.ts'
import type { MayLink } from '../safety.ts'
import { type Api, asSent } from './api.ts'
import { context, type Post } from './blocks.ts'
import { limits } from './limits.ts'
import type { Marks } from './marks.ts'
import { createPosting, type Place, PostAnswer } from './post.ts'
import { partsOf } from './readback.ts'
import { type PostedBody, renderAnswered, renderPosts } from './render.ts'
import type { Uploads } from './uploads.ts'

export interface SendDeps {
  api: Api
  shelf: Notes
  log: Log
  marks: Marks
  uploads: Uploads
  /** Which links of a conversation may be followed; asked for only where a text has any. */
  mayLink(conversation: Conversation, text: string): Promise<MayLink>
}

export interface Sending {
  send(delivery: Delivery, conversation: Conversation): Promise<Sent>
  find(delivery: Delivery, conversation: Conversation): Promise<{ ref: string; thread?: string } | null>
  direct(delivery: Delivery, conversation: Conversation, to: Author): Promise<Sent>
}

const Anything = z.looseObject({})
const OpenAnswer = z.looseObject({ channel: z.looseObject({ id: z.string() }) })

/** Puts deliveries before people. */
export function createSending(deps: SendDeps): Sending {
  const { api, shelf, log } = deps
  const posting = createPosting(deps)
  /** Sent by this process: the same delivery again is the same message. */
  const sentBefore = new LRUCache<string, Extract<Sent, { kind: 'sent' }>>({ max: limits.sentInMemory })

  function remember(delivery: Delivery, sent: Extract<Sent, { kind: 'sent' }>) {
    sentBefore.set(delivery.id, sent)
    posting.forget(delivery)
    return sent
  }

  async function renderFor(body: PostedBody, conversation: Conversation): Promise<Post[]> {
    const text = body.kind === 'question' ? body.question.text : body.text
    return renderPosts(body, { locale: conversation.locale, mayLink: await deps.mayLink(conversation, text) })
  }

  async function sendPosted(delivery: Delivery & { body: PostedBody }, conversation: Conversation): Promise<Sent> {
    const { body } = delivery
    const place = placeOf(conversation)
    const posts = await renderFor(body, conversation)
    const sent = await posting.post(delivery, posts, place)
    if (sent.kind !== 'sent') return sent
    const whole = await afterwards(delivery, posts.length, place, conversation, sent.ref)
    return whole ? sent : { kind: 'later', afterMs: 2_000 }
  }

  /**
   * What has to be known later, and what goes along as a file: what a tool made, and a report that took several messages.
   * Doing it twice changes nothing. False: the file is still missing.
   */
  async function afterwards(
    { id, body }: Delivery,
    count: number,
    place: Place,
    { locale }: Conversation,
    ref: string,
  ): Promise<boolean> {
    const there = { ...place, thread: place.thread ?? ref }
    if (body.kind === 'question') await noteQuestion(place, body.question.id, ref)
    if (body.kind === 'message' && body.file !== undefined) {
      const { name, base64 } = body.file
      return await deps.uploads.put(there, id, { name, title: name, content: Buffer.from(base64, 'base64') })
    }
    if (body.kind !== 'final' || count < 2) return true
    const content = new TextEncoder().encode(body.text)
    return await deps.uploads.put(there, id, { name: 'report.md', title: texts(locale).slack.reportFile, content })
  }

  const noteQuestion = (place: Place, id: string, ts: string) =>
    shelf.put(place.workspace, `question:${id}`, JSON.stringify({ channel: place.channel, ts }), limits.placeKeptMs)

  async function whisper(
    delivery: Delivery & { body: { kind: 'private' } },
    conversation: Conversation,
  ): Promise<Sent> {
    const { body } = delivery
    const { workspace, channel, thread } = placeOf(conversation)
    const [first] = await renderFor(body, conversation)
    if (first === undefined) return { kind: 'sent', ref: '' }
    const args = { channel, user: body.to, ...first, ...(thread === null ? {} : { thread_ts: thread }) }
    const answer = await api.call(workspace, 'chat.postEphemeral', args, Anything, { lane: channel })
    if (answer.ok) return { kind: 'sent', ref: delivery.id }
    if (answer.problem.kind !== 'refused') return asSent(answer.problem)
    return await sendTo(delivery, [first], workspace, body.to)
  }

  /** The question gives up its buttons and says who answered. Doing it twice changes nothing. */
  async function close(delivery: Delivery & { body: { kind: 'answered' } }, conversation: Conversation): Promise<Sent> {
    const { answered } = delivery.body
    const { question } = answered
    const { workspace } = conversation.address
    const mayLink = await deps.mayLink(conversation, question.text)
    const closed = renderAnswered(answered, { locale: conversation.locale, mayLink })
    const where = await questionPlace(question, conversation)
    if (where !== null) {
      const answer = await api.call(workspace, 'chat.update', { ...where, ...closed }, PostAnswer)
      if (answer.ok) return { kind: 'sent', ref: where.ts }
      if (answer.problem.kind === 'unknown') return { kind: 'later', afterMs: 1_000 }
      if (answer.problem.kind !== 'refused') return asSent(answer.problem)
    }
    return await posting.post(delivery, [closed], placeOf(conversation))
  }

  /** Where a question was put; a crash right after that is made up for by reading the thread. */
  async function questionPlace(question: Question, conversation: Conversation) {
    const place = placeOf(conversation)
    const noted = await shelf.get(place.workspace, `question:${question.id}`)
    if (noted !== null) return QuestionPlace.parse(JSON.parse(noted))
    const there = await partsOf(api, questionDeliveryId(question), place, question.askedAt)
    const ts = there?.known.get(0)
    return ts === undefined ? null : { channel: place.channel, ts }
  }

  async function sendTo(delivery: Delivery, posts: readonly Post[], workspace: string, user: string): Promise<Sent> {
    const opened = await api.call(workspace, 'conversations.open', { users: user }, OpenAnswer)
    if (!opened.ok)
      return opened.problem.kind === 'unknown' ? { kind: 'later', afterMs: 1_000 } : asSent(opened.problem)
    const place = { workspace, channel: opened.value.channel.id, thread: null }
    const { body } = delivery
    const sent = await posting.post(delivery, posts, place)
    if (sent.kind === 'sent' && body.kind === 'question') await noteQuestion(place, body.question.id, sent.ref)
    // A thread with one person is not the conversation's own.
    return sent.kind === 'sent' ? { kind: 'sent', ref: sent.ref } : sent
  }

  async function sendOnce(delivery: Delivery, conversation: Conversation): Promise<Sent> {
    const { body } = delivery
    switch (body.kind) {
      case 'receipt':
        return await deps.marks.change(conversation.address, body)
      case 'private':
        return await whisper({ ...delivery, body }, conversation)
      case 'answered':
        return await close({ ...delivery, body }, conversation)
      default:
        return await sendPosted({ ...delivery, body }, conversation)
    }
  }

  /** `later` where the store does not answer: nothing was sent then, or it is known to have been. */
  async function guarded(work: () => Promise<Sent>): Promise<Sent> {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'a delivery waits: the store did not answer')
      return { kind: 'later', afterMs: 1_000 }
    }
  }

  return {
    send: (delivery, conversation) =>
      guarded(async () => {
        const known = sentBefore.get(delivery.id)
        if (known !== undefined) return known
        const sent = await sendOnce(delivery, conversation)
        return sent.kind === 'sent' ? remember(delivery, sent) : sent
      }),

    async find(delivery, conversation) {
      const known = sentBefore.get(delivery.id)
      if (known !== undefined) return known
      const { kind } = delivery.body
      // A mark can be set again without anybody noticing; a private line cannot be looked for.
      if (kind === 'receipt' || kind === 'private') return null
      const place = placeOf(conversation)
      const there = await posting.find(delivery, place)
      if (there === null) return null
      const { ref } = there
      if (!(await afterwards(delivery, there.count, place, conversation, ref))) return null
      return { ref, ...(place.thread === null ? { thread: ref } : {}) }
    },

    direct: (delivery, conversation, to) =>
      guarded(async () => {
        const { body } = delivery
        if (body.kind !== 'message' && body.kind !== 'final' && body.kind !== 'question')
          return { kind: 'refused', reason: 'nothing for one person' }
        const posts = await renderFor(body, conversation)
        const note = texts(conversation.locale).slack.cannotPostThere(conversation.address.channel)
        const [first, ...rest] = posts
        if (first === undefined) return { kind: 'refused', reason: 'nothing to say' }
        const noted = { ...first, blocks: [context(note), ...first.blocks] }
        const sent = await sendTo(delivery, [noted, ...rest], conversation.address.workspace, to.id)
        return sent.kind === 'sent' ? remember(delivery, sent) : sent
      }),
  }
}

const QuestionPlace = z.object({ channel: z.string(), ts: z.string() })

const placeOf = ({ address }: Conversation): Place => ({
  workspace: address.workspace,
  channel: address.channel,
  thread: address.thread,
})
