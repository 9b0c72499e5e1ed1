import { createHash } from 'node:crypto'
import { isRecord } from '../../agent/contracts/forgiving.ts'

/** Tool as its server lists it, parsed. */
export interface ListedTool {
  readonly name: string
  readonly description: string | null
  readonly schema: Record<string, unknown>
  readonly isReadOnly: boolean
  readonly isIdempotent: boolean
  /** True for Clew's own tool that reads the server's resources. */
  readonly readsResources?: true
}

/**
 * Page of a list: its entries, a sentence about each invalid one, and the cursor of the next page.
 */
export interface ListedPage<T> {
  readonly entries: readonly T[]
  readonly odd: readonly string[]
  readonly next: string | null
}

/**
 * List that a server has: the method that asks for it, its member in the answer, and how an entry
 * is read.
 */
export interface ListKind<T> {
  readonly method: string
  readonly member: string
  /** True if a server need not know the method. */
  readonly isOptional?: true
  /** Returns an entry, or a sentence about what is wrong with it. */
  read(entry: unknown, index: number): T | string
}

export const toolList: ListKind<ListedTool> = {
  method: 'tools/list',
  member: 'tools',
  read: readTool,
}

/**
 * Parses a page entry by entry (C365). `null` counts as absent, and an invalid entry drops only
 * itself.
 */
export function readPage<T extends object>(
  { member, read }: ListKind<T>,
  { [member]: listed, nextCursor }: Record<string, unknown>,
): ListedPage<T> {
  const isList = Array.isArray(listed) || isRecord(listed) || (listed ?? null) === null
  const all = Object.values(isList ? (listed ?? []) : []).map(read)
  const odd = all.filter((one) => typeof one === 'string')
  return {
    entries: all.filter((one) => typeof one !== 'string'),
    odd: isList ? odd : [`a page of its list holds no list of ${member}`],
    next: ['string', 'number'].includes(typeof nextCursor) ? String(nextCursor) || null : null,
  }
}

function readTool(entry: unknown, index: number): ListedTool | string {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.name.trim() === '')
    return `entry ${index + 1} of its list is no tool with a name`
  const { name, description, title } = entry
  const schema = readSchema(entry.inputSchema ?? {})
  if (schema === null) return `${name.slice(0, 100)}: its input schema is not one of an object`
  const annotations = isRecord(entry.annotations) ? entry.annotations : {}
  return {
    name,
    schema,
    description: [description, title, annotations.title].find(isText) ?? null,
    isReadOnly: annotations.readOnlyHint === true,
    isIdempotent: annotations.idempotentHint === true,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function readSchema(schema: unknown): Record<string, unknown> | null {
  const read = withoutGaps(schema)
  if (!isRecord(read)) return null
  const types: unknown[] = [read.type ?? 'object'].flat()
  return types.some((type) => String(type).toLowerCase() === 'object')
    ? { ...read, type: 'object', properties: read.properties ?? {} }
    : null
}

/**
 * Schema keywords that hold plain values, where `null` is a value, and keywords that hold schemas
 * by name.
 */
const valued = new Set(['default', 'const', 'enum', 'examples', 'example'])
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/**
 * Drops meaningless parts of a schema: nulls, `required` that is not a list, PHP's empty list
 * instead of an empty object, and types that JSON has not. A list gets `items`, without which
 * models' endpoints refuse it (C994).
 */
function withoutGaps(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.filter((one) => one !== null).map(withoutGaps)
  if (!isRecord(schema)) return schema
  const isList = [schema.type].flat().some((type) => String(type).toLowerCase() === 'array')
  const isOpen = isList && (schema.items ?? null) === null && !('prefixItems' in schema)
  const whole = isOpen ? { ...schema, items: {} } : schema
  return Object.fromEntries(
    Object.entries(whole).flatMap(([key, value]) => {
      if (valued.has(key)) return [[key, value]]
      if (value === null) return []
      if (key === 'type') return knownTypes(value).map((one) => [key, one])
      if (named.has(key)) return isRecord(value) ? [[key, namedSchemas(value)]] : []
      if (key !== 'required') return [[key, withoutGaps(value)]]
      return Array.isArray(value) ? [[key, value.filter(isText)]] : []
    }),
  )
}

/** The types of a schema as one value, in JSON's own letters; none: an empty list. */
function knownTypes(value: unknown): unknown[] {
  const all = [value].flat().map((one) => String(one).toLowerCase())
  const known = all.filter((one) => types.includes(one))
  if (known.length === 0) return []
  return [Array.isArray(value) ? known : known[0]]
}

const namedSchemas = (schemas: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(schemas)
      .filter(([, schema]) => schema !== null)
      .map(([name, schema]) => [name, withoutGaps(schema)]),
  )

/**
 * A schema without patterns, which could take for ever to match what a model wrote (C994): the
 * server checks them.
 */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isRecord(schema)) return schema
  const isOpen = 'patternProperties' in schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'pattern' || key === 'patternProperties' || key === 'format') return []
      if (key === 'additionalProperties' && isOpen) return []
      if (valued.has(key)) return [[key, value]]
      if (!named.has(key) || !isRecord(value)) return [[key, withoutPatterns(value)]]
      const inside = Object.entries(value).map(([name, one]) => [name, withoutPatterns(one)])
      return [[key, Object.fromEntries(inside)]]
    }),
  )
}

/**
 * Maps each tool of a server to a stable function name, `server__tool`: letters, digits, - and _,
 * at most 64 characters. If several tools fold into the same name, the one that needed no folding
 * keeps it.
 */
export function functionNames(server: string, tools: readonly string[]): Map<string, string> {
  const folded = (tool: string) => `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  const alike = Map.groupBy(tools, folded)
  return new Map(
    tools.map((tool) => {
      const name = folded(tool)
      const isOwn = name === `${server}__${tool}` || alike.get(name)?.length === 1
      // A name in another script folds to underscores only, so it gets a hash.
      if (isOwn && name.length <= 64 && !/[^ -~]/.test(tool)) return [tool, name]
      const mark = createHash('sha256').update(tool).digest('hex').slice(0, 8)
      return [tool, `${name.slice(0, 64 - mark.length - 1)}_${mark}`]
    }),
  )
}
