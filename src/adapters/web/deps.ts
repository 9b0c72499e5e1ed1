import type { Command } from '../../agent/commands/command.ts'
import type { MemoryDeps } from '../../agent/commands/memory.ts'
import type { ScheduleDeps } from '../../agent/commands/schedule.ts'
import type { TodoDeps } from '../../agent/commands/todo.ts'
import type { Connector, Connectors } from '../../agent/connectors.ts'
import { type Address, directMessagesOf } from '../../agent/domain/conversation.ts'
import type { UsageLimits } from '../../agent/domain/usage.ts'
import type { EventSource, Hooks } from '../../agent/hooks.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Documents } from '../../agent/ports/documents.ts'
import type { Draft } from '../../agent/ports/drafts.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Members } from '../../agent/ports/members.ts'
import type { Privacy, Store } from '../../agent/ports/store.ts'
import type { Item } from '../../agent/ports/wakeups.ts'
import type { Texts } from '../../locales/texts.ts'
import type { Finding } from '../channel-kit/findings.ts'
import type { senders } from './event-senders.ts'
import type { EventLog } from './events.ts'
import type { MayUse } from './membership.ts'
import type { SetupFormView, SharedSignInsView } from './views.ts'

/** State of one part, with a few words on why for the operator. */
export interface Part {
  ok: boolean
  detail: string
}

/**
 * Report of the health page. `model.rehearsal` is true if no model is connected. Times are in ms
 * since the epoch. `last` is the outcome of the last real call of the model, or of a look at its
 * list.
 */
export interface WebHealth {
  ok: boolean
  /** True if only a restart can help. */
  store: Part & { stuck?: boolean }
  /** `noWorker`: no process works on tasks. */
  queue: Part & { noWorker?: true }
  channels: Readonly<Record<string, Part & { lastSuccess: number | null }>>
  model: Part & {
    name: string
    rehearsal: boolean
    last: { kind: string; at: number } | null
    /** Time until which the model is not asked, because it failed. */
    awayUntil?: number
    /** A model server on this machine, if no model is set. */
    offer?: { server: string; url: string; model: string }
  }
  /**
   * Number of rows set aside since the start that no thread could be told about; the log names them
   * (P18).
   */
  untold?: number
  /** Used share of each ceiling of a day or month, 0 to 1, as this process has seen it (C132). */
  allowances?: Readonly<Record<string, number>>
  /** Worker processes of this one's own (C590). */
  workers?: readonly WorkerState[]
  /** The team's MCP servers, and problems with its files. Neither makes Clew itself unhealthy. */
  servers?: readonly ServerHealth[]
  problems?: readonly string[]
}

/** State of a worker process; `silent`: it runs, and does not answer. */
export interface WorkerState {
  number: number
  /** Its process; null while there is none. */
  pid: number | null
  state: 'working' | 'starting' | 'silent'
  restarts: number
  detail: string
}

/**
 * A server of the team's tools. `signIn` is set if it needs one first; `odd` names entries of its
 * list that are unreadable.
 */
export interface ServerHealth {
  name: string
  ok: boolean
  tools: number
  detail: string
  signIn?: boolean
  odd?: readonly string[]
}

/** Sign-ins at the team's servers that all people share. */
export interface SharedSignIns {
  list(): Promise<SharedSignInsView['servers']>
  /** Returns the link that begins one; `null`: none can begin, or there is no such server. */
  begin(server: string, locale: string): Promise<string | null>
  /** Revokes and forgets one. False: there was none. */
  end(server: string): Promise<boolean>
}

/** Findings of the doctor and their time. `hide` redacts secrets in a text (S7). */
export interface Checked {
  at: number
  /** `label` is the name of a channel for people. */
  parts: readonly { part: string; label?: string; findings: readonly Finding[] }[]
  hide(text: string): string
}

/** The doctor's checks of what is connected (C232). */
export interface Checks {
  /** Last findings; null if nobody has looked since the start. */
  last(): Checked | null
  isLooking(): boolean
  /**
   * Runs the checks, at most once at a time and not right after the last run. Takes at most 30 s;
   * never throws.
   */
  look(): Promise<Checked>
}

/** Typed values, by the name of their field; `choice` is the id of one. */
export type SetupGiven = Readonly<Record<string, string>>
/** Names written to `.env`, those that the environment overrules, or why nothing was written. */
export interface SetupSaved {
  names: readonly string[]
  isCopied: boolean
  overruled: readonly string[]
  problem: string | null
}

/** Set up as a form (C563). No value of a setting leaves it; `hide` redacts secrets in a text. */
export interface SetupForm {
  readonly startedAt: number
  /** Why the last restart went on with the settings before. */
  readonly problem: string | null
  /** True if something was written that counts from the next start. */
  isWaiting(): boolean
  steps(words: Texts): Promise<SetupFormView['steps']>
  /** Tries what was typed against the real service, and writes it if it works. Never throws. */
  connect(
    part: string,
    given: SetupGiven,
    words: Texts,
  ): Promise<
    | { kind: 'unknown' | 'unclear' | 'missing' }
    | { kind: 'unreadable'; problems: readonly string[] }
    | {
        kind: 'tried'
        findings: readonly Finding[]
        hide: (text: string) => string
        saved: SetupSaved | null
      }
  >
  /** Starts Clew again with what was written. */
  restart(): void
}

export interface WebDeps {
  host: string
  /** Port to listen on; 0 takes any free one. */
  port: number
  /** Token that everyone must show, if it is set. Required when `host` is not loopback. */
  token: string | null
  /**
   * Public address of the page, such as `https://clew.example.org`; platforms redirect people to
   * it.
   */
  url: string | null
  /** Platforms whose people can sign in (S25). They need `url` and a token. */
  members: readonly Members[]
  /** Number of proxies before the page, each of which adds its client to X-Forwarded-For (S14). */
  proxies: number
  clock: Clock
  log: Log
  store: Store
  /** Members for whom Clew works, and where (C26). */
  mayUse: MayUse
  /** Ids of those who may answer every question. */
  admins: readonly string[]
  /** Commands that people can call by name, in the order of `/help`. */
  commands: readonly Command[]
  /** Reads attached files. */
  documents: Documents
  /** Use cases for to-dos, schedules and memory. */
  work: { todos: TodoDeps; schedules: ScheduleDeps; memory: MemoryDeps }
  /**
   * Personal data in the store, and the secret that opens it (S19). If neither this nor the page
   * has a token, anyone on this machine may ask.
   */
  privacy: { store: Privacy; token: string | null }
  /**
   * Programs that may start work, each with its secret (S20). Without them nobody starts work by
   * the API.
   */
  connectors?: Connectors & { shown: readonly { secret: string; connector: Connector }[] }
  /** Services whose events may start work, each with its secret (C640). */
  hooks?: Hooks & { shown: readonly KnownSource[] }
  events: EventLog
  /** Drafts, as any process publishes them. */
  drafts: { listen(heard: (draft: Draft) => void): () => void }
  /** Changed conversations of any platform, with what waits there no more (C190). */
  news: {
    listen(
      heard: (workspace: string, conversationId: string, gone: readonly string[]) => void,
    ): () => void
  }
  /** Web address of a thread on its platform; null if that has none. */
  linkTo: (address: Address) => string | null
  /** Time after which something that waits for people is late (C191), in ms; 0 turns this off. */
  lateAfterMs: number
  /** Paths that others answer and guard themselves, such as a platform's own requests. */
  routes: Readonly<Record<string, (request: Request) => Promise<Response>>>
  /** Dependencies of the page about costs and health (C227 to C230). */
  upkeep: {
    limits: UsageLimits
    /** ISO 4217; null if models have no prices, so that costs are unknown. */
    currency: string | null
    /** Name of a channel for people; null if this process does not know it. */
    nameOf(
      place: { workspace: string; channel: string },
      signal: AbortSignal,
    ): Promise<string | null>
    /** Wakes the worker of a due item. Never throws. */
    wake(item: Item): Promise<void>
  }
  /** Returns a report within this many milliseconds, whatever hangs. */
  health: (withinMs: number) => Promise<WebHealth>
  checks: Checks
  /** Null if this process cannot write its settings. */
  setup: SetupForm | null
  /** Null, absent: no server can be signed in at for everybody. */
  signIns?: SharedSignIns | null
  /** Returns Prometheus' text, for `/metrics`. */
  metrics: () => Promise<string>
  defaultLocale: string
  timeZone: string
  /** Hosts that Clew's own texts may link to, besides those that people wrote (S2). */
  linkHosts: readonly string[]
}

/** A source of events as it is set up: who sends them, and its secret. */
export interface KnownSource {
  source: EventSource
  from: keyof typeof senders
  secret: string
}

/** The operators' workspace and channel. */
export const webWorkspace = 'web:local'
export const webChannel = 'web'
/**
 * Workspace of members on the page. Their threads are direct messages with Clew, in a channel of
 * their own (S26).
 */
export const memberWorkspace = directMessagesOf('web')
/** True if a workspace is the page's own. */
export const isOnPage = (workspace: string): boolean =>
  workspace === webWorkspace || workspace === memberWorkspace
