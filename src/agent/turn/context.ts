import type { Texts } from '../../locales/texts.ts'
import type { AttachedImage } from '../domain/attached-image.ts'
import type { InboundEvent, InboxEntry } from '../domain/event.ts'
import type { Offer, Outcome } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import type { Run } from '../domain/run.ts'
import { type Allowed, allowed, type Power } from '../domain/words.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import type { Hold } from '../kernel/lease.ts'
import {
  type Origin,
  postMessage,
  privateMessage,
  receipt,
  withOffers,
} from '../kernel/messages.ts'
import type { Reminder } from '../kernel/questions.ts'
import { payersOf } from '../kernel/usage-meter.ts'
import type { ConversationState, Expectation, RunInput } from '../ports/store.ts'
import type { MeantFor } from './meant-for.ts'

/** Input of one person, with all that is known when its turn comes. */
export interface TurnContext {
  entry: InboxEntry
  state: ConversationState
  /**
   * Entries that wait for the model and that this one passes (C92), from the first of the inbox on.
   */
  passed: readonly InboxEntry[]
  /** Text that was typed; empty for a click. */
  text: string
  /** Whom it is for, as far as that can be told without a model. */
  meant: MeantFor
  /** Attachments of the message as text; data for a model, never a command. */
  attachments: string
  /** The same of another event of the thread. */
  attachmentsOf(event: InboundEvent): Promise<string>
  /** The images among them, for a task that gets them with the change of this turn (C160). */
  imagesForTask(): AttachedImage[]
  now: number
  words: Texts
  /**
   * Reads the overheard messages of the thread, oldest first; nothing is read before the first
   * call.
   */
  overheard(): Promise<readonly Overheard[]>
  /** For the question that an answer or an end brings before the thread. */
  reminder: Reminder
  /** A run of this workspace that the person named by a click. */
  namedRun: Run | null
  /** Runs of this conversation, newest first. */
  runs: readonly Run[]
  /** True if another retry of the run goes on, however many were made since (F27, C251). */
  isTried(parent: Run): Promise<boolean>
  signal: AbortSignal
  /**
   * Calls `look` when something may have come in meanwhile, until the returned function is called.
   */
  onNudge: Hold['onNudge']
}

/**
 * Step in the handling of an input. Handlers are tried in order (requirements' order: cancel,
 * command, answer, resume, join, Decision). The first that returns a change has taken the input.
 *
 * Contract: `null` means "not mine" and has changed nothing. The change is committed together with
 * taking the entry off the inbox.
 * When one of its expectations fails, the input is tried again from the start with fresh state.
 */
export interface Handler {
  /** Power that its words need (C283); null: it only keeps the thread's record true. */
  readonly needs: Power | null
  take(turn: TurnContext): Taken
}
type Taken = Promise<ChangePart | null> | ChangePart | null

/** A handler whose effect needs a power; words that lack it pass it by. */
export const needing = <P extends Power>(
  power: P,
  take: (turn: TurnContext, may: Allowed<P>) => Taken,
): Handler => ({
  needs: power,
  take(turn) {
    const may = allowed(turn.entry.event.whose, power)
    return may && take(turn, may)
  },
})

/** A handler that only keeps the thread's record true, whoever's words they are. */
export const keeping = (take: (turn: TurnContext) => Taken): Handler => ({ needs: null, take })

/** Null: none of them wants it, or somebody else goes on with the item. */
export async function firstThatTakes(
  handlers: readonly Handler[],
  turn: TurnContext,
): Promise<ChangePart | null> {
  for (const handler of handlers) {
    const change = await handler.take(turn)
    if (turn.signal.aborted) return null
    if (change !== null) return change
  }
  return null
}

/**
 * Origin of messages that the person's input causes, in its conversation and now. `runId`: the run
 * that they belong to, if any.
 */
export const originOf = (turn: TurnContext, runId?: string): Origin => ({
  conversationId: turn.state.conversation.id,
  cause: { kind: 'turn', refId: turn.entry.id },
  at: turn.now,
  to: personOf(turn),
  runId,
})

/** Clew's answer in the thread, and what became of the message. */
export function answerWith(
  turn: TurnContext,
  text: string,
  outcome?: Outcome,
  offers: readonly Offer[] = [],
): ChangePart {
  return mergeChanges(
    withOffers(postMessage(originOf(turn), 'reply', text), offers),
    marked(turn, outcome),
  )
}

/** An answer for this person only. */
export function tellPrivately(
  turn: TurnContext,
  text: string,
  outcome?: Outcome,
  more: Parameters<typeof privateMessage>[3] = {},
): ChangePart {
  return mergeChanges(
    privateMessage(originOf(turn), turn.entry.event.author, text, more),
    marked(turn, outcome),
  )
}

export function marked(turn: TurnContext, outcome: Outcome = { kind: 'answered' }): ChangePart {
  return receipt(originOf(turn), turn.entry, outcome)
}

export function personOf(turn: TurnContext) {
  const { id, name } = turn.entry.event.author
  return { id, name }
}

/** Whose tokens a turn takes. */
export const payersIn = (turn: TurnContext) =>
  payersOf(personOf(turn), turn.state.conversation.address.channel)

/** The same, by name, for the figures; `model` is who answers where there is one. */
export const spenderIn = (turn: TurnContext, model: string) => ({
  ...payersIn(turn),
  name: personOf(turn).name,
  model,
})

/**
 * Adds the input to a task before its next thought, if the task is still as it was seen (C50).
 * `isSpoken`: words to Clew, which it may answer under an open question (C503).
 */
export function joined(
  turn: TurnContext,
  run: Run,
  text: string,
  { isSpoken = false } = {},
): ChangePart {
  const said = saidWith(turn, text)
  const isAside = isSpoken && run.status === 'awaiting_clarification' && said.kind === 'joined'
  const input = isAside ? { ...said, aside: true } : said
  return { expect: [statusOf(run)], inputs: [{ runId: run.id, input }] }
}

/** Input of a task: a person's words, with the images that they attached. */
export function saidWith(turn: TurnContext, text: string): RunInput {
  const images = turn.imagesForTask()
  const attached = images.length === 0 ? {} : { images }
  return { kind: 'joined', entryId: turn.entry.id, text, author: personOf(turn), ...attached }
}

/** The run is still as it was seen. */
export const statusOf = ({ id, status }: Run): Expectation => ({
  kind: 'run_status',
  runId: id,
  status,
})

/** Text of a person together with their attachments. */
export function withAttachments({
  text,
  attachments,
}: Pick<TurnContext, 'text' | 'attachments'>): string {
  return [text, attachments].filter((part) => part.trim() !== '').join('\n\n')
}
