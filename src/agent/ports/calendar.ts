import type { RunStatus } from '../domain/run.ts'
import type { Schedule, Slot } from '../domain/schedule.ts'
import type { Todo } from '../domain/todo.ts'

/** A due slot that is over, and what became of the run that it started. */
export interface PastSlot extends Slot {
  run: { status: RunStatus; conversationId: string | null } | null
  /** That run is not there any more. */
  isGone: boolean
}

/** A schedule with its past slots, newest first, or a to-do that reminds of itself. */
export type CalendarRow = { scope: string } & (
  | { kind: 'schedule'; schedule: Schedule; slots: readonly PastSlot[] }
  | { kind: 'todo'; todo: Todo }
)

/** Schedules and reminders of a workspace, by time. */
export interface Calendar {
  /**
   * Rows with an alarm before `before`, the soonest first; behind them those that have none any
   * more and had one at `from` or later. Of these at most `limit`, without the first `skip`, and
   * fewer only at the end; null stands for one that cannot be read. Slots are those of [from, to).
   */
  page(
    workspace: string,
    span: { from: number; to: number; before: number; skip: number; limit: number },
  ): Promise<(CalendarRow | null)[]>
  /** Which of these conversations are not there any more. */
  gone(workspace: string, ids: readonly string[]): Promise<ReadonlySet<string>>
}
