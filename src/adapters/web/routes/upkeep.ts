import type { Context } from 'hono'
import { z } from 'zod'
import { figuresKeptDays } from '../../../agent/domain/figures.ts'
import { dayOf, monthOf } from '../../../agent/domain/usage.ts'
import { addDays, wallClockIn } from '../../../agent/domain/zone.ts'
import type { Web } from '../context.ts'
import { FailedView, renderFailed } from '../failed-deliveries.ts'
import {
  type Counted,
  csvOf,
  daysFrom,
  daysOf,
  FiguresView,
  namedTables,
  namesIn,
  readDay,
  sumOf,
  tablesOf,
} from '../figures.ts'
import { HealthLine, healthInWords } from '../health-words.ts'
import { limits } from '../limits.ts'
import { seenWorkspaces, workspaceIn } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { notForMembers, type Route } from '../route.ts'
import { countIn } from './conversations.ts'

const { route } = notForMembers

/** Days of figures by default. */
const usualDays = 30
const query = ['from', 'to', 'days']

/** C227 to C230: costs, health and failed deliveries, for operators. */
export const upkeepRoutes: readonly Route[] = [
  route('get', '/api/figures', {
    summary:
      'What the days took: tasks, time, tokens and cost by day, person, channel, schedule and model',
    description: `Days as 2026-03-01, both included, or as many as \`days\` says, ${usualDays} where nothing is said; at most ${figuresKeptDays}, which is how long they are kept.`,
    query,
    answer: FiguresView,
    async handle({ c, web }) {
      const { from, to, days, rows } = await countedIn(web, c)
      const { person, channel, schedule, model } = await tablesFor(web, c, rows)
      return {
        from,
        to,
        timeZone: web.timeZone,
        currency: web.upkeep.currency,
        total: sumOf(rows.filter(({ by }) => by === 'team')),
        days: daysOf(rows, days),
        person,
        channel,
        schedule,
        model,
      }
    },
  }),

  route('get', '/api/figures.csv', {
    summary: 'The same as a table, a row a day and person, channel, schedule or model',
    query,
    media: 'text/csv',
    answer: z.string(),
    async handle({ c, web }) {
      const { from, to, rows } = await countedIn(web, c)
      const names = namesIn(await tablesFor(web, c, rows))
      const csv = await csvOf(rows, names, web.upkeep.currency)
      return c.body(csv, 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="clew-${from}-${to}.csv"`,
      })
    },
  }),

  route('get', '/api/health', {
    summary: 'How each part is, in words, with what to do; and what could not be delivered',
    answer: z.object({ at: z.number(), lines: z.array(HealthLine), failed: z.array(FailedView) }),
    async handle({ c, web }) {
      const { store, upkeep } = web
      const now = web.clock.now()
      const workspaces = await seenWorkspaces(web, c)
      const [health, backlogs, used] = await Promise.all([
        web.health(limits.healthMs['/readyz']),
        web.reach(() =>
          Promise.all(workspaces.map((one) => store.backlog.of(one, now, limits.listed))),
        ),
        usedNow(web, workspaces, now),
      ])
      const failed = workspaces.flatMap((workspace, at) =>
        (backlogs[at]?.failed ?? []).map((one) => ({ ...one, workspace })),
      )
      const sum = (waiting: 'due' | 'outbox') => ({
        count: backlogs.reduce((all, one) => all + one[waiting].count, 0),
        since: backlogs.map((one) => one[waiting].since).reduce(earlier, null),
      })
      const lines = healthInWords({
        now,
        locale: web.locale(c),
        timeZone: web.timeZone,
        health,
        limits: upkeep.limits,
        used,
        names: namesIn(await tablesFor(web, c, used)),
        backlog: {
          due: sum('due'),
          outbox: sum('outbox'),
          aside: backlogs.reduce((all, { aside }) => all + aside, 0),
          failed: failed.filter(({ state }) => state === 'failed').length,
        },
      })
      const shown = failed.toSorted((one, other) => other.at - one.at).slice(0, limits.listed)
      return {
        at: now,
        lines,
        failed: await Promise.all(shown.map((one) => renderFailed(web, one))),
      }
    },
  }),

  route('post', '/api/deliveries/:id/again', {
    summary:
      'Sends a delivery that could not be delivered again, once, however often it is asked for',
    query: ['workspace'],
    status: 202,
    answer: z.object({ id: z.string(), duplicate: z.boolean() }),
    async handle({ c, web }) {
      const workspace = await workspaceIn(web, c)
      const id = c.req.param('id')
      const back = await web.reach(() =>
        web.store.backlog.sendAgain(workspace, id, web.clock.now()),
      )
      if (back === null) return refuse('not_found')
      await web.upkeep.wake({ kind: 'outbox', workspace, id: back.conversationId })
      return { id, duplicate: back.known }
    },
  }),
]

function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

/** Days that a request names, with their figures. */
async function countedIn(web: Web, c: Context) {
  const { timeZone, clock } = web
  const today = wallClockIn(timeZone, clock.now())
  const day = (name: string, otherwise: typeof today) => {
    const text = c.req.query(name)
    return text === undefined
      ? otherwise
      : (readDay(text) ?? refuse('bad_request', { field: name }))
  }
  const to = day('to', today)
  const last = countIn(c, 'days', usualDays, figuresKeptDays)
  const days = daysFrom(day('from', addDays(to, 1 - last)), to, figuresKeptDays + 1)
  const [from] = days
  if (from === undefined || days.length > figuresKeptDays)
    return refuse('bad_request', { field: 'from' })
  const workspaces = await seenWorkspaces(web, c)
  const rows = await figuresOf(web, workspaces, days, limits.figuresMs)
  return { from, to: days.at(-1) ?? from, days, rows }
}

const figuresOf = (
  { store, reach }: Web,
  workspaces: readonly string[],
  days: readonly string[],
  withinMs?: number,
) =>
  reach(async () => {
    const counted = async (workspace: string) =>
      (await store.usage.figures(workspace, days)).map((row) => ({ ...row, workspace }))
    return (await Promise.all(workspaces.map(counted))).flat()
  }, withinMs)

/**
 * Sums for each person, channel and so on. Channels have their names if the platforms answer in
 * time.
 */
async function tablesFor({ upkeep, words }: Web, c: Context, rows: readonly Counted[]) {
  const tables = await tablesOf(rows)
  const signal = AbortSignal.timeout(limits.namesMs)
  return await namedTables(tables, words(c), (place) =>
    upkeep.nameOf(place, signal).catch(() => null),
  )
}

/** Usage of this day and this month. */
async function usedNow(web: Web, workspaces: readonly string[], now: number) {
  const day = dayOf(now, web.upkeep.limits.timeZone)
  const rows = await figuresOf(web, workspaces, [day, monthOf(day)])
  return rows.map((row) => ({
    ...row,
    period: row.day === day ? ('day' as const) : ('month' as const),
  }))
}
