import type { CommandResult } from '../commands/command.ts'
import type { Message, Offer } from '../domain/message.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { delivery, postMessage, withOffers } from '../kernel/messages.ts'
import { marked, originOf, type TurnContext } from './context.ts'

/** The newest message of the thread that offers what this input says as a button. */
export function offeredBy(turn: TurnContext): Message | null {
  const said = turn.text.trim()
  return (
    turn.state.messages.findLast(({ offers = [] }) =>
      offers.some(({ command }) => command === said),
    ) ?? null
  )
}

/**
 * Name of the person who took up one of a message's offers before, by a press or in words; `null`:
 * nobody.
 */
export function takenBy(
  { state, entry }: TurnContext,
  { offers = [], at }: Message,
): string | null {
  const isOffered = (text: string) => offers.some(({ command }) => command === text.trim())
  const taken = state.messages.find(
    ({ id, role, text, at: later }) =>
      role === 'user' &&
      later >= at &&
      id !== entry.messageId &&
      state.outcomes[id]?.kind === 'command' &&
      isOffered(text),
  )
  return taken?.author?.name ?? null
}

/**
 * C166: the message that offered it says what became of it, and has no buttons any more but
 * `more`'s.
 */
export function decided(
  turn: TurnContext,
  { id: messageId, text }: Message,
  line: string,
  more: { offers?: Offer[]; instead?: string } = {},
): ChangePart {
  const body = { kind: 'decided' as const, messageId, text: `${text}\n\n${line}`, ...more }
  return { deliveries: [delivery(originOf(turn), 'decided', body)] }
}

/**
 * C166: a press is answered in the message that was pressed, with what can be done next; later
 * turns read it as said.
 */
export function answerThere(
  turn: TurnContext,
  offer: Message,
  { text, offers = [] }: CommandResult,
): ChangePart {
  const { messages } = withOffers(postMessage(originOf(turn), 'reply', text), offers)
  const more = { offers: offers.length === 0 ? undefined : [...offers], instead: messages[0].id }
  return mergeChanges(
    { messages },
    decided(turn, offer, text, more),
    marked(turn, { kind: 'command' }),
  )
}
