import { type ContractName, deciding } from '../contracts.ts'
import { type FailureKind, passesByItself } from '../domain/model-failure.ts'
import { noUsage } from '../domain/usage.ts'
import type { Clock } from '../ports/clock.ts'
import { kindOf, type Model, type ModelReply, modelIn, type NoAnswer } from '../ports/model.ts'

/** Failures in a row after which the endpoint is taken to be away. */
const failuresMost = 3
/** Until the first probe, and between two of them at most. */
const firstWaitMs = 2_000
const longestWaitMs = 30_000
/** While a probe is under way nobody else asks. */
const probeMs = 5_000
/**
 * Gap between callers that come back one by one, and the time over which they spread, in
 * milliseconds.
 */
const placeMs = 20
const placesWithinMs = 20_000

/** State of the endpoint for one kind of request. */
interface Lane {
  failures: number
  /** Since when nobody was answered; null while it answers. */
  awaySince: number | null
  /** Set while it is away: until when nothing is sent. */
  openUntil: number | null
  probing: boolean
  probes: number
  /** Requests that were turned away since the last probe. */
  places: number
  kind: FailureKind
}

const closed: Lane = {
  failures: 0,
  awaySince: null,
  openUntil: null,
  probing: false,
  probes: 0,
  places: 0,
  kind: 'unreachable',
}

/**
 * A model that is away is not asked by everybody (C93): after a few failures that pass by
 * themselves nothing is sent for a while, then one request is the probe. Callers that are turned
 * away are told when to come back, each at another moment; they wait where they are stored.
 * Decisions, tasks and channels with a model of their own are watched apart.
 */
export function createBreaker(
  model: Model,
  clock: Pick<Clock, 'now'>,
): Model & { awayUntil(): number | null } {
  const lanes = new Map<string, Lane>()
  function laneOf(contract: ContractName, input: object) {
    const name = `${deciding.includes(contract) ? 'decision' : 'work'} ${modelIn(input) ?? ''}`
    const lane = lanes.get(name) ?? { ...closed }
    lanes.set(name, lane)
    return lane
  }
  return {
    ...model,
    /** Until when nothing is sent, of whichever kind; null while it is asked. */
    awayUntil() {
      const until = [...lanes.values()].flatMap(({ openUntil }) => openUntil ?? [])
      return until.length === 0 ? null : Math.max(...until)
    },
    async call(contract, input, signal, written) {
      const lane = laneOf(contract, input)
      const isProbe = lane.openUntil !== null
      if (lane.openUntil !== null && (lane.probing || clock.now() < lane.openUntil))
        return turnedAway(lane, clock.now())
      if (isProbe) lane.probing = true
      const reply = await model.call(contract, input, signal, written)
      if (isProbe) lane.probing = false
      return noted(lane, reply, { isProbe, now: clock.now() })
    },
  }
}

function turnedAway(lane: Lane, now: number): NoAnswer {
  const ready = Math.max(lane.openUntil ?? now, lane.probing ? now + probeMs : now)
  const place = (lane.places++ * placeMs) % placesWithinMs
  return {
    ok: false,
    code: 'unavailable',
    kind: lane.kind,
    message: 'the model is away',
    usage: noUsage,
    retryAfterMs: ready - now + place,
    awayMs: now - (lane.awaySince ?? now),
  }
}

/** Updates the lane by an answer. An aborted one proves nothing. */
function noted(
  lane: Lane,
  reply: ModelReply,
  { isProbe, now }: { isProbe: boolean; now: number },
): ModelReply {
  if (!reply.ok && reply.code === 'aborted') return reply
  const kind = kindOf(reply)
  if (kind === null || !passesByItself(kind) || !('retryAfterMs' in reply)) {
    Object.assign(lane, closed)
    return reply
  }
  // A request that was under way when it was found to be away says nothing new.
  if (lane.openUntil !== null && !isProbe) return later(reply, lane.openUntil - now)
  lane.failures += 1
  lane.awaySince ??= now
  lane.kind = kind
  const isAsked = kind === 'rate_limited' && reply.retryAfterMs !== null
  if (lane.failures < failuresMost && !isAsked) return reply
  const wait = Math.max(
    reply.retryAfterMs ?? 0,
    Math.min(longestWaitMs, firstWaitMs * 2 ** lane.probes),
  )
  Object.assign(lane, { openUntil: now + wait, probes: lane.probes + 1, places: 1 })
  return later(reply, wait)
}

const later = (reply: NoAnswer, ms: number): NoAnswer => ({
  ...reply,
  retryAfterMs: Math.max(reply.retryAfterMs ?? 0, ms),
})
