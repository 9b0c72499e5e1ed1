import type { InboxEntry } from '../domain/event.ts'
import type { Offer } from '../domain/message.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { type Handler, needing, personOf, type TurnContext, tellPrivately } from './context.ts'
import { decided, offeredBy } from './offers.ts'
import { waitsAfter } from './wait-for-model.ts'

/** A thread keeps so many messages that could not be answered. */
const keptMost = 3

/** Names a message in its button; nobody is meant to type it. */
const nameOf = ({ id }: InboxEntry) => id.slice(-10)

/**
 * R99: a message that could not be answered is kept as it stands by now, with the button that tries
 * it again.
 */
export function keptForRetry(turn: TurnContext): { kept: ChangePart; offer: Offer } {
  const { entry, state, text } = turn
  const { id, unanswered = [] } = state.conversation
  const { content } = entry.event
  const one =
    content.kind === 'message'
      ? { ...entry, event: { ...entry.event, content: { ...content, text } } }
      : entry
  return {
    kept: { conversation: { id, patch: { unanswered: [...unanswered, one].slice(-keptMost) } } },
    offer: { label: turn.words.chat.retry, command: `/again ${nameOf(one)}` },
  }
}

/**
 * C92: the message that the button names is taken as if it came in now; it is still its author's.
 */
export const retryUnanswered = (decide: Handler): Handler =>
  needing('command', async (turn) => {
    const name = /^\/again\s+(\S+)$/.exec(turn.text.trim())?.[1]
    if (name === undefined) return null
    const { conversation } = turn.state
    const kept = conversation.unanswered?.find((one) => nameOf(one) === name)
    const { core } = turn.words
    if (kept === undefined) return tellPrivately(turn, core.againGone, { kind: 'command' })
    // What waits already comes first; the button stays good.
    if (turn.passed.length > 0) return tellPrivately(turn, core.modelAway, { kind: 'command' })
    const unanswered = conversation.unanswered?.filter((one) => one !== kept) ?? []
    const change = await decide.take({
      ...turn,
      text: kept.event.content.kind === 'message' ? kept.event.content.text : '',
      attachments: await turn.attachmentsOf(kept.event),
      entry: { ...kept, id: turn.entry.id },
      state: { ...turn.state, conversation: { ...conversation, unanswered } },
    })
    if (change === null || waitsAfter(change, turn.entry)) return change
    const offer = offeredBy(turn)
    const closed = offer === null ? {} : decided(turn, offer, core.triedAgain(personOf(turn).name))
    return mergeChanges(change, pressed(turn), keepsOthers(turn, change, unanswered), closed)
  })

/** The press itself is done with; the mark is the message's that it names. */
const pressed = ({ entry: { messageId } }: TurnContext): ChangePart =>
  messageId === null ? {} : { outcomes: [{ messageId, outcome: { kind: 'command' } }] }

function keepsOthers(
  { state }: TurnContext,
  { conversation }: ChangePart,
  unanswered: InboxEntry[],
): ChangePart {
  const isSaid =
    conversation !== undefined &&
    'patch' in conversation &&
    conversation.patch.unanswered !== undefined
  return isSaid ? {} : { conversation: { id: state.conversation.id, patch: { unanswered } } }
}
