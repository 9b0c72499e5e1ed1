import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { questionIn } from '../channel-kit/sender.ts'
import { createLinks } from '../links.ts'
import type { Part } from './blocks.ts'
import type { Slack } from './context.ts'
import { type PostedBody, renderParts, withCall } from './render.ts'

function textOf(body: PostedBody): string {
  if (body.kind === 'question') return body.question.text
  return body.kind === 'answered' || body.kind === 'closed' ? questionIn(body).text : body.text
}

/** Renders a delivery as messages; returns none if it changes existing ones. */
export function createParts({ deps }: Slack) {
  const mayLink = createLinks(deps)
  return async (
    delivery: Delivery,
    conversation: Conversation,
    directly: boolean,
  ): Promise<Part[]> => {
    const { body } = delivery
    if (body.kind === 'receipt' || body.kind === 'withdrawn') return []
    const text = textOf(body)
    const { locale } = conversation
    const handed = body.kind === 'private' ? body.link : undefined
    const inPrivate = directly || isDirect(conversation)
    const parts = renderParts(body, {
      locale,
      inPrivate,
      mayLink: await mayLink(conversation, text, handed),
    })
    return directly ? parts : withCall(parts, called(delivery, conversation))
  }
}

const isDirect = ({ address }: Conversation) => address.channel.startsWith('D')

/** Returns the person to mention in a delivery, or `null`. A direct message mentions nobody. */
const called = ({ to, notify }: Delivery, conversation: Conversation) =>
  notify && to != null && /^[UW][A-Z0-9]+$/.test(to.id) && !isDirect(conversation) ? to.id : null
