import { isRecord } from '../contracts/forgiving.ts'
import { cleanTexts, jsonIn } from '../domain/clean-text.ts'
import { yaml } from '../on-demand.ts'

export type JsonObject = Record<string, unknown>

/** The object that a JSON text holds, its texts clean (P17); null when it is not JSON or not an object. */
export const parseObject = (text: string): JsonObject | null => objectOf(jsonIn(text))

/**
 * The one JSON object in a model's text, bare or in a code fence; null when it holds none or more than one. The same as YAML
 * is taken too (F3, R139). Thinking in front of it is dropped, also when the template has swallowed its opening mark.
 */
export function objectInText(text: string): JsonObject | null {
  const answer = withoutThinking(text)
  const bare = parseObject(answer)
  if (bare !== null) return bare
  const first = fencedIn(answer, 0)
  if (first === null) return /^[a-z][a-z\d_]*:(?:\s|$)/.test(answer) ? parseYaml(answer) : null
  if (fencedIn(answer, first.end) !== null) return null
  return /^ya?ml$/i.test(first.language) ? parseYaml(first.inside) : parseObject(first.inside)
}

/** The next code block from a place on. It ends at a line that begins with a fence, as no line of JSON does, or at the last fence. */
function fencedIn(
  text: string,
  from: number,
): { language: string; inside: string; end: number } | null {
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

/** F3: the text without the thinking in front of it; empty when it is nothing but that. */
export function withoutThinking(text: string): string {
  const closing = '</think>'
  let rest = text.trim()
  while (rest.startsWith('<think>') || opensInside(rest)) {
    const end = rest.indexOf(closing)
    if (end === -1) return ''
    rest = rest.slice(end + closing.length).trim()
  }
  return rest
}

/** Whether the text begins within a thought: a closing mark stands before the first thing that could be an answer. */
function opensInside(text: string): boolean {
  return !/^(?:\{|```)/.test(text) && text.includes('</think>')
}
