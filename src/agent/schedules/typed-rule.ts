import { z } from 'zod'
import { assertNever } from '../domain/assert.ts'
import type { When } from '../domain/schedule.ts'
import { instantOf, isReal, isTimeZone, type WallClock } from '../domain/zone.ts'
import { isCron, tidyCron } from './cron.ts'

/* When a schedule is due, in fields: so a model says it, of which no word is left to be understood (C321). */

const sizes = { minutes: 1, hours: 60, days: 1440, weeks: 10_080 } as const
const clockTime = 'YYYY-MM-DD HH:MM on the clock of the zone'

/** Every field has to be there, as strict function calling wants it; null: nothing is said. */
export const TypedRule = z.strictObject({
  kind: z.enum(['once', 'cron', 'every']),
  at: z.string().nullable().describe(`Of once: ${clockTime}.`),
  cron: z.string().nullable().describe('Of cron: five fields, such as 0 9 * * 1-5.'),
  every: z.number().nullable().describe('Of every: how many units apart, 1 or more.'),
  unit: z.enum(['minutes', 'hours', 'days', 'weeks']).nullable(),
  zone: z
    .string()
    .nullable()
    .describe(
      "IANA name; null: the person's. With update a cron rule keeps the schedule's zone: name the person's where the hour is theirs.",
    ),
  from: z
    .string()
    .nullable()
    .describe(`Of cron and every: the first is then or later. ${clockTime}.`),
  until: z.string().nullable().describe(`Of cron and every: none is later. ${clockTime}.`),
})
type TypedRule = z.infer<typeof TypedRule>

export interface GivenRule {
  when: When
  timeZone?: string
}

/** Ten years; further apart is no repeat. In minutes. */
export const longestInterval = 10 * 366 * 1440

const wallPattern = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)$/

/** Null: no calendar or clock has it. */
function instantIn(timeZone: string, text: string): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (wallPattern.exec(text) ?? [])
    .slice(1)
    .map(Number)
  const wall: WallClock = { year, month, day, hour, minute }
  return year > 0 && isReal(wall) ? instantOf(timeZone, wall) : null
}

/** @returns what is wrong with it, in a sentence for the model, where it is no rule. */
export function readRule(
  rule: TypedRule,
  { now, timeZone: own }: { now: number; timeZone: string },
): GivenRule | string {
  const timeZone = rule.zone ?? own
  if (!isTimeZone(timeZone)) return `zone is an IANA name such as Europe/Berlin, not ${rule.zone}.`
  const at = (name: 'at' | 'from' | 'until') => {
    const text = rule[name]
    return text === null ? undefined : instantIn(timeZone, text)
  }
  const [once, from, until] = [at('at'), at('from'), at('until')]
  if (once === null || from === null || until === null)
    return `at, from and until are ${clockTime}, of a day that there is, or null.`
  const when = whenOf(rule, { once, from, now })
  if (typeof when === 'string') return when
  if ('times' in when && until !== undefined) when.until = until
  return rule.zone === null ? { when } : { when, timeZone }
}

interface Instants {
  once: number | undefined
  from: number | undefined
  now: number
}

function whenOf(rule: TypedRule, { once, from, now }: Instants): When | string {
  const { kind, cron, every, unit } = rule
  const others = foreign(rule)
  if (others.length > 0) return `${others.join(' and ')} must be null with kind ${kind}.`
  switch (kind) {
    case 'once':
      return once === undefined ? 'once needs at.' : { kind, at: once }
    case 'cron': {
      const expression = tidyCron(cron ?? '')
      if (!isCron(expression)) return 'cron needs five fields, such as 0 9 * * 1-5.'
      const when = { kind, expression, times: -1 }
      return from === undefined ? when : { ...when, starting: from }
    }
    case 'every': {
      if (unit === null || every === null || !Number.isInteger(every) || every < 1)
        return 'every needs a whole number of at least 1, and unit.'
      const minutes = every * sizes[unit]
      if (minutes > longestInterval) return 'every is at most ten years.'
      const next = (Math.ceil(now / 60_000) + minutes) * 60_000
      return { kind, start: from ?? next, minutes, times: -1 }
    }
    default:
      return assertNever(kind)
  }
}

const fieldsOf = {
  once: ['at'],
  cron: ['cron', 'from', 'until'],
  every: ['every', 'unit', 'from', 'until'],
} as const

/** Fields that are said and do not go with its kind: none is left out without a word. */
function foreign({ kind, zone: _, ...rest }: TypedRule): string[] {
  const own: readonly string[] = fieldsOf[kind]
  return Object.entries(rest).flatMap(([name, value]) =>
    value === null || own.includes(name) ? [] : [name],
  )
}
