import { setImmediate as othersFirst } from 'node:timers/promises'
import {
  type DayFigures,
  dimensions,
  figuresKeptDays,
  noFigures,
  scheduleOf,
  type TokenCounts,
} from '../../agent/domain/figures.ts'
import { present } from '../../agent/domain/present.ts'
import { hasEnded, type Run } from '../../agent/domain/run.ts'
import { dayOf, monthOf } from '../../agent/domain/usage.ts'
import type { Change } from '../../agent/ports/store.ts'
import type { Connection } from './connection.ts'
import { keysOf } from './keys.ts'
import { hash, lookThrough } from './look.ts'
import { amend, type PersonalTrace, partsOf, type Search } from './privacy-search.ts'
import type { Write } from './write.ts'

/** Lifetime of counters, in seconds: as long as anybody may ask about the year before. */
export const usageKeptSeconds = figuresKeptDays * 86_400

/** Suffix of each figure's field in the day's hash. Usage counts the first three, too. */
const fieldOf = {
  promptTokens: 'prompt',
  completionTokens: 'completion',
  cost: 'cost',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  ms: 'ms',
  early: 'early',
} as const satisfies Record<keyof typeof noFigures, string>

const dayMs = 24 * 60 * 60 * 1000

/** Days that one round trip reads. */
const daysAtOnce = 10

/**
 * C226: figures that a commit adds to its day besides the counters of the ceilings: tokens by
 * schedule and model, and the runs that it ends. A retried commit counts nothing.
 */
export function tally(
  write: Write,
  { at, usage, ended = [], runs = [] }: Change,
  timeZone: string,
): void {
  if (usage !== undefined) {
    const { schedule, person, name, models = [] } = usage
    const day = write.keys.usage(usage.day)
    raise(write, day, [
      ...(schedule === undefined ? [] : tokensOf(`schedule:${schedule}`, usage)),
      ...models.flatMap(({ model, ...counts }) => tokensOf(`model:${model}`, counts)),
    ])
    if (name !== undefined && person !== null) write.add('HSET', day, `person:${person}.name`, name)
  }
  for (const run of ended) {
    const after: Run = Object.assign(
      { ...run },
      ...runs.flatMap(({ id, patch }) => (id === run.id ? [patch] : [])),
    )
    countEnd(write, after, write.keys.usage(dayOf(after.endedAt ?? at, timeZone)))
  }
}

function countEnd(write: Write, run: Run, day: string) {
  const { status, startedAt, endedAt, requestedBy: by, channel, title, steps } = run
  if (!hasEnded(status)) return
  const ending = status === 'given_up' ? 'failed' : status
  const { schedule } = scheduleOf(run)
  const names = present([
    by !== null && [`person:${by.id}.name`, by.name],
    schedule === undefined || schedule.startsWith('user:')
      ? null
      : [`schedule:${schedule}.name`, title],
  ])
  const whose = present([
    'team',
    by !== null && `person:${by.id}`,
    channel !== '' && `channel:${channel}`,
    schedule !== undefined && `schedule:${schedule}`,
  ])
  const ms =
    startedAt === null || endedAt === null ? 0 : Math.max(0, Math.round(endedAt - startedAt))
  raise(
    write,
    day,
    whose.flatMap((who) => [
      `${who}.${ending}`,
      1,
      ...(ms === 0 ? [] : [`${who}.ms`, ms]),
      ...(steps === undefined ? [] : [`${who}.early`, 1]),
    ]),
  )
  write.add('HSET', day, ...names.flat())
}

function raise(write: Write, day: string, fields: (string | number)[]) {
  if (fields.length > 0) write.add('TALLY', day, usageKeptSeconds, ...fields)
}

const tokensOf = (who: string, counts: TokenCounts) =>
  (['promptTokens', 'completionTokens', 'cost'] as const).flatMap((name) =>
    counts[name] === 0 ? [] : [`${who}.${fieldOf[name]}`, counts[name]],
  )

export async function readFigures(
  redis: Connection,
  workspace: string,
  days: readonly string[],
): Promise<DayFigures[]> {
  const rows: DayFigures[] = []
  for await (const [day, fields] of readDays(redis, workspace, days)) {
    for (const row of rowsOf(day, fields)) rows.push(row)
    await othersFirst()
  }
  return rows
}

const readDays = (redis: Connection, workspace: string, days: readonly string[]) =>
  lookThrough(redis, days, daysAtOnce, (day) => hash(keysOf(workspace).usage(day)))

const nameOf = new Map(
  Object.entries(fieldOf).map(([name, field]) => [field, name as keyof typeof fieldOf]),
)

/**
 * Parses a day's hash. The part of a field before its last dot says whose figure it is; other
 * fields are skipped.
 */
function rowsOf(day: string, stored: Record<string, string>): DayFigures[] {
  const rows = new Map<string, DayFigures>()
  for (const [field, value] of Object.entries(stored)) {
    const dot = field.lastIndexOf('.')
    const [who, kind] = [field.slice(0, dot), field.slice(dot + 1)]
    const [by, id = ''] = who.split(/:(.*)/s)
    const dimension = dimensions.find((one) => one === by)
    const figure = nameOf.get(kind as never)
    if (dimension === undefined || (figure === undefined && kind !== 'name')) continue
    const row = rows.get(who) ?? { day, by: dimension, id, name: null, ...noFigures }
    rows.set(who, row)
    if (figure === undefined) row.name = value
    else row[figure] = Number(value)
  }
  return [...rows.values()]
}

/**
 * Figures of one person, day by day. After erasing them, their usage stays only in the sums of
 * others (C118).
 */
export async function keptFigures(
  { client, workspace, person }: Search,
  now: number,
): Promise<PersonalTrace[]> {
  const { usage } = keysOf(workspace)
  const days = daysBefore(now, figuresKeptDays)
  const periods = [...days, ...new Set(days.map(monthOf))]
  const whose = [`person:${person}.`, `schedule:user:${person}.`]
  const isTheirs = (field: string) =>
    whose.some((own) => field.startsWith(own) && !field.slice(own.length).includes('.')) ||
    (field.startsWith('warned.person_') && field.endsWith(`:${person}`))
  const found: PersonalTrace[] = []
  for await (const [day, fields] of readDays(client.redis, workspace, periods)) {
    const parts = partsOf(fields).filter(({ name = '' }) => isTheirs(name))
    if (person === '' || parts.length === 0) continue
    const edits = amend('hash', usage(day), parts)
    const row = rowsOf(day, fields).find(({ by, id }) => by === 'person' && id === person)
    if (row === undefined || !days.includes(day)) found.push({ edits })
    else {
      const { day: text, by: _by, id: _id, name: _name, ...input } = row
      found.push({
        kept: { kind: 'usage', at: Date.parse(day), conversationId: null, text, input },
        edits,
      })
    }
  }
  return found
}

/**
 * Calendar days, newest first, with one more on either side: the time zone of the days is not known
 * here.
 */
const daysBefore = (now: number, count: number) =>
  Array.from({ length: count + 2 }, (_, ago) =>
    new Date(now + (1 - ago) * dayMs).toISOString().slice(0, 10),
  )
