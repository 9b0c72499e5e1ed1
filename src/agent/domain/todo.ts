import { z } from 'zod'
import { Author } from './message.ts'
import { Destination } from './schedule.ts'

/** A to-do of one scope (a channel, a person or a workspace, by setting; C45). `id` counts per scope from 1. */
export const Todo = z.object({
  version: z.literal(1),
  id: z.number().int().positive(),
  text: z.string(),
  /** Lower case, no leading `#`, blanks as `-`; `default` when none was given (F6). */
  tag: z.string(),
  /** 0 is first (F6). */
  priority: z.number().int().nonnegative(),
  dueAt: z.number().nullable(),
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

/** When its reminder is due; null when there is none, or none any more: done ones are silent (C53). */
export function alarmOfTodo({
  remindAt,
  doneAt,
  reminded,
}: Pick<Todo, 'remindAt' | 'doneAt' | 'reminded'>): number | null {
  return doneAt !== null || reminded === remindAt ? null : remindAt
}

/** The same with one person in another's place; null where it names them nowhere. */
export function todoFor(todo: Todo, person: string, to: Author): Todo | null {
  const [isOwner, isBy] = [todo.owner?.id === person, todo.by?.id === person]
  if (!isOwner && !isBy) return null
  return { ...todo, ...(isOwner ? { owner: to } : {}), ...(isBy ? { by: to } : {}) }
}
