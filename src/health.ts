import type { Part, WebHealth } from './adapters/web/deps.ts'
import { inTime } from './agent/deadline.ts'
import { FailureKind, isOfOneRequest } from './agent/domain/model-failure.ts'
import { adviceFor } from './agent/model/advice.ts'
import type { Channel } from './agent/ports/channel.ts'
import type { Clock } from './agent/ports/clock.ts'
import { kindOf, type Model, type ModelReply } from './agent/ports/model.ts'
import type { Store } from './agent/ports/store.ts'
import type { Wakeups } from './agent/ports/wakeups.ts'

/**
 * Time after which a part counts as not ready, in ms. Its check is abandoned then, so that none
 * piles up.
 */
const answerWithinMs = 2_000
/** Time for which the last word about the model counts, in ms. */
const modelWordMs = 5 * 60_000
/** Shortest time between two looks at the endpoint, in ms. */
const lookEveryMs = 2_000

/** A part, with its last success or failure. */
export interface Watched<P> {
  part: P
  last(): LastWord | null
}

interface LastWord {
  kind: string
  at: number
  mend?: string
}

/** A model, with a look at its endpoint that costs no tokens and that nobody waits for. */
export interface WatchedModel extends Watched<Model> {
  look(): void
}

/**
 * Builds the health report (P19). Each part is checked by itself with a timeout, and concurrent
 * callers share a check.
 *
 * @returns a report within `ms`, whatever hangs.
 */
export function createHealth(parts: {
  store: Pick<Store, 'health'>
  wakeups: Pick<Wakeups, 'health'>
  channels: readonly Watched<Channel>[]
  model: WatchedModel
  /** A model on this machine that could be set. */
  offer?: NonNullable<WebHealth['model']['offer']> | null
  clock: Clock
}): (ms: number) => Promise<WebHealth> {
  const { channels, model, clock } = parts
  const store = shared(() => parts.store.health(), clock)
  const queue = shared(() => parts.wakeups.health(), clock)
  return async (ms) => {
    model.look()
    const [rows, jobs] = await Promise.all([store(ms), queue(ms)])
    const shown = Object.fromEntries(
      channels.map(({ part, last }) => [
        part.platform,
        { ...part.health(), lastSuccess: last()?.at ?? null },
      ]),
    )
    const { offer = null } = parts
    const thinking = { ...modelHealth(model, clock.now()), offer: offer ?? undefined }
    const all = [rows, jobs, thinking, ...Object.values(shown)]
    return {
      ok: all.every(({ ok }) => ok),
      store: rows,
      queue: jobs,
      channels: shown,
      model: thinking,
    }
  }
}

/** Shares one check in flight among all callers; each has its own timeout. */
function shared<P extends Part>(
  ask: () => Promise<P>,
  clock: Clock,
): (ms: number) => Promise<P | Part> {
  let asked: Promise<P | Part> | null = null
  return (ms) => {
    asked ??= within(ask(), answerWithinMs, clock).finally(() => {
      asked = null
    })
    return within(asked, ms, clock)
  }
}

async function within<P extends Part>(
  answer: Promise<P>,
  ms: number,
  clock: Clock,
): Promise<P | Part> {
  const failed = (error: unknown) => ({
    ok: false,
    detail: error instanceof Error ? error.message : String(error),
  })
  const heard = await inTime<P | Part>(clock, ms, answer.catch(failed))
  return heard ?? { ok: false, detail: `no answer within ${ms} ms` }
}

function modelHealth({ part: { name }, last }: Watched<Model>, now: number): WebHealth['model'] {
  const answer = last()
  const failure = FailureKind.safeParse(answer?.kind)
  const failed = answer !== null && failure.success && !isOfOneRequest(failure.data)
  const detailOf = (): string => {
    if (name === 'none') return 'none is set; only commands work'
    if (failure.success) return wordsOf(failure.data, answer?.mend)
    return answer?.kind ?? 'not asked yet'
  }
  return {
    name,
    rehearsal: name === 'rehearsal',
    ok: !failed || now - answer.at > modelWordMs,
    detail: detailOf(),
    last: answer && { kind: answer.kind, at: answer.at },
  }
}

/** Describes a failure as the log and the doctor do (C91). */
function wordsOf(kind: FailureKind, known?: string): string {
  const { does, mend } = adviceFor(kind)
  return `the endpoint ${does}. ${known ?? mend}`
}

/**
 * Failures that a look can see, and end; an endpoint that lists no models may still have the one
 * that is set.
 */
const seenByLook: readonly string[] = ['key_refused', 'unreachable', 'timed_out', 'overloaded']

/**
 * Watches the model and the outcome of its last call. A canceled call does not count.
 *
 * @param reach looks whether the endpoint takes the key, without tokens; null if there is no such
 *   way. It is used where no call has told for five minutes, or while one gets no answer (C521).
 */
export function watchModel(
  model: Model,
  clock: Clock,
  reach: (() => Promise<FailureKind | null>) | null = null,
): WatchedModel {
  let last: LastWord | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  const waiting = new Set<{ since: number }>()
  const outcomeOf = (reply: ModelReply) => (reply.ok ? 'answered' : (kindOf(reply) ?? reply.code))
  const isKnown = (now: number) =>
    last !== null &&
    now - last.at < modelWordMs &&
    !FailureKind.options.some((kind) => kind === last?.kind) &&
    ![...waiting].some(({ since }) => now - since >= lookEveryMs)

  function look() {
    const now = clock.now()
    if (reach === null || now - lookedAt < lookEveryMs || isKnown(now)) return
    lookedAt = now
    void reach().then((failure) => {
      const isFailure = failure !== null && seenByLook.includes(failure)
      const isOpen = last === null || seenByLook.includes(last.kind)
      const isNews = last === null || last.at <= now
      if (isNews && (isFailure || isOpen)) last = { kind: isFailure ? failure : 'reached', at: now }
    })
  }

  return {
    last: () => last,
    look,
    part: {
      ...model,
      async call(contract, input, signal, written) {
        const one = { since: clock.now() }
        waiting.add(one)
        look()
        const reply = await model
          .call(contract, input, signal, written)
          .finally(() => waiting.delete(one))
        const mend = 'mend' in reply ? reply.mend : undefined
        if (reply.ok || reply.code !== 'aborted')
          last = { kind: outcomeOf(reply), at: clock.now(), mend }
        return reply
      },
    },
  }
}

/** Watches a channel and when it last received or showed something. */
export function watchChannel(channel: Channel, clock: Clock): Watched<Channel> {
  let last: { kind: string; at: number } | null = null
  function note<T extends { kind: string }>(outcome: T) {
    if (['sent', 'accepted', 'duplicate'].includes(outcome.kind))
      last = { kind: outcome.kind, at: clock.now() }
    return outcome
  }
  return {
    last: () => last,
    part: {
      ...channel,
      start: (intake) => channel.start(async (event) => note(await intake(event))),
      send: async (delivery, conversation) => note(await channel.send(delivery, conversation)),
      show: async (progress, conversation) => note(await channel.show(progress, conversation)),
    },
  }
}
