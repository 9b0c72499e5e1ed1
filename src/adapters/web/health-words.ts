import { z } from 'zod'
import { FailureKind } from '../../agent/domain/model-failure.ts'
import { present } from '../../agent/domain/present.ts'
import {
  type Allowance,
  endOf,
  noUsage,
  type PeriodCeiling,
  type PeriodUsage,
  type UsageLimits,
  usedShares,
} from '../../agent/domain/usage.ts'
import { showInstant } from '../../agent/domain/zone.ts'
import type { Backlog, Waiting } from '../../agent/ports/backlog.ts'
import { languageOf, type Texts, texts, worded } from '../../locales/texts.ts'
import type { Part, ServerHealth, WebHealth, WorkerState } from './deps.ts'
import { type Counted, keyOf } from './figures.ts'
import { named, text, textOrNull } from './views.ts'

/** State of one part of Clew in a sentence, with advice if something has to be done (C229). */
export const HealthLine = named('HealthLine', {
  name: text,
  level: z.enum(['well', 'look', 'trouble']),
  text,
  mend: textOrNull,
  detail: textOrNull.describe('In the words of whatever is in trouble'),
})
export type HealthLine = z.infer<typeof HealthLine>

/** Waiting time above which a queue needs a look, in ms. */
const lateMs = 60_000
/** Used share of an allowance from which the page warns. */
const nearFrom = 0.8
/** Most unreadable entries of a server's list that are named; the log has them all. */
const oddMost = 5

interface Known {
  now: number
  locale: string
  timeZone: string
  health: WebHealth
  backlog: Omit<Awaited<ReturnType<Backlog['of']>>, 'failed'> & { failed: number }
  limits: UsageLimits
  /** Figures of this day and of this month. */
  used: readonly (Counted & { period: 'day' | 'month' })[]
  /** Names of people and channels, by `keyOf`. */
  names: ReadonlyMap<string, string | null>
}

/** State of every part of Clew in words, in the order in which trouble spreads. */
export function healthInWords(known: Known): HealthLine[] {
  const { health, locale } = known
  const words = texts(locale).health
  const { parts, store, aside } = words
  const { aside: count } = known.backlog
  return present([
    partLine(parts.store, health.store, {
      well: store.well,
      trouble: store.trouble,
      mend: store.mend,
    }),
    queueLine(known),
    outboxLine(known),
    count !== 0 && line(parts.aside, 'look', aside.text(count), aside.mend),
    ...Object.entries(health.channels).map(([platform, { lastSuccess, ...part }]) => {
      const { channel, channelNames } = words
      const last = lastSuccess === null ? null : ago(known, lastSuccess)
      return partLine(channelNames[platform] ?? platform, part, {
        ...channel,
        well: channel.well(last),
      })
    }),
    modelLine(known),
    ...workerLines(known),
    ...(health.servers ?? []).map((server) => serverLine(server, words.server)),
    ...budgetLines(known),
  ])
}

const line = (
  name: string,
  level: HealthLine['level'],
  text: string,
  mend: string | null = null,
): HealthLine => ({
  name,
  level,
  text,
  mend,
  detail: null,
})

const partLine = (
  name: string,
  { ok, detail }: Part,
  words: { well: string; trouble: string; mend: string },
) =>
  ok
    ? line(name, 'well', words.well)
    : { ...line(name, 'trouble', words.trouble, words.mend), detail }

/** C590: line about the worker processes of this one; none where it has none. */
function workerLines({ health: { workers = [] }, locale }: Known): HealthLine[] {
  const { parts, worker } = texts(locale).health
  const troubled = workers.filter(({ state }) => state !== 'working')
  if (workers.length === 0) return []
  if (troubled.length === 0) return [line(parts.workers, 'well', worker.well(workers.length))]
  const say = ({ number, state }: WorkerState) =>
    state === 'silent' ? worker.silent(number) : worker.starting(number)
  const text = troubled.map(say).join(' ')
  const detail = troubled.map(({ number, detail }) => `${number}: ${detail}`).join('; ')
  const level = troubled.length === workers.length ? 'trouble' : 'look'
  return [{ ...line(parts.workers, level, text, worker.mend), detail }]
}

/** C365, C366: line about a tool server, which never makes Clew itself unhealthy. */
function serverLine(
  { name, ok, tools, detail, signIn, odd = [] }: ServerHealth,
  words: Texts['health']['server'],
): HealthLine {
  const called = words.name(name)
  if (signIn) return line(called, 'look', words.signIn, words.signInMend)
  if (!ok) return { ...line(called, 'look', words.trouble, words.mend), detail }
  if (odd.length === 0) return line(called, 'well', words.well(tools))
  return line(called, 'look', words.odd(odd.slice(0, oddMost).join('; ')), words.oddMend)
}

function queueLine(known: Known): HealthLine {
  const { health, backlog, locale } = known
  const { parts, queue } = texts(locale).health
  if (health.queue.noWorker === true)
    return line(parts.queue, 'trouble', queue.noWorker, queue.startWorker)
  if (!health.queue.ok) return partLine(parts.queue, health.queue, { ...queue, well: '' })
  return waitLine(known, parts.queue, backlog.due, queue)
}

function outboxLine(known: Known): HealthLine {
  const { backlog, locale } = known
  const { parts, outbox } = texts(locale).health
  const waits = waitLine(known, parts.outbox, backlog.outbox, outbox)
  if (backlog.failed === 0) return waits
  const text = outbox.failed(backlog.failed)
  return line(
    parts.outbox,
    'trouble',
    backlog.outbox.count === 0 ? text : `${text} ${waits.text}`,
    outbox.mend,
  )
}

interface WaitWords {
  idle: string
  waits(count: number, time: string): string
  late: string
}

function waitLine(
  known: Known,
  name: string,
  { count, since }: Waiting,
  words: WaitWords,
): HealthLine {
  if (count === 0 || since === null) return line(name, 'well', words.idle)
  const ms = Math.max(0, known.now - since)
  const isLate = ms > lateMs
  return line(
    name,
    isLate ? 'look' : 'well',
    words.waits(count, span(ms, known.locale)),
    isLate ? words.late : null,
  )
}

function modelLine(known: Known): HealthLine {
  const { health, locale, timeZone } = known
  const { health: all, core } = texts(locale)
  const { parts, model: words } = all
  const { name, rehearsal, last, ok, awayUntil } = health.model
  const until = awayUntil === undefined ? null : showInstant('named', timeZone, awayUntil)
  if (rehearsal || name === 'none')
    return line(parts.model, 'look', rehearsal ? words.rehearsal : words.none, words.connect)
  if (last === null) return line(parts.model, 'well', words.quiet(name))
  const failure = FailureKind.safeParse(last.kind)
  if (!failure.success) return line(parts.model, 'well', words.answered(name, ago(known, last.at)))
  const text = words.failed(
    name,
    ago(known, last.at),
    worded(core.modelFailed[failure.data], until),
  )
  if (ok) return line(parts.model, 'look', text)
  const wait = until === null ? '' : `${words.until(until)} `
  return line(parts.model, 'trouble', text, `${wait}${words.mend}`)
}

/** Line for each allowance that is set, about the payer who has used the largest share. */
function budgetLines({ limits, used, locale, now, names }: Known): HealthLine[] {
  const { parts, budget } = texts(locale).health
  const shares = used
    .flatMap((row) => usedShares(limits, usageOf(row)).map((one) => ({ ...one, row })))
    .sort((one, other) => other.share - one.share)
  const all = usedShares(limits, everything)
  if (all.length === 0) return [line(parts.budget, 'well', budget.none, budget.set)]
  return all.flatMap((unused) => {
    const { name } = unused
    const { share, unit, row } = shares.find((one) => one.name === name) ?? { ...unused, row: null }
    if (row === null && !name.startsWith('team')) return []
    const again = showInstant('named', limits.timeZone, endOf(name, now, limits.timeZone))
    const who = row === null || row.by === 'team' ? null : (names.get(keyOf(row)) ?? row.id)
    const what = name.endsWith('_day') ? budget.today : budget.thisMonth
    const text = what(who, Math.floor(share * 100), again)
    const setting = settingOf(name, unit)
    if (share >= 1) return [line(parts.budget, 'trouble', text, budget.over(setting))]
    if (share >= nearFrom) return [line(parts.budget, 'look', text, budget.near(setting))]
    return [line(parts.budget, 'well', text)]
  })
}

const nothing = { person: noUsage, channel: noUsage, team: noUsage }
const everything: PeriodUsage = { day: nothing, month: nothing }

/** Usage of one row, in its own payer's place. */
function usageOf({
  by,
  period,
  promptTokens,
  completionTokens,
  cost,
}: Known['used'][number]): PeriodUsage {
  const none = { person: null, channel: null, team: null }
  return {
    day: none,
    month: none,
    [period]: { ...none, [by]: { promptTokens, completionTokens, cost } },
  }
}

/** Name of the setting of a ceiling: `person_day` → `AGENT_PERSON_TOKENS_PER_DAY`. */
function settingOf(name: PeriodCeiling, unit: keyof Allowance): string {
  const [payer = '', period = ''] = name.split('_')
  const whose = payer === 'team' ? '' : `${payer.toUpperCase()}_`
  return `AGENT_${whose}${unit.toUpperCase()}_PER_${period.toUpperCase()}`
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Duration in the largest unit that fits. */
function inUnits(ms: number) {
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['second', 1_000]
  return { unit, count: Math.floor(ms / size) }
}

/** Duration in words: `4 minutes`. */
function span(ms: number, locale: string): string {
  const { unit, count } = inUnits(ms)
  return new Intl.NumberFormat(languageOf(locale), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(count)
}

/** Time in words: `4 minutes ago`. */
function ago({ now, locale }: Known, at: number): string {
  const { unit, count } = inUnits(Math.max(0, now - at))
  const language = languageOf(locale)
  // 32秒前, as people say it; the long form is 32秒钟前.
  const style = language === 'zh' ? 'short' : 'long'
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style }).format(-count, unit)
}
