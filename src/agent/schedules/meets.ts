import type { Condition } from '../domain/schedule.ts'
import { linearPatterns } from '../on-demand.ts'

/** Most values that one path is followed to: lists of lists may not multiply. */
const valuesMost = 1_000
/**
 * Values that a pattern is tried on, and how much of each, in characters: it takes time in
 * proportion.
 */
const triedMost = 20
const triedLength = 2_000

/**
 * True if an event's data meets all conditions; no model is asked (C642). Texts are compared
 * without regard to case; a pattern is matched as it is written, in linear time.
 */
export const meets = (conditions: readonly Condition[], data: unknown): boolean =>
  conditions.every(({ path, test, values }) => {
    const texts = valuesAt(data, path.split('.')).flatMap(textOf)
    const tried = test === 'matches' ? texts.slice(0, triedMost) : texts
    return values.some((value) => tried.some(testOf(test, value)))
  })

function testOf(test: Condition['test'], value: string): (text: string) => boolean {
  if (test === 'matches') {
    const pattern = linearPatterns().RE2JS.compile(value)
    return (text) => pattern.matcher(text.slice(0, triedLength)).find()
  }
  const wanted = value.toLowerCase()
  return test === 'is'
    ? (text) => text.toLowerCase() === wanted
    : (text) => text.toLowerCase().includes(wanted)
}

/** Follows a path. Each entry of a list is followed; a number names one of them. */
function valuesAt(data: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path
  if (Array.isArray(data)) {
    const all = name !== undefined && /^\d+$/.test(name) ? [data[Number(name)]] : null
    return all === null
      ? data
          .slice(0, valuesMost)
          .flatMap((one) => valuesAt(one, path))
          .slice(0, valuesMost)
      : all.flatMap((one) => valuesAt(one, rest))
  }
  if (name === undefined) return [data]
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return []
  return valuesAt(Object.entries(data).find(([key]) => key === name)?.[1], rest)
}

const textOf = (value: unknown): string[] =>
  ['string', 'number', 'boolean'].includes(typeof value) || value === null ? [String(value)] : []
