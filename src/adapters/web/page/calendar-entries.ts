import { assertNever } from '../../../agent/domain/assert.ts'
import type { CalendarRow, CalendarView } from '../views.ts'
import type { Words } from './language.ts'

/** A time of a schedule or to-do as the calendar shows it. */
export interface Entry {
  key: string
  row: CalendarRow
  at: number
  until?: number | undefined
  count?: number | null | undefined
  state: keyof Words['calendar']['states']
  /** Why it is so, where something is to be said. */
  reason: CalendarRow['past'][number]['reason']
  conversationId: string | null
  /** Its thread was deleted. */
  isGone: boolean
}

export const signs: Readonly<Record<Entry['state'], string>> = {
  ...{ planned: '○', paused: '‖', running: '…', waiting: '?', failed: '✗', canceled: '✗' },
  ...{ ran: '✓', late: '✓', missed: '–', skipped: '–', reminded: '✓' },
}

/** The day on the clock of the browser, as `2026-11-20`. */
export function dayOf(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** What is on each day, in order. */
export function entriesByDay(rows: readonly CalendarRow[]): Map<string, Entry[]> {
  return Map.groupBy(
    rows.flatMap(entriesOf).sort((a, b) => a.at - b.at),
    ({ at }) => dayOf(new Date(at)),
  )
}

function entriesOf(row: CalendarRow): Entry[] {
  const name = `${row.workspace} ${row.scope} ${row.kind} ${row.id}`
  const coming = { row, reason: null, conversationId: row.conversationId, isGone: false }
  return [
    ...row.next.map(
      (one): Entry => ({
        ...coming,
        ...one,
        key: `${name} ${one.at}`,
        state: row.paused ? 'paused' : 'planned',
      }),
    ),
    ...row.past.map(
      (one, place): Entry => ({
        row,
        ...one,
        key: `${name} ${one.at} ${one.outcome} ${place}`,
        state: stateOf(one),
      }),
    ),
    ...row.reminders.map(
      (one): Entry => ({
        ...coming,
        ...one,
        key: `${name} r${one.at}`,
        state: one.isPast ? 'reminded' : 'planned',
      }),
    ),
  ]
}

function stateOf({ outcome, status }: CalendarRow['past'][number]): Entry['state'] {
  if (outcome === 'missed' || outcome === 'skipped') return outcome
  switch (status) {
    case 'failed':
    case 'canceled':
      return status
    case 'awaiting_clarification':
    case 'paused':
      return 'waiting'
    case 'queued':
    case 'running':
      return 'running'
    case 'succeeded':
    case null:
      return outcome === 'late' ? 'late' : 'ran'
    default:
      return assertNever(status)
  }
}

export const isReminder = ({ key, row }: Entry): boolean =>
  row.kind === 'todo' || / r\d+$/.test(key)

/** When the last of several is; of more than are counted nobody knows (C223). */
export const lastOf = (
  { until = 0, count }: Pick<Entry, 'until' | 'count'>,
  show: (at: number) => string,
): string => (count === null ? '…' : show(until))

/** A month on the clock of the browser, in whole weeks from the first day of the week there: 1 is Monday, 7 Sunday. */
export function weeksOf(year: number, month: number, firstDay: number): Date[][] {
  const first = new Date(year, month, 1)
  const before = ((first.getDay() || 7) - firstDay + 7) % 7
  const days = new Date(year, month + 1, 0).getDate()
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => new Date(year, month, 1 - before + week * 7 + day)),
  )
}

/** With which day weeks begin where a language is spoken; browsers that do not say it: Monday. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(language)
  const info: unknown =
    'getWeekInfo' in locale && typeof locale.getWeekInfo === 'function'
      ? locale.getWeekInfo()
      : null
  return typeof info === 'object' && info !== null && 'firstDay' in info ? Number(info.firstDay) : 1
}

/** Each once, however many pages name it. */
export const turnsOn = (turns: CalendarView['turns'], day: string): CalendarView['turns'] =>
  turns.filter(
    (one, place) =>
      one.day === day &&
      turns.findIndex((other) => other.timeZone === one.timeZone && other.day === day) === place,
  )
