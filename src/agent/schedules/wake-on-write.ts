import { alarmOf } from '../domain/schedule.ts'
import { alarmOfTodo } from '../domain/todo.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Schedules, Todos } from '../ports/store.ts'
import type { Wakeups } from '../ports/wakeups.ts'

interface WakingDeps {
  wakeups: Pick<Wakeups, 'wake'>
  clock: Pick<Clock, 'now'>
  log: Log
}

/** Schedules whose writes also see to it that somebody is woken for them. */
export const wakingSchedules = (schedules: Schedules, deps: WakingDeps): Schedules => ({
  ...schedules,
  add: waking(deps, schedules.add, alarmOf),
  update: waking(deps, schedules.update, alarmOf),
})

/** The same for to-dos and their reminders. */
export const wakingTodos = (todos: Todos, deps: WakingDeps): Todos => ({
  ...todos,
  add: waking(deps, todos.add, alarmOfTodo),
  update: waking(deps, todos.update, alarmOfTodo),
})

/**
 * A write, and a hint for the moment of the written row's alarm: what is lost of it, the sweep
 * finds.
 */
function waking<Args extends [workspace: string, ...unknown[]], Row, Written extends Row | null>(
  { wakeups, clock, log }: WakingDeps,
  write: (...args: Args) => Promise<Written>,
  alarm: (row: Row) => number | null,
): (...args: Args) => Promise<Written> {
  return async (...args) => {
    const [workspace] = args
    const written = await write(...args)
    const at = written === null ? null : alarm(written)
    try {
      if (at !== null)
        await wakeups.wake(
          { kind: 'schedules', workspace, id: 'all' },
          Math.max(0, at - clock.now()),
        )
    } catch (error) {
      log.warn({ workspace, err: error }, 'alarm wake-up not sent; the sweep will pick it up')
    }
    return written
  }
}
