import { z } from 'zod'
import type { Spent } from './budget.ts'
import { million, moneyIn } from './money.ts'

/**
 * Amounts of one run that is over: requests of its model, milliseconds of work, and millionths of
 * cost where it is known.
 */
export const RunSpent = z.object({
  calls: z.number(),
  ms: z.number(),
  cost: z.number().optional(),
  /** ISO 4217; older runs have none. */
  currency: z.string().optional(),
})
export type RunSpent = z.infer<typeof RunSpent>

const Range = z.object({ low: z.number(), about: z.number(), high: z.number() })
export type Range = z.infer<typeof Range>

/**
 * Amounts that a run is expected to take, by `of` runs before it; `most`: the most that one of them
 * took.
 */
export const Forecast = z.object({
  of: z.int(),
  calls: Range,
  ms: Range,
  cost: Range.optional(),
  most: RunSpent,
})
export type Forecast = z.infer<typeof Forecast>

/** Runs that a forecast goes by: so many of the newest, and no fewer than that (C735). */
export const pastMost = 10
const pastLeast = 3

/** @param currency that costs are counted in. */
export const runSpent = ({ modelCalls, activeMs, cost }: Spent, currency: string): RunSpent => ({
  calls: modelCalls,
  ms: activeMs,
  ...(cost !== undefined && { cost, currency }),
})

/** Returns the forecast by what runs took, the newest last; null: there are too few. */
export function forecastOf(past: readonly RunSpent[]): Forecast | null {
  const newest = past.slice(-pastMost)
  if (newest.length < pastLeast) return null
  const costs = costsIn(newest)
  const [calls, ms] = [newest.map((one) => one.calls), newest.map((one) => one.ms)]
  return {
    of: newest.length,
    calls: rangeOf(calls),
    ms: rangeOf(ms),
    cost: costs === null ? undefined : rangeOf(costs.all),
    most: {
      calls: Math.max(...calls),
      ms: Math.max(...ms),
      ...(costs !== null && { cost: Math.max(...costs.all), currency: costs.currency }),
    },
  }
}

/** Costs of runs; null unless each is known, and all in one currency. */
function costsIn(runs: readonly RunSpent[]) {
  const currency = runs[0]?.currency
  const all = runs.flatMap((run) => (run.currency === currency ? (run.cost ?? []) : []))
  return currency === undefined || all.length < runs.length ? null : { all, currency }
}

/** Amounts from the least to the most. */
interface Spans extends Pick<Forecast, 'calls' | 'ms'> {
  cost?: { low: number; high: number; currency: string }
}

/** From the least to the most of what runs took; null: of none. */
export const spanOf = (past: readonly RunSpent[]): Spans | null =>
  past.length === 0 ? null : spansOf(past)

function spansOf(past: readonly RunSpent[]): Spans {
  const span = (values: readonly number[]): Range => ({
    low: Math.min(...values),
    about: Math.max(...values),
    high: Math.max(...values),
  })
  const costs = costsIn(past)
  return {
    calls: span(past.map(({ calls }) => calls)),
    ms: span(past.map(({ ms }) => ms)),
    cost: costs === null ? undefined : { ...span(costs.all), currency: costs.currency },
  }
}

/** Share of forecasts whose runs took as many requests as they said (C738). */
export function coverageOf(
  runs: readonly { forecast?: Forecast | undefined; spent?: RunSpent | undefined }[],
): { forecasts: number; inside: number } {
  const pairs = runs.flatMap(({ forecast, spent }) =>
    forecast === undefined || spent === undefined ? [] : [isInside(forecast, spent)],
  )
  return { forecasts: pairs.length, inside: pairs.filter((isIn) => isIn).length }
}

/**
 * By how much the span of few values is widened, as factors, so that the next value falls inside
 * four times of five. Of ten values the next lies between the least and the most nine times of
 * eleven, whatever they are spread by.
 */
const widening: Readonly<Record<number, number>> = {
  3: 3,
  4: 2,
  5: 1.6,
  6: 1.4,
  7: 1.25,
  8: 1.15,
  9: 1.05,
}
/** Least way from the middle to an end: values that were all the same say little about the next. */
const leastFactor = 1.2

/** Error of a value that went through its logarithm, and more. */
const rounding = 1e-6

function rangeOf(values: readonly number[]): Range {
  // Amounts are spread by factors, not by sums; nothing is counted as one.
  const logs = values.map((value) => Math.log(Math.max(1, value))).toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [logs[0], logs.at(-1)]
  const middle = (first + last) / 2
  const half = Math.max(
    ((last - first) / 2) * (widening[values.length] ?? 1),
    Math.log(leastFactor),
  )
  const sorted = values.toSorted((a, b) => a - b)
  const about = ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
  return {
    low: Math.floor(Math.min(Math.exp(middle - half), about) + rounding),
    about: Math.round(about),
    high: Math.ceil(Math.max(Math.exp(middle + half), about) - rounding),
  }
}

/** Multiple of the largest run before it that a scheduled run may take until it asks (C736). */
const largestTimes = 2

/**
 * Time that a run may take however short those before it were, in ms: a slow endpoint is no reason
 * to ask.
 */
const timeFree = 60_000

/**
 * True if a run has taken twice the requests of the largest run before it, or more than twice its
 * time or cost: the next request would go beyond.
 */
export const isOutsized = ({ most }: Forecast, now: RunSpent): boolean =>
  now.calls >= largestTimes * most.calls ||
  now.ms > Math.max(timeFree, largestTimes * most.ms) ||
  (most.cost !== undefined &&
    most.currency === now.currency &&
    (now.cost ?? 0) > largestTimes * most.cost)

/** True if a run took as many requests as its forecast said. */
const isInside = ({ calls: { low, high } }: Forecast, { calls }: RunSpent) =>
  calls >= low && calls <= high

/** Amounts as people of a language read them: `5–9`, `$0.02–$0.05`, `40–90 s`. */
export function rangesIn({ calls, cost, ms }: Spans, locale: string) {
  const span = (low: string, high: string) => (low === high ? low : `${low}–${high}`)
  const price = (value: number) => moneyIn(value / million, cost?.currency ?? '', locale)
  return {
    calls: span(String(calls.low), String(calls.high)),
    cost: cost === undefined ? null : span(price(cost.low), price(cost.high)),
    time: timeIn(ms.low, ms.high),
  }
}

function timeIn(low: number, high: number): string {
  const isLong = high >= 180_000
  const [unit, name] = isLong ? [60_000, 'min'] : [1_000, 's']
  const [least, most] = [Math.round(low / unit), Math.max(1, Math.round(high / unit))]
  return least === most ? `${most} ${name}` : `${least}–${most} ${name}`
}

/** Amounts of one run as people of a language read them. */
export const amountsIn = (run: RunSpent, locale: string) => rangesIn(spansOf([run]), locale)
