import { z } from 'zod'
import { deriveId } from '../../../agent/domain/id.ts'
import { ArrangeBody } from '../bodies.ts'
import { conversationIn, ownIn } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { lineOf, renderLine } from '../render.ts'
import { forMembers } from '../route.ts'
import { ConversationLine } from '../views.ts'
import { authorIn } from './command-context.ts'

const { route, bodyRoute } = forMembers

const Contents = z.object({ messages: z.int(), runs: z.int(), files: z.int(), facts: z.int() })

/** C203, C204, C205: routes for a whole thread. */
export const arrangeRoutes = [
  bodyRoute('patch', '/api/conversations/:id', {
    summary: 'Renames it, pins it, or puts it away until something happens there',
    query: ['workspace'],
    body: ArrangeBody,
    answer: ConversationLine,
    async handle({ c, web, body }) {
      const { store, clock, reach, changed } = web
      const { workspace, id } = await ownIn(web, c)
      const isThere = await reach(() =>
        store.conversations.arrange(workspace, id, body, clock.now()),
      )
      if (!isThere) refuse('unknown_conversation')
      void changed(workspace, id)
      return renderLine(lineOf(await conversationIn(web, c, id, { messages: 1, workspace })))
    },
  }),

  route('get', '/api/conversations/:id/contents', {
    summary: 'How much deleting it would remove',
    query: ['workspace'],
    answer: Contents,
    async handle({ c, web }) {
      const { workspace, id } = await ownIn(web, c)
      const contents = await web.reach(() => web.store.conversations.contents(workspace, id))
      return contents ?? refuse('unknown_conversation')
    },
  }),

  route('delete', '/api/conversations/:id', {
    summary:
      'Deletes it with its messages, tasks, files and what is remembered of it alone; refused while a task goes on there',
    query: ['workspace', 'author'],
    answer: z.object({ id: z.string() }),
    refusals: ['conversation_busy'],
    async handle({ c, web }) {
      const { workspace, id } = await ownIn(web, c)
      const effect = {
        id: deriveId('x', 'remove', id),
        by: web.speaker(c, authorIn(c)).id,
        thread: id,
      }
      const answer = await web.reach(() => web.store.conversations.remove(workspace, id, effect))
      if (answer === 'unknown') refuse('unknown_conversation')
      if (answer === 'busy') refuse('conversation_busy')
      void web.changed(workspace, id)
      return { id }
    },
  }),
]
