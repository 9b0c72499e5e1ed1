import type { Conversation } from '../domain/conversation.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { InboundEvent } from '../domain/event.ts'
import type { Author } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import type { ProgressView } from '../domain/progress.ts'
import type { Times } from '../domain/zone.ts'

/** What a delivery's sending came to. */
export type Sent =
  /** The platform has it. `thread` is set when this opened the conversation's thread. */
  | { kind: 'sent'; ref: string; thread?: string }
  /** Not sent; try again after this many milliseconds. */
  | { kind: 'later'; afterMs: number }
  /** It may or may not have arrived (P2): look for it by its id before sending again. */
  | { kind: 'unknown' }
  /** It will never arrive here: the channel is gone or Clew was removed. */
  | { kind: 'refused'; reason: string }

/** What intake tells the adapter about an event, once it is stored. */
export type Intake = (event: InboundEvent) => Promise<IntakeResult>
export type IntakeResult =
  | { kind: 'accepted'; conversationId: string; messageId: string | null; entryId: string }
  | { kind: 'duplicate'; conversationId: string; messageId: string | null; entryId: string }
  | { kind: 'ignored'; reason: 'bot' | 'not_addressed' | 'not_allowed' | 'empty' | 'too_many' }

/** What was said around a message, oldest first. */
export type ThreadReading =
  /** `gap`: more was said between the first and the newest of them than is read in one go. */
  { kind: 'read'; said: readonly Overheard[]; gap: boolean } | { kind: 'unreadable'; reason: 'forbidden' | 'away' }

/** What is known of a platform also where a process does not speak it. */
export interface ChannelTraits {
  readonly platform: string
  /** How instants stand in texts for its people; absent: as clocks on a wall. */
  readonly times?: Times
}

/**
 * A platform, as the core sees it.
 *
 * Contract: `send` and `show` never throw; sending one delivery id twice shows it once, as far as the platform allows
 * (P2); `show` replaces what it showed of the same run before.
 */
export interface Channel extends ChannelTraits {
  /** The least time between two `show`s of one workspace, by all processes, in milliseconds (C49); 0 where nothing limits it. */
  readonly progressEveryMs: number
  start(intake: Intake): Promise<void>
  send(delivery: Delivery, conversation: Conversation): Promise<Sent>
  show(progress: ProgressView, conversation: Conversation): Promise<Sent>
  /** Looks for a delivery that was tried before; null when the platform does not have all of it. */
  find(delivery: Delivery, conversation: Conversation): Promise<{ ref: string; thread?: string } | null>
  /**
   * Sends a delivery that its place refused to one person directly, once, with a note of where it belongs. Absent where
   * people cannot be reached directly.
   */
  direct?(delivery: Delivery, conversation: Conversation, to: Author): Promise<Sent>
  /** Whether this run is shown for the first time, which costs nothing of the budget. Absent: everything takes its place. */
  isNew?(workspace: string, runId: string): Promise<boolean>
  /**
   * What is attached to a message, as Markdown for a model: every file with its text, or why it could not be read. Never
   * throws; ends soon after the signal aborts. Absent where nothing can be attached.
   */
  attachments?(event: InboundEvent, locale: string, signal: AbortSignal): Promise<string>
  /**
   * What was said before a message that names Clew: in its thread, after an instant; above one that opens its thread, the last
   * lines of the channel; and what it replies to (C69). Never throws. Absent where Clew hears all that is said.
   */
  readThread?(event: InboundEvent, since: number, signal: AbortSignal): Promise<ThreadReading>
  /** One line for the health page. */
  health(): { ok: boolean; detail: string }
  stop(): Promise<void>
}
