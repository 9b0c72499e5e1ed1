import { z } from 'zod'
import { million } from '../../agent/domain/budget.ts'
import {
  addFigures,
  type DayFigures,
  type Dimension,
  dimensions,
  type Figures,
  noFigures,
} from '../../agent/domain/figures.ts'
import { addDays, formatDay, isReal, type WallClock } from '../../agent/domain/zone.ts'
import type { Texts } from '../../locales/texts.ts'
import { webWorkspace } from './deps.ts'

/* C227: what days took, summed up for the page and row by row for a table program. */

/** One row of what was counted, in its workspace. */
export type Counted = DayFigures & { workspace: string }

const count = z.number().meta({ type: 'integer' })
const sums = {
  ...{ runs: count, succeeded: count, failed: count, canceled: count },
  seconds: z.number().describe('Of runs, from beginning to end; what people take to answer is in it'),
  ...{ promptTokens: count, completionTokens: count },
  cost: z.number().describe('In the currency of MODEL_PRICES'),
}
const Sums = z.object(sums)
export type Sums = z.infer<typeof Sums>

const Row = z.object({ workspace: z.string(), id: z.string(), name: z.string().nullable(), ...sums })
export type FiguresRow = z.infer<typeof Row>

export const FiguresView = z
  .object({
    from: z.string(),
    to: z.string(),
    timeZone: z.string(),
    priced: z.boolean().describe('Whether models have prices; without them costs are 0'),
    total: Sums,
    days: z.array(z.object({ day: z.string(), ...sums })).describe('Every day of the time, the first one first'),
    ...{ person: z.array(Row), channel: z.array(Row), schedule: z.array(Row) },
    model: z.array(Row).describe('Without runs: several models may answer one run'),
  })
  .meta({ id: 'Figures' })
export type FiguresView = z.infer<typeof FiguresView>

/** A day as `2026-03-04`; null where it is none. */
export function readDay(text: string): WallClock | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  const wall = { year: Number(year), month: Number(month), day: Number(day), hour: 0, minute: 0 }
  return day !== undefined && isReal(wall) ? wall : null
}

/** Every day from one to the other, at most so many. */
export function daysFrom(from: WallClock, to: WallClock, most: number): string[] {
  const days: string[] = []
  const last = formatDay(to)
  for (let at = from; days.length < most && formatDay(at) <= last; at = addDays(at, 1)) days.push(formatDay(at))
  return days
}

/** What of it was counted for each person, channel and so on, the one that took most first; with the newest name of each. */
export function rowsBy(rows: readonly Counted[], by: Dimension): FiguresRow[] {
  const all = Map.groupBy(
    rows.filter((row) => row.by === by),
    ({ workspace, id }) => `${workspace} ${id}`,
  )
  return [...all.values()]
    .map((some): FiguresRow => {
      const [{ workspace, id } = { workspace: '', id: '' }] = some
      return { workspace, id, name: some.findLast(({ name }) => name !== null)?.name ?? null, ...sumOf(some) }
    })
    .sort((one, other) => tokensOf(other) - tokensOf(one) || other.runs - one.runs)
}

const tokensOf = ({ promptTokens, completionTokens }: Sums) => promptTokens + completionTokens

export const sumOf = (rows: readonly Figures[]): Sums => shown(rows.reduce<Figures>(addFigures, noFigures))

function shown({ succeeded, failed, canceled, ms, promptTokens, completionTokens, cost }: Figures): Sums {
  const runs = succeeded + failed + canceled
  return {
    ...{ runs, succeeded, failed, canceled, seconds: Math.round(ms / 1000) },
    ...{ promptTokens, completionTokens, cost: cost / million },
  }
}

/** What a row is called: of the page's own channel and of one's own schedules there is no other name. */
export function nameFor(
  { health }: Texts,
  { workspace, id, name }: Pick<FiguresRow, 'workspace' | 'id' | 'name'>,
  by: Dimension,
  people: ReadonlyMap<string, string | null>,
): string | null {
  if (by === 'channel' && workspace === webWorkspace) return health.page
  if (by === 'model') return id
  const own = by === 'schedule' && id.startsWith('user:') ? id.slice('user:'.length) : null
  return own === null ? name : health.ownSchedules(people.get(`${workspace} ${own}`) ?? health.unnamed)
}

const header = [
  ...['day', 'by', 'workspace', 'id', 'name', 'succeeded', 'failed', 'canceled'],
  ...['seconds', 'prompt_tokens', 'completion_tokens', 'cost'],
]

/** A row a day and person, channel and so on. It begins with the sign by which Excel knows UTF-8. */
export function csvOf(rows: readonly Counted[], names: (row: Counted) => string | null): string {
  const lines = [...rows]
    .sort((one, other) => orderOf(one) - orderOf(other) || (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
    .map((row) => {
      const { succeeded, failed, canceled, seconds, promptTokens, completionTokens, cost } = shown(row)
      const texts = [row.day, row.by, row.workspace, row.id, names(row) ?? ''].map(cell)
      return [...texts, succeeded, failed, canceled, seconds, promptTokens, completionTokens, cost]
    })
  return `\ufeff${[header, ...lines].map((line) => `${line.join(',')}\r\n`).join('')}`
}

const orderOf = ({ by }: Counted) => dimensions.indexOf(by)

/** What people wrote is no formula, wherever it is opened. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
