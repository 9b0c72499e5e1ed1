import { describe, expect, it } from 'vitest'
import {
  coverageOf,
  forecastOf,
  isOutsized,
  type RunSpent,
  rangesIn,
  spanOf,
} from '../../../src/agent/domain/forecast.ts'

/** Numbers from 0 to 1, the same in each run of the tests. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return (state + 0.5) / 2 ** 32
  }
}
const normal = (next: () => number) =>
  Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())

/** Spreads of what runs take: close, wide, very wide, without memory, and of two kinds of work. */
const spreads: Record<string, (next: () => number) => number> = {
  close: (next) => 40_000 * Math.exp(0.2 * normal(next)),
  wide: (next) => 40_000 * Math.exp(0.5 * normal(next)),
  'very wide': (next) => 40_000 * Math.exp(0.9 * normal(next)),
  memoryless: (next) => -40_000 * Math.log(next()),
  'of two kinds': (next) => (next() < 0.3 ? 90_000 : 30_000) * Math.exp(0.3 * normal(next)),
  'of whole calls': (next) => Math.max(1, Math.round(6 * Math.exp(0.4 * normal(next)))),
}
const trials = 4_000

describe('an interval holds the next value four times of five (C735)', () => {
  const cases = Object.keys(spreads).flatMap((name) =>
    [3, 4, 5, 6, 7, 8, 9, 10].map((count) => [name, count] as const),
  )
  it.each(cases)('%s, by %i before it', (name, count) => {
    const next = random(count * 7_919)
    const draw = () => {
      const value = spreads[name]?.(next) ?? 0
      return { calls: value, ms: value }
    }
    const runs = Array.from({ length: trials }, () => ({
      forecast: forecastOf(Array.from({ length: count }, draw)) ?? undefined,
      spent: draw(),
    }))
    const { forecasts, inside } = coverageOf(runs)
    expect(forecasts).toBe(trials)
    expect(inside / forecasts).toBeGreaterThanOrEqual(0.8)
  })
})

const missing = (): never => {
  throw new Error('there is no forecast')
}
const took = (calls: number, seconds = 60, cost?: number): RunSpent => ({
  calls,
  ms: seconds * 1_000,
  ...(cost !== undefined && { cost, currency: 'USD' }),
})

it('says nothing by fewer than three, and goes by the ten newest (C735)', () => {
  expect(forecastOf([took(5), took(6)])).toBeNull()
  const past = [took(500), ...Array.from({ length: 10 }, (_, at) => took(5 + (at % 5)))]
  expect(forecastOf(past)).toMatchObject({ of: 10, calls: { low: 5, high: 9 }, most: { calls: 9 } })
})

it('knows a cost only where each run has one (C735)', () => {
  const priced = [took(5, 40, 20_000), took(9, 90, 50_000), took(6, 70, 30_000)]
  expect(forecastOf(priced)?.most).toEqual(took(9, 90, 50_000))
  expect(forecastOf([...priced, took(5)])?.cost).toBeUndefined()
})

it.each([
  [took(17, 100, 90_000), false],
  [took(18, 100, 90_000), true],
  [took(5, 181, 90_000), true],
  [took(5, 100, 100_001), true],
])('finds a run far beyond those before it: %o (C736)', (now, isBeyond) => {
  const past = [took(5, 40, 20_000), took(9, 90, 50_000), took(6, 70, 30_000)]
  expect(isOutsized(forecastOf(past) ?? missing(), now)).toBe(isBeyond)
})

it.each([
  [took(3, 60), false],
  [took(3, 61), true],
])(
  'asks for no run because of its first minute, however short those before it were: %o (C736)',
  (now, isBeyond) => {
    const past = [took(3, 0.02), took(4, 0.07), took(3, 0.01)]
    expect(isOutsized(forecastOf(past) ?? missing(), now)).toBe(isBeyond)
  },
)

it.each([
  [[took(5, 40, 20_000), took(9, 90, 50_000)], '5–9 $0.02–$0.05 40–90 s'],
  [[took(5, 40, 2_000)], '5 $0.002 40 s'],
  [[took(5, 100), took(7, 600)], '5–7 null 2–10 min'],
  [[took(5, 60, 20), { ...took(5, 60, 20), currency: 'EUR' }], '5 null 60 s'],
])('writes amounts as people read them (C735)', (past, text) => {
  const span = spanOf(past)
  const { calls, cost, time } = rangesIn(span ?? missing(), 'en')
  expect(`${calls} ${cost} ${time}`).toBe(text)
})

it('measures how often forecasts held, of ended runs that had one (C738)', () => {
  const forecast = forecastOf([took(5), took(6), took(7)]) ?? undefined
  const runs = [
    { forecast, spent: took(6) },
    { forecast, spent: took(60) },
    { forecast },
    { spent: took(6) },
  ]
  expect(coverageOf(runs)).toEqual({ forecasts: 2, inside: 1 })
})
