import { z } from 'zod'
import type { WebHealth, WorkerState } from '../adapters/web/deps.ts'
import { variant } from '../agent/domain/variant.ts'

/** Message from the parent: a worker reports, or hands its work over and ends. */
export const ParentMessage = z.union([variant('report', { id: z.number() }), variant('stop', {})])
export type ParentMessage = z.infer<typeof ParentMessage>

/** State of a worker, in its own words, and its metrics. */
const Report = z.object({
  ok: z.boolean(),
  detail: z.string(),
  model: z.object({
    ok: z.boolean(),
    detail: z.string(),
    last: z.object({ kind: z.string(), at: z.number() }).nullable(),
    awayUntil: z.number().nullable(),
  }),
  untold: z.number(),
  allowances: z.record(z.string(), z.number()),
  metrics: z.string(),
})
export type Report = z.infer<typeof Report>

/** Message from a worker: it works from now on, or its report. */
export const WorkerMessage = z.union([
  variant('ready', {}),
  variant('report', { id: z.number(), report: Report }),
])
export type WorkerMessage = z.infer<typeof WorkerMessage>

/** Names the parts of a health report that are in trouble. */
export function troubleIn({ store, queue, model, channels }: WebHealth): string {
  const parts = Object.entries({ store, queue, model, ...channels })
  return parts.flatMap(([name, { ok, detail }]) => (ok ? [] : [`${name}: ${detail}`])).join('; ')
}

/**
 * Puts workers into the health report of their parent (C590). The newest word about the model
 * counts, as the workers are those who ask it. Not ready only if no worker answers.
 */
export function withWorkers(
  health: WebHealth,
  states: readonly WorkerState[],
  reports: readonly Report[],
): WebHealth {
  const newest = reports
    .map(({ model }) => model)
    .toSorted((a, b) => (a.last?.at ?? 0) - (b.last?.at ?? 0))
    .at(-1)
  const isNews = (newest?.last?.at ?? 0) > (health.model.last?.at ?? 0)
  const { awayUntil = null, ...word } = isNews && newest !== undefined ? newest : health.model
  const model = { ...health.model, ...word }
  if (awayUntil !== null) model.awayUntil = awayUntil
  const parts = [health.store, health.queue, model, ...Object.values(health.channels)]
  const isSilent = states.every(({ state }) => state === 'silent')
  return { ...health, ok: parts.every(({ ok }) => ok) && !isSilent, model, workers: states }
}

/** Joins texts of Prometheus' format, in which a metric's name may stand once only. */
export function joinMetrics(texts: readonly string[]): string {
  const metrics = new Map<string, string[]>()
  for (const text of texts)
    for (const block of text.split(/\n(?=# HELP )/)) {
      const [help = '', type = '', ...lines] = block.split('\n').filter((line) => line !== '')
      const head = `${help}\n${type}`
      metrics.set(head, [...(metrics.get(head) ?? []), ...lines])
    }
  return [...metrics].map(([head, lines]) => `${[head, ...lines].join('\n')}\n`).join('\n')
}
