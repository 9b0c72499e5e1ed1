import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Context } from 'hono'
import { isTimeZone } from '../../../agent/domain/zone.ts'
import { midnightsIn, turnsIn } from '../../../agent/schedules/days.ts'
import { calendarRow } from '../calendar.ts'
import type { Web } from '../context.ts'
import { limits } from '../limits.ts'
import { refuse } from '../problems.ts'
import { routesWith } from '../route.ts'
import { seenWorkspaces, seesScope } from '../sight.ts'
import { type CalendarRow, CalendarView } from '../views.ts'
import { authorIn } from './command-context.ts'
import { placeIn } from './conversations.ts'

/** C235: what starts by itself, in pages that each take a bounded time however many schedules there are. */
export const calendarRoute = routesWith({ members: true }).route('get', '/api/calendar', {
  summary: 'Schedules and reminders of every platform, with what comes and what came of their past times',
  description:
    'From `from` to `to` (milliseconds, at most 62 days) on the clock of `timeZone`. More than three times a day of one schedule are one entry. ' +
    '`next` is where the next page begins, as its `after`; null: this is the last one.',
  query: ['from', 'to', 'timeZone', 'after', 'author'],
  answer: CalendarView,
  async handle({ c, web }) {
    const { clock, timeZone: usual } = web
    const [from, to] = [instantIn(c, 'from'), instantIn(c, 'to')]
    if (to <= from || to - from > limits.calendarMs) return refuse({ code: 'bad_request', field: 'to' })
    const timeZone = c.req.query('timeZone') ?? usual
    if (!isTimeZone(timeZone)) return refuse({ code: 'bad_request', field: 'timeZone' })
    const now = clock.now()
    const days = midnightsIn(timeZone, from, to)
    const rows: CalendarRow[] = []
    const page = await pageOf(
      web,
      c,
      { from, to, before: from < now ? Number.POSITIVE_INFINITY : to },
      (workspace, row) => {
        const { view, work } = calendarRow(row, { workspace, days, now, timeZone, locale: web.locale(c) })
        if (view !== null) rows.push(view)
        return work
      },
    )
    const zones = new Set([timeZone, ...rows.map((row) => row.timeZone)])
    return {
      rows: await withoutDead(web, rows),
      turns: [...zones].flatMap((zone) => turnsIn(zone, from, to)),
      next: page,
    }
  },
})

type Span = { from: number; to: number; before: number }
type Row = Parameters<typeof calendarRow>[0]

/** Goes through the rows of every workspace until enough was read or worked out; answers where to go on. */
async function pageOf(
  web: Web,
  c: Context,
  span: Span,
  take: (workspace: string, row: Row) => number,
): Promise<string | null> {
  const { calendar } = web.store
  const person = web.speaker(c, authorIn(c)).id
  const after = placeIn(c, 'after')
  const workspaces = (await seenWorkspaces(web, c)).sort().filter((one) => after === null || one >= after.id)
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

/** C278: no link leads to a thread that was deleted; where something was said in it, that is told. */
async function withoutDead({ store, reach }: Web, rows: readonly CalendarRow[]): Promise<CalendarRow[]> {
  const threadsOf = ({ conversationId, past }: CalendarRow) =>
    [conversationId, ...past.map((one) => one.conversationId)].filter((id) => id !== null)
  const groups = [...Map.groupBy(rows, ({ workspace }) => workspace)]
  const gone = await Promise.all(
    groups.map(([workspace, own]) => reach(() => store.calendar.gone(workspace, [...new Set(own.flatMap(threadsOf))]))),
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
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse({ code: 'bad_request', field: name })
}
