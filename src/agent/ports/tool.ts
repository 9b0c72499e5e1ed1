import type { ToolOrigin } from '../contracts/input.ts'
import type { Awaited } from '../domain/elsewhere.ts'
import type { SourceRef } from '../domain/fact.ts'
import type { MadeFile } from '../domain/made-file.ts'
import type { Author, ToolNote } from '../domain/message.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { ServiceAnswer, ServiceQuestion } from '../domain/service-question.ts'
import type { Times } from '../domain/zone.ts'
import type { ChannelTraits } from './channel.ts'

/**
 * Effect of running a call again (rule 5).
 * `none`: nothing outside changes. `keyed`: the same effect id again is a no-op. `unkeyed`: it
 * would happen twice, so after a crash it is never repeated by itself.
 */
export const effects = ['none', 'keyed', 'unkeyed'] as const
export type Effect = (typeof effects)[number]

/**
 * Rule for asking people before a call: `never`, `always`, or at the `first` use in each run. That
 * first approval covers the further uses of the tool in the run.
 */
export const approvals = ['never', 'always', 'first'] as const
export type Approval = (typeof approvals)[number]

/** Text or bytes that a service handed over, to be read like a page. */
export interface ReadDocument {
  name: string
  /** A media type, for example `text/csv`. */
  type: string
  content: string | Uint8Array
  /** The only person whose tasks may read it (S95); absent: it is the thread's. */
  only?: string
}

/** A failure is a result too; `text` then says what went wrong and what would be right. */
export interface ToolResult {
  ok: boolean
  text: string
  /**
   * Absent: it failed, did a part of what was asked, only looked, or has to be read by whoever
   * reports of it.
   */
  receipt?: Receipt
  /** It was cut off on its way: whether it took effect is not known (C13). */
  unknown?: boolean
  /**
   * The service behind it asks the person something first. The call is made again with the answer,
   * and with nothing else (C850).
   */
  asks?: ServiceQuestion
  /** True if it ended before the service got an answer that `ToolContext.answers` holds (C852). */
  unused?: boolean
  /**
   * For the people in the thread, beside what the model gets; shown once, however often the call is
   * repeated.
   */
  note?: ToolNote
  /** It asked somebody, and the task waits for their answer (C843). */
  awaits?: Awaited
  /** Files that it made for people: handed over in the thread (`madeFileLimits`). */
  files?: readonly MadeFile[]
  /** Documents of which the task gets the beginnings, and the way to the rest (C920). */
  documents?: readonly ReadDocument[]
}

export interface ToolContext {
  workspace: string
  channel: string
  conversationId: string
  /** Person who asked for the work; `null` for unattended runs. */
  person: Author | null
  /** On whose behalf it is done: who asked, or whose schedule it is. */
  owner?: Author | null
  /** Run that calls; absent: none does. */
  runId?: string
  /** Source of the request, where it can be looked up. */
  source?: SourceRef
  locale: string
  timeZone: string
  /** It is not known to be the person's own (C139, C194). */
  zoneUnset?: boolean
  /** Form of instants in the answer; absent: `wall`. */
  times?: Times
  /** Form of commands there; absent: as they stand. */
  commands?: ChannelTraits['commands']
  now: number
  /** Addresses that people may follow in what is said (S21); absent: none are known. */
  links?(): Promise<ReadonlySet<string>>
  /** Answers to the questions that the service asked in this call; absent: none. */
  answers?: readonly ServiceAnswer[]
  /** True if the service may ask the person something. */
  mayAsk?: boolean
  /**
   * Says how far the call is, for its task's progress; called often, few lines are shown (C922).
   */
  progress?(line: string): void
  /** Derived from (run, step, purpose): the same call has the same id after a crash. */
  effectId: string
  signal: AbortSignal
}

/**
 * Something the agent can do.
 *
 * Contract: `run` answers every input with a result and throws only when the infrastructure fails;
 * it stops soon after the signal aborts; with `effect: 'keyed'` a second call with the same
 * `effectId` changes nothing and answers the same.
 */
export interface Tool {
  readonly name: string
  readonly effect: Effect
  /** Purpose and grammar of the input, in words for the model. */
  readonly description: string
  run(input: string, context: ToolContext): Promise<ToolResult>
  /**
   * The requester or an admin approves; until then the call is not made. Left out: a tool of the
   * team's folder asks `always` where it takes effect (S51), any other `never`.
   */
  readonly approval?: Approval
  /**
   * Which work sees it; where it is left out, its effect decides for work that nobody watches (S4).
   */
  readonly sources?: { readonly interactive: boolean; readonly unattended: boolean }
  /** True if the tool can be used in a workspace now. Absent: everywhere. */
  offeredIn?(workspace: string): boolean
  /** Owner and input format of a tool that others run. Its description is then their words (S4). */
  readonly origin?: ToolOrigin
  /**
   * Strict JSON schema of the input, for a tool of Clew's own that takes more than a line (C321).
   */
  readonly fields?: Readonly<Record<string, unknown>>
  /**
   * Returns the error in an input, in a sentence for the model; `null`: none. Called before people
   * are asked, and before `run`.
   */
  check?(input: string): string | null
  /**
   * Looks up what an input names, and returns the input with which people are asked and which is
   * then called; or why it cannot be called. Absent: the input stays as it is.
   */
  prepare?(input: string, context: ToolContext): Promise<{ input: string } | { problem: string }>
  /**
   * True if an input only reads: then nobody has to approve it. Absent: no input of a tool with
   * effects only reads.
   */
  looks?(input: string): boolean
  /**
   * Ends a call that waits for a person's answer, since the work that made it has ended (C923).
   * No-op if there is none of this effect id.
   */
  drop?(effectId: string): void
  /** False: no schedule can allow it to work that nobody watches (F13). */
  readonly allowable?: boolean
  /** It is of the team's folder; set by Clew. */
  readonly isTheirs?: true
  /** The web address that an input makes it read, where it reads any (S54). */
  addressIn?(input: string): string | null
  /** It looks things up on the web: what it brings, people may follow (S21). */
  readonly finds?: true
  /** Read-only part of a tool with effects, for work that nobody watches (S4). */
  readonly readOnly?: Tool
}
