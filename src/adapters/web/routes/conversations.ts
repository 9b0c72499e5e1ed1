import type { Context } from 'hono'
import { z } from 'zod'
import { conversationIdOf, newConversation } from '../../../agent/domain/conversation.ts'
import type { AnsweredQuestion } from '../../../agent/domain/question.ts'
import { isTimeZone } from '../../../agent/domain/zone.ts'
import type { ConversationState } from '../../../agent/ports/store.ts'
import { addressing, OpenBody, SayBody, textOf, textRefusals, threadOf } from '../bodies.ts'
import { addressOf, type ThreadTarget, takeRefusals, type Web } from '../context.ts'
import { limits } from '../limits.ts'
import {
  askedOf,
  conversationIn,
  homeOf,
  requireServed,
  seenIn,
  seenWorkspaces,
  sees,
  workspacesOf,
} from '../permissions.ts'
import { refuse } from '../problems.ts'
import { renderConversation, renderFound, renderLine } from '../render.ts'
import { forMembers } from '../route.ts'
import { type SearchAsked, searchFrom, singularsOf } from '../search-query.ts'
import { keepSent } from '../uploads.ts'
import { ConversationLine, ConversationView } from '../views.ts'
import { authorIn } from './command-context.ts'
import { filesOf } from './uploads.ts'

const { route, bodyRoute } = forMembers

/** Answer to a message that was stored. */
const StoredMessage = z.object({
  id: z.string(),
  messageId: z.string().nullable(),
  duplicate: z.boolean(),
})

/** Refusals of `takeMessage`. */
const messageRefusals = [...takeRefusals, ...textRefusals, 'unknown_file'] as const

export const conversationRoutes = [
  route('get', '/api/conversations', {
    summary: 'Conversations of every platform, newest first; with q those that it finds',
    description: `\`next\` is where the next page begins, as its \`before\`; null: this is the last one. What is pinned comes first, on the first page and beside \`limit\`; what is archived is only found. \`q\` is words, and any of \`from:\` a person, \`in:\` a platform, workspace or channel, \`is:needs-you|working|done|pinned|archived\`, \`after:\` and \`before:\` a day as 2026-03-01, of \`timeZone\`.`,
    query: ['limit', 'before', 'q', 'timeZone'],
    answer: z.object({
      conversations: z.array(ConversationLine),
      next: z.string().nullable(),
      words: z.string().optional().describe('Of a search: what of q texts were searched for'),
      instead: z
        .string()
        .optional()
        .describe('Of a search: its words found nothing, and these, in the singular, did'),
      looked: z
        .number()
        .optional()
        .describe('Of a search: it stopped after so many threads; next goes on behind them'),
      away: z
        .boolean()
        .optional()
        .describe('A platform does not say what this member sees: there may be more'),
    }),
    refusals: ['text_too_long', 'unreadable'],
    async handle({ c, web }) {
      if (c.req.query('q')?.trim()) return search(web, c)
      const limit = limitIn(c)
      const { seen, away } = await workspacesOf(web, c)
      const before = placeIn(c, 'before')
      const { lines, next } = await web.reach(() =>
        web.store.conversations.page(seen, before, limit, sees(web, c)),
      )
      return {
        conversations: lines.map(renderLine),
        next: next && `${next.at}:${next.id}`,
        away: away || undefined,
      }
    },
  }),

  bodyRoute('post', '/api/conversations', {
    summary: 'Opens a conversation: empty (201), or with its first message (202)',
    body: OpenBody,
    status: 201,
    answer: ConversationView,
    otherwise: { 202: StoredMessage },
    refusals: messageRefusals,
    async handle({ c, web, body }) {
      if (body.text !== undefined) {
        const conversation = threadAt(
          c,
          threadOf(body.clientMessageId, web.speaker(c, body.author).id),
        )
        return c.json(await takeMessage(web, c, { conversation, body }), 202)
      }
      requireServed(web, c)
      const { locale = web.locale(c), timeZone = web.timeZone } = body
      const at = web.clock.now()
      const place = { ...threadAt(c, web.clock.randomId()), locale, timeZone }
      // Opening a thread marks it as read (C24).
      await web.reach(() =>
        web.store.conversations.open(newConversation({ ...place, at, lastReadAt: at })),
      )
      return renderConversation({
        state: await conversationIn(web, c, place.id, { messages: 1 }),
        limit: 1,
      })
    },
  }),

  route('get', '/api/conversations/:id', {
    summary: 'One conversation',
    query: ['messages', 'message', 'workspace', 'author'],
    answer: ConversationView,
    async handle({ c, web }) {
      const { reach, store, linkHosts } = web
      const asked = countIn(c, 'messages', limits.messages, limits.messagesAtMost)
      const { workspace, id } = await seenIn(web, c)
      // Runs are read first, so that a waiting or ended task has its question or report in the same
      // answer.
      const runs = await reach(() => runsOf(web, workspace, id))
      const newest = await conversationIn(web, c, id, { messages: asked, workspace })
      // A link to an older message shows everything since.
      const linked = c.req.query('message')
      const isMissing =
        linked !== undefined && !newest.messages.some((message) => message.id === linked)
      const limit = isMissing ? limits.messagesAtMost : asked
      const state = isMissing
        ? await conversationIn(web, c, id, { messages: limit, workspace })
        : newest
      const earlier = await reach(() => earlierAnswers(web, state))
      const files = await reach(() => store.artifacts.saved(workspace, id))
      const link = web.linkTo(state.conversation.address)
      const isAsked = askedOf(web, c, web.speaker(c, authorIn(c)).id, workspace)
      return renderConversation({ state, runs, earlier, limit, linkHosts, files, link, isAsked })
    },
  }),

  // Served as a text to save; the browser must never show it as a page of ours.
  route('get', '/api/conversations/:id/files/:name', {
    summary: 'A file that a task made, as text',
    media: 'text/plain',
    query: ['workspace'],
    answer: z.string(),
    async handle({ c, web }) {
      const { store, reach } = web
      const { workspace, id } = await seenIn(web, c)
      const files = await reach(() => store.artifacts.saved(workspace, id))
      const file = files.find(({ name }) => name === c.req.param('name')) ?? refuse('not_found')
      return c.body(file.text, 200, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      })
    },
  }),

  bodyRoute('post', '/api/conversations/:id/messages', {
    summary: 'Says something; the same clientMessageId again is the same message',
    body: SayBody,
    status: 202,
    answer: StoredMessage,
    refusals: messageRefusals,
    async handle({ c, web, body }) {
      const { conversation } = await conversationIn(web, c, c.req.param('id'), { messages: 1 })
      return takeMessage(web, c, { conversation: addressOf(conversation), body })
    },
  }),

  route('post', '/api/conversations/:id/read', {
    summary: 'Marks it read',
    description: '`failed=seen`: its failed task no longer waits for people either.',
    query: ['workspace', 'failed'],
    answer: z.object({ id: z.string(), unread: z.boolean() }),
    async handle({ c, web }) {
      const { store, clock, reach, changed } = web
      const { workspace, id } = await seenIn(web, c)
      const { markRead, see } = store.conversations
      const mark = c.req.query('failed') === 'seen' ? see : markRead
      const found = await reach(() => mark(workspace, id, clock.now()))
      if (!found) refuse('unknown_conversation')
      void changed(workspace, id)
      return { id, unread: false }
    },
  }),
]

/** C200: searches the threads that the viewer may see (S22). */
async function search(web: Web, c: Context) {
  const { store, reach } = web
  const { timeZone = web.timeZone, q = '' } = c.req.query()
  if (!isTimeZone(timeZone)) refuse('bad_request', { field: 'timeZone' })
  const asked = searchFrom(q, timeZone, web.words(c))
  const limit = limitIn(c, limits.found)
  const before = placeIn(c, 'before')
  if (asked === null) return { conversations: [], next: null, words: '' }
  const workspaces = await seenWorkspaces(web, c)
  const find = async (one: SearchAsked) => {
    const page = await reach(() =>
      store.search.find(workspaces, one.search, before, limit, sees(web, c)),
    )
    return { page, words: one.words, said: one.search.said }
  }
  let result = await find(asked)
  for (const other of singularsOf(asked))
    if (result.page.found.length === 0 && result.page.next === null) result = await find(other)
  const { found, next, looked } = result.page
  const isOther = found.length > 0 && result.words !== asked.words
  return {
    conversations: found.map((one) => renderFound(one, result.said)),
    next: next && `${next.at}:${next.id}`,
    words: found.length > 0 ? result.words : asked.words,
    looked: looked ?? undefined,
    instead: isOther ? result.words : undefined,
  }
}

/** Newest runs of a conversation, newest first; some with their task, for the plan. */
async function runsOf({ store: { runs } }: Web, workspace: string, id: string) {
  const listed = await runs.list(workspace, limits.runsOfConversation, id)
  return Promise.all(
    listed.map(async (run, place) => {
      const found = place < limits.plansOfConversation ? await runs.state(workspace, run.id) : null
      return found ?? { run, task: undefined }
    }),
  )
}

/** Older answers of a long thread: the state holds only the newest. */
async function earlierAnswers(
  { store }: Web,
  { conversation: { address }, messages, questions, answered }: ConversationState,
): Promise<AnsweredQuestion[]> {
  const known = new Set([
    ...questions.map(({ id }) => id),
    ...answered.map(({ question }) => question.id),
  ])
  const missing = messages.flatMap(({ questionId }) =>
    questionId === null || known.has(questionId) ? [] : [questionId],
  )
  const found = await Promise.all(
    missing.map((id) => store.conversations.question(address.workspace, id)),
  )
  return found.flatMap((one) => one?.answered ?? [])
}

async function takeMessage(
  web: Web,
  c: Context,
  { conversation, body }: { conversation: ThreadTarget; body: SayBody },
) {
  const files = await filesOf(web, c, body.files ?? [])
  const said = files.length > 0 && body.text.trim() === '' ? '' : textOf(body.text)
  const { text, forSomeoneElse } = addressing(said)
  const { conversationId, messageId, kind } = await web.take({
    conversation,
    // The browser's own id of the message makes retries one message (R116, P3).
    keys: [`web:${conversation.id}:${body.clientMessageId}`],
    author: web.speaker(c, body.author),
    way: 'typed',
    // Every thread here is one with Clew, so each message is for Clew unless it names somebody
    // else.
    content: {
      kind: 'message',
      text,
      addressed: true,
      forSomeoneElse,
      files: files.length === 0 ? undefined : files,
    },
    locale: body.locale ?? web.locale(c),
    timeZone: body.timeZone,
  })
  const { notes } = web.store
  const { workspace } = conversation.address
  await web.reach(() =>
    Promise.all((body.files ?? []).map(({ id }) => keepSent(notes, workspace, id))),
  )
  return { id: conversationId, messageId, duplicate: kind === 'duplicate' }
}

/** Thread of the page, in the viewer's own place. */
function threadAt(c: Context, thread: string) {
  const home = homeOf(c)
  return {
    id: conversationIdOf(home.workspace, home.channel, thread),
    address: { ...home, thread },
    locale: '',
  }
}

/** Most rows that an answer may have, from the query. */
export const limitIn = (c: Context, usual: number = limits.listed) =>
  countIn(c, 'limit', usual, limits.listedAtMost)

/** Whole number in the query, from 1 on; values above `most` count as `most`. */
export function countIn(c: Context, name: string, otherwise: number, most: number): number {
  const asked = Number(c.req.query(name) ?? otherwise)
  if (!Number.isInteger(asked) || asked < 1) refuse('bad_request', { field: name })
  return Math.min(asked, most)
}

/** Place at which a page of a list begins, as the page before it gave it. */
export function placeIn(c: Context, name: string) {
  const text = c.req.query(name)
  if (text === undefined) return null
  const [, at, id = ''] =
    /^(\d{1,15}):(.{0,300})$/s.exec(text) ?? refuse('bad_request', { field: name })
  return { at: Number(at), id }
}
