import { z } from 'zod'
import type { Address } from '../../agent/domain/conversation.ts'
import { questionDeliveryId } from '../../agent/kernel/questions.ts'
import { texts } from '../../locales/texts.ts'
import type { Job, Outgoing } from '../channel-kit/poster.ts'
import { createSender, questionIn } from '../channel-kit/sender.ts'
import { context, type Part } from './blocks.ts'
import type { Slack } from './context.ts'
import { noteQuestion } from './direct-answers.ts'
import { attach } from './files.ts'
import { isGone } from './gone.ts'
import { createParts } from './parts.ts'
import { edit, remove } from './post.ts'
import { slackPosts } from './post-deliveries.ts'
import { openDirect, showPrivately } from './private-message.ts'
import { marks, react } from './reactions.ts'
import { partsOf } from './readback.ts'
import { endThinking } from './status.ts'

/** Address of a question's message. */
const QuestionPlace = z.object({ channel: z.string(), ts: z.string() })
type QuestionPlace = z.infer<typeof QuestionPlace>

/** Sends deliveries as messages of blocks. */
export function createSlackSender(slack: Slack) {
  return createSender<Part, Address, null, QuestionPlace>(slack.deps, {
    ...slackPosts(slack),
    marks,
    async before(delivery, conversation) {
      endThinking(slack, delivery, conversation)
      await noteQuestion(slack, delivery, conversation)
    },
    whereOf: ({ address: { workspace, channel, thread } }) => ({ workspace, channel, thread }),
    react: (kind, sign, ts, { address }) => react(slack, kind, sign, { ...address, ts }),
    attach: (job, out) => attachFile(slack, job, out),

    render: createParts(slack),

    async whisper({ id, body }, { address }, { part, post }) {
      // A private message cannot contain a file.
      const shown =
        body.file === undefined
          ? await showPrivately(slack, address, body.to, part)
          : await openDirect(slack, address.workspace, body.to)
      const sent = shown.kind === 'ready' ? await post(shown.where) : shown
      return sent.kind === 'sent' ? { kind: 'sent', ref: sent.ref || id } : sent
    },

    async directly(delivery, { address, locale }, to) {
      const opened = await openDirect(slack, address.workspace, to.id)
      if (opened.kind !== 'ready') return opened
      const { channel, thread } = address
      const words = texts(locale).slack
      const isDeleted =
        thread !== null && (await isGone(slack, address.workspace, { channel, ts: thread }))
      const note = context(isDeleted ? words.requestGone(channel) : words.cannotPostThere(channel))
      const head = ([first, ...rest]: readonly Part[]) =>
        first === undefined ? [] : [{ ...first, blocks: [note, ...first.blocks] }, ...rest]
      return { ...opened, delivery, head }
    },

    question: {
      schema: QuestionPlace,
      at: ({ where: { channel } }, { refs }) => ({ channel, ts: refs.at(-1) ?? '' }),
      edit: (at, part, { address }) => edit(slack, address.workspace, at, part),
      remove: (at, { address }) => remove(slack, address.workspace, at),
      /** Finds a question after a crash right behind its posting, by reading the thread. */
      async find({ body }, { address }) {
        if (body.kind === 'decided') return null
        const question = questionIn(body)
        const there = await partsOf(slack, questionDeliveryId(question), address, question.askedAt)
        const ts = there?.known.get(there.count - 1)
        return ts === undefined ? null : { channel: address.channel, ts }
      },
    },
  })
}

/** Uploads a tool's file, the full text of a call, or a report that needed several messages. */
async function attachFile(
  slack: Slack,
  job: Job<Part, Address>,
  { refs, thread }: Outgoing,
): Promise<boolean> {
  const { delivery, conversation, where } = job
  const { id, body } = delivery
  const there = { ...where, thread: where.thread ?? thread ?? '' }
  if ((body.kind === 'message' || body.kind === 'private') && body.file !== undefined) {
    const { name, base64, alt } = body.file
    return await attach(slack, there, id, {
      name,
      title: name,
      content: Buffer.from(base64, 'base64'),
      alt,
    })
  }
  if (body.kind === 'question' && body.question.whole !== undefined) {
    const content = Buffer.from(body.question.whole)
    return await attach(slack, there, id, {
      name: 'call.txt',
      title: texts(conversation.locale).slack.callFile,
      content,
    })
  }
  if (body.kind !== 'final' || refs.length < 2) return true
  const title = texts(conversation.locale).slack.reportFile
  return await attach(slack, there, id, {
    name: 'report.md',
    title,
    content: Buffer.from(body.text),
  })
}
