import type { Delivery, DeliveryBody } from '../domain/delivery.ts'
import type { InboxEntry } from '../domain/event.ts'
import type { OpinionAsked } from '../domain/feedback.ts'
import { deriveId } from '../domain/id.ts'
import type { MadeFile } from '../domain/made-file.ts'
import {
  type Author,
  assistantMessage,
  type Message,
  type Offer,
  type Outcome,
} from '../domain/message.ts'
import type { Change } from '../ports/store.ts'

/**
 * Origin of a line or a delivery: a turn (by its inbox entry), a run or a schedule's alarm (by its
 * key).
 */
export interface Cause {
  kind: 'turn' | 'run' | 'schedule'
  refId: string
}

/** Where, why and when something is said; `runId` where it belongs to a run. */
export interface Origin {
  conversationId: string
  cause: Cause
  at: number
  runId?: string
  /** Whom it is for, and whether they are called (C82). */
  to?: Author | null
  notify?: boolean | undefined
  /** The time for which that person asked to be called (C491). */
  askedFor?: number | undefined
}

type Part = Pick<Change, 'messages' | 'deliveries' | 'outcomes'>

/** Returns the origin of a run's messages in a conversation. */
export const runOrigin = (
  runId: string,
  conversationId: string,
  at: number,
): Origin & { runId: string } => ({
  conversationId,
  cause: { kind: 'run', refId: runId },
  at,
  runId,
})

/** Said to one person, who is called by a mention: they asked for it, or have to act (C82). */
export const calling = (origin: Origin, to: Author | null): Origin => ({
  ...origin,
  to,
  notify: to !== null,
})

/** A delivery whose id follows from its cause and purpose, so that it leaves once (rule 5, P2). */
export function delivery<B extends DeliveryBody>(
  { conversationId, cause, at, to, notify, askedFor }: Origin,
  purpose: string,
  body: B,
): Delivery & { body: B } {
  const person = to == null ? {} : { to, ...called({ notify, askedFor }) }
  return { version: 1, id: deliveryIdOf(cause, purpose), conversationId, at, ...person, body }
}

function called({ notify, askedFor }: Pick<Origin, 'notify' | 'askedFor'>) {
  if (!notify) return {}
  return askedFor === undefined ? { notify } : { notify, askedFor }
}

export const deliveryIdOf = (cause: Cause, purpose: string): string =>
  deriveId('d', cause.kind, cause.refId, purpose)

type MessageBody = Extract<DeliveryBody, { kind: 'message' }>

/** A line of Clew's in the thread: part of the history (R114) and on its way out. */
export interface Posted {
  messages: [Message]
  deliveries: [Delivery & { body: MessageBody }]
}

export function postMessage(origin: Origin, purpose: string, text: string): Posted {
  const message = assistantMessage(origin.cause, purpose, text, origin.at)
  const body: MessageBody = {
    kind: 'message',
    messageId: message.id,
    text,
    runId: origin.runId ?? null,
  }
  return { messages: [message], deliveries: [delivery(origin, purpose, body)] }
}

/** The same line with buttons under it. */
export function withOffers(posted: Posted, offers: readonly Offer[]): Posted {
  if (offers.length === 0) return posted
  const { messages, deliveries } = withBody(posted, { offers: [...offers] })
  return { messages: [{ ...messages[0], offers: [...offers] }], deliveries }
}

/** The same line with more in its delivery: buttons, a file. */
export function withBody(
  { messages, deliveries: [one] }: Posted,
  more: Partial<MessageBody>,
): Posted {
  return { messages, deliveries: [{ ...one, body: { ...one.body, ...more } }] }
}

interface PrivateMore {
  file?: MadeFile | undefined
  offers?: readonly Offer[]
  asks?: OpinionAsked
}

/** A line for one person only; it is not part of the history. */
export function privateMessage(
  origin: Origin,
  to: InboxEntry['event']['author'],
  text: string,
  { file, offers = [], asks }: PrivateMore = {},
): Part {
  const more = {
    asks,
    offers: offers.length === 0 ? undefined : [...offers],
    operator: to.operator === true || undefined,
    file,
  }
  return {
    deliveries: [delivery(origin, 'private', { kind: 'private', to: to.id, text, ...more })],
  }
}

/**
 * Stores the outcome of a person's message and shows it as a mark on it. Clicks have no message and
 * need none.
 */
export function receipt(origin: Origin, { messageId, event }: InboxEntry, outcome: Outcome): Part {
  if (messageId === null) return {}
  const { ref, content } = event
  const isUnmarked = content.kind === 'message' && !content.addressed
  const body = {
    ref,
    unmarked: isUnmarked || undefined,
    outcome,
  }
  return {
    outcomes: [{ messageId, outcome }],
    deliveries: [delivery(origin, 'receipt', { kind: 'receipt', messageId, ...body })],
  }
}
