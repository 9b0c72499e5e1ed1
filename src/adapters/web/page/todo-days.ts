import type { TodoView } from '../views.ts'
import { dateTime, dayDate, typedDay, typedTime } from './time.ts'

/* To-dos by their days on this device's clock. */

export const views = ['all', 'mine', 'due', 'upcoming', 'inbox'] as const
export type View = (typeof views)[number]
export const groups = ['overdue', 'today', 'tomorrow', 'week', 'later', 'someday', 'done'] as const
export type Group = (typeof groups)[number]

type Due = Pick<TodoView, 'dueAt' | 'dueDay'>

/** Time until which it is due here; a day alone ends when this device's day does (C616). */
export const dueOf = ({ dueAt, dueDay }: Due): number | null =>
  dueDay === null ? dueAt : Date.parse(`${dueDay}T23:59`)

/** Due date in words: a day alone without an hour. */
export function dueText(due: Due, language: string): string {
  const at = dueOf(due) ?? 0
  return due.dueDay === null ? dateTime(at, language) : dayDate(at, language)
}

/** Due date as it can be typed. */
export function dueTyped(due: Due, language: string): string {
  const at = dueOf(due)
  if (at === null) return ''
  return due.dueDay === null ? typedTime(at, language) : typedDay(at, language)
}

const inDays = (now: number, days: number) => new Date(now).setHours(24 * days, 0, 0, 0)

export function groupOf(todo: TodoView, now: number): Group {
  const due = dueOf(todo)
  if (todo.doneAt !== null) return 'done'
  if (due === null) return 'someday'
  if (due < now) return 'overdue'
  if (due < inDays(now, 1)) return 'today'
  if (due < inDays(now, 2)) return 'tomorrow'
  return due < inDays(now, 8) ? 'week' : 'later'
}

const groupsOfView: Readonly<Record<Exclude<View, 'all' | 'mine'>, readonly Group[]>> = {
  due: ['overdue', 'today'],
  upcoming: ['today', 'tomorrow', 'week'],
  inbox: ['someday'],
}

/** True if a view holds a to-do of that group. */
export function isInView(view: View, todo: TodoView, group: Group, person: string): boolean {
  if (view === 'all') return true
  if (view === 'mine') return group !== 'done' && todo.owner?.id === person
  return groupsOfView[view].includes(group)
}

/** The sooner due first, then the older one; those without a date stand last. */
export const bySoonest = (one: TodoView, other: TodoView): number =>
  (dueOf(one) ?? Number.MAX_SAFE_INTEGER) - (dueOf(other) ?? Number.MAX_SAFE_INTEGER) ||
  one.id - other.id
