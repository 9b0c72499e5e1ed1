import {
  type Client,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Reaper } from '../reaper.ts'
import type { Calls } from './calls.ts'
import type { ServerTools } from './list-tools.ts'
import type { ListedPrompt } from './prompts.ts'
import type { ServerResources } from './resources.ts'
import type { ServerSpec } from './servers-file.ts'

export interface ServerDeps {
  clock: Clock
  log: Log
  reaper: Reaper
  /** Token of the connection, looked up at each request; absent: it has none. */
  token?: () => Promise<string | null>
  /** Called when its lists have changed. */
  changed?(): void
}

/** Longest wait for an answer that is not a call's, in milliseconds. */
export const answerMs = 30_000

/** Ways to speak with a server that does not take what is tried first (C993). */
export interface Manner {
  /** Version of the protocol. */
  version?: string
  /** True for the SSE transport that preceded streamable HTTP. */
  isSse?: boolean
}

/**
 * Reason why a server is down. `signIn`: it requires a sign-in first (C366). `manner`: it may be
 * there in that one.
 */
export interface Loss {
  why: string
  signIn?: boolean
  manner?: Manner | undefined
}

type State =
  | { kind: 'up'; client: Client; calls: Calls }
  | { kind: 'starting' }
  | ({ kind: 'away' } & Loss)

/** State of a server while Clew runs. */
export interface Running {
  readonly spec: ServerSpec
  readonly deps: ServerDeps
  /** Aborts when the server must stop. */
  readonly ended: AbortSignal
  state: State
  manner: Manner
  listed: ServerTools & {
    resources: ServerResources | null
    prompts: readonly ListedPrompt[]
  }
  /** Marks the server as lost: from now on nothing is sent to it. */
  lost(loss: Loss): void
  /** Redacts values from the environment and the file's own secrets (S7). */
  redact(text: string): string
}

export const wantsSignIn = (error: unknown): boolean =>
  error instanceof UnauthorizedError ||
  (error instanceof SdkHttpError && error.status === 401) ||
  (error instanceof SseError && error.code === 401)

export const lossOf = (error: unknown, why: string): Loss =>
  wantsSignIn(error) ? { why: 'it wants a sign-in (401)', signIn: true } : { why }

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500)
