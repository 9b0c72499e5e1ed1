import type { Address, Conversation } from '../domain/conversation.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { InboundEvent } from '../domain/event.ts'
import type { FileRef } from '../domain/file-ref.ts'
import type { KeptDocument } from '../domain/kept-document.ts'
import type { Author } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import type { ProgressView } from '../domain/progress.ts'
import type { Times } from '../domain/zone.ts'
import type { Canvases } from './canvases.ts'
import type { Reader } from './reader.ts'

/** Result of sending a delivery. */
export type Sent =
  /** The platform has it. `thread` is set when this opened the conversation's thread. */
  | { kind: 'sent'; ref: string; thread?: string }
  /** Not sent; try again after this many milliseconds. */
  | { kind: 'later'; afterMs: number }
  /** It may or may not have arrived (P2): look for it by its id before sending again. */
  | { kind: 'unknown' }
  /** It will never arrive here: the channel is gone or Clew was removed. */
  | { kind: 'refused'; reason: string }

/** Stores an event and tells its adapter the result. */
export type Intake = (event: InboundEvent) => Promise<IntakeResult>
export type IntakeResult =
  | { kind: 'accepted'; conversationId: string; messageId: string | null; entryId: string }
  | { kind: 'duplicate'; conversationId: string; messageId: string | null; entryId: string }
  | {
      kind: 'ignored'
      reason:
        | 'bot'
        | 'not_addressed'
        | 'not_allowed'
        | 'outsider'
        /** The platform does not say now who they are (S38). */
        | 'not_known'
        | 'empty'
        | 'too_many'
        /** The channel's profile was never understood; `fault` is for operators alone (C674). */
        | 'closed'
      fault?: string
    }

/**
 * Describes an image in words. `unknown`: nothing can be said about it. `used_up`: too little of
 * the allowance is left to look at it (C36). Never throws.
 */
export type Look = (
  image: { name: string; type: string; bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<{ kind: 'seen'; words: string } | { kind: 'unknown' } | { kind: 'used_up' }>

/** Puts what is said in an audio file into words; the answers are those of `Look`. */
export type Hear = Look

/**
 * Keeps the text of a file whole, so that tasks can read on in it (C790); false: there are too
 * many.
 */
export type Keep = (
  document: Pick<KeptDocument, 'name' | 'text' | 'sections' | 'cells'>,
) => Promise<boolean>

/**
 * Stood on by a schedule and there no more: the place that it posts into, or the person whose it
 * is.
 */
export type Missing = 'place' | 'owner'

/** Message that was read, and its files with their addresses. */
export interface WithFiles {
  heard: Overheard
  files: readonly FileRef[]
}

/** Messages around another message, oldest first. */
export type ThreadReading =
  /** `gap`: more was said between the first and the newest of them than is read in one go. */
  | {
      kind: 'read'
      said: readonly Overheard[]
      gap: boolean
      /** Those of them whose files are read with them (C976). */
      attached?: readonly WithFiles[]
    }
  | { kind: 'unreadable'; reason: 'forbidden' | 'away' }

/** Properties of a platform that are known in every process, also in one that does not speak it. */
export interface ChannelTraits {
  readonly platform: string
  /**
   * `zoned`: it shows instants to every reader in their own time; absent: they stand with the name
   * of their zone.
   */
  readonly times?: Times
  /**
   * Form of commands; absent: people type them as they stand.
   * `mention`: the platform takes its own commands only at the top of a channel. `forms`: it asks
   * for each value in a field.
   */
  readonly commands?: 'mention' | 'forms'
  /** Where a thread is, as an address of the web; null where it has none. Absent: none has. */
  linkTo?(address: Address): string | null
  /** Web address of a thread's first message; absent: that of the thread. */
  linkToFirst?(address: Address): string | null
  /**
   * True if nobody but one person and Clew can speak there; absent: nowhere. What is that person's
   * alone is used only there (S47).
   */
  isAlone?(place: Pick<Address, 'workspace' | 'channel'>): boolean
  /** True if reactions and messages there can start work by a rule (C780). */
  readonly tellsEvents?: boolean
  /**
   * The workspace of what people set for themselves, where they are the same in several; absent:
   * each its own.
   */
  readonly peopleIn?: string
  /** The command that tells Clew a person's time zone, where the platform does not (C139). */
  readonly setsZone?: string
}

/**
 * A platform, as the core sees it.
 *
 * Contract: `send` and `show` never throw; sending one delivery id twice shows it once, as far as
 * the platform allows (P2); `show` replaces what it showed of the same run before.
 */
export interface Channel extends ChannelTraits {
  /**
   * The least time between two `show`s of one workspace, by all processes, in milliseconds (C49); 0
   * where nothing limits it.
   */
  readonly progressEveryMs: number
  /**
   * It is a log of Clew's own, where what is sent twice is there once for certain: nothing has to
   * be looked for, and each process keeps `progressEveryMs` by itself.
   */
  readonly isLog?: boolean
  start(intake: Intake): Promise<void>
  send(delivery: Delivery, conversation: Conversation): Promise<Sent>
  show(progress: ProgressView, conversation: Conversation): Promise<Sent>
  /**
   * Looks for a delivery that was tried before. Returns null when the platform does not have all of
   * it, `unknown` when it cannot tell now: then nothing is sent yet.
   */
  find(
    delivery: Delivery,
    conversation: Conversation,
  ): Promise<{ ref: string; thread?: string } | 'unknown' | null>
  /**
   * Sends a delivery that its place refused to one person directly, once, with a note of where it
   * belongs. Absent where people cannot be reached directly.
   */
  direct?(delivery: Delivery, conversation: Conversation, to: Author): Promise<Sent>
  /**
   * True if this run is shown for the first time, which costs nothing of the budget. Absent: every
   * `show` takes its place.
   */
  isNew?(workspace: string, runId: string): Promise<boolean>
  /**
   * Returns the attachments of a message as Markdown for a model: every file with its text, or why
   * it could not be read.
   * Never throws; ends soon after the signal aborts. Absent where nothing can be attached.
   * `look` describes images, `hear` audio; absent where no model does. `keep` keeps texts of which
   * only the beginning is in the answer.
   */
  attachments?(
    event: InboundEvent,
    locale: string,
    signal: AbortSignal,
    look?: Look,
    keep?: Keep,
    hear?: Hear,
  ): Promise<string>
  /**
   * Returns the messages before one that names Clew, and the one that it replies to (C69).
   * They are those of its thread after `since`. If it opens its thread, they are the last lines of
   * the channel.
   * Never throws. Absent where Clew receives every message.
   */
  readThread?(event: InboundEvent, since: number, signal: AbortSignal): Promise<ThreadReading>
  /**
   * Display name of a channel, as `#general`, or a note that it is a direct message; `null` if
   * unknown.
   * Never throws, and answers soon. Absent where there is only one channel.
   */
  nameOf?(
    place: { workspace: string; channel: string },
    signal: AbortSignal,
  ): Promise<string | null>
  /**
   * Tells whether a place takes nothing any more, or a person left; null where both are there and
   * where the platform does not say so. Never throws, and answers soon. Absent where nobody can
   * tell.
   */
  missing?(place: Address, owner: Author | null): Promise<Missing | null>
  /**
   * Resolves once what was said before this process came is stored, where tasks of a workspace go
   * on; at once where that is known. Never throws, and may never resolve. Absent where nothing can
   * be missed.
   */
  heard?(workspace: string): Promise<void>
  /** Operators hear here what is said to them alone, of whichever platform it is about (S22). */
  readonly operators?: boolean
  /** Reads for people what they may see. Absent where there is nothing of the kind. */
  readonly reader?: Reader
  /** Makes documents beside threads. Absent where there are none. */
  readonly canvases?: Canvases
  /** State in one line, for the health page. */
  health(): { ok: boolean; detail: string }
  stop(): Promise<void>
}
