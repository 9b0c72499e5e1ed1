import type { Context } from 'hono'
import { type Conversation, conversationIdOf, newConversation } from '../../../agent/domain/conversation.ts'
import type { AnsweredQuestion } from '../../../agent/domain/question.ts'
import type { ConversationState } from '../../../agent/ports/store.ts'
import { addressing, OpenBody, SayBody, textOf, threadOf } from '../bodies.ts'
import { type App, threadOfConversation, type Web } from '../context.ts'
import { webChannel, webWorkspace } from '../deps.ts'
import { describedBody, describedRoute } from '../described-route.ts'
import { limits } from '../limits.ts'
import { flag, list, object, orNull, ref, text as string } from '../openapi.ts'
import { refuse } from '../problems.ts'
import { renderConversation, renderLine } from '../render.ts'

/** What is answered when a message is stored. */
const taken = object({ id: string, messageId: orNull(string), duplicate: flag })

export function addConversationRoutes(app: App, web: Web): void {
  const { deps, reach } = web
  const { conversations, runs, artifacts } = deps.store

  const stateOf = async (id: string, messages: number): Promise<ConversationState> =>
    (await reach(() => conversations.state(webWorkspace, id, messages))) ?? refuse({ code: 'unknown_conversation' })

  describedRoute(
    app,
    'get',
    '/api/conversations',
    {
      summary: 'Conversations, newest first',
      query: ['limit'],
      answers: { 200: object({ conversations: list('Line') }) },
      refusals: [400],
    },
    async (c) => {
      const limit = countIn(c, 'limit', limits.listed, limits.listedAtMost)
      const states = await reach(async () => {
        const listed = await conversations.list(webWorkspace, limit)
        return Promise.all(listed.map(({ id }) => conversations.state(webWorkspace, id, 1)))
      })
      return c.json({ conversations: states.filter((state) => state !== null).map(renderLine) })
    },
  )

  describedBody(
    app,
    'post',
    '/api/conversations',
    {
      body: OpenBody,
      summary: 'Opens a conversation: empty (201), or with its first message (202)',
      answers: { 201: ref('Conversation'), 202: taken },
      refusals: [400, 413, 415],
    },
    async (c, body) => {
      if (body.text !== undefined) {
        const author = web.speaker(c, body.author)
        const thread = threadOf(body.clientMessageId, author.id)
        return say(c, { id: conversationIdOf(webWorkspace, webChannel, thread), thread }, body)
      }
      const thread = deps.clock.randomId()
      const id = conversationIdOf(webWorkspace, webChannel, thread)
      const locale = body.locale ?? web.locale(c)
      await reach(() => conversations.open(emptyConversation(id, thread, locale, body.timeZone ?? deps.timeZone)))
      return c.json(
        await renderConversation({
          state: await stateOf(id, 1),
          runs: [],
          earlier: [],
          limit: 1,
          linkHosts: [],
          files: [],
        }),
        201,
      )
    },
  )

  describedRoute(
    app,
    'get',
    '/api/conversations/:id',
    { summary: 'One conversation', query: ['messages'], answers: { 200: ref('Conversation') }, refusals: [400, 404] },
    async (c) => {
      const id = c.req.param('id')
      const limit = countIn(c, 'messages', limits.messages, limits.messagesAtMost)
      // Runs are read first, so that a task shown as waiting or ended has its question or report in the same answer.
      const listed = await reach(() => runs.list(webWorkspace, limits.runsOfConversation, id))
      const withPlans = await reach(() =>
        Promise.all(
          listed.map(async (run, place) => {
            const found = place < limits.plansOfConversation ? await runs.state(webWorkspace, run.id) : null
            return found === null ? { run, task: undefined } : { run: found.run, task: found.task }
          }),
        ),
      )
      const state = await stateOf(id, limit)
      return c.json(
        await renderConversation({
          state,
          runs: withPlans,
          earlier: await earlierAnswers(state),
          limit,
          linkHosts: deps.linkHosts,
          files: await reach(() => artifacts.saved(webWorkspace, id)),
        }),
      )
    },
  )

  // Handed out as what it is, text to be kept, and never shown by the browser as a page of ours.
  describedRoute(
    app,
    'get',
    '/api/conversations/:id/files/:name',
    { summary: 'A file that a task made, as text', media: 'text/plain', answers: { 200: string }, refusals: [404] },
    async (c) => {
      const files = await reach(() => artifacts.saved(webWorkspace, c.req.param('id')))
      const file = files.find(({ name }) => name === c.req.param('name')) ?? refuse({ code: 'not_found' })
      return c.body(file.text, 200, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      })
    },
  )

  describedBody(
    app,
    'post',
    '/api/conversations/:id/messages',
    {
      body: SayBody,
      summary: 'Says something; the same clientMessageId again is the same message',
      answers: { 202: taken },
      refusals: [400, 404, 413, 415],
    },
    async (c, body) => {
      const { conversation } = await stateOf(c.req.param('id'), 1)
      return say(c, { id: conversation.id, thread: threadOfConversation(conversation) }, body)
    },
  )

  describedRoute(
    app,
    'post',
    '/api/conversations/:id/read',
    { summary: 'Marks it read', answers: { 200: object({ id: string, unread: flag }) }, refusals: [404] },
    async (c) => {
      const id = c.req.param('id')
      const found = await reach(() => conversations.markRead(webWorkspace, id, deps.clock.now()))
      if (!found) refuse({ code: 'unknown_conversation' })
      void web.changed(id)
      return c.json({ id, unread: false })
    },
  )

  /** The store keeps the newest answers at hand; a long thread shows its older ones too. */
  async function earlierAnswers({ messages, questions, answered }: ConversationState): Promise<AnsweredQuestion[]> {
    const known = new Set([...questions.map(({ id }) => id), ...answered.map(({ question }) => question.id)])
    const missing = messages.flatMap(({ questionId }) =>
      questionId === null || known.has(questionId) ? [] : [questionId],
    )
    const found = await reach(() => Promise.all(missing.map((id) => conversations.question(webWorkspace, id))))
    return found.flatMap((one) => one?.answered ?? [])
  }

  async function say(c: Context, conversation: { id: string; thread: string }, body: SayBody): Promise<Response> {
    const { text, forSomeoneElse } = addressing(textOf(body.text))
    const taken = await web.take({
      conversation,
      // The browser's own id of the message: however often it is sent, it is one (R116, P3).
      keys: [`web:${conversation.id}:${body.clientMessageId}`],
      author: web.speaker(c, body.author),
      // Every thread here is one with Clew, so everything in it is said to Clew unless it names somebody else.
      content: { kind: 'message', text, addressed: true, forSomeoneElse },
      locale: body.locale ?? web.locale(c),
      timeZone: body.timeZone,
    })
    return c.json({ id: taken.conversationId, messageId: taken.messageId, duplicate: taken.kind === 'duplicate' }, 202)
  }

  function emptyConversation(id: string, thread: string, locale: string, timeZone: string): Conversation {
    const at = deps.clock.now()
    const address = { workspace: webWorkspace, channel: webChannel, thread }
    // Whoever opens a thread has seen it (C24).
    return newConversation({ id, address, at, lastReadAt: at, locale, timeZone })
  }
}

/** A whole number in the query, between 1 and `most`. */
export function countIn(c: Context, name: string, otherwise: number, most: number): number {
  const asked = Number(c.req.query(name) ?? otherwise)
  if (!Number.isInteger(asked) || asked < 1) refuse({ code: 'bad_request', field: name })
  return Math.min(asked, most)
}
