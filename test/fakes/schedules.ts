import type { Schedule } from '../../src/agent/domain/schedule.ts'
import type { Schedules } from '../../src/agent/ports/store.ts'
import { createNumberedRows } from './numbered-rows.ts'

/** Schedules in memory; they pass the contract of the real store, as far as one process can tell. */
export function createFakeSchedules(): Schedules {
  const { rows, add, update, remove } = createNumberedRows<Schedule>('schedule')
  return {
    list: async (workspace, scope) => rows(workspace, scope),
    add: (workspace, scope, effect, schedule) =>
      add(workspace, scope, effect, (id) => ({ version: 1, id, ...structuredClone(schedule) })),
    update: (workspace, scope, effect, id, change) =>
      update(workspace, scope, effect, { id, change }),
    remove,
    slots: async () => [],
  }
}
