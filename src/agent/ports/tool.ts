import type { ToolOrigin } from '../contracts/input.ts'
import type { SourceRef } from '../domain/fact.ts'
import type { MadeFile } from '../domain/made-file.ts'
import type { Author, Offer } from '../domain/message.ts'
import type { Times } from '../domain/zone.ts'
import type { ChannelTraits } from './channel.ts'

/**
 * What running a call again does (rule 5):
 * `none` nothing outside changes; `keyed` the same effect id again is a no-op; `unkeyed` it would happen twice, so after
 * a crash it is never repeated by itself.
 */
export const effects = ['none', 'keyed', 'unkeyed'] as const
export type Effect = (typeof effects)[number]

/**
 * Whether people are asked before a call is made: `never`, `always`, or at the `first` use in each run, which then covers the
 * further uses of the same tool in that run.
 */
export const approvals = ['never', 'always', 'first'] as const
export type Approval = (typeof approvals)[number]

/** A failure is a result too; `text` then says what went wrong and what would be right. */
export interface ToolResult {
  ok: boolean
  text: string
  /** It was cut off on its way: whether it took effect is not known (C13). */
  unknown?: boolean
  /** For the people in the thread, beside what the model gets; shown once, however often the call is repeated. */
  note?: { text: string; offers: readonly Offer[] }
  /** What it made for people: handed over in the thread (`madeFileLimits`). */
  files?: readonly MadeFile[]
}

export interface ToolContext {
  workspace: string
  channel: string
  conversationId: string
  /** Who asked for the work; null for unattended runs. */
  person: Author | null
  /** What asked for it, where it can be looked up. */
  source?: SourceRef
  locale: string
  timeZone: string
  /** It is not known to be the person's own (C139, C194). */
  zoneUnset?: boolean
  /** How instants stand in the answer; absent: `wall`. */
  times?: Times
  /** How people give commands there; absent: as they stand. */
  commands?: ChannelTraits['commands']
  now: number
  /** Derived from (run, step, purpose): the same call has the same id after a crash. */
  effectId: string
  signal: AbortSignal
}

/**
 * Something the agent can do.
 *
 * Contract: `run` answers every input with a result and throws only when the infrastructure fails; it stops soon after
 * the signal aborts; with `effect: 'keyed'` a second call with the same `effectId` changes nothing and answers the same.
 */
export interface Tool {
  readonly name: string
  readonly effect: Effect
  /** What it does and the grammar of its input, in words for the model. */
  readonly description: string
  run(input: string, context: ToolContext): Promise<ToolResult>
  /**
   * The requester or an admin approves; until then the call is not made. Left out: a tool of the team's folder asks
   * `always` where it takes effect (S51), any other `never`.
   */
  readonly approval?: Approval
  /** Which work sees it; where it is left out, its effect decides for work that nobody watches (S4). */
  readonly sources?: { readonly interactive: boolean; readonly unattended: boolean }
  /** Whether it can be used in a workspace now; everywhere where it is left out. */
  offeredIn?(workspace: string): boolean
  /** Of a tool that others run: who they are, and how its input is written. Its description is then their words (S4). */
  readonly origin?: ToolOrigin
  /** Of Clew's own that takes more than a line: the strict JSON schema of its input (C321). */
  readonly fields?: Readonly<Record<string, unknown>>
  /** What is wrong with an input, in a sentence for the model; null: nothing. Asked before people are, and before it is run. */
  check?(input: string): string | null
  /** Whether an input only looks: then nobody has to approve it. Left out: a tool with effects never does. */
  looks?(input: string): boolean
  /** False: no schedule can allow it to work that nobody watches (F13). */
  readonly allowable?: boolean
  /** It is of the team's folder; set by Clew. */
  readonly isTheirs?: true
  /** The web address that an input makes it read, where it reads any (S54). */
  addressIn?(input: string): string | null
  /** It looks things up on the web: what it brings, people may follow (S21). */
  readonly finds?: true
  /** Of a tool with effects: the part of it that only looks, for work that nobody watches (S4). */
  readonly readOnly?: Tool
}
