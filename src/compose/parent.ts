import type { WebHealth } from '../adapters/web/deps.ts'
import type { Metrics } from '../metrics.ts'
import { ParentMessage, type Report, troubleIn, type WorkerMessage } from './worker-report.ts'

/** Process that started this one as a worker (C588). */
export interface Parent {
  readonly number: number
  /** Answers the parent's questions about health and metrics from now on. */
  serve(report: () => Promise<Report>): void
}

/**
 * Joins the parent of this worker. The worker ends at once with a parent that is gone, as that had
 * its store or its replacement has; a killed process loses nothing.
 *
 * @param stop hands the work over and ends the process.
 */
export function joinParent(number: number, stop: () => void): Parent {
  let report: (() => Promise<Report>) | null = null
  const send = (message: WorkerMessage) => void process.send?.(message, undefined, {}, () => {})
  process.on('disconnect', () => process.exit(1))
  process.on('message', (raw) => {
    const { data: message } = ParentMessage.safeParse(raw)
    if (message?.kind === 'stop') stop()
    if (message?.kind !== 'report' || report === null) return
    const { id } = message
    report().then(
      (report) => send({ kind: 'report', id, report }),
      () => undefined,
    )
  })
  return {
    number,
    serve(own) {
      report = own
      send({ kind: 'ready' })
    },
  }
}

/** Report of this worker to its parent. */
export async function reportOf(
  health: WebHealth,
  { metrics, awayUntil }: { metrics: Metrics; awayUntil: number | null },
): Promise<Report> {
  const { ok, detail, last } = health.model
  return {
    ok: health.ok,
    detail: troubleIn(health),
    model: { ok, detail, last, awayUntil },
    untold: metrics.untold(),
    allowances: { ...metrics.allowances() },
    metrics: await metrics.text(),
  }
}
