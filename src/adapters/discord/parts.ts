import { assertNever } from '../../agent/domain/assert.ts'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { MadeFile } from '../../agent/domain/made-file.ts'
import { texts } from '../../locales/texts.ts'
import { createLinks } from '../links.ts'
import type { File } from './api.ts'
import type { Discord } from './context.ts'
import {
  belowReport,
  offersOf,
  type Part,
  type Reach,
  renderAnswered,
  renderClosed,
  renderQuestion,
  renderText,
} from './render.ts'
import { controlButtons } from './render-plan.ts'
import { targetOf } from './threads.ts'

/** A file as Discord takes it. */
export const fileFrom = ({ name, type, base64 }: MadeFile): File => ({
  name,
  type,
  data: Buffer.from(base64, 'base64'),
})

/** What stands below the last message of a delivery. */
export const withLast = (
  parts: Part[],
  last: Pick<Part, 'components'> & { files: readonly File[] },
): Part[] =>
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
  notify && to != null && /^\d{15,20}$/.test(to.id) && address.thread !== address.channel
    ? to.id
    : null

/** C87: outside threads a reply to the question answers it (C340). C339: without the intent for words only mentions do. */
async function reachOf(discord: Discord, conversation: Conversation): Promise<Reach> {
  const { channel, thread } = conversation.address
  if (thread === channel) return 'one'
  const target = await targetOf(discord, conversation)
  if (!discord.hearsAll()) return 'mention'
  return target.kind === 'at' && target.replyTo !== null ? 'reply' : 'everybody'
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
    const text = async (said: string) =>
      renderText(said, locale, await mayLink(conversation, said), mention)
    switch (body.kind) {
      case 'message': {
        const files = body.file === undefined ? [] : [fileFrom(body.file)]
        return withLast(await text(body.text), {
          components: offersOf(body.offers ?? [], id),
          files,
        })
      }
      case 'decided': {
        // Buttons stay unless it is said that there are none.
        const components = offersOf(body.offers ?? [], id)
        return (await text(body.text)).slice(-1).map((part) => ({ ...part, components }))
      }
      case 'private':
        return await text(body.text)
      case 'final': {
        const { status, runId } = body
        const controls =
          status === undefined ? [] : controlButtons(runId, status, texts(locale).discord)
        const components = status === undefined ? [] : belowReport(runId, status, controls)
        return withLast(await text(body.brief ?? body.text), { components, files: [] })
      }
      case 'question': {
        const { question } = body
        const links = await mayLink(conversation, question.text)
        const reach = directly ? 'reply' : await reachOf(discord, conversation)
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
