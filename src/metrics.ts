import { LRUCache } from 'lru-cache'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { atMost } from './agent/domain/at-most.ts'
import type { Delivery } from './agent/domain/delivery.ts'
import { million } from './agent/domain/money.ts'
import type { TraceEvent } from './agent/domain/trace.ts'
import { monthOf, type PeriodUsage, type UsageLimits, usedShares } from './agent/domain/usage.ts'
import type { Channel, Sent } from './agent/ports/channel.ts'
import type { Clock } from './agent/ports/clock.ts'
import { kindOf, type Model } from './agent/ports/model.ts'
import type { Commits } from './agent/ports/store.ts'
import type { Tracer } from './agent/ports/tracer.ts'
import type { Wakeups } from './agent/ports/wakeups.ts'

/**
 * Metrics for operators (C189). Wraps parts where they are wired, and never changes what they do.
 */
export interface Metrics {
  /** Counts the trace events of each commit. A refused commit does not count. */
  commits(commits: Commits): Commits
  channel(channel: Channel): Channel
  model(model: Model): Model
  steps(tracer: Tracer): Tracer
  /** Asks the queue before each text whether any process works on tasks (C567). */
  wakeups(wakeups: Wakeups): Wakeups
  /** Number of rows set aside since the start that no thread could be told about (P18). */
  untold(): number
  /**
   * Used share of each allowance, as this process has seen it: the highest of the day or month
   * (C132).
   */
  allowances(): Readonly<Record<string, number>>
  /** Prometheus' text format. */
  text(): Promise<string>
}

/** Buckets for what has to be quick, in seconds: an acknowledgement, a commit. */
const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** Buckets for calls of a model, a tool or a platform, in seconds. */
const calls = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
/** Buckets for whole runs, which may wait for people, in seconds. */
const work = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400]

/** Most threads whose first sign is measured. Beyond that, the oldest are dropped. */
const unansweredMost = 10_000

/**
 * Metrics for operators. Events of a run are counted from the same trace that people read, and
 * nowhere else.
 *
 * @param worker label of all of them, in a worker of another process.
 */
export function createMetrics(
  clock: Pick<Clock, 'now'>,
  limits: UsageLimits | null = null,
  worker: number | null = null,
): Metrics {
  const registry = new Registry()
  if (worker !== null) registry.setDefaultLabels({ worker: String(worker) })
  collectDefaultMetrics({ register: registry, prefix: 'clew_' })
  const meters = metersIn([registry])
  const overdue: ReturnType<typeof createOverdue>[] = []
  const queues: Wakeups[] = []
  meters.manned.set(1)
  let untold = 0
  const shares = createShares(limits, meters.allowances)
  return {
    untold: () => untold,
    allowances: shares.now,
    commits: (commits) => ({
      async commit(lease, change) {
        const began = performance.now()
        const committed = await commits.commit(lease, change)
        meters.commits.observe({ outcome: committed.kind }, (performance.now() - began) / 1000)
        if (committed.kind !== 'committed') return committed
        shares.note(change.usage?.day, committed.usage)
        for (const { entry } of change.trace ?? []) note(meters, entry.what)
        for (const { list } of change.aside ?? []) meters.asides.inc({ list })
        // Nobody needs to know of lost progress, and the page shows refused deliveries.
        const lost = (change.aside ?? []).filter(
          ({ list }) => list !== 'progress' && list !== 'refused',
        )
        if ((change.messages ?? []).length === 0) untold += lost.length
        return committed
      },
    }),
    channel(channel) {
      const own = createOverdue(clock, channel.platform, meters.outboxAge)
      overdue.push(own)
      return watchChannel(channel, meters, { clock, overdue: own })
    },
    model: (model) => ({
      ...model,
      async call(contract, input, signal, written) {
        const reply = await model.call(contract, input, signal, written)
        meters.answers.inc({ outcome: reply.ok ? 'answered' : (kindOf(reply) ?? reply.code) })
        return reply
      },
    }),
    steps: (tracer) => timeSteps(tracer, meters),
    wakeups(wakeups) {
      queues.push(wakeups)
      return wakeups
    },
    async text() {
      for (const { tell } of overdue) tell()
      for (const queue of queues) {
        // While the queue does not answer, the last word stands.
        const state = await queue.health().catch(() => null)
        if (state?.ok || state?.noWorker) meters.manned.set(state.noWorker ? 0 : 1)
      }
      return await registry.metrics()
    },
  }
}

const timeSteps =
  (tracer: Tracer, { steps }: Meters): Tracer =>
  async (what, work) => {
    const began = performance.now()
    const result = await tracer(what, work)
    if (what.kind === 'step' && what.came(result)) steps.observe((performance.now() - began) / 1000)
    return result
  }

/**
 * Tracks the highest share of each allowance in the newest day and month that commits counted for.
 */
function createShares(limits: UsageLimits | null, gauge: Meters['allowances']) {
  let day = ''
  let shares: Record<string, number> = {}
  return {
    now: () => shares,
    note(on: string | undefined, used: PeriodUsage | null | undefined) {
      if (limits === null || on === undefined || used == null) return
      if (on !== day) {
        const isNewMonth = monthOf(on) !== monthOf(day)
        const kept = Object.entries(shares).filter(
          ([name]) => name.endsWith('_month') && !isNewMonth,
        )
        shares = Object.fromEntries(kept)
        gauge.reset()
        day = on
      }
      for (const { name, share } of usedShares(limits, used))
        shares[name] = Math.max(shares[name] ?? 0, share)
      for (const [ceiling, share] of Object.entries(shares)) gauge.set({ ceiling }, share)
    },
  }
}

/**
 * Time after a delivery's next try was due at which it counts as taken over by another process, in
 * ms.
 */
const takenOverAfterMs = 60_000

/** Deliveries that were tried here and have not reached their platform. */
function createOverdue(clock: Pick<Clock, 'now'>, platform: string, gauge: Gauge<'platform'>) {
  const waiting = new LRUCache<string, { since: number; until: number }>(atMost(unansweredMost))
  return {
    note({ id, at }: Delivery, sent: Sent) {
      const isWaiting = sent.kind === 'later' || sent.kind === 'unknown'
      const until = clock.now() + (sent.kind === 'later' ? sent.afterMs : 0) + takenOverAfterMs
      if (isWaiting) waiting.set(id, { since: at, until })
      else waiting.delete(id)
    },
    tell() {
      const now = clock.now()
      const ages = [...waiting.values()].flatMap(({ since, until }) =>
        until < now ? [] : [now - since],
      )
      gauge.set({ platform }, Math.max(0, ...ages) / 1000)
    },
  }
}

const allowanceGauge = {
  name: 'clew_allowance_used_share',
  help: 'How much of a ceiling of a day or month is used, 0 to 1, as this process has seen it.',
  labelNames: ['ceiling'] as const,
}

const outboxGauge = {
  name: 'clew_outbox_age_seconds',
  help: 'How long the oldest delivery waits that was tried and that its platform has not got; 0: none does.',
  labelNames: ['platform'] as const,
}

const workerGauge = {
  name: 'clew_worker_running',
  help: '1 while any process works on tasks, 0 once none has for ten seconds.',
}

type Meters = ReturnType<typeof metersIn>

function metersIn(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter<L>({ name: `clew_${name}_total`, help, labelNames, registers })
  const timer = <L extends string>(name: string, help: string, labelNames: L[], buckets = calls) =>
    new Histogram<L>({ name: `clew_${name}_seconds`, help, labelNames, buckets, registers })
  return {
    decisions: counter('decisions', 'Decisions by what was decided.', ['decision']),
    runs: counter('run_status', 'Changes of a run to a status.', ['status']),
    asides: counter('set_aside', 'Rows that could not be worked on and were set aside, by list.', [
      'list',
    ]),
    cost: counter('model_cost', 'Cost by contract and model, by MODEL_PRICES.', [
      'contract',
      'model',
    ]),
    allowances: new Gauge({ ...allowanceGauge, registers }),
    outboxAge: new Gauge({ ...outboxGauge, registers }),
    manned: new Gauge({ ...workerGauge, registers }),
    tokens: counter('model_tokens', 'Tokens by contract and kind.', ['contract', 'kind']),
    answers: counter(
      'model_answers',
      'Requests to models by what came of them: answered, or the kind of failure.',
      ['outcome'],
    ),
    sendings: counter('deliveries', 'Tries to post something, by platform and what came of them.', [
      'platform',
      'outcome',
    ]),
    modelCalls: timer('model_call', 'Model calls by contract and whether the reply was accepted.', [
      'contract',
      'ok',
    ]),
    toolCalls: timer('tool_call', 'Tool calls by tool and whether they worked.', ['tool', 'ok']),
    intake: timer(
      'intake',
      'Until an event is stored, so that the platform is answered.',
      ['platform', 'outcome'],
      quick,
    ),
    firstSign: timer(
      'first_sign',
      'From the moment an input is stored until anything is shown in its thread.',
      ['platform'],
    ),
    deliveries: timer('delivery', 'From the commit of a delivery until the platform has it.', [
      'platform',
      'kind',
    ]),
    commits: timer('commit', 'Commits by whether they were written.', ['outcome'], quick),
    steps: timer(
      'step',
      'Steps of tasks: what the strategy asked for, and the commit of what came of it.',
      [],
    ),
    waits: timer('run_wait', 'From the moment a run is asked for until it begins.', [], work),
    durations: timer(
      'run',
      'From the beginning of a run to its end, by how it ended; what people take to answer is in it.',
      ['status'],
      work,
    ),
  }
}

function note(meters: Meters, event: TraceEvent) {
  const { decisions, runs, modelCalls, tokens, cost, toolCalls, waits, durations } = meters
  if (event.kind === 'decided') decisions.inc({ decision: event.decision })
  if (event.kind === 'status') {
    const { status, ms } = event
    runs.inc({ status })
    if (ms !== undefined && status === 'running') waits.observe(ms / 1000)
    else if (ms !== undefined) durations.observe({ status }, ms / 1000)
  }
  if (event.kind === 'acted')
    toolCalls.observe({ tool: event.tool, ok: String(event.ok) }, event.ms / 1000)
  if (event.kind !== 'model_call') return
  modelCalls.observe({ contract: event.contract, ok: String(event.ok) }, event.ms / 1000)
  tokens.inc({ contract: event.contract, kind: 'prompt' }, event.promptTokens)
  tokens.inc({ contract: event.contract, kind: 'completion' }, event.completionTokens)
  tokens.inc({ contract: event.contract, kind: 'cached' }, event.cachedTokens ?? 0)
  if (event.cost !== undefined)
    cost.inc({ contract: event.contract, model: event.model ?? '' }, event.cost / million)
}

function watchChannel(
  channel: Channel,
  { intake, firstSign, deliveries, sendings }: Meters,
  { clock, overdue }: { clock: Pick<Clock, 'now'>; overdue: ReturnType<typeof createOverdue> },
): Channel {
  const { platform } = channel
  /** Time of the first message to Clew, by conversation, until something is shown there. */
  const unanswered = new LRUCache<string, number>(atMost(unansweredMost))
  function shown(conversationId: string) {
    const since = unanswered.get(conversationId)
    if (since === undefined) return
    unanswered.delete(conversationId)
    firstSign.observe({ platform }, (performance.now() - since) / 1000)
  }
  return {
    ...channel,
    start: (take) =>
      channel.start(async (event) => {
        const began = performance.now()
        const taken = await take(event)
        intake.observe({ platform, outcome: taken.kind }, (performance.now() - began) / 1000)
        const isSaid = event.content.kind === 'message' && event.content.addressed
        if (isSaid && taken.kind === 'accepted' && !unanswered.has(taken.conversationId))
          unanswered.set(taken.conversationId, performance.now())
        return taken
      }),
    async send(delivery, conversation) {
      const sent = await channel.send(delivery, conversation)
      sendings.inc({ platform, outcome: sent.kind })
      overdue.note(delivery, sent)
      if (sent.kind !== 'sent') return sent
      deliveries.observe(
        { platform, kind: delivery.body.kind },
        Math.max(0, clock.now() - delivery.at) / 1000,
      )
      shown(conversation.id)
      return sent
    },
    async show(progress, conversation) {
      const sent = await channel.show(progress, conversation)
      if (sent.kind === 'sent') shown(conversation.id)
      return sent
    },
  }
}
