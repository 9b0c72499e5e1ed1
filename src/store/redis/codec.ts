import type { z } from 'zod'
import { growing, Task } from '../../agent/domain/task.ts'
import type { Damaged } from '../../agent/ports/store.ts'
import { StoreError } from './errors.ts'

/*
 * A record is a hash with one field per key, each as JSON, so that a commit writes only what
 * changed. Keys of a task are fields of its run, as `task.<key>`. Parts that only grow are lists of
 * their own.
 */

/** JSON that every reader accepts, Lua's included: it holds no half of a surrogate pair (P17). */
export const encode = (value: unknown): string => wellFormed(JSON.stringify(value))

const half = /\\ud[89a-f]/i
const escapes = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|.)/gi
const isHalf = /^\\ud[89a-f][\da-f]{2}$/i

/** Replaces halves of surrogate pairs, which JSON escapes. */
function wellFormed(json: string): string {
  return half.test(json)
    ? json.replace(escapes, (sign) => (isHalf.test(sign) ? '\ufffd' : sign))
    : json
}

/** Fields of a record and their texts. What is undefined has no text, so it is left out. */
export function fieldsOf(record: object, prefix = ''): string[] {
  return Object.entries(record).flatMap(([key, value]) =>
    value === undefined ? [] : [prefix + key, encode(value)],
  )
}

/**
 * Parses a hash; null if there is none. Skips fields of the lease (`~…`) and fields with other
 * prefixes.
 */
export function readRow<T>(schema: z.ZodType<T>, hash: Record<string, string>): T | null {
  if (hash.version === undefined) return null
  const record: Record<string, unknown> = {}
  for (const [key, text] of Object.entries(hash)) {
    if (!key.startsWith('~') && !key.includes('.')) record[key] = parse(text)
  }
  return check(schema, record)
}

/** Parses those fields of a hash that are valid, whatever the others hold. */
export function readFields<S extends z.ZodRawShape>(
  { shape }: z.ZodObject<S>,
  hash: Record<string, string>,
): Partial<z.infer<z.ZodObject<S>>> {
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const text = hash[name]
    const read = text === undefined ? null : tryRow(() => readJson(schema as z.ZodType, text))
    return read?.ok ? [[name, read.value]] : []
  })
  return Object.fromEntries(fields)
}

export function readJson<T>(schema: z.ZodType<T>, text: string): T {
  return check(schema, parse(text))
}

/**
 * Parses many rows, and returns the damaged ones apart.
 *
 * @throws StoreError `unknown_version` if a newer version wrote a row: that is no damage.
 */
export function readEach<T>(
  schema: z.ZodType<T>,
  texts: readonly string[],
): { read: T[]; damaged: Damaged[] } {
  const found: { read: T[]; damaged: Damaged[] } = { read: [], damaged: [] }
  for (const [at, row] of texts.entries()) {
    const one = tryRow(() => readJson(schema, row))
    if (one.ok) found.read.push(one.value)
    else found.damaged.push({ row, problem: one.problem, at })
  }
  return found
}

/** Valid rows among many, without missing ones. */
export const readGood = <T>(schema: z.ZodType<T>, texts: readonly (string | null)[]): T[] =>
  readEach(
    schema,
    texts.filter((text) => text !== null),
  ).read

/** The row, or null if it is missing or not valid. */
export const readOne = <T>(schema: z.ZodType<T>, text: string | null): T | null =>
  readGood(schema, [text])[0] ?? null

/**
 * Parses a row, and returns its damage as a value.
 *
 * @throws every error that is no damage of this row.
 */
export function tryRow<T>(read: () => T): { ok: true; value: T } | { ok: false; problem: string } {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged_row')
      return { ok: false, problem: error.message }
    throw error
  }
}

/** The row, or null if this version cannot read it: it is damaged, or a newer one wrote it. */
export function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof StoreError && ['damaged_row', 'unknown_version'].includes(error.code))
      return null
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(wellFormed(text))
  } catch {
    throw new StoreError('damaged_row', 'a stored record is not JSON')
  }
}

function check<T>(schema: z.ZodType<T>, record: unknown): T {
  const parsed = schema.safeParse(record)
  if (parsed.success) return parsed.data
  const version = versionOf(record)
  if (version !== undefined && version !== 1)
    throw new StoreError(
      'unknown_version',
      `a record of version ${String(version)} was written by a newer Clew; upgrade this one`,
    )
  throw new StoreError('damaged_row', `a stored record does not read back: ${parsed.error.message}`)
}

const versionOf = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && 'version' in record ? record.version : undefined

/** Builds a task from its run's hash and its growing lists, in the order of `growing`. */
export function readTask(hash: Record<string, string>, lists: readonly string[][]): Task | null {
  if (hash['task.version'] === undefined) return null
  const record: Record<string, unknown> = {}
  for (const [key, text] of Object.entries(hash)) {
    if (key.startsWith('task.')) record[key.slice('task.'.length)] = parse(text)
  }
  growing.forEach((name, index) => {
    record[name] = (lists[index] ?? []).map(parse)
  })
  return check(Task, record)
}

/**
 * Changes that a commit writes of a task: the fields that differ, and the new entries of its lists.
 */
export function taskChanges(before: Task | null, after: Task) {
  const fields: string[] = []
  const known = new Map<string, unknown>(Object.entries(before ?? {}))
  for (const [key, value] of Object.entries(after)) {
    if (isGrowing(key)) continue
    const old = known.get(key)
    if (old === value) continue
    const text = encode(value)
    if (old === undefined || encode(old) !== text) fields.push(`task.${key}`, text)
  }
  const appended = growing
    .map((name) => ({ name, entries: after[name].slice(before?.[name].length ?? 0).map(encode) }))
    .filter(({ entries }) => entries.length > 0)
  return { fields, appended }
}

const isGrowing = (key: string): boolean => growing.some((name) => name === key)
