import {
  RESTJSONErrorCodes as codes,
  DiscordAPIError,
  HTTPError,
  type RateLimitData,
  RateLimitError,
  REST,
  type RouteLike,
  Routes,
} from 'discord.js'
import { z } from 'zod'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { wasNeverSent } from '../channel-kit/send-outcomes.ts'
import { limits } from './limits.ts'

/** Outcome of a request. Retries are the outbox's job (I6). */
export type Answer<T = unknown> =
  | { kind: 'ok'; value: T }
  /** Not accepted; it may be sent again after this time. */
  | { kind: 'later'; afterMs: number }
  /** Outcome unclear; it may have arrived (P2). */
  | { kind: 'unknown' }
  /** Refused for good. */
  | { kind: 'refused'; status: number; code: number; reason: string }
/** Outcome of a failed request. Deliveries use the same outcomes. */
export type Failure = Exclude<Answer, { kind: 'ok' }>

export interface File {
  name: string
  data: Buffer
  type: string
}

export interface Api {
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    route: RouteLike,
    options?: {
      body?: unknown
      query?: Record<string, string>
      files?: readonly File[]
      auth?: boolean
    },
  ): Promise<Answer>
  /**
   * Returns the number of requests in the last second that count against the application's limit.
   */
  recent(): number
}

const awayMs = 2_000
/** Pause after a refusal that passes by itself and names no time, in milliseconds. */
const notNowMs = 10_000
/** Refusals that pass by themselves; Discord does not send them as rate limits (C996). */
const notNow: readonly number[] = [
  codes.ActionCannotBePerformedDueToSlowmodeRateLimit,
  codes.ChannelSendRateLimit,
  codes.ServerSendRateLimit,
  codes.OpeningDirectMessagesTooFast,
  codes.SendMessagesHasBeenTemporarilyDisabled,
  codes.FeatureTemporarilyDisabledServerSide,
  codes.ServiceResourceIsBeingRateLimited,
  codes.IndexNotYetAvailable,
  codes.APIResourceOverloaded,
]

/**
 * Client of Discord's HTTP API. Rate limits come from its headers. It waits out a short one; a
 * longer one is `later`, since Cloudflare's may last hours. `onRefused` is called once, when the
 * token is rejected.
 */
export function createApi(options: {
  token: string
  apiUrl: string | null
  clock: Pick<Clock, 'now'>
  log: Log
  onRefused: () => void
}): Api {
  const rest = new REST({
    version: '10',
    retries: 0,
    timeout: limits.requestMs,
    // A limit that names no time would be tried again at once, without end.
    rejectOnRateLimit: (limit) => limit.retryAfter <= 0 || waitOf(limit) > limits.waitMs,
    ...(options.apiUrl === null ? {} : { api: options.apiUrl }),
  }).setToken(options.token)
  let refused = false
  /** End of a ban. Requests during a ban prolong it, so nothing is sent until then (C178). */
  let bannedUntil = 0
  /** Times of the newest requests. */
  const sent: number[] = []

  return {
    recent() {
      const since = options.clock.now() - 1_000
      return sent.filter((at) => at > since).length
    },
    async call(method, fullRoute, { body, query, files = [], auth = true } = {}) {
      if (refused && auth) return { kind: 'later', afterMs: 60_000 }
      if (bannedUntil > options.clock.now())
        return { kind: 'later', afterMs: bannedUntil - options.clock.now() }
      if (auth && sent.push(options.clock.now()) > limits.requestsASecond) sent.shift()
      try {
        const value = await rest.request({
          method: method as Parameters<typeof rest.request>[0]['method'],
          fullRoute,
          auth,
          body,
          query: query && new URLSearchParams(query),
          files:
            files.length === 0
              ? undefined
              : files.map(({ name, data, type }) => ({ name, data, contentType: type })),
        })
        return { kind: 'ok', value }
      } catch (error) {
        const answer = answerOf(error)
        if (answer.kind === 'later' && isBan(error))
          bannedUntil = options.clock.now() + answer.afterMs
        const isRefusal = auth && answer.kind === 'refused' && answer.status === 401
        if (isRefusal && !refused) options.onRefused()
        refused ||= isRefusal
        if (refused && auth) return { kind: 'later', afterMs: 60_000 }
        if (answer.kind !== 'later')
          options.log.debug(
            { method, route: fullRoute, answer, err: error },
            'Discord did not take a request',
          )
        return answer
      }
    },
  }
}

/** Fetches a resource and parses it. A response of another form is `unknown`. */
export async function get<S extends z.ZodType>(
  api: Api,
  route: RouteLike,
  schema: S,
  query?: Record<string, string>,
): Promise<Answer<z.infer<S>>> {
  const answer = await api.call('GET', route, query === undefined ? {} : { query })
  if (answer.kind !== 'ok') return answer
  const parsed = schema.safeParse(answer.value)
  return parsed.success ? { kind: 'ok', value: parsed.data } : { kind: 'unknown' }
}

const Shards = z.object({ shards: z.int().positive() })

/** Returns the number of shards that the gateway recommends, or `null` if it cannot be asked. */
export async function recommendedShards(api: Api): Promise<number | null> {
  const answer = await get(api, Routes.gatewayBot(), Shards)
  return answer.kind === 'ok' ? answer.value.shards : null
}

/**
 * True for a ban by the proxy in front of Discord, which refuses all our requests and names no
 * limit.
 */
const isBan = (error: unknown): boolean =>
  error instanceof RateLimitError &&
  error.limit === Number.POSITIVE_INFINITY &&
  error.scope !== 'shared'

/** Returns the time to wait for a rate limit, in milliseconds. */
const waitOf = ({ timeToReset, retryAfter, sublimitTimeout }: RateLimitData) =>
  Math.max(timeToReset, retryAfter, sublimitTimeout, 50)

function answerOf(error: unknown): Failure {
  if (error instanceof RateLimitError)
    return { kind: 'later', afterMs: error.retryAfter <= 0 ? notNowMs : waitOf(error) }
  if (error instanceof DiscordAPIError) {
    const { status, message } = error
    const code = Number(error.code) || 0
    if (notNow.includes(code)) return { kind: 'later', afterMs: notNowMs }
    return { kind: 'refused', status, code, reason: `${message} (${code || status})` }
  }
  return !(error instanceof HTTPError) && wasNeverSent(error)
    ? { kind: 'later', afterMs: awayMs }
    : { kind: 'unknown' }
}
