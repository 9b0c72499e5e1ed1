import { MessageFlags } from 'discord.js'
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

/** Converts a generated file to Discord's format. */
export const fileFrom = ({ name, type, base64 }: MadeFile): File => ({
  name,
  type,
  data: Buffer.from(base64, 'base64'),
})

/** Adds components and files to the last message of a delivery. */
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

/** Returns the person to mention in a delivery, or `null`. A direct message mentions nobody. */
const called = ({ to, notify }: Delivery, { address }: Conversation) =>
  notify && to != null && /^\d{15,20}$/.test(to.id) && address.thread !== address.channel
    ? to.id
    : null

/**
 * C87: determines how a question can be answered. Outside threads, a reply answers it (C340).
 * Without the Message Content Intent, only mentions do (C339).
 */
async function reachOf(discord: Discord, conversation: Conversation): Promise<Reach> {
  const { channel, thread } = conversation.address
  if (thread === channel) return 'one'
  const target = await targetOf(discord, conversation)
  if (!discord.hearsAll()) return 'mention'
  return target.kind === 'at' && target.replyTo !== null ? 'reply' : 'everybody'
}

type Render = (delivery: Delivery, conversation: Conversation, directly: boolean) => Promise<Part[]>

/**
 * Renders a delivery as messages, without a sound in quiet hours (C490). Returns none if it changes
 * existing ones.
 */
export function createParts(discord: Discord): Render {
  const render = loudParts(discord)
  return async (delivery, ...where) => {
    const parts = await render(delivery, ...where)
    const silent = MessageFlags.SuppressNotifications
    return delivery.hushed ? parts.map((part) => ({ ...part, flags: part.flags | silent })) : parts
  }
}

function loudParts(discord: Discord): Render {
  const mayLink = createLinks(discord.deps)

  return async (delivery, conversation, directly) => {
    const { body } = delivery
    const { id, locale } = conversation
    const mention = directly ? null : called(delivery, conversation)
    const text = async (said: string, handed?: string) =>
      renderText(said, locale, await mayLink(conversation, said, handed), mention)
    switch (body.kind) {
      case 'message': {
        const files = body.file === undefined ? [] : [fileFrom(body.file)]
        return withLast(await text(body.text), {
          components: offersOf(body.offers ?? [], id),
          files,
        })
      }
      case 'decided': {
        // An edit keeps the buttons unless it sends an empty list.
        const components = offersOf(body.offers ?? [], id)
        return (await text(body.text)).slice(-1).map((part) => ({ ...part, components }))
      }
      case 'private':
        return await text(body.text, body.link)
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
      case 'withdrawn':
        return []
      default:
        return assertNever(body)
    }
  }
}
