import type { Delivery, DeliveryBody } from '../domain/delivery.ts'
import type { InboxEntry } from '../domain/event.ts'
import { deriveId } from '../domain/id.ts'
import { assistantMessage, type Message, type Offer, type Outcome } from '../domain/message.ts'
import type { Change } from '../ports/store.ts'

/** What caused a line or a delivery: a turn (by its inbox entry), a run or a schedule's alarm (by its key). */
export interface Cause {
  kind: 'turn' | 'run' | 'schedule'
  refId: string
}

type Part = Pick<Change, 'messages' | 'deliveries' | 'outcomes'>

/** A delivery whose id follows from its cause and purpose, so that it leaves once (rule 5, P2). */
export function delivery(
  conversationId: string,
  cause: Cause,
  purpose: string,
  at: number,
  body: DeliveryBody,
): Delivery {
  return { version: 1, id: deliveryIdOf(cause, purpose), conversationId, at, body }
}

export const deliveryIdOf = (cause: Cause, purpose: string): string => deriveId('d', cause.kind, cause.refId, purpose)

/** A line of Clew's in the thread: part of the history (R114) and on its way out. */
export function say(
  conversationId: string,
  cause: Cause,
  purpose: string,
  text: string,
  at: number,
  runId: string | null = null,
): Part & { messages: [Message] } {
  const message = assistantMessage(cause, purpose, text, at)
  const body: DeliveryBody = { kind: 'message', messageId: message.id, text, runId }
  return { messages: [message], deliveries: [delivery(conversationId, cause, purpose, at, body)] }
}

/** The same line with buttons under it. */
export function withOffers(said: ReturnType<typeof say>, offers: readonly Offer[]): Part {
  if (offers.length === 0) return said
  return {
    messages: said.messages.map((message) => ({ ...message, offers: [...offers] })),
    deliveries: (said.deliveries ?? []).map((one) =>
      one.body.kind === 'message' ? { ...one, body: { ...one.body, offers: [...offers] } } : one,
    ),
  }
}

/** A line for one person only; it is not part of the history. */
export function whisper(conversationId: string, cause: Cause, to: string, text: string, at: number): Part {
  return { deliveries: [delivery(conversationId, cause, 'private', at, { kind: 'private', to, text })] }
}

/** What became of a person's message, kept and shown as a mark on it. Clicks have no message and need none. */
export function receipt(conversationId: string, cause: Cause, entry: InboxEntry, outcome: Outcome, at: number): Part {
  const { messageId, event } = entry
  if (messageId === null) return {}
  const ref = event.ref === undefined ? {} : { ref: event.ref }
  return {
    outcomes: [{ messageId, outcome }],
    deliveries: [delivery(conversationId, cause, 'receipt', at, { kind: 'receipt', messageId, ...ref, outcome })],
  }
}

/**
 * Puts parts of one commit together: lists are joined in order, what they say about the conversation adds up, and of other
 * single values the last one counts. All parts speak of one conversation.
 */
export function together(...parts: readonly Partial<Change>[]): Partial<Change> {
  const whole: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const before = whole[key]
      // A list of its own grows: hundreds of parts may be one commit.
      if (!Array.isArray(value)) whole[key] = value
      else if (Array.isArray(before)) before.push(...value)
      else whole[key] = [...value]
    }
  }
  const conversation = parts.reduce<Change['conversation']>((sum, part) => added(sum, part.conversation), undefined)
  return conversation === undefined ? whole : { ...whole, conversation }
}

/** A part that opens the conversation and one that patches it are one opening. */
function added(one: Change['conversation'], other: Change['conversation']): Change['conversation'] {
  if (one === undefined || other === undefined) return one ?? other
  if ('open' in other) return 'open' in one ? other : { open: { ...other.open, ...one.patch } }
  if ('open' in one) return { open: { ...one.open, ...other.patch } }
  return { id: other.id, patch: { ...one.patch, ...other.patch } }
}
