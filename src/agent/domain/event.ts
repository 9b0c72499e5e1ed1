import { z } from 'zod'
import { Opinion } from './feedback.ts'
import { FileRef } from './file-ref.ts'
import { deriveId } from './id.ts'
import { Author } from './message.ts'
import { PlanEdit } from './plan-edit.ts'
import { variant } from './variant.ts'
import { typedHere, Words } from './words.ts'

/** Another person's message inside a message: its words and files stay its author's (S34). */
export const Shared = z.object({
  author: z.string(),
  text: z.string(),
  files: z.array(FileRef).optional(),
})
export type Shared = z.infer<typeof Shared>

/**
 * Message that somebody replies to. Its author is `null` where Clew wrote it; `key`: the key under
 * which it comes in.
 */
export const Replied = Shared.extend({ author: Author.nullable(), key: z.string() })
export type Replied = z.infer<typeof Replied>

/** Platform payload as its adapter parsed it. Nothing platform-specific is left in it (R143). */
export const InboundEvent = z.object({
  workspace: z.string(),
  channel: z.string(),
  /**
   * The thread's own id on the platform; for a top-level message the id of the thread that it would
   * open. Null: there is none, and the first thing that Clew says opens it.
   */
  thread: z.string().nullable(),
  /**
   * The conversation that Clew opened this thread for, as the platform remembers it: a reply may
   * come in before the thread is bound (R148).
   */
  openedFor: z.string().optional(),
  /**
   * Every name under which this one gesture may arrive again (P3): message id, client message id.
   * At least one.
   */
  keys: z.array(z.string()).min(1),
  /** The platform's own name of the message, for marks on it. */
  ref: z.string().optional(),
  /** The platform's own name of the message that this one replies to. */
  repliesTo: z.string().optional(),
  /**
   * `operator`: the user of the page acts in a thread of another platform (S22), where nobody knows
   * them.
   */
  author: Author.extend({ bot: z.boolean(), operator: z.boolean().optional() }),
  /** Whose words it brings: what they may do follows from it alone (C283). */
  whose: Words.default(typedHere),
  at: z.number(),
  locale: z.string().optional(),
  timeZone: z.string().optional(),
  content: z.discriminatedUnion('kind', [
    variant('message', {
      text: z.string(),
      /**
       * Clew was mentioned or this is a direct message. A thread that Clew works in needs neither.
       */
      addressed: z.boolean(),
      /** The text begins by mentioning somebody else (R146). */
      forSomeoneElse: z.boolean(),
      /** It mentions other people, anywhere in the text, and not Clew. */
      namesOthers: z.boolean().optional(),
      files: z.array(FileRef).optional(),
      /** Messages of others that it shares, as they were shared, with what is attached to them. */
      shared: z.array(Shared).optional(),
      replied: Replied.optional(),
    }),
    /**
     * A message was changed or taken back. `key` is one of the keys under which the message itself
     * came in.
     */
    variant('edited', {
      key: z.string(),
      text: z.string(),
      /** As it stands now it is for Clew, and may not have been before (C78). */
      addressed: z.boolean().optional(),
      files: z.array(FileRef).optional(),
    }),
    variant('deleted', { key: z.string() }),
    /** `edited`: the call that is approved, as the person changed it first (C184). */
    variant('answer', {
      questionId: z.string(),
      text: z.string(),
      edited: z.string().optional(),
    }),
    /** Rating of a report by a person (C182). */
    variant('feedback', { runId: z.string(), ...Opinion.shape }),
    /** A run shall be kept as a test; `right`: what would have been right (C732). */
    variant('keep_test', { runId: z.string(), right: z.string() }),
    /**
     * People could not answer for a while: a question that is still open is put before them again
     * (C156).
     */
    variant('ask_again', { questionId: z.string() }),
    /** The steps of a run that have not begun, as somebody wants them (C208). */
    variant('plan_edit', { runId: z.string(), ...PlanEdit.shape }),
    /**
     * C251: a run shall begin again at a step of its plan, from 1; null: where it stopped.
     * `isSure`: whatever is done twice.
     */
    variant('again', {
      runId: z.string(),
      step: z.int().nullable(),
      isSure: z.boolean(),
    }),
    variant('control', {
      action: z.enum(['cancel', 'continue', 'retry']),
      runId: z.string(),
    }),
  ]),
})
export type InboundEvent = z.infer<typeof InboundEvent>

type Content = InboundEvent['content']

/**
 * Returns an edited message that is addressed to Clew, as it reads now; `null` for any other
 * content.
 */
export function messageIn(content: Content): Extract<Content, { kind: 'message' }> | null {
  if (content.kind !== 'edited' || content.addressed !== true) return null
  const { text, addressed, files } = content
  return {
    kind: 'message',
    text,
    addressed,
    forSomeoneElse: false,
    files,
  }
}

/** An event that has been taken in and waits for its turn. */
export const InboxEntry = z.object({
  version: z.literal(1),
  id: z.string(),
  /** The message that shows it in the thread; null for a click. */
  messageId: z.string().nullable(),
  event: InboundEvent,
})
export type InboxEntry = z.infer<typeof InboxEntry>

/** The one id of the inbox entry of a gesture, by the first of its keys. */
export const entryIdOf = (workspace: string, key: string): string => deriveId('e', workspace, key)
