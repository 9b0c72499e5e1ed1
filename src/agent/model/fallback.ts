import { LRUCache } from 'lru-cache'
import { type ContractInputs, type ContractName, deciding } from '../contracts.ts'
import { type FailureKind, isOfOneRequest, passesByItself } from '../domain/model-failure.ts'
import { noUsage, plus } from '../domain/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import {
  kindOf,
  type Model,
  type ModelReply,
  modelIn,
  type NoAnswer,
  type Sight,
  type Usage,
  type Written,
} from '../ports/model.ts'

/** Purposes of models. */
export const purposes = ['deciding', 'working', 'seeing', 'summing_up'] as const
export type Purpose = (typeof purposes)[number]
/** For each purpose the models in the order in which they are asked; never empty. */
export type ModelLists = Readonly<Record<Purpose, readonly [Model, ...Model[]]>>

/**
 * Cooldown of a model that failed without `Retry-After`, in ms; longer if somebody has to mend it.
 */
const coolingMs = { passing: 30_000, lasting: 5 * 60_000 } as const
/** Time for which providers cache a task's prompt, in milliseconds. */
const cacheMs = 5 * 60_000
const tasksMost = 1_000

interface ListDeps {
  clock: Pick<Clock, 'now'>
  log: Log
  /** The models by how the settings name them, for channels that have one of them alone (C760). */
  named?: ReadonlyMap<string, Model>
}

/**
 * Several models as one (C102): on a failure that the next one may not share, the next one is
 * asked. A model that failed is left alone for as long as it said (`Retry-After`), and a task stays
 * with the model that answered it last, which has its beginning in its cache. Every attempt is
 * counted (C8), and the reply's usage says which model answered.
 */
export function createModelList(
  lists: ModelLists,
  { clock, log, named = new Map() }: ListDeps,
): Model {
  const cooling = new Map<Model, Cooling>()
  const lastOf = new LRUCache<string, Model>({
    max: tasksMost,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: clock,
  })
  const until = (model: Model) => cooling.get(model)?.until ?? 0

  async function call<N extends ContractName>(
    contract: N,
    input: ContractInputs[N],
    signal: AbortSignal,
    written?: Written,
  ) {
    const task = 'goal' in input ? input.goal : null
    let usage = noUsage
    let reply: ModelReply = { ok: false, code: 'not_configured', usage }
    let requests = 0
    const only = named.get(modelIn(input) ?? '')
    const list = only === undefined ? lists[purposeOf(contract)] : ([only] as const)
    const first = task === null ? undefined : lastOf.get(task)
    for (const model of inOrder(list, { until, now: clock.now(), first })) {
      const answer = await model.call(contract, input, signal, written)
      requests += 1
      usage = plus(usage, answer.usage)
      reply = { ...answer, usage: { ...usage, requests, model: model.name } }
      if (answer.ok && task !== null) lastOf.set(task, model)
      const kind = kindOf(answer)
      const isBroken = kind === 'reply_unusable' && 'code' in answer && answer.code === 'bad_reply'
      if (kind === null || isBroken || signal.aborted) return reply
      const left = leftAlone(answer, kind, clock.now())
      if (left === null) continue
      cooling.set(model, left)
      log.info(
        { model: model.name, ...left.why },
        'model in backoff; trying the next one in the list',
      )
    }
    const away = list.flatMap((model) => cooling.get(model) ?? [])
    return untilOneIsBack(reply, away, clock.now())
  }
  const images = lists.working.flatMap(({ image }) => image ?? [])
  const image = images.length === 0 ? {} : { image: dearest(images) }
  return { name: lists.working[0].name, call, sight: sightOf(lists.seeing), ...image }
}

/** Those that may be asked; where all are left alone, the one that may be asked soonest. */
function inOrder(
  list: ModelLists[Purpose],
  { until, now, first }: { until(model: Model): number; now: number; first: Model | undefined },
): readonly Model[] {
  const ready = list.filter((model) => until(model) <= now)
  if (ready.length === 0)
    return [list.reduce((one, other) => (until(other) < until(one) ? other : one))]
  return ready.toSorted((one, other) => Number(other === first) - Number(one === first))
}

/** Until when a model is left alone, and why. */
interface Cooling {
  until: number
  reply: NoAnswer
  why: { kind: FailureKind; ms: number }
}

/** Null: it says nothing about the next request. */
function leftAlone(reply: ModelReply, kind: FailureKind, now: number): Cooling | null {
  if (!('retryAfterMs' in reply) || isOfOneRequest(kind)) return null
  const ms = reply.retryAfterMs ?? (passesByItself(kind) ? coolingMs.passing : coolingMs.lasting)
  return { until: now + ms, reply, why: { kind, ms } }
}

/**
 * Returns the failure of a whole list. Its `retryAfterMs` ends when the first model that recovers
 * by itself is back (C92, C93).
 */
function untilOneIsBack(reply: ModelReply, cooling: readonly Cooling[], now: number): ModelReply {
  const kind = kindOf(reply)
  const [first] = cooling
    .filter(({ why, until }) => passesByItself(why.kind) && until > now)
    .sort((one, other) => one.until - other.until)
  if (!('retryAfterMs' in reply) || kind === null || isOfOneRequest(kind) || first === undefined)
    return reply
  const ms = first.until - now
  if (!passesByItself(kind)) return { ...first.reply, usage: reply.usage, retryAfterMs: ms }
  return reply.retryAfterMs === null
    ? reply
    : { ...reply, retryAfterMs: Math.min(reply.retryAfterMs, ms) }
}

/** Returns the estimate with the highest cost, as any of the models may be asked. */
const dearest = (estimates: readonly Usage[]) =>
  estimates.toSorted((one, other) => (other.cost ?? 0) - (one.cost ?? 0))[0] ?? noUsage

/**
 * Asks one model after the other until one describes the image. Usage sums them all; the estimate
 * is the dearest.
 */
function sightOf(models: readonly Model[]): Sight {
  const sights = models.flatMap(({ name, sight }) =>
    sight === undefined ? [] : [{ name, ...sight }],
  )
  return {
    estimate: dearest(sights.map(({ estimate }) => estimate)),
    async look(image, signal) {
      let usage = noUsage
      for (const { name, look } of sights) {
        const seen = await look(image, signal)
        usage = { ...plus(usage, seen.usage), model: name }
        if (seen.words !== null || signal.aborted) return { words: seen.words, usage }
      }
      return { words: null, usage }
    },
  }
}

const summing: readonly ContractName[] = ['summary', 'conversation_summary']

function purposeOf(contract: ContractName): Purpose {
  if (deciding.includes(contract)) return 'deciding'
  return summing.includes(contract) ? 'summing_up' : 'working'
}
