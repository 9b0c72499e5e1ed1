import { assertNever } from '../../../agent/domain/assert.ts'
import type { CalendarRow, CalendarView } from '../views.ts'
import type { Words } from './language.ts'

/** A time of a schedule or to-do in the calendar. */
export interface Entry {
  key: string
  row: CalendarRow
  at: number
  until?: number | undefined
  count?: number | null | undefined
  state: keyof Words['calendar']['states']
  /** Reason for its state, if there is one to show. */
  reason: CalendarRow['past'][number]['reason']
  conversationId: string | null
  /** True if its thread was deleted. */
  isGone: boolean
}

export const signs: Readonly<Record<Entry['state'], string>> = {
  ...{
    planned: '○',
    paused: '‖',
    running: '…',
    waiting: '?',
    failed: '✗',
    canceled: '✗',
    given_up: '✗',
  },
  ...{ ran: '✓', late: '✓', missed: '–', skipped: '–', reminded: '✓' },
}

/** Day in the browser's time zone, as `2026-11-20`. */
export function dayOf(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** Entries of each day, in order. */
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
    case 'given_up':
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

/** Time of the last of several; unknown if there are too many to count (C223). */
export const lastOf = (
  { until = 0, count }: Pick<Entry, 'until' | 'count'>,
  show: (at: number) => string,
): string => (count === null ? '…' : show(until))

/** Month in the browser's time zone, as whole weeks. `firstDay` is 1 for Monday to 7 for Sunday. */
export function weeksOf(year: number, month: number, firstDay: number): Date[][] {
  const first = new Date(year, month, 1)
  const before = ((first.getDay() || 7) - firstDay + 7) % 7
  const days = new Date(year, month + 1, 0).getDate()
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => new Date(year, month, 1 - before + week * 7 + day)),
  )
}

/** First day of the week where a language is spoken; Monday if the browser does not say. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(language)
  const info: unknown =
    'getWeekInfo' in locale && typeof locale.getWeekInfo === 'function'
      ? locale.getWeekInfo()
      : null
  return typeof info === 'object' && info !== null && 'firstDay' in info ? Number(info.firstDay) : 1
}

/** Clock changes on a day, each once, however many pages name it. */
export const turnsOn = (turns: CalendarView['turns'], day: string): CalendarView['turns'] =>
  turns.filter(
    (one, place) =>
      one.day === day &&
      turns.findIndex((other) => other.timeZone === one.timeZone && other.day === day) === place,
  )
