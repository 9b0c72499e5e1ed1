import { deriveId } from '../../../agent/domain/id.ts'
import { AnswerBody, textOf } from '../bodies.ts'
import { type App, threadOfConversation, type Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { describedBody } from '../described-route.ts'
import { flag, object, text as string } from '../openapi.ts'
import { refuse } from '../problems.ts'

export function addQuestionRoutes(app: App, web: Web): void {
  const { reach } = web
  const { conversations } = web.deps.store

  describedBody(
    app,
    'post',
    '/api/questions/:id/answer',
    {
      body: AnswerBody,
      summary: 'Answers by a choice or in words',
      answers: { 202: object({ id: string, conversationId: string, duplicate: flag }) },
      refusals: [400, 404, 409, 413, 415],
    },
    async (c, body) => {
      const id = c.req.param('id')
      const found = await reach(() => conversations.question(webWorkspace, id))
      if (found === null) return refuse({ code: 'unknown_question' })
      const { question, answered, conversationId } = found
      if ('choice' in body && !question.choices.includes(body.choice)) return refuse({ code: 'unknown_choice' })
      const text = textOf('choice' in body ? body.choice : body.text)
      const author = web.speaker(c, body.author)
      if (answered !== null) {
        // Somebody who did not hear that the answer arrived sends it again.
        const sameAgain = answered.author.id === author.id && answered.answer === text
        if (sameAgain) return c.json({ id, conversationId, duplicate: true }, 202)
        return refuse({ code: 'already_answered', who: answered.author.name, answer: answered.answer })
      }
      const state = await reach(() => conversations.state(webWorkspace, conversationId, 1))
      if (state === null) return refuse({ code: 'unknown_conversation' })
      const taken = await web.take({
        conversation: { id: conversationId, thread: threadOfConversation(state.conversation) },
        // Two clicks of one person are one answer; two people's are two, and the core tells the second one (C47).
        keys: [`web:${id}:${body.clientMessageId ?? deriveId('a', author.id, text)}`],
        author,
        content: { kind: 'answer', questionId: id, text },
      })
      return c.json({ id, conversationId, duplicate: taken.kind === 'duplicate' }, 202)
    },
  )
}
