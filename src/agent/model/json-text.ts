import { Allow, parse } from 'partial-json'
import { isRecord } from '../contracts/forgiving.ts'
import { cleanTexts, jsonIn } from '../domain/clean-text.ts'
import { withoutThinking } from '../domain/thinking.ts'
import { yaml } from '../on-demand.ts'

export type JsonObject = Record<string, unknown>

/**
 * The object that a JSON text holds, its texts clean (P17); null when it is not JSON or not an
 * object.
 */
export const parseObject = (text: string): JsonObject | null => objectOf(jsonIn(text))

/**
 * The object that a call's arguments stand for (C347): nothing is an empty one; null when they
 * cannot be read.
 */
export function objectMeant(given: unknown): JsonObject | null {
  if (given === undefined || given === null) return {}
  const isText = typeof given === 'string'
  if (isText && ['', 'null'].includes(given.trim())) return {}
  const value = isText ? (objectInText(given) ?? jsonIn(given)) : given
  return objectOf(Array.isArray(value) && value.length === 1 ? value[0] : value)
}

/**
 * The one JSON object in a model's text, bare, in a code fence, or among words; null when it holds
 * none or more than one. The same as YAML is taken too (F3, R139). Thinking in front of it is
 * dropped.
 */
export function objectInText(text: string): JsonObject | null {
  const answer = withoutThinking(text)
  const bare = parseMeant(answer)
  if (bare !== null) return bare
  const first = fencedIn(answer, 0)
  if (first === null)
    return /^[a-z][a-z\d_]*:(?:\s|$)/.test(answer) ? parseYaml(answer) : amongWords(answer)
  if (fencedIn(answer, first.end) !== null) return null
  return /^ya?ml$/i.test(first.language) ? parseYaml(first.inside) : parseMeant(first.inside)
}

/** Some write a brace too many. */
function amongWords(text: string): JsonObject | null {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  if (text.startsWith('[')) return null
  return parseMeant(json) ?? parseMeant(json.slice(0, -1)) ?? saidTwice(json)
}

/**
 * The object of a text that is the same one twice, as when a stream ends with all that it has said.
 */
function saidTwice(json: string): JsonObject | null {
  const half = json.slice(0, Math.floor(json.length / 2)).trim()
  return half === json.slice(Math.ceil(json.length / 2)).trim() ? parseMeant(half) : null
}

/** An object that is written as JSON, as JSON of its JSON, or with the slips that models make. */
function parseMeant(text: string): JsonObject | null {
  let value: unknown = text
  for (let depth = 0; depth < 3 && typeof value === 'string'; depth++)
    value = jsonIn(value) ?? unescaped(value) ?? jsonIn(mended(value))
  // As Python prints it.
  if (!isRecord(value) && python.test(text)) return parseYaml(mended(text))
  return objectOf(value)
}

/** A text whose every quote is escaped, without that. */
const unescaped = (text: string) => (text.includes('\\"') ? jsonIn(`"${text}"`) : undefined)

/**
 * Texts, and what JSON does not know outside of them: commas at an end, an empty object in front,
 * other words for nothing, line breaks and quotes that are escaped, a name without its quotes.
 */
const slips =
  /(?<=[{,]\s{0,20})[A-Za-z_]\w{0,60}"?(?=\s?:)|\\n|\\"(?:\\\\[\s\S]|[^"\\])*\\"|"(?:\\[\s\S]|[^"\\])*"?|,(?=\s*[}\]])|^\{\s*\}(?=\s*\{)|(?<=[:[,] ?)(?:None|undefined|NaN|True|False)(?= ?[,}\]])/g
const instead: Readonly<Record<string, string>> = {
  None: 'null',
  undefined: 'null',
  NaN: 'null',
  True: 'true',
  False: 'false',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const python = /^\{\s*'/

function mended(json: string): string {
  // In single quotes a name may be a word of a text.
  const isPython = python.test(json)
  return json.replace(slips, (slip) => {
    if (slip.startsWith('"')) return mendedText(slip)
    if (slip.startsWith('\\"')) return `"${slip.slice(2, -2).replaceAll('\\\\', '\\')}"`
    if (Object.hasOwn(instead, slip) || !/^\w/.test(slip)) return instead[slip] ?? ''
    return isPython ? slip : `"${slip.replace('"', '')}"`
  })
}

/** Raw control characters, and a backslash before what needs none. */
const mendedText = (text: string) =>
  text
    .replace(/\\(?:["\\/bfnrt]|u[\da-f]{4}|([\s\S]))/gi, (sign, other?: string) => {
      if (other === undefined) return sign
      return other === "'" ? other : `\\${sign}`
    })
    .replace(/\p{Cc}/gu, (sign) => instead[sign] ?? '')

/**
 * The object of a JSON text that is still being written: what is whole, and the beginning of its
 * last text.
 */
export function partialObject(json: string): JsonObject | null {
  try {
    return objectOf(parse(json, Allow.OBJ | Allow.ARR | Allow.STR))
  } catch {
    return null
  }
}

/**
 * The next code block from a place on. It ends at a line that begins with a fence, as no line of
 * JSON does, or at the last fence.
 */
function fencedIn(text: string, from: number) {
  const opener = /```([a-z]*)[^\S\n]*\n/gi
  opener.lastIndex = from
  const [, language = ''] = opener.exec(text) ?? []
  // Where nothing was found the next search would begin at the start.
  const start = opener.lastIndex
  const line = text.indexOf('\n```', start - 1)
  const close = line === -1 ? text.lastIndexOf('```') : line + 1
  return start === 0 || close < start
    ? null
    : { language, inside: text.slice(start, close), end: close + 3 }
}

function objectOf(value: unknown): JsonObject | null {
  const clean = cleanTexts(value)
  return isRecord(clean) ? clean : null
}

/** Longer YAML is no answer to a contract. */
const yamlMost = 20_000

function parseYaml(text: string): JsonObject | null {
  if (text.length > yamlMost) return null
  try {
    return objectOf(yaml().parse(text, { maxAliasCount: 0, logLevel: 'error' }))
  } catch {
    return null
  }
}
