import type { Conversation } from '../domain/conversation.ts'
import type { InboundEvent, InboxEntry } from '../domain/event.ts'
import { passesByItself } from '../domain/model-failure.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import type { Idle } from '../kernel/idle.ts'
import { postMessage } from '../kernel/messages.ts'
import { kindOf, type NoAnswer } from '../ports/model.ts'
import { type ConversationState, waitingMost } from '../ports/store.ts'
import { originOf, type TurnContext } from './context.ts'
import { asItStands } from './edit.ts'

/** A model that is away for longer is not waited for. */
const longestMs = 60 * 60_000
/** Between two tries, unless the endpoint asks for more. */
const betweenMost = 30_000

/**
 * C92: a message that meets a failure which passes by itself stays first in the inbox and is tried
 * again, at first within the Decision's own time; when it takes longer people are told, once,
 * unless it is `quiet`.
 *
 * @returns null where waiting does not help, or has not for an hour.
 */
export function waitForModel(
  turn: TurnContext,
  answer: Exclude<Parameters<typeof kindOf>[0], { ok: true }>,
  { since: begun, withinMs, quiet = false }: { since: number; withinMs: number; quiet?: boolean },
): ChangePart | null {
  const kind = kindOf(answer)
  if (kind === null || !passesByItself(kind) || !('retryAfterMs' in answer)) return null
  const { id, waiting } = turn.state.conversation
  const before =
    waiting?.entryId === turn.entry.id ? waiting : { since: begun, tries: 0, said: quiet }
  const end = before.since + longestMs
  if (turn.now >= end) return null
  const tries = before.tries + (answer.awayMs === undefined ? 1 : 0)
  const until = Math.min(end, turn.now + waitMs(answer, tries))
  const said = before.said || until > before.since + withinMs
  const wait = { entryId: turn.entry.id, since: before.since, until, tries, said }
  const line =
    said && !before.said ? postMessage(originOf(turn), 'waiting', turn.words.core.modelAway) : {}
  return mergeChanges(line, { conversation: { id, patch: { waiting: wait } } })
}

/** 1 s, 2 s, 4 s …, or as long as the endpoint asked for. */
function waitMs({ awayMs, retryAfterMs }: NoAnswer, tries: number): number {
  const own = awayMs !== undefined ? 0 : Math.min(betweenMost, 1_000 * 2 ** (tries - 1))
  return Math.max(own, retryAfterMs ?? 0)
}

/** True if a change leaves the input waiting: then it stays in the inbox. */
export function waitsAfter({ conversation }: ChangePart, entry: InboxEntry): boolean {
  return (
    conversation !== undefined &&
    'patch' in conversation &&
    conversation.patch.waiting?.entryId === entry.id
  )
}

/**
 * Where the next input stands: the first, unless it waits for the model; then the first that needs
 * none; else nowhere.
 */
export function nextInLine(
  {
    conversation: { waiting },
    inbox,
  }: { conversation: Pick<Conversation, 'waiting'>; inbox: readonly InboxEntry[] },
  now: number,
  passes: (event: InboundEvent) => boolean,
): number {
  const [first, ...others] = inbox
  if (first === undefined || waiting?.entryId !== first.id || waiting.until <= now) return 0
  const at = others.findIndex((entry, index) => passes(asSaidNow(entry, inbox.slice(index + 1))))
  return at === -1 ? inbox.length : at + 1
}

/** An input with the words that it has by now, which may be no command any more. */
function asSaidNow(entry: InboxEntry, inbox: readonly InboxEntry[]): InboundEvent {
  const { event } = entry
  const { text } = asItStands(entry, inbox)
  return event.content.kind === 'message'
    ? { ...event, content: { ...event.content, text } }
    : event
}

/**
 * Until when a conversation is idle whose first input waits; null where none does. Of a full
 * reading nobody knows how many there are.
 */
export function waitOf({ conversation: { waiting }, inbox }: ConversationState): Idle | null {
  if (waiting == null || inbox.length === 0) return null
  return {
    kind: 'wakeAt',
    at: waiting.until,
    seen: inbox.length < waitingMost ? inbox.length : Number.MAX_SAFE_INTEGER,
  }
}
