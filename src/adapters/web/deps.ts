import type { Command } from '../../agent/commands/command.ts'
import type { MemoryDeps } from '../../agent/commands/memory.ts'
import type { ScheduleDeps } from '../../agent/commands/schedule.ts'
import type { TodoDeps } from '../../agent/commands/todo.ts'
import type { Connector, Connectors } from '../../agent/connectors.ts'
import { type Address, directMessagesOf } from '../../agent/domain/conversation.ts'
import type { UsageLimits } from '../../agent/domain/usage.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Documents } from '../../agent/ports/documents.ts'
import type { Draft } from '../../agent/ports/drafts.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Members } from '../../agent/ports/members.ts'
import type { Privacy, Store } from '../../agent/ports/store.ts'
import type { Item } from '../../agent/ports/wakeups.ts'
import type { Finding } from '../channel-kit/findings.ts'
import type { EventLog } from './events.ts'
import type { MayUse } from './membership.ts'

/** How one part is, and why in a few words for the operator. */
export interface Part {
  ok: boolean
  detail: string
}

/**
 * What the health page says. `model.rehearsal` tells the page that no model is connected. Times are milliseconds since the
 * epoch; a model is never asked for it, so `last` is what came of the last call of somebody's.
 */
export interface WebHealth {
  ok: boolean
  /** `stuck`: only a new process can help. */
  store: Part & { stuck?: boolean }
  queue: Part
  channels: Readonly<Record<string, Part & { lastSuccess: number | null }>>
  model: Part & {
    name: string
    rehearsal: boolean
    last: { kind: string; at: number } | null
    /** It is away, and nothing is sent to it before. */
    awayUntil?: number
    /** A model server on this machine, where no model is set. */
    offer?: { server: string; url: string; model: string }
  }
  /** Rows that were set aside since the start and of which no thread could be told; the log names them (P18). */
  untold?: number
  /** How much of each ceiling of a day or month is used, 0 to 1, as this process has seen it (C132). */
  allowances?: Readonly<Record<string, number>>
  /** The team's MCP servers, and what of its files cannot be used; neither makes Clew itself unwell. */
  servers?: readonly ServerHealth[]
  problems?: readonly string[]
}

/** A server of the team's tools: `signIn` where it wants one first, `odd` what of its list could not be read. */
export interface ServerHealth {
  name: string
  ok: boolean
  tools: number
  detail: string
  signIn?: boolean
  odd?: readonly string[]
}

/** What the doctor found, and when. `hide` takes secrets out of a text (S7). */
export interface Checked {
  at: number
  /** `label`: what people call a channel. */
  parts: readonly { part: string; label?: string; findings: readonly Finding[] }[]
  hide(text: string): string
}

/** The doctor's checks of what is connected (C232). */
export interface Checks {
  /** What was found last; null: nobody has looked since the start. */
  last(): Checked | null
  isLooking(): boolean
  /** Looks, at most once at a time and not right after the last look. Takes at most half a minute; never throws. */
  look(): Promise<Checked>
}

export interface WebDeps {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Everyone must show it, when it is set; required when `host` is not loopback. */
  token: string | null
  /** Where people reach the page, as `https://clew.example.org`; platforms send them back there. */
  url: string | null
  /** Platforms whose people can sign in (S25); they need `url` and a token. */
  members: readonly Members[]
  /** How many proxies stand before the page, each of which adds whom it heard to X-Forwarded-For (S14). */
  proxies: number
  clock: Clock
  log: Log
  store: Store
  /** For which members Clew works, and where (C26). */
  mayUse: MayUse
  /** What people can ask for by name, in the order of `/help`. */
  commands: readonly Command[]
  /** Reads what people attach. */
  documents: Documents
  /** To-dos, schedules and what is remembered. */
  work: { todos: TodoDeps; schedules: ScheduleDeps; memory: MemoryDeps }
  /** What is kept of people, and the secret of who may ask for it; null: anyone on this machine, where the page has no token (S19). */
  privacy: { store: Privacy; token: string | null }
  /** Programs that may start work, each with its secret (S20); without them nobody starts work by the API. */
  connectors?: Connectors & { shown: readonly { secret: string; connector: Connector }[] }
  events: EventLog
  /** What is being written, as any process tells it. */
  drafts: { listen(heard: (draft: Draft) => void): () => void }
  /** Which conversation changed, of whichever platform, and what waits there no more (C190). */
  news: {
    listen(
      heard: (workspace: string, conversationId: string, gone: readonly string[]) => void,
    ): () => void
  }
  /** Where a thread is on its platform, as an address of the web; null where that has none. */
  linkTo: (address: Address) => string | null
  /** What waits for people for longer is late (C191), in milliseconds; 0: nothing is. */
  lateAfterMs: number
  /** Paths that others answer and guard themselves, such as a platform's own requests. */
  routes: Readonly<Record<string, (request: Request) => Promise<Response>>>
  /** For the page about costs and health (C227 to C230). */
  upkeep: {
    limits: UsageLimits
    /** Whether models have prices; without them nothing is known of costs. */
    priced: boolean
    /** What people call a channel; null where this process does not know. */
    nameOf(
      place: { workspace: string; channel: string },
      signal: AbortSignal,
    ): Promise<string | null>
    /** A hint that something is due; never throws. */
    wake(item: Item): Promise<void>
  }
  /** Answers within so many milliseconds, whatever hangs. */
  health: (withinMs: number) => Promise<WebHealth>
  checks: Checks
  /** Prometheus text, for `/metrics`. */
  metrics: () => Promise<string>
  defaultLocale: string
  timeZone: string
  /** Hosts that Clew's own texts may link to besides those that people wrote (S2). */
  linkHosts: readonly string[]
}

/** The operators' workspace and channel. */
export const webWorkspace = 'web:local'
export const webChannel = 'web'
/** What members begin on the page are direct messages with Clew, in a channel of their own (S26). */
export const memberWorkspace = directMessagesOf('web')
/** Whether a workspace is the page's own. */
export const isOnPage = (workspace: string): boolean =>
  workspace === webWorkspace || workspace === memberWorkspace
