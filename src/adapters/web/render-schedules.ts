import { clockRule, ruleInWords } from '../../agent/commands/schedule-render.ts'
import type { RunStrategy, Schedule, ScheduleMode } from '../../agent/domain/schedule.ts'
import type { Todo } from '../../agent/domain/todo.ts'
import { nextSlots } from '../../agent/schedules/recurrence.ts'

/** Schedules and to-dos as the API answers them. Instants are milliseconds since the epoch. */
export interface ScheduleView {
  id: number
  title: string
  work: 'run' | 'note'
  /** When it is due, in words. */
  rule: string
  when: Schedule['when']
  timeZone: string
  /** The next three slots; while it is paused they are skipped. */
  next: number[]
  /** What happens when the clocks of its zone are turned. */
  clockRule: string
  durationMinutes: number
  remindAt: number | null
  paused: boolean
  repeats: boolean
  fired: number
  /** Its runs end without a word when there is nothing to report. */
  quiet: boolean
  /** Tools with side effects that its runs may use. */
  allow: string[]
  /** What they do with the others. */
  mode: ScheduleMode
  /** How they work; null: as the title or the settings say. */
  strategy: RunStrategy | null
  conversationId: string | null
  createdAt: number
  createdBy: { id: string; name: string } | null
}

export function renderScheduleView(schedule: Schedule, now: number, locale: string): ScheduleView {
  const { id, title, work, when, place, durationMinutes, remindAt, paused, repeats, fired } = schedule
  const { allow, mode = 'safe', strategy = null, quiet = false, createdAt, createdBy } = schedule
  return {
    id,
    title,
    work,
    rule: ruleInWords(schedule, { locale }),
    when,
    timeZone: place.timeZone,
    next: schedule.nextAt === null ? [] : nextSlots(schedule, Math.max(now, schedule.lastAt ?? 0), 3),
    clockRule: clockRule(place.timeZone, now, locale),
    durationMinutes,
    remindAt: paused ? null : remindAt,
    paused,
    repeats,
    fired,
    quiet,
    allow,
    mode,
    strategy,
    conversationId: place.conversationId,
    createdAt,
    createdBy,
  }
}

export type TodoView = Pick<
  Todo,
  'id' | 'text' | 'tag' | 'priority' | 'dueAt' | 'remindAt' | 'doneAt' | 'createdAt'
> & {
  /** Its reminder has been said. */
  reminded: boolean
}

export function renderTodoView(todo: Todo): TodoView {
  const { id, text, tag, priority, dueAt, remindAt, doneAt, createdAt, reminded } = todo
  return {
    id,
    text,
    tag,
    priority,
    dueAt,
    remindAt,
    doneAt,
    createdAt,
    reminded: remindAt !== null && reminded === remindAt,
  }
}
