import type { Conversation } from '../domain/conversation.ts'
import type { MadeFile } from '../domain/made-file.ts'
import type { Offer } from '../domain/message.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import type { Run } from '../domain/run.ts'
import type { Words } from '../domain/words.ts'
import type { Effect } from '../ports/effect.ts'

import type { ToolContext } from '../ports/tool.ts'
import type { GivenRule } from '../schedules/typed-rule.ts'

/**
 * Caller, place and time of a command. A tool's context extends it, so that people and models use
 * one grammar.
 */
export interface CommandContext extends Omit<ToolContext, 'signal'> {
  /** Whose words the command is: a model's, where a task calls it (C283). */
  whose: Words
  /** When a schedule is due, said in fields (C321). */
  given?: GivenRule
}

/** The write that a command asks for, and who did where (C711). */
export const effectOf = ({
  effectId,
  person,
  conversationId,
}: CommandContext): Exclude<Effect, string> => ({
  id: effectId,
  by: person?.id ?? null,
  thread: conversationId === '' ? null : conversationId,
})

/** Reader of a text: language, time zone and time. */
export type Reader = Pick<CommandContext, 'locale' | 'timeZone' | 'times' | 'now'>

/**
 * Result of a command or a use case. A usage error, "not found" and "conflict" are not `ok` (F5).
 */
export interface CommandResult<D = unknown> {
  ok: boolean
  /** Markdown for the thread, never blank. */
  text: string
  /**
   * The same as values: the row that was written, the rows that are shown. Only when it is `ok`.
   */
  data?: D
  /** Settings to store for the thread of the command. */
  conversation?: Pick<Conversation, 'strategy'>
  /** Commands that the answer offers as buttons. */
  offers?: readonly Offer[]
  /** Only some of what was asked was done; the text says which. */
  isPartial?: true
  /** Refused, since somebody has decided it already. */
  decided?: true
  /** It is nobody's but the person's own: in a thread only they see it. */
  private?: boolean
  /** A file for that person alone; the text tells of it. */
  file?: MadeFile
  /** Action on a run of this thread, instead of an answer. */
  control?: RunControl
}

/** A turn carries it out as the button of that name, or as the page's editor of the plan (C208). */
export type RunControl = { run: Run } & (
  | { action: 'cancel' | 'continue' | 'retry' }
  | ({ action: 'plan' } & PlanEdit)
  | { action: 'again'; step: number | null; isSure: boolean }
)

/**
 * Something that a person can ask for by name, without a model (R1).
 *
 * Contract: `run` answers any text and throws only when the infrastructure fails; the same
 * `effectId` again changes nothing and a write answers the same.
 */
export interface Command {
  readonly name: string
  /** Other names for it, for example in Chinese. */
  readonly aliases: readonly string[]
  /** Returns its line for `/help`. */
  summary(locale: string): string
  /** Its subcommands that people use, each with one line; left out: it has none. */
  parts?(locale: string): readonly { name: string; aliases: readonly string[]; summary: string }[]
  /** Every form of it, one a line. */
  usage(locale: string): string[]
  /** Returns notes on what the forms do not show. */
  notes?(locale: string): string | undefined
  /** True if these words never change anything. Unreadable words might. */
  looks?(args: string): boolean
  /**
   * True if these words can only be meant for it. Decides about a name without a slash in text
   * addressed to Clew: `todo list` is a command, `help me with the offsite` is not.
   */
  recognises(args: string): boolean
  run(args: string, context: CommandContext): Promise<CommandResult>
}
