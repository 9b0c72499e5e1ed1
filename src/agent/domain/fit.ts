import { jsonIn } from './clean-text.ts'

type Schema = Record<string, unknown>

/** References are followed so often, and no further: one may lead to itself. */
const depthMost = 32

/**
 * Arguments as a schema wants them, where models write a number, a truth value, a list or an object
 * as its text, a text as a number, and "not given" as null (C347). What fits no way stays as it is.
 */
export function fitted(value: unknown, schema: unknown, root = schema, depth = 0): unknown {
  const known = resolved(schema, root)
  if (known === null || depth > depthMost) return value
  const inside = (one: unknown, of: unknown) => fitted(one, of, root, depth + 1)
  const ways = [known.anyOf, known.oneOf].find(Array.isArray)
  if (ways !== undefined) {
    for (const way of ways) {
      const one = inside(value, way)
      if (isOfType(one, resolved(way, root))) return one
    }
    return value
  }
  const read = isOfType(value, known) ? value : asType(value, typesOf(known))
  if (Array.isArray(read)) return read.map((one) => inside(one, known.items))
  return isRecord(read) ? fittedFields(read, known, inside) : read
}

/** An optional field that may not be null and is, is not there. */
function fittedFields(
  fields: Schema,
  { properties, required }: Schema,
  inside: (value: unknown, schema: unknown) => unknown,
): Schema {
  const schemas = isRecord(properties) ? properties : {}
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.fromEntries(
    Object.entries(fields)
      .map(([key, value]) => [key, inside(value, schemas[key])] as const)
      .filter(([key, value]) => value !== null || needed.has(key) || mayBeNull(schemas[key])),
  )
}

function mayBeNull(schema: unknown): boolean {
  if (!isRecord(schema)) return true
  const ways = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (ways !== undefined) return ways.some(mayBeNull)
  return '$ref' in schema || 'allOf' in schema || isOfType(null, schema)
}

function resolved(schema: unknown, root: unknown): Schema | null {
  let found = schema
  for (let steps = 0; isRecord(found) && typeof found.$ref === 'string'; steps++) {
    if (steps > depthMost || !found.$ref.startsWith('#/')) return null
    const path = found.$ref.slice(2).split('/')
    found = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root)
  }
  return isRecord(found) ? found : null
}

const typesOf = ({ type }: Schema): unknown[] => (type === undefined ? [] : [type].flat())

const typeChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
}

function isOfType(value: unknown, schema: Schema | null): boolean {
  if (schema === null) return true
  const { enum: choices, const: only } = schema
  if (Array.isArray(choices)) return choices.includes(value)
  if (only !== undefined) return value === only
  const types = typesOf(schema)
  return types.length === 0 || types.some((type) => typeChecks[String(type)]?.(value) ?? true)
}

/**
 * The value in the first of the types that it can be read as; itself where it can be read as none.
 */
function asType(value: unknown, types: readonly unknown[]): unknown {
  const isOneOf = (one: unknown) => types.some((type) => typeChecks[String(type)]?.(one) ?? false)
  if (typeof value === 'string') {
    const text = value.trim()
    const read = jsonIn(/^(?:true|false|null)$/i.test(text) ? text.toLowerCase() : text)
    return read !== undefined && isOneOf(read) ? read : value
  }
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain && isOneOf(String(value)) ? String(value) : value
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
