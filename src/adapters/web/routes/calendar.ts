import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Context } from 'hono'
import { ruleInWords } from '../../../agent/commands/rule-words.ts'
import { dueDayOf } from '../../../agent/domain/todo.ts'
import { isTimeZone } from '../../../agent/domain/zone.ts'
import type { PastSlot, CalendarRow as Row } from '../../../agent/ports/calendar.ts'
import {
  type Folded,
  folded,
  midnightsIn,
  timesAhead,
  turnsIn,
} from '../../../agent/schedules/days.ts'
import { threadOfNote } from '../../../agent/schedules/reminders.ts'
import type { Web } from '../context.ts'
import { limits } from '../limits.ts'
import { seenWorkspaces, seesScope } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { forMembers } from '../route.ts'
import { type CalendarRow, CalendarView } from '../views.ts'
import { authorIn } from './command-context.ts'
import { placeIn } from './conversations.ts'

/**
 * C235: the calendar of schedules and reminders, in pages that each take a bounded time however
 * many schedules there are.
 */
export const calendarRoute = forMembers.route('get', '/api/calendar', {
  summary:
    'Schedules and reminders of every platform, with what comes and what came of their past times',
  description:
    'From `from` to `to` (milliseconds, at most 62 days) on the clock of `timeZone`. More than three times a day of one schedule are one entry. ' +
    '`next` is where the next page begins, as its `after`; null: this is the last one.',
  query: ['from', 'to', 'timeZone', 'after', 'author'],
  refusals: ['bad_request'],
  answer: CalendarView,
  async handle({ c, web }) {
    const { clock, timeZone: usual } = web
    const [from, to] = [instantIn(c, 'from'), instantIn(c, 'to')]
    if (to <= from || to - from > limits.calendarMs) return refuse('bad_request', { field: 'to' })
    const timeZone = c.req.query('timeZone') ?? usual
    if (!isTimeZone(timeZone)) return refuse('bad_request', { field: 'timeZone' })
    const now = clock.now()
    const days = midnightsIn(timeZone, from, to)
    const rows: CalendarRow[] = []
    const take = (workspace: string, row: Row) => {
      const frame = { workspace, days, now, timeZone, locale: web.locale(c) }
      const { view, work } = row.kind === 'todo' ? todoRow(row, frame) : scheduleRow(row, frame)
      if (view !== null) rows.push(view)
      return work
    }
    const span = { from, to, before: from < now ? Number.POSITIVE_INFINITY : to }
    const next = await takePage(web, c, span, take)
    const zones = new Set([timeZone, ...rows.map((row) => row.timeZone)])
    return {
      rows: await withoutDead(web, rows),
      turns: [...zones].flatMap((zone) => turnsIn(zone, from, to)),
      next,
    }
  },
})

type Span = { from: number; to: number; before: number }
type ScheduleRow = Extract<Row, { kind: 'schedule' }>

interface Frame {
  workspace: string
  /** Midnights that bound the days shown. */
  days: readonly number[]
  now: number
  timeZone: string
  locale: string
}
interface RowResult {
  view: CalendarRow | null
  /** Number of times that were computed. */
  work: number
}

/** View of a to-do's reminder; null if it is outside the days shown. */
function todoRow(
  { scope, todo }: Extract<Row, { kind: 'todo' }>,
  { workspace, days, timeZone }: Frame,
): RowResult {
  const { id, text, remindAt, doneAt, reminded, dueAt, place } = todo
  const isWithin = remindAt !== null && remindAt >= (days[0] ?? 0) && remindAt < (days.at(-1) ?? 0)
  if (!isWithin) return { view: null, work: 1 }
  const view: CalendarRow = {
    kind: 'todo',
    workspace,
    scope,
    id,
    title: text,
    work: 'note',
    rule: null,
    paused: false,
    dueDay: dueDayOf(todo, timeZone),
    dueAt,
    isDone: doneAt !== null,
    timeZone: place?.timeZone ?? timeZone,
    conversationId: place?.conversationId ?? null,
    next: [],
    past: [],
    reminders: [{ at: remindAt, isPast: reminded === remindAt }],
  }
  return { view, work: 1 }
}

/** View of a schedule; null if it has nothing in the days shown. */
function scheduleRow(row: ScheduleRow, frame: Frame): RowResult {
  const { scope, schedule, slots } = row
  const { id, title, work, paused, place } = schedule
  const ahead = timesAhead(schedule, frame.days, frame)
  const past = pastOf(row, frame)
  if (ahead.slots.length + ahead.reminders.length + past.length === 0)
    return { view: null, work: ahead.work }
  const view: CalendarRow = {
    kind: 'schedule',
    workspace: frame.workspace,
    scope,
    id,
    title,
    work,
    paused,
    dueAt: null,
    dueDay: null,
    isDone: false,
    rule: ruleInWords(schedule, { locale: frame.locale }),
    timeZone: place.timeZone,
    conversationId: place.conversationId,
    next: ahead.slots,
    past,
    reminders: ahead.reminders.map((one) => ({ ...one, isPast: false })),
  }
  return { view, work: ahead.work + slots.length / 10 }
}

/**
 * Outcomes of past times, newest first. Several of one day with the same outcome are folded into
 * one.
 */
function pastOf(row: ScheduleRow, { workspace, days }: Frame): CalendarRow['past'] {
  const dayOf = (at: number) => days.findLastIndex((start) => start <= at)
  const alike = Map.groupBy(row.slots, ({ at, until, outcome, reason, run }) =>
    until === undefined ? `${dayOf(at)} ${outcome} ${reason} ${run?.status}` : `${at} ${until}`,
  )
  return [...alike.values()].flatMap((slots) => {
    const [only] = slots
    const many = folded(slots.map(({ at }) => at).reverse())
    const shown = slots.length === 1 && only?.until !== undefined ? [foldedSlot(only)] : many
    return shown.flatMap((one) => {
      const slot = slots.find(({ at }) => at === one.at)
      if (slot === undefined) return []
      const thread = one.until === undefined ? threadOf(row, slot, workspace) : null
      return [
        {
          ...one,
          outcome: slot.outcome,
          reason: slot.reason,
          status: slot.run?.status ?? null,
          conversationId: thread,
          isGone: slot.isGone && !row.schedule.quiet,
        },
      ]
    })
  })
}

/** Row for many times missed in one long downtime. */
const foldedSlot = ({ at, until = at, count = null }: PastSlot): Folded => ({ at, until, count })

function threadOf(
  { scope, schedule }: ScheduleRow,
  slot: PastSlot,
  workspace: string,
): string | null {
  if (slot.outcome !== 'fired' && slot.outcome !== 'late') return null
  if (schedule.work === 'run') return slot.run?.conversationId ?? null
  // The thread of a note posted by hand has another key.
  return slot.reason === 'by_hand'
    ? schedule.place.conversationId
    : threadOfNote(workspace, scope, schedule, slot.at)
}

/**
 * Reads rows of every workspace until the page is full or took enough work. Returns the place where
 * the next page begins.
 */
async function takePage(
  web: Web,
  c: Context,
  span: Span,
  take: (workspace: string, row: Row) => number,
): Promise<string | null> {
  const { calendar } = web.store
  const person = web.speaker(c, authorIn(c)).id
  const after = placeIn(c, 'after')
  const workspaces = (await seenWorkspaces(web, c))
    .sort()
    .filter((one) => after === null || one >= after.id)
  let [left, work] = [limits.calendarRows, 0]
  for (const workspace of workspaces) {
    const skip = after?.id === workspace ? after.at : 0
    const rows = await web.reach(() => calendar.page(workspace, { ...span, skip, limit: left }))
    for (const [place, row] of rows.entries()) {
      if (row !== null && (await seesScope(web, c, { workspace, scope: row.scope, person })))
        work += take(workspace, row)
      await othersFirst()
      if (work >= limits.calendarWork) return `${skip + place + 1}:${workspace}`
    }
    if (rows.length === left) return `${skip + left}:${workspace}`
    left -= rows.length
  }
  return null
}

/** C278: removes links to deleted threads, and marks messages in them as deleted. */
async function withoutDead(
  { store, reach }: Web,
  rows: readonly CalendarRow[],
): Promise<CalendarRow[]> {
  const threadsOf = ({ conversationId, past }: CalendarRow) =>
    [conversationId, ...past.map((one) => one.conversationId)].filter((id) => id !== null)
  const groups = [...Map.groupBy(rows, ({ workspace }) => workspace)]
  const gone = await Promise.all(
    groups.map(([workspace, own]) =>
      reach(() => store.calendar.gone(workspace, [...new Set(own.flatMap(threadsOf))])),
    ),
  )
  const dead = new Set(gone.flatMap((ids) => [...ids]))
  const alive = (id: string | null) => (id !== null && dead.has(id) ? null : id)
  return rows.map((row) => ({
    ...row,
    conversationId: alive(row.conversationId),
    past: row.past.map((one) => {
      const conversationId = alive(one.conversationId)
      return { ...one, conversationId, isGone: one.isGone || conversationId !== one.conversationId }
    }),
  }))
}

function instantIn(c: Context, name: string): number {
  const text = c.req.query(name) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('bad_request', { field: name })
}
