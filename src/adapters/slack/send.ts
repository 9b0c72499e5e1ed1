import { z } from 'zod'
import type { Address, Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { questionDeliveryId } from '../../agent/kernel/questions.ts'
import { texts } from '../../locales/texts.ts'
import type { Job, Outgoing } from '../channel-kit/poster.ts'
import { createSender, questionIn } from '../channel-kit/sender.ts'
import { createLinks } from '../links.ts'
import { context, type Post } from './blocks.ts'
import type { Slack } from './context.ts'
import { noteQuestion } from './direct-answers.ts'
import { attach } from './files.ts'
import { edit, slackPosts } from './post.ts'
import { openDirect, showPrivately } from './private-message.ts'
import { marks, react } from './reactions.ts'
import { partsOf } from './readback.ts'
import { renderPosts, withCall } from './render.ts'
import { endThinking } from './status.ts'

/** Where a question is shown. */
const QuestionPlace = z.object({ channel: z.string(), ts: z.string() })
type QuestionPlace = z.infer<typeof QuestionPlace>

/** Deliveries as messages of blocks. */
export function createSlackSender(slack: Slack) {
  return createSender<Post, Address, null, QuestionPlace>(slack.deps, {
    ...slackPosts(slack),
    marks,
    async before(delivery, conversation) {
      endThinking(slack, delivery, conversation)
      await noteQuestion(slack, delivery, conversation)
    },
    whereOf: ({ address: { workspace, channel, thread } }) => ({ workspace, channel, thread }),
    react: (kind, sign, ts, { address }) => react(slack, kind, sign, { ...address, ts }),
    attach: (job, out) => attachFile(slack, job, out),

    render: createRender(slack),

    async whisper({ id, body }, { address }, { part, post }) {
      // What only one person sees can hold no file.
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
      const note = context(texts(locale).slack.cannotPostThere(address.channel))
      const head = ([first, ...rest]: readonly Post[]) =>
        first === undefined ? [] : [{ ...first, blocks: [note, ...first.blocks] }, ...rest]
      return { ...opened, delivery, head }
    },

    question: {
      schema: QuestionPlace,
      at: ({ where: { channel } }, { refs }) => ({ channel, ts: refs.at(-1) ?? '' }),
      edit: (at, part, { address }) => edit(slack, address.workspace, at, part),
      /** A crash right after a question was put is made up for by reading the thread. */
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

/** A delivery as posts; none where it changes other ones. */
function createRender({ deps }: Slack) {
  const mayLink = createLinks(deps)
  return async (delivery: Delivery, conversation: Conversation, directly: boolean): Promise<Post[]> => {
    const { body } = delivery
    if (body.kind === 'receipt') return []
    const isClosed = body.kind === 'answered' || body.kind === 'closed'
    const { text } = body.kind === 'question' ? body.question : isClosed ? questionIn(body) : body
    const { locale } = conversation
    const inPrivate = directly || isDirect(conversation)
    const posts = renderPosts(body, { locale, inPrivate, mayLink: await mayLink(conversation, text) })
    return directly ? posts : withCall(posts, called(delivery, conversation))
  }
}

const isDirect = ({ address }: Conversation): boolean => address.channel.startsWith('D')

/** Who is called by a delivery; with one person nobody has to be. */
const called = ({ to, notify }: Delivery, conversation: Conversation): string | null =>
  notify && to != null && /^[UW][A-Z0-9]+$/.test(to.id) && !isDirect(conversation) ? to.id : null

/** What a tool made, and a report that took several messages. */
async function attachFile(slack: Slack, job: Job<Post, Address>, { refs, thread }: Outgoing): Promise<boolean> {
  const { delivery, conversation, where } = job
  const { id, body } = delivery
  const there = { ...where, thread: where.thread ?? thread ?? '' }
  if ((body.kind === 'message' || body.kind === 'private') && body.file !== undefined) {
    const { name, base64 } = body.file
    return await attach(slack, there, id, { name, title: name, content: Buffer.from(base64, 'base64') })
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
  return await attach(slack, there, id, { name: 'report.md', title, content: Buffer.from(body.text) })
}
