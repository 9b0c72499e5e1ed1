import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import { questionDeliveryId } from '../../agent/kernel/questions.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { texts } from '../../locales/texts.ts'
import { createSender } from '../channel-kit/sender.ts'
import type { MayLink } from '../safety.ts'
import type { Api } from './api.ts'
import { context, type Post } from './blocks.ts'
import { limits } from './limits.ts'
import { edit, type Place, slackPosts } from './post.ts'
import type { Reactions } from './reactions.ts'
import { partsOf } from './readback.ts'
import { renderPosts } from './render.ts'
import type { Uploads } from './uploads.ts'
import { openDirect, showPrivately } from './whisper.ts'

/** Where a question is shown. */
const QuestionPlace = z.object({ channel: z.string(), ts: z.string() })
type QuestionPlace = z.infer<typeof QuestionPlace>

export interface SendDeps {
  api: Api
  notes: Notes
  log: Log
  reactions: Reactions
  uploads: Uploads
  /** Which links of a conversation may be followed; asked for only where a text has any. */
  mayLink(conversation: Conversation, text: string): Promise<MayLink>
}

/** Deliveries as messages of blocks. */
export function createSlackSender(deps: SendDeps) {
  const { api } = deps

  return createSender<Post, Place, null, QuestionPlace>(deps, {
    ...slackPosts(deps),
    whereOf: ({ address: { workspace, channel, thread } }) => ({ workspace, channel, thread }),

    async render({ body }, conversation) {
      if (body.kind === 'receipt') return []
      const { text } =
        body.kind === 'question' ? body.question : body.kind === 'answered' ? body.answered.question : body
      return renderPosts(body, { locale: conversation.locale, mayLink: await deps.mayLink(conversation, text) })
    },

    react: (_ref, receipt, { address }) => deps.reactions.change(address, receipt),

    async whisper({ id, body }, { address }, { part, post }) {
      const shown = await showPrivately(api, address, body.to, part)
      const sent = shown.kind === 'ready' ? await post(shown.where) : shown
      return sent.kind === 'sent' ? { kind: 'sent', ref: sent.ref || id } : sent
    },

    async directly(delivery, { address, locale }, to) {
      const opened = await openDirect(api, address.workspace, to.id)
      if (opened.kind !== 'ready') return opened
      const note = context(texts(locale).slack.cannotPostThere(address.channel))
      const head = ([first, ...rest]: readonly Post[]) =>
        first === undefined ? [] : [{ ...first, blocks: [note, ...first.blocks] }, ...rest]
      return { ...opened, delivery, head }
    },

    /** What a tool made, and a report that took several messages. */
    async attach({ delivery: { id, body }, conversation, where }, { refs, thread }) {
      const there = { ...where, thread: where.thread ?? thread ?? '' }
      if (body.kind === 'message' && body.file !== undefined) {
        const { name, base64 } = body.file
        return await deps.uploads.put(there, id, { name, title: name, content: Buffer.from(base64, 'base64') })
      }
      if (body.kind !== 'final' || refs.length < 2) return true
      const title = texts(conversation.locale).slack.reportFile
      return await deps.uploads.put(there, id, { name: 'report.md', title, content: Buffer.from(body.text) })
    },

    question: {
      keptMs: limits.placeKeptMs,
      at: ({ where: { channel } }, { refs }) => ({ channel, ts: refs[0] ?? '' }),
      read: (note) => QuestionPlace.safeParse(note).data ?? null,
      edit: (at, part, { address }) => edit(api, address.workspace, at, part),
      /** A crash right after a question was put is made up for by reading the thread. */
      async find({ body: { answered } }, { address }) {
        const { question } = answered
        const there = await partsOf(api, questionDeliveryId(question), address, question.askedAt)
        const ts = there?.known.get(0)
        return ts === undefined ? null : { channel: address.channel, ts }
      },
    },
  })
}
