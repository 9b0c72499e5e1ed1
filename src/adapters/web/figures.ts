import { setImmediate as othersFirst } from 'node:timers/promises'
import { z } from 'zod'
import {
  addFigures,
  type DayFigures,
  type Dimension,
  dimensions,
  type Figures,
  noFigures,
} from '../../agent/domain/figures.ts'
import { million } from '../../agent/domain/money.ts'
import { addDays, formatDay, isReal, type WallClock } from '../../agent/domain/zone.ts'
import type { Texts } from '../../locales/texts.ts'
import { webWorkspace } from './deps.ts'
import { named, text, textOrNull } from './views.ts'

/* C227: figures of days, summed for the page, and row by row as CSV. */

/** A row of figures with its workspace. */
export type Counted = DayFigures & { workspace: string }

const count = z.number().meta({ type: 'integer' })
const sums = {
  runs: count,
  succeeded: count,
  early: count.describe('Of those that succeeded: ended with steps of their plan left'),
  failed: count,
  canceled: count,
  seconds: z
    .number()
    .describe('Of runs, from beginning to end; what people take to answer is in it'),
  promptTokens: count,
  completionTokens: count,
  cost: z.number().describe('In `currency`'),
}
const Sums = z.object(sums)
export type Sums = z.infer<typeof Sums>

const Row = z.object({
  workspace: text,
  id: text,
  name: textOrNull,
  ...sums,
})
export type FiguresRow = z.infer<typeof Row>

export const FiguresView = named('Figures', {
  from: text,
  to: text,
  timeZone: text,
  currency: textOrNull.describe('ISO 4217; null: models have no prices, and costs are 0'),
  total: Sums,
  days: z
    .array(z.object({ day: text, ...sums }))
    .describe('Every day of the time, the first one first'),
  person: z.array(Row),
  channel: z.array(Row),
  schedule: z.array(Row),
  model: z.array(Row).describe('Without runs: several models may answer one run'),
})
export type FiguresView = z.infer<typeof FiguresView>

/** Parses a day such as `2026-03-04`; null if it is invalid. */
export function readDay(text: string): WallClock | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  const wall = { year: Number(year), month: Number(month), day: Number(day), hour: 0, minute: 0 }
  return day !== undefined && isReal(wall) ? wall : null
}

/** Every day from one to the other, at most `most`. */
export function daysFrom(from: WallClock, to: WallClock, most: number): string[] {
  const days: string[] = []
  const last = formatDay(to)
  for (let at = from; days.length < most && formatDay(at) <= last; at = addDays(at, 1))
    days.push(formatDay(at))
  return days
}

/**
 * Rows that are processed in one go. A large team has millions a year, and other work gets its turn
 * in between (C219).
 */
const rowsAtOnce = 2_000

async function eachOf(rows: readonly Counted[], take: (row: Counted) => void) {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    rows.slice(at, at + rowsAtOnce).forEach(take)
    await othersFirst()
  }
}

export type Tables = Record<Dimension, FiguresRow[]>

/**
 * Sums of figures for each person, channel and so on, with their newest names. The one with most
 * tokens comes first.
 */
export async function tablesOf(rows: readonly Counted[]): Promise<Tables> {
  const all = new Map<string, Counted>()
  await eachOf(rows, (row) => {
    const key = keyOf(row)
    const known = all.get(key)
    all.set(
      key,
      known === undefined
        ? row
        : { ...known, ...addFigures(known, row), name: row.name ?? known.name },
    )
  })
  const sums = Object.groupBy(all.values(), ({ by }) => by)
  const table = (by: Dimension): FiguresRow[] =>
    (sums[by] ?? [])
      .map(({ workspace, id, name, ...row }) => ({ workspace, id, name, ...shown(row) }))
      .sort((one, other) => tokensOf(other) - tokensOf(one) || other.runs - one.runs)
  const [person, channel, schedule, model] = [
    table('person'),
    table('channel'),
    table('schedule'),
    table('model'),
  ]
  return { team: table('team'), person, channel, schedule, model }
}

const tokensOf = ({ promptTokens, completionTokens }: Sums) => promptTokens + completionTokens

export const sumOf = (rows: readonly Figures[]): Sums =>
  shown(rows.reduce<Figures>(addFigures, noFigures))

/** Sums of the whole team, day by day. */
export function daysOf(rows: readonly Counted[], days: readonly string[]): FiguresView['days'] {
  const team = Map.groupBy(
    rows.filter(({ by }) => by === 'team'),
    ({ day }) => day,
  )
  return days.map((day) => ({ day, ...sumOf(team.get(day) ?? []) }))
}

function shown({
  succeeded,
  early,
  failed,
  canceled,
  ms,
  promptTokens,
  completionTokens,
  cost,
}: Figures): Sums {
  const runs = succeeded + failed + canceled
  return {
    runs,
    succeeded,
    early,
    failed,
    canceled,
    seconds: Math.round(ms / 1000),
    promptTokens,
    completionTokens,
    cost: cost / million,
  }
}

/**
 * Tables with names that people know. The page's own channel and personal schedules have no name of
 * their own.
 *
 * @param nameOf returns a platform's name of a channel.
 */
export async function namedTables(
  tables: Tables,
  { health }: Texts,
  nameOf: (place: { workspace: string; channel: string }) => Promise<string | null>,
): Promise<Tables> {
  const { person, channel, schedule, model } = tables
  const people = new Map(person.map(({ workspace, id, name }) => [`${workspace} ${id}`, name]))
  async function nameOfChannel({ workspace, id }: FiguresRow): Promise<string | null> {
    return workspace === webWorkspace ? health.page : await nameOf({ workspace, channel: id })
  }
  function nameOfSchedule({ workspace, id, name }: FiguresRow): string | null {
    const [, owner] = /^user:(.*)$/s.exec(id) ?? []
    return owner === undefined
      ? name
      : health.ownSchedules(people.get(`${workspace} ${owner}`) ?? health.unnamed)
  }
  return {
    ...tables,
    channel: await Promise.all(
      channel.map(async (row) => ({ ...row, name: await nameOfChannel(row) })),
    ),
    schedule: schedule.map((row) => ({ ...row, name: nameOfSchedule(row) })),
    model: model.map((row) => ({ ...row, name: row.id })),
  }
}

export const keyOf = ({ by, workspace, id }: Pick<Counted, 'by' | 'workspace' | 'id'>) =>
  `${by} ${workspace} ${id}`

/** Names in the tables, by `keyOf`. */
export const namesIn = (tables: Tables): Map<string, string | null> =>
  new Map(dimensions.flatMap((by) => tables[by].map((row) => [keyOf({ ...row, by }), row.name])))

const header = [
  'day',
  'by',
  'workspace',
  'id',
  'name',
  'succeeded',
  'failed',
  'canceled',
  'seconds',
  'prompt_tokens',
  'completion_tokens',
  'cost',
  'ended_early',
  'currency',
]

/**
 * CSV with a row per day and person, channel and so on. It begins with the byte order mark by which
 * Excel recognises UTF-8.
 */
export async function csvOf(
  rows: readonly Counted[],
  names: ReadonlyMap<string, string | null>,
  /** Null: no cost is known. */
  currency: string | null,
): Promise<string> {
  const groups = new Map<string, string[]>()
  await eachOf(rows, (row) => {
    const { succeeded, early, failed, canceled, seconds, promptTokens, completionTokens, cost } =
      shown(row)
    const texts = [row.day, row.by, row.workspace, row.id, names.get(keyOf(row)) ?? ''].map(cell)
    const line = [
      ...texts,
      succeeded,
      failed,
      canceled,
      seconds,
      promptTokens,
      completionTokens,
      currency === null ? '' : cost,
      early,
      currency ?? '',
    ].join(',')
    const group = `${dimensions.indexOf(row.by)} ${row.day}`
    const known = groups.get(group)
    if (known === undefined) groups.set(group, [line])
    else known.push(line)
  })
  const lines = [...groups.keys()].sort().flatMap((group) => groups.get(group) ?? [])
  return `\ufeff${[header.join(','), ...lines, ''].join('\r\n')}`
}

/**
 * Quotes a cell. Text of people must not act as a formula; some locales split cells at other signs,
 * too (C218).
 */
const cell = (text: string) =>
  `"${text.replace(/(^|[;,|\t\r\n])([^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g, "$1$2'").replaceAll('"', '""')}"`
