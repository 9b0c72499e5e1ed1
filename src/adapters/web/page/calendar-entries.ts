import { assertNever } from '../../../agent/domain/assert.ts'
import type { CalendarRow, CalendarView, TodoView } from '../views.ts'
import type { Words } from './language.ts'
import { ownZone } from './time.ts'
import { dueOf } from './todo-days.ts'

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
  /** True if it is due on that day, at no hour. */
  isDay?: boolean
  /** Times of one day that stand in one band. */
  parts?: readonly Entry[]
}

export const signs: Readonly<Record<Entry['state'], string>> = {
  planned: '○',
  due: '□',
  paused: '‖',
  running: '…',
  waiting: '?',
  failed: '✗',
  canceled: '✗',
  given_up: '✗',
  ran: '✓',
  late: '✓',
  missed: '–',
  skipped: '–',
  reminded: '✓',
}

/** Day in the browser's time zone, as `2026-11-20`. */
export function dayOf(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/**
 * Entries of each day: single ones in order, then bands, each of which holds all times of one
 * schedule on that day (C564).
 */
export function entriesByDay(
  rows: readonly CalendarRow[],
  todos: readonly TodoView[] = [],
): Map<string, Entry[]> {
  const all = [...rows.flatMap(entriesOf), ...todos.flatMap(dueEntryOf)]
  const entries = all.sort((a, b) => a.at - b.at)
  const days = Map.groupBy(entries, ({ at }) => dayOf(new Date(at)))
  return new Map([...days].map(([day, all]) => [day, inBands(all)]))
}

/** Least times of one schedule on one day that make a band. */
const bandLeast = 3
export const isBand = ({ until }: Entry): boolean => until !== undefined

function inBands(entries: readonly Entry[]): Entry[] {
  const nameOf = (one: Entry) =>
    [one.row.workspace, one.row.scope, one.row.kind, one.row.id, isReminder(one)].join(' ')
  const groups = [...Map.groupBy(entries, nameOf)]
  const all = groups.flatMap(([key, parts]) => bandOf(key, parts) ?? parts)
  return [...all.filter((one) => !isBand(one)), ...all.filter(isBand)]
}

function bandOf(key: string, parts: readonly Entry[]): Entry | null {
  const [first, last] = [parts[0], parts.at(-1)]
  const count = countOf(parts)
  if (first === undefined || last === undefined || parts.length < 2) return null
  if (count !== null && count < bandLeast) return null
  const states = new Set(parts.map(({ state }) => state))
  const state = telling.find((one) => states.has(one)) ?? first.state
  const { row, at, conversationId } = first
  const until = last.until ?? last.at
  const own = { key: `${key} ${at}`, row, at, until, count, state, conversationId, parts }
  return { ...own, reason: null, isGone: false }
}

/** Number of times; null if some were not counted. */
const countOf = (parts: readonly Entry[]): number | null =>
  parts.reduce<number | null>(
    (sum, { count = 1 }) => (sum === null || count === null ? null : sum + count),
    0,
  )

/** States from the one that matters most to people; a band has the first of its parts'. */
const telling = [
  'failed',
  'given_up',
  'waiting',
  'canceled',
  'missed',
  'running',
  'paused',
  'planned',
  'due',
  'late',
  'skipped',
  'ran',
  'reminded',
] as const
/** States of a part that stand below its band without a click. */
export const odd: readonly Entry['state'][] = telling.slice(0, 5)

/** States of a band's parts with their numbers, in the order of the day. */
export const statesIn = (parts: readonly Entry[]): [Entry['state'], number | null][] =>
  [...Map.groupBy(parts, ({ state }) => state)].map(([state, some]) => [state, countOf(some)])

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

/** A to-do on the day when it is due (C624). */
function dueEntryOf(todo: TodoView): Entry[] {
  const { id, text, dueAt, dueDay, doneAt } = todo
  const due = dueOf(todo)
  if (due === null) return []
  const row: CalendarRow = {
    kind: 'todo',
    workspace: '',
    scope: '',
    id,
    title: text,
    work: 'note',
    rule: null,
    paused: false,
    timeZone: ownZone(),
    conversationId: null,
    dueAt: null,
    dueDay: null,
    isDone: doneAt !== null,
    next: [],
    past: [],
    reminders: [],
  }
  return [
    {
      key: `due ${id} ${dueAt}`,
      row,
      at: dueDay === null ? due : new Date(due).setHours(0, 0, 0, 0),
      state: row.isDone ? 'ran' : 'due',
      reason: null,
      conversationId: null,
      isGone: false,
      isDay: dueDay !== null,
    },
  ]
}

export const isReminder = ({ key }: Entry): boolean => / r\d+$/.test(key)

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
