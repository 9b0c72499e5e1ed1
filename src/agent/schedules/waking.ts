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

function createWaker({ wakeups, clock, log }: WakingDeps) {
  /** A hint for the moment of the alarm: what is lost of it, the sweep finds. */
  return async (workspace: string, alarm: number | null) => {
    if (alarm === null) return
    try {
      await wakeups.wake({ kind: 'schedules', workspace, id: 'all' }, Math.max(0, alarm - clock.now()))
    } catch (error) {
      log.warn({ workspace, err: error }, 'a wake-up for an alarm was not sent; the sweep will find it')
    }
  }
}

/** Schedules whose writes also see to it that somebody is woken for them. */
export function wakingSchedules(schedules: Schedules, deps: WakingDeps): Schedules {
  const wake = createWaker(deps)
  return {
    ...schedules,
    async add(workspace, scope, effectId, schedule) {
      const added = await schedules.add(workspace, scope, effectId, schedule)
      await wake(workspace, alarmOf(added))
      return added
    },
    async update(workspace, scope, effectId, id, change) {
      const updated = await schedules.update(workspace, scope, effectId, id, change)
      if (updated !== null) await wake(workspace, alarmOf(updated))
      return updated
    },
  }
}

/** The same for to-dos and their reminders. */
export function wakingTodos(todos: Todos, deps: WakingDeps): Todos {
  const wake = createWaker(deps)
  return {
    ...todos,
    async add(workspace, scope, effectId, todo) {
      const added = await todos.add(workspace, scope, effectId, todo)
      await wake(workspace, alarmOfTodo(added))
      return added
    },
    async update(workspace, scope, effectId, id, patch) {
      const updated = await todos.update(workspace, scope, effectId, id, patch)
      if (updated !== null) await wake(workspace, alarmOfTodo(updated))
      return updated
    },
  }
}
