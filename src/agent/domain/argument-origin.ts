import type { origins } from './audit.ts'
import { jsonIn } from './clean-text.ts'
import { memoized } from './memoized.ts'
import { type PlainText, plainText, plainValue, standsIn } from './plain-value.ts'

export type Origin = (typeof origins)[number]

/** Text in which an argument may stand; `from` names its page, tool or person. */
export interface Source {
  origin: Origin
  from?: string
  text: string
}

/** Argument of a call and where it came from. */
export interface Argument {
  /** Path in the input, as `to.name`; blank for an input of one line. */
  name: string
  value: string
  origin: Origin
  from?: string | undefined
  /**
   * True if it decides what the call does, and to whom; false for composed texts and values that
   * the schema lists.
   */
  counts: boolean
}

/** Length of each source's newest text that is looked through, in characters. */
const textMost = 60_000
/** Arguments beyond so many are one more, which nobody said. */
const argumentsMost = 200
const namedMost = 20
const nameMost = 60

/** Most plain texts that are kept beside those of the call. */
const plainMost = 300

type Schema = Readonly<Record<string, unknown>>

/**
 * Texts in their plain form, kept from one call of a task to the next: to make them takes far
 * longer than to look.
 */
export type PlainTexts = Map<string, PlainText>

interface How {
  /** JSON schema of the input, if the tool has one. */
  schema?: Schema | undefined
  known?: PlainTexts
}

/**
 * Arguments of a call with the first of the sources in which each stands, whatever its case, blanks
 * and number forms (S71, C895). An input that is no JSON object is one argument.
 *
 * @param sources the most trusted first.
 */
export function argumentsOf(
  input: string,
  sources: readonly Source[],
  { schema = {}, known = new Map() }: How = {},
): Argument[] {
  const texts = new Set(sources.map(({ text }) => text))
  if (known.size > plainMost)
    for (const text of known.keys()) if (!texts.has(text)) known.delete(text)
  const textOf = memoized((text: string) => plainText(text.slice(-textMost)), known)
  const given = input.trimStart().startsWith('{') ? jsonIn(input) : undefined
  const found = leavesOf(given ?? input, { name: '', schema })
  const placed = found.slice(0, argumentsMost).map(({ name, value, counts }): Argument => {
    const { origin = 'model', from } = sourceOf(value, sources, textOf) ?? {}
    return { name: name.slice(0, nameMost), value, origin, from, counts }
  })
  if (found.length <= argumentsMost) return placed
  return [...placed, { name: '…', value: '…', origin: 'model', counts: true }]
}

function sourceOf(
  value: string,
  sources: readonly Source[],
  textOf: (text: string) => PlainText,
): Source | undefined {
  const wanted = plainValue(value)
  return sources.find((source) => standsIn(textOf(source.text), wanted))
}

/** Origins of a call's arguments by their names, those that people should know of first. */
export function originsOf(found: readonly Argument[]): Record<string, Origin> {
  const [strange, others] = [found.filter(isStrange), found.filter((one) => !isStrange(one))]
  const named = [...strange, ...others].slice(0, namedMost)
  return Object.fromEntries(named.map(({ name, origin }) => [name || 'input', origin]))
}

/**
 * True if an argument that counts stands neither in the asker's words nor in Clew's records (C896).
 */
export const isStrange = ({ counts, origin }: Argument): boolean =>
  counts && origin !== 'asker' && origin !== 'records'

interface Leaf {
  name: string
  value: string
  counts: boolean
}
interface Branch {
  name: string
  /** Nearest name that is none of a list. */
  field?: string
  schema: Schema
  depth?: number
}

/** What lies deeper is one value, which nobody said. */
const deepest = 20

function leavesOf(value: unknown, at: Branch): Leaf[] {
  const { name, field = '', schema, depth = 0 } = at
  if (typeof value !== 'object' || value === null) {
    const counts = name === '' || isKey(value, field, schema)
    return [{ name, value: String(value), counts }]
  }
  if (depth === deepest) return [{ name, value: '…', counts: true }]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, part]) => {
    const path = name === '' ? key : `${name}.${key}`
    const leaves = leavesOf(part, {
      name: path,
      field: isList ? field : key,
      schema: isList ? partOf(schema, 'items') : partOf(partOf(schema, 'properties'), key),
      depth: depth + 1,
    })
    // Where a schema takes any name, a name is a value itself.
    return isList || isNamed(key, schema)
      ? leaves
      : [{ name: path, value: key, counts: true }, ...leaves]
  })
}

const isNamed = (key: string, { properties, additionalProperties: any = false }: Schema) =>
  any === false || Object.hasOwn(schemaIn(properties), key)

const partOf = (schema: Schema, key: string): Schema =>
  Object.hasOwn(schema, key) ? schemaIn(schema[key]) : {}

const schemaIn = (value: unknown): Schema =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/**
 * Fields that hold a text which the model writes for the asker, by the last word of their names.
 */
const composed = new Set(
  'answer abstract body caption comment comments content contents description details greeting headline html markdown message note notes prompt question reason reply signature subject summary text title 主题 内容 备注 描述 标题 正文 消息 说明'.split(
    ' ',
  ),
)

/** True if a text is an address, a number or a code by itself, whatever its field is called. */
const isBare = (text: string) => !/\s/.test(text) && /\d|@|:\/\//.test(text)

function isKey(value: unknown, field: string, schema: Schema): boolean {
  if (typeof value === 'boolean' || value === null || String(value).trim() === '') return false
  if (isListed(value, schema)) return false
  if (typeof value !== 'string') return true
  const words = field.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase()
  const last = words.split(/[\s_.-]+/).at(-1) ?? ''
  return !composed.has(last) || isBare(value.trim())
}

/** True if the schema itself offers the value. */
function isListed(value: unknown, schema: Schema): boolean {
  const { enum: listed, const: only, default: usual, anyOf, oneOf } = schema
  if (value === only || value === usual) return true
  if (Array.isArray(listed) && listed.includes(value)) return true
  const forms = [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []))
  return forms.some((form) => isListed(value, schemaIn(form)))
}
