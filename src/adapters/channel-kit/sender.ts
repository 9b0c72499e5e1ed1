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
import { type Edited, editAgain, type NotSent, safely } from './send-outcomes.ts'

type Of<K extends DeliveryBody['kind']> = Delivery & { body: { kind: K } }
/** What closes something that is shown: a question, or what a message offers. */
export type Closed = Of<'answered' | 'closed' | 'decided'>
/** The question that a delivery closes. */
export const questionIn = (body: Of<'answered' | 'closed'>['body']) =>
  body.kind === 'closed' ? body.question : body.answered.question
export type Private = Of<'private'>

/** How a platform shows deliveries; `At` says where a question is shown. */
export interface SendPlatform<Part, Where, PostTarget, At>
  extends PostPlatform<Part, Where, PostTarget> {
  /** A delivery as messages, never none; an answered question as what is left of it. */
  render(
    delivery: Delivery,
    conversation: Conversation,
    directly: boolean,
  ): Promise<readonly Part[]>
  whereOf(conversation: Conversation): Where
  /** What has to be done before anything of a delivery is shown. Never throws. */
  before?(delivery: Delivery, conversation: Conversation): Promise<void>
  marks: Marks
  react(
    kind: 'add' | 'remove',
    sign: string,
    ref: string,
    conversation: Conversation,
  ): Promise<Sent>
  /** For one person's eyes only; `post` says it in the thread. */
  whisper(
    delivery: Private,
    conversation: Conversation,
    to: { part: Part; post(where?: Where): Promise<Sent> },
  ): Promise<Sent>
  /** Opens the messages with one person: the delivery as it is named there, and a head that says where it belongs. */
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
  /** What goes along beside the words. False: it is not there yet. Doing it twice changes nothing. */
  attach?(job: Job<Part, Where>, out: Outgoing): Promise<boolean>
  question: {
    /** Where the first message of a question is; `target` as it was posted, null when it was found. */
    at(job: Job<Part, Where>, out: Outgoing, target: PostTarget | null): At
    schema: z.ZodType<At>
    edit(at: At, part: Part, conversation: Conversation): Promise<Edited>
    /** Looks for one that was not noted. Absent where that cannot be told. */
    find?(delivery: Closed, conversation: Conversation): Promise<At | null>
  }
}

/** Puts deliveries before people, each once (P2). */
export function createSender<Part, Where, PostTarget, At>(
  { notes, log }: { notes: Notes; log: Log },
  platform: SendPlatform<Part, Where, PostTarget, At>,
): Required<Pick<Channel, 'send' | 'find' | 'direct'>> {
  const { post, find, render } = createPosting(notes, platform)
  const { whisper, close } = createPersonal(notes, platform, { post, render })

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
      case 'message':
      case 'final':
      case 'question':
        return await post(await render(delivery, conversation))
      default:
        return assertNever(body)
    }
  }

  /** To one person, when the place took it no more; with a note of where it belongs. */
  async function direct(delivery: Delivery, conversation: Conversation, to: Author): Promise<Sent> {
    const { kind } = delivery.body
    if (kind !== 'message' && kind !== 'final' && kind !== 'question')
      return { kind: 'refused', reason: 'nothing for one person' }
    const opened = await platform.directly(delivery, conversation, to)
    if (opened.kind !== 'ready') return opened
    const parts = opened.head(await platform.render(onItsOwn(delivery), conversation, true))
    const sent = await post({ delivery: opened.delivery, conversation, parts, where: opened.where })
    // A thread with one person is not the conversation's own.
    return sent.kind === 'sent' ? { kind: 'sent', ref: sent.ref } : sent
  }

  return {
    send: (delivery, conversation) => safely(log, () => send(delivery, conversation)),
    find: (delivery, conversation) => find(delivery, conversation).catch(() => null),
    direct: (delivery, conversation, to) => safely(log, () => direct(delivery, conversation, to)),
  }
}

/** Beside no plan a report says itself what it is about. */
function onItsOwn({ body, ...rest }: Delivery): Delivery {
  if (body.kind !== 'final') return { ...rest, body }
  const { brief: _, ...whole } = body
  return { ...rest, body: whole }
}

/** Under which name it is noted where something is shown that may be closed; null: nothing of it may. */
function shownKey({ body }: Delivery): string | null {
  switch (body.kind) {
    case 'question':
      return `question:${body.question.id}`
    case 'answered':
    case 'closed':
      return `question:${questionIn(body).id}`
    case 'message':
      return body.offers?.length ? `offers:${body.messageId}` : null
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

/** Posting and finding deliveries with what goes along: where a question is shown is noted, and files are put beside reports. */
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
      // These can be done again without anybody noticing, or cannot be looked for.
      if (kind !== 'message' && kind !== 'final' && kind !== 'question') return null
      const job = await render(delivery, conversation)
      const out = await poster.find(job)
      return out !== null && (await afterwards(job, out, null)) ? refOf(out) : null
    },
  }
}

/** What is not simply posted: a line for one person, and a question that has been answered. */
function createPersonal<Part, Where, PostTarget, At>(
  notes: Notes,
  platform: SendPlatform<Part, Where, PostTarget, At>,
  {
    post,
    render,
  }: Pick<ReturnType<typeof createPosting<Part, Where, PostTarget, At>>, 'post' | 'render'>,
) {
  return {
    /** What was open becomes what came of it; where it cannot be found any more, a line says what is said nowhere else. */
    async close(delivery: Closed, conversation: Conversation): Promise<Sent> {
      const { question } = platform
      const { workspace } = conversation.address
      const { body } = delivery
      const job = await render(delivery, conversation)
      const part = job.parts.at(-1)
      const note = await notes.get(workspace, shownKey(delivery) ?? '')
      const noted = note === null ? undefined : question.schema.safeParse(JSON.parse(note)).data
      const at = noted ?? (await question.find?.(delivery, conversation)) ?? null
      const gone = at === null || part === undefined
      const edited = gone
        ? { kind: 'gone' as const }
        : editAgain(await question.edit(at, part, conversation))
      const isLost = edited.kind === 'gone' || edited.kind === 'refused'
      const instead = body.kind === 'decided' ? body.instead : undefined
      if (isLost && (body.kind === 'closed' || (body.kind === 'decided' && instead === undefined)))
        return { kind: 'sent', ref: '' }
      // What it offers now is closed as the message that it is from now on.
      if (!isLost && instead !== undefined)
        await notes.put(workspace, `offers:${instead}`, JSON.stringify(at), keptMs.shown)
      return isLost ? await post(job) : edited
    },

    /** A line for one person, told once. */
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
