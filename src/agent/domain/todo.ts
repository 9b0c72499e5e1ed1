import { z } from 'zod'
import { Author } from './message.ts'
import { Destination } from './schedule.ts'
import { formatDay, instantOf, wallClockIn } from './zone.ts'

/**
 * A to-do of one scope (a channel, a person or a workspace, by setting; C45). `id` counts per scope
 * from 1.
 */
export const Todo = z.object({
  version: z.literal(1),
  id: z.int().positive(),
  text: z.string(),
  /** Lower case, no leading `#`, blanks as `-`; `default` when none was given (F6). */
  tag: z.string(),
  /** 0 is first (F6). */
  priority: z.int().nonnegative(),
  dueAt: z.number().nullable(),
  /** Day on which it is due where no hour was said, as `2026-12-01`; null: at an hour (C616). */
  dueDay: z.string().nullish(),
  remindAt: z.number().nullable(),
  /** When it was done first (F7); null while it is open. */
  doneAt: z.number().nullable(),
  createdAt: z.number(),
  /** Whose it is to do; nobody's where it is left out (C374). */
  owner: Author.nullish(),
  /** Where its reminder goes. */
  place: Destination.optional(),
  /** Person who added it or set its reminder, and so is called by it (C82). */
  by: Author.optional(),
  /** The reminder that was sent, by its time: it is not sent again, whatever else changes (F12). */
  reminded: z.number().optional(),
})
export type Todo = z.infer<typeof Todo>

type Due = Pick<Todo, 'dueAt' | 'dueDay' | 'place'>
const lastMinute = { hour: 23, minute: 59 }

/**
 * Day on which it is due, if it is due at no hour. `timeZone` is that of older rows, which have no
 * such field.
 */
export function dueDayOf({ dueAt, dueDay, place }: Due, timeZone: string): string | null {
  if (dueAt === null) return null
  if (dueDay !== undefined) return dueDay
  const walls = [place?.timeZone ?? timeZone, timeZone, 'UTC'].map((zone) =>
    wallClockIn(zone, dueAt),
  )
  const last = walls.find(
    ({ hour, minute }) => hour === lastMinute.hour && minute === lastMinute.minute,
  )
  return last === undefined ? null : formatDay(last)
}

/** Time until which it is due for a reader in this zone; a day ends when theirs does. */
export function dueFor(todo: Due, timeZone: string): number | null {
  const [year = 0, month = 0, day = 0] = (dueDayOf(todo, timeZone) ?? '').split('-').map(Number)
  return day === 0 ? todo.dueAt : instantOf(timeZone, { year, month, day, ...lastMinute })
}

const dayMs = 86_400_000

/**
 * Time that is so long before a due date. Whole days before a day alone it is nine in the morning
 * (C622).
 */
export function reminderBefore({ dueAt, dueDay }: Due & { dueAt: number }, before: number): number {
  const isDays = dueDay != null && before % dayMs === 0
  return dueAt - before - (isDays ? 14 * 3_600_000 + 59 * 60_000 : 0)
}

/**
 * When its reminder is due; null when there is none, or none any more: done ones are silent (C53).
 */
export function alarmOfTodo({
  remindAt,
  doneAt,
  reminded,
}: Pick<Todo, 'remindAt' | 'doneAt' | 'reminded'>): number | null {
  return doneAt !== null || reminded === remindAt ? null : remindAt
}

/** The same with one person in another's place; null where it names them nowhere. */
export function todoFor(todo: Todo, person: string, to: Author): Todo | null {
  const { owner, by } = todo
  const [isOwner, isBy] = [owner?.id === person, by?.id === person]
  if (!isOwner && !isBy) return null
  return { ...todo, owner: isOwner ? to : owner, by: isBy ? to : by }
}
