import { isBorneOut } from '../domain/borne-out.ts'
import { present } from '../domain/present.ts'
import type { EarlyReport, FreeTask, Task } from '../domain/task.ts'
import { ended } from './bookkeeping.ts'
import { withoutMarks } from './markers.ts'
import type { Observed } from './strategy.ts'

/**
 * Turns the results of calls into the end of their task, if a report came with them and each did
 * what it says (C579). Otherwise the report is dropped, and the model is asked as if there had been
 * none.
 *
 * @param closed the task with its plan as that report leaves it.
 */
export function reported(
  task: FreeTask,
  results: readonly Observed[],
  closed: (task: FreeTask, report: string) => FreeTask,
): FreeTask {
  if (task.early == null) return task
  const early = withReceipts(task.early, results)
  if (early === null || task.awaitingClarification) return withoutReport(task)
  if (task.intent !== null) return { ...task, early }
  const text = wordsOf(early)
  return text === ''
    ? withoutReport(task)
    : { ...closed(withoutReport(task), early.text), settled: ended(text) }
}

/** The same task without a report that was made before its calls had results. */
export const withoutReport = <T extends Task>(task: T): T =>
  task.strategy !== 'free' || task.early === undefined ? task : { ...task, early: null }

/** Null where a call failed, or its result has to be read first. */
function withReceipts(early: EarlyReport, results: readonly Observed[]): EarlyReport | null {
  const receipts = results.flatMap(({ ok, receipt }) => (ok && receipt ? [receipt] : []))
  if (receipts.length < results.length) return null
  return {
    ...early,
    receipts: [...early.receipts, ...receipts.map(({ text }) => text)],
    isAlone: early.isAlone || receipts.some(({ isAlone = false }) => isAlone),
  }
}

/**
 * C580: the report, with what the calls themselves say below it; these alone where it says more
 * than they do.
 */
function wordsOf({ text, receipts, isAlone }: EarlyReport): string {
  const lines = [...new Set(receipts)].filter((one) => one !== '')
  const report = withoutMarks(text)
  const isShown = !isAlone && isBorneOut(report, receipts)
  return present([isShown && report, ...lines]).join('\n\n')
}
