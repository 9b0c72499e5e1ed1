import { assertNever } from '../../agent/domain/assert.ts'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { texts } from '../../locales/texts.ts'
import { createLinks } from '../links.ts'
import type { File } from './api.ts'
import type { Discord } from './context.ts'
import { offersOf, type Part, renderAnswered, renderClosed, renderQuestion, renderText } from './render.ts'
import { controlsOf } from './render-plan.ts'
import { targetOf } from './threads.ts'

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

/** Who is called by a delivery; with one person nobody has to be. */
const called = ({ to, notify }: Delivery, { address }: Conversation): string | null =>
  notify && to != null && /^\d{15,20}$/.test(to.id) && address.thread !== address.channel ? to.id : null

/** C87: who can answer here: where no thread may be made, what is replied in the channel reaches no task. */
async function reachOf(discord: Discord, conversation: Conversation): Promise<'everybody' | 'one' | 'buttons'> {
  const { channel, thread } = conversation.address
  if (thread === channel) return 'one'
  const target = await targetOf(discord, conversation)
  return target.kind === 'at' && target.replyTo !== null ? 'buttons' : 'everybody'
}

/** A delivery as the messages of its own that it is shown as; none where it changes other ones. */
export function createParts(
  discord: Discord,
): (delivery: Delivery, conversation: Conversation, directly: boolean) => Promise<Part[]> {
  const mayLink = createLinks(discord.deps)

  return async (delivery, conversation, directly) => {
    const { body } = delivery
    const { id, locale } = conversation
    const mention = directly ? null : called(delivery, conversation)
    const text = async (said: string) => renderText(said, locale, await mayLink(conversation, said), mention)
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
        return withLast(await text(body.brief ?? body.text), { components, files: [] })
      }
      case 'question': {
        const { question } = body
        const links = await mayLink(conversation, question.text)
        const reach = directly ? 'buttons' : await reachOf(discord, conversation)
        return renderQuestion(question, { locale, mention, mayLink: links, reach })
      }
      case 'answered': {
        const { answered } = body
        const links = await mayLink(conversation, `${answered.question.text} ${answered.answer}`)
        return [renderAnswered(answered, locale, links)]
      }
      case 'closed': {
        const { question, status } = body
        const line = texts(locale).discord.unanswered[status]
        return [renderClosed(question, line, await mayLink(conversation, question.text))]
      }
      case 'receipt':
        return []
      default:
        return assertNever(body)
    }
  }
}
