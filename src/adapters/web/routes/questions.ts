import { z } from 'zod'
import { deriveId } from '../../../agent/domain/id.ts'
import { AnswerBody, textOf, textRefusals } from '../bodies.ts'
import { addressOf, takeRefusals } from '../context.ts'
import { personBehind } from '../operator.ts'
import { conversationIn, isRunSeen, workspaceIn } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { forMembers } from '../route.ts'

/** Answer to a request about a run that was stored. */
export const Taken = z.object({
  id: z.string(),
  conversationId: z.string(),
  duplicate: z.boolean(),
})

export const questionRoute = forMembers.bodyRoute('post', '/api/questions/:id/answer', {
  summary: 'Answers by a choice or in words',
  body: AnswerBody,
  status: 202,
  answer: Taken,
  query: ['workspace'],
  refusals: [
    ...takeRefusals,
    ...textRefusals,
    'unknown_choice',
    'already_answered',
    'unknown_conversation',
  ],
  async handle({ c, web, body }) {
    const id = c.req.param('id')
    const workspace = await workspaceIn(web, c)
    const found = await web.reach(() => web.store.conversations.question(workspace, id))
    if (found === null || !(await isRunSeen(web, c, { workspace, ...found })))
      return refuse('unknown_question')
    const { question, answered, conversationId } = found
    if ('choice' in body && !question.choices.includes(body.choice)) return refuse('unknown_choice')
    const text = textOf('choice' in body ? body.choice : body.text)
    const author = web.speaker(c, body.author)
    if (answered !== null) {
      // A retry by somebody who did not learn that the answer arrived.
      const sameAgain = personBehind(answered.author.id) === author.id && answered.answer === text
      if (sameAgain) return { id, conversationId, duplicate: true }
      return refuse('already_answered', { who: answered.author.name, answer: answered.answer })
    }
    const { conversation } = await conversationIn(web, c, conversationId, {
      messages: 1,
      workspace,
    })
    const { kind } = await web.take({
      conversation: addressOf(conversation),
      // Two clicks of one person are one answer. Two people's are two, and the core refuses the
      // second (C47).
      keys: [`web:${id}:${body.clientMessageId ?? deriveId('a', author.id, text)}`],
      author,
      way: 'form',
      content: {
        kind: 'answer',
        questionId: id,
        text,
        edited: 'edited' in body ? body.edited : undefined,
      },
    })
    return { id, conversationId, duplicate: kind === 'duplicate' }
  },
})
