import type { Part, WebHealth } from './adapters/web/deps.ts'
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
/**
 * Time for which a failure of the model counts, in ms. The model is never probed, so nothing else
 * would end it.
 */
const modelFailureMs = 5 * 60_000

/** A part, with its last success or failure. */
export interface Watched<P> {
  part: P
  last(): { kind: string; at: number; mend?: string } | null
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
  model: Watched<Model>
  /** A model on this machine that could be set. */
  offer?: NonNullable<WebHealth['model']['offer']> | null
  clock: Clock
}): (ms: number) => Promise<WebHealth> {
  const { channels, model, clock } = parts
  const store = shared(() => parts.store.health(), clock)
  const queue = shared(() => parts.wakeups.health(), clock)
  return async (ms) => {
    const [rows, jobs] = await Promise.all([store(ms), queue(ms)])
    const shown = Object.fromEntries(
      channels.map(({ part, last }) => [
        part.platform,
        { ...part.health(), lastSuccess: last()?.at ?? null },
      ]),
    )
    const { offer = null } = parts
    const thinking = { ...modelHealth(model, clock.now()), ...(offer !== null && { offer }) }
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
  const done = new AbortController()
  const late = clock
    .sleep(ms, done.signal)
    .then(() => ({ ok: false, detail: `no answer within ${ms} ms` }))
  const failed = (error: unknown) => ({
    ok: false,
    detail: error instanceof Error ? error.message : String(error),
  })
  try {
    return await Promise.race([answer.catch(failed), late])
  } finally {
    done.abort()
  }
}

function modelHealth({ part: { name }, last }: Watched<Model>, now: number): WebHealth['model'] {
  const answer = last()
  const failure = FailureKind.safeParse(answer?.kind)
  const failed = answer !== null && failure.success && !isOfOneRequest(failure.data)
  return {
    name,
    rehearsal: name === 'rehearsal',
    ok: !failed || now - answer.at > modelFailureMs,
    detail:
      name === 'none'
        ? 'none is set; only commands work'
        : failure.success
          ? wordsOf(failure.data, answer?.mend)
          : (answer?.kind ?? 'not asked yet'),
    last: answer === null ? null : { kind: answer.kind, at: answer.at },
  }
}

/** Describes a failure as the log and the doctor do (C91). */
function wordsOf(kind: FailureKind, known?: string): string {
  const { does, mend } = adviceFor(kind)
  return `the endpoint ${does}. ${known ?? mend}`
}

/** Watches the model and the outcome of its last call. A canceled call does not count. */
export function watchModel(model: Model, clock: Clock): Watched<Model> {
  let last: { kind: string; at: number; mend?: string } | null = null
  const outcomeOf = (reply: ModelReply) => (reply.ok ? 'answered' : (kindOf(reply) ?? reply.code))
  return {
    last: () => last,
    part: {
      ...model,
      async call(contract, input, signal, written) {
        const reply = await model.call(contract, input, signal, written)
        const mend = 'mend' in reply ? reply.mend : undefined
        if (reply.ok || reply.code !== 'aborted')
          last = { kind: outcomeOf(reply), at: clock.now(), ...(mend !== undefined && { mend }) }
        return reply
      },
    },
  }
}

/** Watches a channel and when it last received or showed something. */
export function watchChannel(channel: Channel, clock: Clock): Watched<Channel> {
  let last: { kind: string; at: number } | null = null
  function note<T extends { kind: string }>(outcome: T): T {
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
