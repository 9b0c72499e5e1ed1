import { assertNever } from '../domain/assert.ts'
import { dueFor, type Todo } from '../domain/todo.ts'
import { addDays, instantOf, wallClockIn } from '../domain/zone.ts'

export const viewNames = ['all', 'due', 'mine', 'today', 'overdue', 'upcoming', 'inbox'] as const
export type ViewName = (typeof viewNames)[number]

/** As people may also call them. */
export const viewAliases: Record<ViewName, readonly string[]> = {
  all: ['全部', '所有'],
  due: [
    ...['due and overdue', 'overdue and due', 'today and overdue', 'overdue and today'],
    ...['到期', '待处理', '该做的', '到期和逾期', '逾期和到期', '今天和逾期', '逾期和今天'],
  ],
  mine: ['my', 'me', 'my todos', 'my to-dos', '我的', '我', '我的待办'],
  today: ['due today', '今天', '今日'],
  overdue: ['late', '逾期', '过期', '超期'],
  upcoming: ['即将到期', '将到期', '未来', '7天'],
  inbox: ['收件箱', '未安排'],
}

const weekMs = 7 * 86_400_000

/** When, where and for whom a view is looked at. */
export interface Viewer {
  now: number
  timeZone: string
  person: { id: string } | null
}

/**
 * F8: which to-dos a view holds. All but `all` hold open ones only. Days are those of `timeZone`,
 * so that "today" ends when the person's day does, whichever 23 to 25 hours that takes.
 */
export function inView(view: ViewName, todo: Todo, { now, timeZone, person }: Viewer): boolean {
  const { owner } = todo
  const dueAt = dueFor(todo, timeZone)
  if (view === 'all') return true
  if (todo.doneAt !== null) return false
  if (view === 'mine') return owner != null && owner.id === person?.id
  if (view === 'inbox') return dueAt === null
  if (dueAt === null) return false
  switch (view) {
    case 'due':
      return dueAt < dayStart(now, timeZone, 1)
    case 'today':
      return dueAt >= dayStart(now, timeZone, 0) && dueAt < dayStart(now, timeZone, 1)
    case 'overdue':
      return dueAt < now
    case 'upcoming':
      return dueAt >= dayStart(now, timeZone, 1) && dueAt <= now + weekMs
    default:
      return assertNever(view)
  }
}

function dayStart(now: number, timeZone: string, days: number): number {
  return instantOf(timeZone, { ...addDays(wallClockIn(timeZone, now), days), hour: 0, minute: 0 })
}

/** F7: the smaller priority first, then the older one. */
export function inOrder(todos: readonly Todo[]): Todo[] {
  return [...todos].sort((a, b) => a.priority - b.priority || a.id - b.id)
}
