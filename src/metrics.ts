import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { TraceEvent } from './agent/domain/trace.ts'
import type { Commits } from './agent/ports/store.ts'

export interface Metrics {
  /** Counts what each commit's trace says happened; a commit that was refused did not happen. */
  observe(commits: Commits): Commits
  /** Rows that were set aside since the start, and of which no thread could be told (P18). */
  untold(): number
  /** Prometheus' text format. */
  text(): Promise<string>
}

const seconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Metrics for operators, made from the same trace that people read: nothing is counted in two places. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'clew_' })
  const meters = metersIn([registry])
  let untold = 0
  return {
    untold: () => untold,
    observe: (commits) => ({
      async commit(lease, change) {
        const committed = await commits.commit(lease, change)
        if (committed.kind !== 'committed') return committed
        for (const { entry } of change.trace ?? []) note(meters, entry.what)
        for (const { list } of change.aside ?? []) meters.asides.inc({ list })
        // Progress is nothing that anybody has to be told of.
        const lost = (change.aside ?? []).filter(({ list }) => list !== 'progress')
        if ((change.messages ?? []).length === 0) untold += lost.length
        return committed
      },
    }),
    text: () => registry.metrics(),
  }
}

type Meters = ReturnType<typeof metersIn>

function metersIn(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter<L>({ name: `clew_${name}_total`, help, labelNames, registers })
  const timer = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram<L>({ name: `clew_${name}_seconds`, help, labelNames, buckets: seconds, registers })
  return {
    decisions: counter('decisions', 'Decisions by what was decided.', ['decision']),
    runs: counter('run_status', 'Changes of a run to a status.', ['status']),
    asides: counter('set_aside', 'Rows that could not be worked on and were set aside, by list.', ['list']),
    tokens: counter('model_tokens', 'Tokens by contract and kind.', ['contract', 'kind']),
    modelCalls: timer('model_call', 'Model calls by contract and whether the reply was accepted.', ['contract', 'ok']),
    toolCalls: timer('tool_call', 'Tool calls by tool and whether they worked.', ['tool', 'ok']),
  }
}

function note({ decisions, runs, modelCalls, tokens, toolCalls }: Meters, event: TraceEvent) {
  if (event.kind === 'decided') decisions.inc({ decision: event.decision })
  if (event.kind === 'status') runs.inc({ status: event.status })
  if (event.kind === 'acted') toolCalls.observe({ tool: event.tool, ok: String(event.ok) }, event.ms / 1000)
  if (event.kind !== 'model_call') return
  modelCalls.observe({ contract: event.contract, ok: String(event.ok) }, event.ms / 1000)
  tokens.inc({ contract: event.contract, kind: 'prompt' }, event.promptTokens)
  tokens.inc({ contract: event.contract, kind: 'completion' }, event.completionTokens)
}
