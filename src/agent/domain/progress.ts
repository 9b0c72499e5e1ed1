import type { Range } from './forecast.ts'
import { stepsLeft } from './plan-edit.ts'
import { hasEnded, type Run, type RunStatus } from './run.ts'
import { sameItem } from './same-item.ts'
import type { News, PlanChange, PlanItem, Task } from './task.ts'

/** Progress of a run as its thread shows it: the live plan and one line about now (R38 to R41). */
export interface ProgressView {
  runId: string
  title: string
  status: RunStatus
  items: readonly PlanItem[]
  /** Which item is being worked on, from 0; `items.length` when all are done. */
  index: number
  done: number
  /** `input` of a call that says how far it is: these words (C922). */
  now: { kind: 'thinking' } | { kind: 'acting'; tool: string; input: string } | { kind: 'idle' }
  lastResult: { tool: string; ok: boolean } | null
  lastChange: PlanChange | null
  /** The newest decision; `index` counts in `items`. */
  news?: News
  /** The steps that people may change; absent where they may change none. */
  left?: readonly string[]
  /** Requests that it is expected to take, while it goes on (C737). */
  forecast?: Range
  /** True if a schedule began it: its report is enough (C442). */
  scheduled?: boolean
}

export function progressOf(run: Run, task: Task | null): ProgressView {
  const { id: runId, title, status } = run
  const last = task?.observations.at(-1)
  // What came of a step that is over says nothing about the next one.
  const isPast = last !== undefined && last.step <= (task?.conclusions.at(-1)?.step ?? -1)
  const { items, index } = task === null ? { items: [], index: 0 } : shownPlan(task)
  const earlier = index - (task?.currentPlanIndex ?? 0)
  const left = task === null || hasEnded(status) ? null : stepsLeft(task)
  return {
    runId,
    title,
    status,
    items,
    index,
    done: items.filter((item) => item.done).length,
    now: task === null ? { kind: 'idle' } : nowOf(run, task),
    lastResult: last === undefined || isPast ? null : { tool: last.tool, ok: last.ok },
    lastChange: task?.lastChange ?? null,
    left: left ?? undefined,
    forecast: run.forecast === undefined || hasEnded(status) ? undefined : run.forecast.calls,
    scheduled: run.schedule == null ? undefined : true,
    news: task?.news && { ...task.news, index: earlier + task.news.index },
  }
}

/** Line of a step for a model: its number, from 1, and its mark. `current` counts from 0. */
export function markedStep({ text, done }: PlanItem, at: number, current: number): string {
  const open = at === current ? 'current' : 'open'
  return `${at + 1}. [${done ? 'done' : open}] ${text}`
}

/** The steps as people see and number them, and which of them is worked on. */
export function shownPlan(task: Task): Pick<ProgressView, 'items' | 'index'> {
  const earlier = concludedElsewhere(task)
  return { items: [...earlier, ...task.planItems], index: earlier.length + task.currentPlanIndex }
}

/**
 * A replan may name only what is left; what was done before is still shown, and counts (R41, F4).
 */
function concludedElsewhere(task: Task): PlanItem[] {
  return task.conclusions
    .filter(
      (one, index, all) =>
        one.ok && all.findIndex((other) => sameItem(other.item, one.item)) === index,
    )
    .filter((one) => !task.planItems.some((item) => sameItem(item.text, one.item)))
    .map((one) => ({ text: one.item, done: true }))
}

function nowOf(run: Run, task: Task): ProgressView['now'] {
  if (run.status !== 'running') return { kind: 'idle' }
  if (task.intent === null) return { kind: 'thinking' }
  const { tool, input, said = input } = task.intent
  return { kind: 'acting', tool, input: said }
}
