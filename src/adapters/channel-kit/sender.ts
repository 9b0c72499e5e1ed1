import type { z } from 'zod'
import { assertNever } from '../../agent/domain/assert.ts'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery, DeliveryBody } from '../../agent/domain/delivery.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Channel, Sent } from '../../agent/ports/channel.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { type Marks, mark } from './marks.ts'
import {
  createPoster,
  type Job,
  keptMs,
  type Outgoing,
  type PostPlatform,
  refOf,
} from './poster.ts'
import { type EditOutcome, editAgain, type NotSent, safely } from './send-outcomes.ts'

type Of<K extends DeliveryBody['kind']> = Delivery & { body: { kind: K } }
/** Delivery that closes a question or a message's offers. */
export type Closed = Of<'answered' | 'closed' | 'decided'>
/** Returns the question that a delivery closes. */
export type Withdrawn = Of<'withdrawn'>
export const questionIn = (body: Of<'answered' | 'closed'>['body']) =>
  body.kind === 'closed' ? body.question : body.answered.question
export type Private = Of<'private'>

/** Operations by which a platform shows deliveries. `At` is the address of a question. */
export interface SendPlatform<Part, Where, PostTarget, At>
  extends PostPlatform<Part, Where, PostTarget> {
  /** Renders a delivery as at least one message. An answered question becomes its outcome. */
  render(
    delivery: Delivery,
    conversation: Conversation,
    directly: boolean,
  ): Promise<readonly Part[]>
  whereOf(conversation: Conversation): Where
  /** Prepares the thread before a delivery is shown. Never throws. */
  before?(delivery: Delivery, conversation: Conversation): Promise<void>
  marks: Marks
  react(
    kind: 'add' | 'remove',
    sign: string,
    ref: string,
    conversation: Conversation,
  ): Promise<Sent>
  /** Shows a line to one person only. `post` falls back to the thread. */
  whisper(
    delivery: Private,
    conversation: Conversation,
    to: { part: Part; post(where?: Where): Promise<Sent> },
  ): Promise<Sent>
  /**
   * Opens direct messages with a person. Returns the delivery under its name there, and a function
   * that adds a head naming its origin.
   */
  directly(
    delivery: Delivery,
    conversation: Conversation,
    to: Author,
  ): Promise<
    | {
        kind: 'ready'
        delivery: Delivery
        where: Where
        head(parts: readonly Part[]): readonly Part[]
      }
    | NotSent
  >
  /** Uploads the attachments. Returns `false` if they are not there yet. Idempotent. */
  attach?(job: Job<Part, Where>, out: Outgoing): Promise<boolean>
  question: {
    /**
     * Returns the address of a question's first message. `target` is null if the message was found
     * instead of posted.
     */
    at(job: Job<Part, Where>, out: Outgoing, target: PostTarget | null): At
    schema: z.ZodType<At>
    edit(at: At, part: Part, conversation: Conversation): Promise<EditOutcome>
    /** Deletes a message, unless somebody has answered it. */
    remove(at: At, conversation: Conversation): Promise<EditOutcome>
    /** Looks for a question that has no stored address. Absent where the platform cannot search. */
    find?(delivery: Closed, conversation: Conversation): Promise<At | null>
  }
}

/** Sends deliveries to people, each exactly once (P2). */
export function createSender<Part, Where, PostTarget, At>(
  { notes, log }: { notes: Notes; log: Log },
  platform: SendPlatform<Part, Where, PostTarget, At>,
): Required<Pick<Channel, 'send' | 'find' | 'direct'>> {
  const { post, find, render } = createPosting(notes, platform)
  const { whisper, close, withdraw } = createPersonal(notes, platform, { post, render })

  async function send(delivery: Delivery, conversation: Conversation): Promise<Sent> {
    const { body } = delivery
    if (platform.before !== undefined) await platform.before(delivery, conversation)
    switch (body.kind) {
      case 'receipt':
        return await mark(platform.marks, body, (...mark) => platform.react(...mark, conversation))
      case 'private':
        return await whisper({ ...delivery, body }, conversation)
      case 'answered':
      case 'closed':
      case 'decided':
        return await close({ ...delivery, body }, conversation)
      case 'withdrawn':
        return await withdraw({ ...delivery, body }, conversation)
      case 'message':
      case 'final':
      case 'question':
        return await post(await render(delivery, conversation))
      default:
        return assertNever(body)
    }
  }

  /**
   * Sends a delivery as a direct message, with its origin, if its own place no longer accepts
   * messages.
   */
  async function direct(delivery: Delivery, conversation: Conversation, to: Author): Promise<Sent> {
    const { kind } = delivery.body
    if (kind !== 'message' && kind !== 'final' && kind !== 'question')
      return { kind: 'refused', reason: 'nothing for one person' }
    const opened = await platform.directly(delivery, conversation, to)
    if (opened.kind !== 'ready') return opened
    const parts = opened.head(await platform.render(onItsOwn(delivery), conversation, true))
    const sent = await post({ delivery: opened.delivery, conversation, parts, where: opened.where })
    // A direct-message thread is not the conversation's thread.
    return sent.kind === 'sent' ? { kind: 'sent', ref: sent.ref } : sent
  }

  return {
    send: (delivery, conversation) => safely(log, () => send(delivery, conversation)),
    find: (delivery, conversation) => find(delivery, conversation).catch(() => null),
    direct: (delivery, conversation, to) => safely(log, () => direct(delivery, conversation, to)),
  }
}

/** Drops the brief, so that a report without a plan beside it names its subject itself. */
function onItsOwn({ body, ...rest }: Delivery): Delivery {
  if (body.kind !== 'final') return { ...rest, body }
  const { brief: _, ...whole } = body
  return { ...rest, body: whole }
}

/**
 * Returns the key for the address of a message that may be closed later, or `null` if nothing in it
 * may be closed.
 */
function shownKey({ body }: Delivery): string | null {
  switch (body.kind) {
    case 'question':
      return `question:${body.question.id}`
    case 'answered':
    case 'closed':
      return `question:${questionIn(body).id}`
    case 'message':
      if (body.withdrawable) return `posted:${body.messageId}`
      return body.offers?.length ? `offers:${body.messageId}` : null
    case 'withdrawn':
      return `posted:${body.messageId}`
    case 'decided':
      return `offers:${body.messageId}`
    case 'final':
    case 'private':
    case 'receipt':
      return null
    default:
      return assertNever(body)
  }
}

/**
 * Posts and finds deliveries. Stores the address of questions and uploads attachments beside
 * reports.
 */
function createPosting<Part, Where, PostTarget, At>(
  notes: Notes,
  platform: SendPlatform<Part, Where, PostTarget, At>,
) {
  type PostJob = Job<Part, Where>
  const poster = createPoster<Part, Where, PostTarget>(notes, platform)

  async function afterwards(
    job: PostJob,
    out: Outgoing,
    target: PostTarget | null,
  ): Promise<boolean> {
    const { body } = job.delivery
    const key = body.kind === 'decided' ? `offers:${body.instead}` : shownKey(job.delivery)
    if (key !== null) {
      const note = JSON.stringify(platform.question.at(job, out, target))
      await notes.put(job.conversation.address.workspace, key, note, keptMs.shown)
    }
    return (await platform.attach?.(job, out)) ?? true
  }

  async function render(delivery: Delivery, conversation: Conversation): Promise<PostJob> {
    const parts = await platform.render(delivery, conversation, false)
    return { delivery, conversation, parts, where: platform.whereOf(conversation) }
  }

  return {
    render,
    async post(job: PostJob): Promise<Sent> {
      const { sent, out, target } = await poster.post(job)
      if (sent.kind !== 'sent' || (await afterwards(job, out, target))) return sent
      return { kind: 'later', afterMs: 2_000 }
    },
    async find(delivery: Delivery, conversation: Conversation) {
      const { kind } = delivery.body
      // The other kinds can be repeated unnoticed or cannot be searched for.
      if (kind !== 'message' && kind !== 'final' && kind !== 'question') return null
      const job = await render(delivery, conversation)
      const out = await poster.find(job)
      if (out === null || out === 'unknown') return out
      return (await afterwards(job, out, null)) ? refOf(out) : null
    },
  }
}

/**
 * Sends deliveries that are not simply posted: a line for one person, and the closing of a
 * question.
 */
function createPersonal<Part, Where, PostTarget, At>(
  notes: Notes,
  platform: SendPlatform<Part, Where, PostTarget, At>,
  {
    post,
    render,
  }: Pick<ReturnType<typeof createPosting<Part, Where, PostTarget, At>>, 'post' | 'render'>,
) {
  /** Noted place of the message that a delivery is about. */
  async function notedPlace(delivery: Delivery, { address }: Conversation) {
    const note = await notes.get(address.workspace, shownKey(delivery) ?? '')
    return note === null ? undefined : platform.question.schema.safeParse(JSON.parse(note)).data
  }

  return {
    /**
     * Edits the question into its outcome. If the message is gone, posts the outcome unless it is
     * said elsewhere.
     */
    async close(delivery: Closed, conversation: Conversation): Promise<Sent> {
      const { question } = platform
      const { workspace } = conversation.address
      const { body } = delivery
      const job = await render(delivery, conversation)
      const part = job.parts.at(-1)
      const noted = await notedPlace(delivery, conversation)
      const at = noted ?? (await question.find?.(delivery, conversation)) ?? null
      const gone = at === null || part === undefined
      const edited = gone
        ? { kind: 'gone' as const }
        : editAgain(await question.edit(at, part, conversation))
      const isLost = edited.kind === 'gone' || edited.kind === 'refused'
      const instead = body.kind === 'decided' ? body.instead : undefined
      if (isLost && (body.kind === 'closed' || (body.kind === 'decided' && instead === undefined)))
        return { kind: 'sent', ref: '' }
      // The edited message now carries the new offers, so they are stored under its name.
      if (!isLost && instead !== undefined)
        await notes.put(workspace, `offers:${instead}`, JSON.stringify(at), keptMs.shown)
      return isLost ? await post(job) : edited
    },

    /** Deletes a message that Clew posted; again it is a no-op (C940). */
    async withdraw(delivery: Withdrawn, conversation: Conversation): Promise<Sent> {
      const { question } = platform
      const at = await notedPlace(delivery, conversation)
      if (at === undefined) return { kind: 'refused', reason: 'its place is not known any more' }
      const removed = editAgain(await question.remove(at, conversation))
      return removed.kind === 'gone' ? { kind: 'sent', ref: '' } : removed
    },

    /** Shows a line to one person, once. */
    async whisper(delivery: Private, conversation: Conversation): Promise<Sent> {
      const { workspace } = conversation.address
      const told = `told:${delivery.id}`
      const earlier = await notes.get(workspace, told)
      if (earlier !== null) return { kind: 'sent', ref: earlier }
      const job = await render(delivery, conversation)
      const [part] = job.parts
      if (part === undefined) return { kind: 'sent', ref: '' }
      const sent = await platform.whisper(delivery, conversation, {
        part,
        post: (where = job.where) => post({ ...job, parts: [part], where }),
      })
      if (sent.kind === 'sent') await notes.put(workspace, told, sent.ref, keptMs.posted)
      return sent
    },
  }
}
