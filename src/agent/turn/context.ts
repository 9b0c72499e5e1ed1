import type { Texts } from '../../locales/texts.ts'
import type { InboxEntry } from '../domain/event.ts'
import type { Offer, Outcome } from '../domain/message.ts'
import type { Run } from '../domain/run.ts'
import type { Hold } from '../kernel/lease.ts'
import { type Cause, receipt, say, together, whisper, withOffers } from '../kernel/messages.ts'
import type { Reminder } from '../kernel/questions.ts'
import type { Change, ConversationState } from '../ports/store.ts'

/** One person's input and all that is known when its turn comes. */
export interface TurnContext {
  entry: InboxEntry
  state: ConversationState
  /** What was typed; empty for a click. */
  text: string
  /** What is attached to the message, as text; data for a model, never a command. */
  attachments: string
  now: number
  words: Texts
  /** For the question that an answer or an end brings before the thread. */
  reminder: Reminder
  /** A run of this workspace that the person named by a click. */
  namedRun: Run | null
  /** Runs of this conversation, newest first. */
  runs: readonly Run[]
  signal: AbortSignal
  /** Calls `look` when something may have come in meanwhile, until the returned function is called. */
  onNudge: Hold['onNudge']
}

/**
 * One way of taking an input. Tried in order; the first that answers a change has taken it (requirements' order: cancel,
 * command, answer, resume, join, Decision).
 *
 * Contract: null means "not mine" and has changed nothing. The change is committed together with taking the entry off
 * the inbox; when one of its expectations fails, the input is tried again from the start with fresh state.
 */
export type Handler = (turn: TurnContext) => Promise<Partial<Change> | null> | Partial<Change> | null

export const causeOf = (turn: TurnContext): Cause => ({ kind: 'turn', refId: turn.entry.id })

/** Clew's answer in the thread, and what became of the message. */
export function answerWith(
  turn: TurnContext,
  text: string,
  outcome: Outcome,
  offers: readonly Offer[] = [],
): Partial<Change> {
  const { id } = turn.state.conversation
  return together(withOffers(say(id, causeOf(turn), 'reply', text, turn.now), offers), marked(turn, outcome))
}

/** An answer for this person only. */
export function tellPrivately(turn: TurnContext, text: string, outcome: Outcome): Partial<Change> {
  const { id } = turn.state.conversation
  return together(whisper(id, causeOf(turn), turn.entry.event.author.id, text, turn.now), marked(turn, outcome))
}

export function marked(turn: TurnContext, outcome: Outcome): Partial<Change> {
  return receipt(turn.state.conversation.id, causeOf(turn), turn.entry, outcome, turn.now)
}

export function personOf(turn: TurnContext) {
  const { id, name } = turn.entry.event.author
  return { id, name }
}

/** R119: the run works again. */
export function goesOn(runId: string, at: number): NonNullable<Change['trace']>[number] {
  return { of: runId, entry: { at, what: { kind: 'status', status: 'running', reason: null } } }
}

/** What a person said together with what they attached. */
export function withAttachments({ text, attachments }: Pick<TurnContext, 'text' | 'attachments'>): string {
  return [text, attachments].filter((part) => part.trim() !== '').join('\n\n')
}
