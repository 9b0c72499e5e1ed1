import { forecastOf, isOutsized, pastMost, runSpent } from '../domain/forecast.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { ChangePart } from '../kernel/change.ts'
import type { Runs } from '../ports/store.ts'

/**
 * C737: the forecast of a task whose plan has just begun to stand, by those of its channel before
 * it; a part of that commit.
 */
export async function forecastPart(
  { run, store }: { run: Run; store: { runs: Pick<Runs, 'spent'> } },
  before: Task,
  after: Task,
): Promise<ChangePart> {
  const isPlanned = before.planItems.length === 0 && after.planItems.length > 0
  if (!isPlanned || run.forecast !== undefined || run.schedule !== undefined) return {}
  const { workspace, channel, type } = run
  const past = await store.runs.spent(workspace, { channel, type, limit: pastMost })
  const forecast = forecastOf(past)
  return forecast === null ? {} : { runs: [{ id: run.id, patch: { forecast } }] }
}

/**
 * C736: true if the next request of a scheduled run would go far beyond those before it, and nobody
 * was asked yet.
 */
export const goesBeyond = ({ schedule, forecast }: Run, task: Task, currency: string): boolean =>
  schedule !== undefined &&
  forecast !== undefined &&
  task.outsized === undefined &&
  isOutsized(forecast, runSpent(task.spent, currency))

/**
 * What an ended run took, for the forecasts of those after it; a part of the commit that ends it.
 */
export function spentPart(
  { id }: Run,
  { runs = [] }: ChangePart,
  task: Task | null,
  currency: string,
): ChangePart {
  const isOver = runs.some(({ id: of, patch }) => of === id && hasEnded(patch.status ?? 'queued'))
  if (!isOver || task === null) return {}
  return { runs: [{ id, patch: { spent: runSpent(task.spent, currency) } }] }
}
