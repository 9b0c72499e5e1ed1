import { assertNever } from '../../agent/domain/assert.ts'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { texts } from '../../locales/texts.ts'
import { createLinks } from '../links.ts'
import type { File } from './api.ts'
import type { Discord } from './context.ts'
import { offersOf, type Part, renderAnswered, renderQuestion, renderText } from './render.ts'
import { controlsOf } from './render-plan.ts'

/** What stands below the last message of a delivery. */
const withLast = (parts: Part[], last: Pick<Part, 'components'> & { files: readonly File[] }): Part[] =>
  parts.map((part, index) => {
    if (index < parts.length - 1) return part
    const files = [...(part.files ?? []), ...last.files]
    return {
      ...part,
      ...(last.components?.length ? { components: last.components } : {}),
      ...(files.length > 0 ? { files } : {}),
    }
  })

/** A delivery as the messages of its own that it is shown as; none where it changes other ones. */
export function createParts({
  deps,
}: Discord): (delivery: Delivery, conversation: Conversation, directly: boolean) => Promise<Part[]> {
  const mayLink = createLinks(deps)

  return async ({ body }, conversation, directly) => {
    const { id, locale, address } = conversation
    const text = async (said: string) => renderText(said, locale, await mayLink(conversation, said))
    switch (body.kind) {
      case 'message': {
        const { name, type, base64 } = body.file ?? { name: '', type: '', base64: '' }
        const files = body.file === undefined ? [] : [{ name, type, data: Buffer.from(base64, 'base64') }]
        return withLast(await text(body.text), { components: offersOf(body.offers ?? [], id), files })
      }
      case 'private':
        return await text(body.text)
      case 'final': {
        const { status, runId } = body
        const components = status === undefined ? [] : controlsOf(runId, status, texts(locale).discord)
        return withLast(await text(body.text), { components, files: [] })
      }
      case 'question': {
        const { question } = body
        const owner = (await deps.runs.state(address.workspace, question.runId))?.run.requestedBy ?? null
        const mention = owner === null || !/^\d{15,20}$/.test(owner.id) ? null : owner.id
        const links = await mayLink(conversation, question.text)
        return [renderQuestion(question, { locale, mention, mayLink: links, directly })]
      }
      case 'answered': {
        const { answered } = body
        const links = await mayLink(conversation, `${answered.question.text} ${answered.answer}`)
        return [renderAnswered(answered, locale, links)]
      }
      case 'receipt':
        return []
      default:
        return assertNever(body)
    }
  }
}
