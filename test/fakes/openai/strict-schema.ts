/**
 * The rules that OpenAI puts on the schema of a strict function, beyond JSON Schema itself: every object is closed and
 * lists all its keys as required, the root is an object and no union, only some keywords exist, and there are limits
 * on size.
 */

const keywords = new Set(
  [
    '$defs $ref additionalProperties anyOf const description enum items properties required title type',
    'pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems',
  ].flatMap((line) => line.split(' ')),
)

const limits = { depth: 10, properties: 5_000, enumValues: 1_000 } as const

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Everything that the API would refuse in `schema`, each with its place; empty when it is fine. */
export function strictProblems(schema: unknown): string[] {
  if (!isSchema(schema)) return ['#: the schema must be an object']
  const problems = schema.type === 'object' ? [] : ["#: the root must have type 'object'"]
  if (schema.anyOf !== undefined) problems.push("#: the root must not have 'anyOf'")
  const counted = { properties: 0 }
  problems.push(...problemsAt(schema, '#', 1, counted))
  if (counted.properties > limits.properties)
    problems.push(`#: more than ${limits.properties} properties`)
  return problems
}

function problemsAt(
  schema: Schema,
  place: string,
  depth: number,
  counted: { properties: number },
): string[] {
  const problems: string[] = []
  for (const key of Object.keys(schema))
    if (!keywords.has(key)) problems.push(`${place}: '${key}' is not permitted`)
  if (depth > limits.depth) problems.push(`${place}: nested more than ${limits.depth} levels deep`)
  if (
    schema.type === undefined &&
    schema.anyOf === undefined &&
    schema.$ref === undefined &&
    schema.enum === undefined
  )
    problems.push(`${place}: schema must have a 'type' key`)
  if (
    schema.enum !== undefined &&
    (!Array.isArray(schema.enum) || schema.enum.length > limits.enumValues)
  )
    problems.push(`${place}: 'enum' must be a list of at most ${limits.enumValues}`)
  if (schema.required !== undefined && !Array.isArray(schema.required))
    problems.push(`${place}: 'required' must be a list`)
  if (schema.type === 'object') problems.push(...objectProblems(schema, place, counted))
  if (schema.type === 'array' && !isSchema(schema.items))
    problems.push(`${place}: array schema missing items`)
  for (const [name, child] of children(schema)) {
    if (isSchema(child)) problems.push(...problemsAt(child, `${place}/${name}`, depth + 1, counted))
    else problems.push(`${place}/${name}: is not a schema`)
  }
  return problems
}

function objectProblems(schema: Schema, place: string, counted: { properties: number }): string[] {
  const problems: string[] = []
  const keys = isSchema(schema.properties) ? Object.keys(schema.properties) : []
  counted.properties += keys.length
  if (schema.additionalProperties !== false)
    problems.push(`${place}: 'additionalProperties' is required to be supplied and to be false`)
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const missing = keys.filter((key) => !required.includes(key))
  const extra = required.filter((key) => !keys.some((known) => known === key))
  if (missing.length > 0)
    problems.push(`${place}: 'required' must include every key: missing ${missing.join(', ')}`)
  if (extra.length > 0) problems.push(`${place}: extra required key ${extra.join(', ')}`)
  return problems
}

function children(schema: Schema): [string, unknown][] {
  const lists = Array.isArray(schema.anyOf)
    ? schema.anyOf.map((child, index): [string, unknown] => [`anyOf/${index}`, child])
    : []
  const maps = [schema.properties, schema.$defs].flatMap((map) =>
    isSchema(map) ? Object.entries(map) : [],
  )
  return [
    ...lists,
    ...maps,
    ...(isSchema(schema.items) ? [['items', schema.items] satisfies [string, unknown]] : []),
  ]
}

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** What is refused of a schema that is not strict: a root that is no object, and types that are none. */
export function looseProblems(schema: unknown): string[] {
  if (schema === undefined) return []
  if (!isSchema(schema) || schema.type !== 'object')
    return ['schema must be a JSON Schema of \'type: "object"\'']
  return [schema, ...children(schema).map(([, child]) => child)].flatMap((one) =>
    isSchema(one) &&
    one.type !== undefined &&
    ![one.type].flat().every((type) => types.includes(String(type)))
      ? [`${JSON.stringify(one.type)} is not valid under any of the given schemas`]
      : [],
  )
}
