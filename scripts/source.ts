/**
 * Reads TypeScript just well enough to tell code, comments and strings apart.
 *
 * The architecture test and the citation script judge source text; without this, a snippet in a string or a word in a
 * comment would count as code. It is a scanner, not a parser: it knows nothing of syntax beyond where each part ends.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Files of the project below these folders, without packages of others. Paths are from the root. */
export const filesIn = (folders: readonly string[], pattern: RegExp) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => pattern.test(path) && !path.includes('node_modules'))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))

export type StringLiteral = { readonly text: string; readonly start: number }
export type PatternLiteral = {
  readonly source: string
  readonly flags: string
  readonly start: number
}

export type Scanned = {
  /** The source with the insides of comments, strings and regular expressions blanked; same length, same lines. */
  readonly code: string
  readonly comments: readonly string[]
  /** Every string and the fixed parts of every template; `start` is the offset of the opening quote. */
  readonly strings: readonly StringLiteral[]
  /** Every regular expression between slashes; `start` is the offset of the first slash. */
  readonly patterns: readonly PatternLiteral[]
}

/** How a part goes on: as a whole, its inside, and what ends it. One that is not closed ends with its line or the source. */
const comment = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y
const quoted = /(['"])(?<inside>(?:\\[\s\S]|(?!\1)[^\\\n])*)\1?/y
const template = /[`}](?<inside>(?:\\[\s\S]|\$(?!\{)|[^`\\$])*)(?<end>`|\$\{)?/y
const pattern = /\/(?<inside>(?:\\.|\[(?:\\.|[^\]\\\n])*\]?|[^/[\\\n])*)(?:\/(?<end>\w*))?/y

/** Splits `source` into code, comments, strings and regular expressions. Never throws; an unclosed part reaches to the end. */
export function scan(source: string): Scanned {
  let code = ''
  const comments: string[] = []
  const strings: StringLiteral[] = []
  const patterns: PatternLiteral[] = []
  // One entry per template literal that is open around this point: how many braces its current `${` has open.
  const templates: number[] = []

  /** Takes the part that begins here, its inside blanked. */
  function take(part: RegExp) {
    const start = code.length
    part.lastIndex = start
    const { 0: whole = '', groups = {} } = part.exec(source) ?? {}
    const { inside = '', end = '' } = groups
    code += `${whole.charAt(0)}${blank(inside)}${whole.slice(1 + inside.length)}`
    return { text: inside, end, start }
  }
  while (code.length < source.length) {
    const here = source.charAt(code.length)
    const open = templates.at(-1)
    comment.lastIndex = code.length
    const said = comment.exec(source)?.[0]
    if (said !== undefined) {
      comments.push(said)
      code += blank(said)
    } else if (here === "'" || here === '"') {
      strings.push(take(quoted))
    } else if (here === '`' || (here === '}' && open === 0)) {
      if (here === '}') templates.pop()
      const part = take(template)
      strings.push(part)
      if (part.end === '${') templates.push(0)
    } else if (here === '/' && startsRegExp(code)) {
      const { text, end, start } = take(pattern)
      patterns.push({ source: text, flags: end, start })
    } else {
      const turn = ({ '{': 1, '}': -1 } as Record<string, number>)[here] ?? 0
      if (open !== undefined) templates[templates.length - 1] = open + turn
      code += here
    }
  }
  return { code, comments, strings, patterns }
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** A slash opens a regular expression where a value may begin, and divides where one has just ended. */
function startsRegExp(code: string): boolean {
  const before = code.slice(-500).trimEnd()
  if (!/[\w$)\]}'"`.<]$/.test(before)) return true
  return /(?:^|[^\w$.])(?:return|typeof|case|of|in|await|yield|throw|else|void)$/.test(before)
}
