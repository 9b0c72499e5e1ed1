import { WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError, WebClient } from '@slack/web-api'
import type { z } from 'zod'
import { assertNever } from '../../agent/domain/assert.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { codesOf } from '../../agent/unreachable.ts'
import type { NotSent } from '../channel-kit/send-outcomes.ts'
import { limits } from './limits.ts'

export interface Tokens {
  /** The bot token for a workspace; null when Clew is not installed there. Throws when the store is away. */
  of(workspace: string): Promise<string | null>
}

/** Why a call did not do what it was for. */
export type Problem =
  /** Slack has not done it and says when to try again, or was never reached. */
  | { kind: 'later'; afterMs: number }
  /** The answer never came or says nothing: it may have happened (P2). */
  | { kind: 'unknown' }
  /** Slack will not do it. */
  | { kind: 'refused'; code: string }
  /** Not with this token: it was taken back, or lacks a scope, which is then named. */
  | { kind: 'token'; code: string; needed: string | null }

export type Answer<T> = { ok: true; value: T } | { ok: false; problem: Problem }

export interface CallOptions {
  /** What the method's limit is counted for, besides the workspace: posting is limited for each channel. */
  lane?: string
  /** An adornment: a token that does not allow it is no trouble to speak of. */
  minor?: boolean
}

export interface Api {
  /**
   * Calls a method of the Web API as the workspace's bot, once: whether and when to try again is the caller's business.
   * Never throws. A method that was told to wait is not called again before its time, in this workspace (and channel,
   * where `lane` names one).
   */
  call<T>(
    workspace: string,
    method: string,
    args: Record<string, unknown>,
    schema: z.ZodType<T>,
    options?: CallOptions,
  ): Promise<Answer<T>>
  /** The last problem with a workspace's token, for the health line; null when the last call was fine. */
  trouble(): string | null
}

/** How long a workspace whose token does not work is left alone. */
const tokenMs = 30_000
const unreachableMs = 2_000

/** Answers that mean "perhaps": Slack failed on its own side. */
const unclear = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']
const badToken = [
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
  'no_permission',
  'org_login_required',
  'not_allowed_token_type',
  'not_installed',
]
/** The connection never stood, so nothing was sent. */
const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

export function createApi(deps: { tokens: Tokens; apiUrl: string; clock: Clock; log: Log }): Api {
  const { clock, log } = deps
  const clients = new Map<string, WebClient>()
  const waitUntil = new Map<string, number>()
  const troubles = new Map<string, string>()

  function clientFor(token: string): WebClient {
    const known = clients.get(token)
    if (known !== undefined) return known
    // Options of its own for every token: the client writes its headers into them.
    const made = createWebClient(token, deps.apiUrl)
    clients.set(token, made)
    return made
  }

  function note(workspace: string, method: string, problem: Problem | null): void {
    if (problem?.kind !== 'token') {
      if (problem === null) troubles.delete(workspace)
      return
    }
    const needed = problem.needed === null ? '' : `: the bot needs the scope ${problem.needed}`
    const line = `${workspace}: ${method} answers ${problem.code}${needed}`
    if (troubles.get(workspace) !== line)
      log.error({ workspace, method, code: problem.code, needed: problem.needed }, `Slack refuses the token${needed}`)
    troubles.set(workspace, line)
  }

  return {
    async call(workspace, method, args, schema, { lane = '', minor = false } = {}) {
      const place = `${workspace} ${method} ${lane}`
      const wait = (waitUntil.get(place) ?? 0) - clock.now()
      if (wait > 0) return { ok: false, problem: { kind: 'later', afterMs: wait } }
      const token = await deps.tokens.of(workspace).catch(() => undefined)
      if (token === undefined) return { ok: false, problem: { kind: 'later', afterMs: unreachableMs } }
      if (token === null) {
        const problem: Problem = { kind: 'token', code: 'not_installed', needed: null }
        note(workspace, method, problem)
        return { ok: false, problem }
      }
      try {
        const answer = await clientFor(token).apiCall(method, args)
        note(workspace, method, null)
        const parsed = schema.safeParse(answer)
        if (parsed.success) return { ok: true, value: parsed.data }
        log.warn({ method, problem: parsed.error.message }, 'Slack answered something unexpected')
        return { ok: false, problem: { kind: 'unknown' } }
      } catch (error) {
        const problem = problemOf(error)
        if (problem.kind === 'later') waitUntil.set(place, clock.now() + problem.afterMs)
        if (!minor) note(workspace, method, problem)
        log.debug({ workspace, method, problem }, 'a call of the Web API did not succeed')
        return { ok: false, problem }
      }
    },
    trouble: () => troubles.values().next().value ?? null,
  }
}

/** Without retries of its own: whoever calls decides (I6). */
export function createWebClient(token: string | undefined, apiUrl: string): WebClient {
  return new WebClient(token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: limits.callMs,
    logger: silent,
  })
}

/** What an exception of the Web API's client means for what was to be done. */
export function problemOf(error: unknown): Problem {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'later', afterMs: error.retryAfter * 1_000 }
  if (error instanceof WebAPIPlatformError) return platformProblem(error.data)
  if (error instanceof WebAPIRequestError && neverSent.some((code) => codesOf(error).includes(code)))
    return { kind: 'later', afterMs: unreachableMs }
  // Everything else, a 5xx, a cut connection, a time-out, may have come after Slack had done it.
  return { kind: 'unknown' }
}

function platformProblem(data: { error: string; needed?: unknown }): Problem {
  const code = data.error
  if (code === 'ratelimited' || code === 'rate_limited') return { kind: 'later', afterMs: 10_000 }
  // A body that is not JSON is put here as it is.
  if (unclear.includes(code) || !/^[a-z0-9_]+$/.test(code)) return { kind: 'unknown' }
  const needed = typeof data.needed === 'string' ? data.needed : null
  return badToken.includes(code) ? { kind: 'token', code, needed } : { kind: 'refused', code }
}

/** A problem as the core wants to hear it. */
export function asSent(problem: Problem): NotSent {
  switch (problem.kind) {
    case 'later':
      return { kind: 'later', afterMs: Math.max(50, problem.afterMs) }
    case 'token':
      return { kind: 'later', afterMs: tokenMs }
    case 'unknown':
      return { kind: 'unknown' }
    case 'refused':
      return { kind: 'refused', reason: problem.code }
    default:
      return assertNever(problem)
  }
}

/** The SDK's own lines are dropped: they hold texts and addresses. What matters is in the answers. */
export const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => 'error' as never,
  setName() {},
}
