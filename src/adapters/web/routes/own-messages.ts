import type { Context } from 'hono'
import { z } from 'zod'
import { entryIdOf } from '../../../agent/domain/event.ts'
import { deriveId } from '../../../agent/domain/id.ts'
import type { Author } from '../../../agent/domain/message.ts'
import { addressing, RewriteBody, textOf, textRefusals } from '../bodies.ts'
import { addressOf, takeRefusals, type Web } from '../context.ts'
import { limits } from '../limits.ts'
import { conversationIn } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { forMembers } from '../route.ts'
import { authorIn } from './command-context.ts'

const { route, bodyRoute } = forMembers

const Taken = z.object({ id: z.string(), messageId: z.string() })
const path = '/api/conversations/:id/messages/:clientMessageId'

/** Refusals of `take`, and of these routes. */
const refusals = [...takeRefusals, 'unknown_message', 'not_newest_message'] as const

/**
 * C249: changes to one's own newest message. Each is an edit or a deletion, like those on other
 * platforms.
 */
export const ownMessageRoutes = [
  bodyRoute('patch', path, {
    summary: 'Changes one’s own newest message',
    body: RewriteBody,
    status: 202,
    answer: Taken,
    refusals: [...refusals, ...textRefusals],
    handle: ({ c, web, body: { author, clientMessageId, text } }) =>
      take(web, c, {
        author,
        change: clientMessageId,
        content: { kind: 'edited', text: addressing(textOf(text)).text },
      }),
  }),

  route('delete', path, {
    summary: 'Withdraws one’s own newest message',
    query: ['author'],
    status: 202,
    answer: Taken,
    refusals,
    handle: ({ c, web }) =>
      take(web, c, { author: authorIn(c), change: 'gone', content: { kind: 'deleted' } }),
  }),
]

async function take(
  web: Web,
  c: Context<object, typeof path>,
  { author, change, content }: { author: Author | undefined; change: string; content: Content },
) {
  const { conversation, messages } = await conversationIn(web, c, c.req.param('id'), {
    messages: limits.ownMessages,
  })
  const key = `web:${conversation.id}:${c.req.param('clientMessageId')}`
  const messageId = deriveId('m', 'event', entryIdOf(conversation.address.workspace, key))
  const person = web.speaker(c, author)
  const own = messages.filter((message) => message.author?.id === person.id)
  if (own.every(({ id }) => id !== messageId)) refuse('unknown_message')
  if (own.at(-1)?.id !== messageId) refuse('not_newest_message')
  const keys = [`${key}:${change}`]
  await web.take({
    conversation: addressOf(conversation),
    keys,
    author: person,
    way: 'edited',
    content: { ...content, key },
  })
  return { id: conversation.id, messageId }
}

type Content = { kind: 'edited'; text: string } | { kind: 'deleted' }
