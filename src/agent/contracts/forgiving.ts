import { z } from 'zod'
import { mapTexts } from '../domain/clean-text.ts'
import { memoized } from '../domain/memoized.ts'
import { withoutThinking } from '../domain/thinking.ts'

/**
 * Removes the thinking that a model wrote before a text of its reply: nobody is to read it (R42,
 * F3).
 */
export const thoughtless = (value: unknown): unknown =>
  mapTexts(value, (text) => withoutThinking(text, false))

/**
 * Reads the ways in which models say "nothing" as what they mean: a missing key that may be null is
 * null; a key that the contract does not know and that holds nothing is no key.
 */
export function fillEmpty(schema: z.ZodObject, value: unknown): unknown {
  if (!isRecord(value)) return value
  const filled: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).filter(([key, held]) => key in schema.shape || !saysNothing(held)),
  )
  for (const [key, field] of Object.entries(schema.shape)) {
    if (filled[key] === undefined && takesNull(field)) filled[key] = null
  }
  return filled
}

const takesNull = memoized(
  (field: z.core.$ZodType) => z.safeParse(field, null).success,
  new WeakMap(),
)

/** Null, blank text, or a list or object of such. */
export function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value)
  if (typeof value === 'object' && value !== null) return Object.values(value).every(saysNothing)
  return value === null || value === undefined
}

export const isBlank = (text: string | null): boolean => text === null || text.trim() === ''

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list, or the one that stands for a list. */
export const records = (held: unknown) => [held].flat().filter(isRecord)
