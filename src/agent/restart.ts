import { shownPlan } from './domain/progress.ts'
import type { Task } from './domain/task.ts'
import type { TraceEntry } from './domain/trace.ts'
import { type Rewound, reachedIn, rewound } from './strategies/rewind.ts'

/** A task from a step of its plan on, or why there is none: no plan, or only steps up to `last` have begun. */
export type Restart = ({ ok: true; step: number; text: string } & Rewound) | { ok: false; last: number | null }

/** @param step as people number them, from 1; null: the last one that has begun. */
export function restartAt(task: Task | null, trace: readonly TraceEntry[], step: number | null): Restart {
  if (task === null) return { ok: false, last: null }
  const { items } = shownPlan(task)
  const last = Math.min(reachedIn(task) + 1, items.length)
  const at = (step ?? last) - 1
  const text = items[at]?.text
  const start = text === undefined ? null : rewound(task, trace, at)
  if (start === null || text === undefined)
    return { ok: false, last: last === 0 || task.strategy === 'custom' ? null : last }
  return { ok: true, step: at + 1, text, ...start }
}
