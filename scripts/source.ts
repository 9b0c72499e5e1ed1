/**
 * Reads TypeScript just well enough to tell code, comments and strings apart.
 *
 * The architecture test and the citation script judge source text; without this, a snippet in a string or a word in a
 * comment would count as code. It is a scanner, not a parser: it knows nothing of syntax beyond where each part ends.
 */

export type StringLiteral = { readonly text: string; readonly start: number }
export type PatternLiteral = { readonly source: string; readonly flags: string; readonly start: number }

export type Scanned = {
  /** The source with the insides of comments, strings and regular expressions blanked; same length, same lines. */
  readonly code: string
  readonly comments: readonly string[]
  /** Every string and the fixed parts of every template; `start` is the offset of the opening quote. */
  readonly strings: readonly StringLiteral[]
  /** Every regular expression between slashes; `start` is the offset of the first slash. */
  readonly patterns: readonly PatternLiteral[]
}

/** Splits `source` into code, comments, strings and regular expressions. Never throws; an unclosed part reaches to the end. */
export function scan(source: string): Scanned {
  const code = [...source.split('')]
  const comments: string[] = []
  const strings: StringLiteral[] = []
  const patterns: PatternLiteral[] = []
  // One entry per template literal that is open around this point: how many braces its current `${` has open.
  const templates: number[] = []
  let position = 0

  const blank = (from: number, to: number): void => {
    for (let index = from; index < to; index++) if (code[index] !== '\n') code[index] = ' '
  }
  const takeComment = (to: number): void => {
    comments.push(source.slice(position, to))
    blank(position, to)
    position = to
  }
  const takeTemplate = (): void => {
    const start = position
    const end = endOfTemplatePart(source, start + 1)
    strings.push({ text: source.slice(start + 1, end), start })
    blank(start + 1, end)
    if (source.startsWith('${', end)) templates.push(0)
    position = end + (source[end] === '`' ? 1 : 2)
  }

  while (position < source.length) {
    const here = source[position]
    const open = templates.at(-1)
    if (source.startsWith('//', position)) {
      takeComment(endOr(source.indexOf('\n', position), source))
    } else if (source.startsWith('/*', position)) {
      takeComment(endOr(source.indexOf('*/', position + 2), source, 2))
    } else if (here === "'" || here === '"') {
      const end = endOfQuoted(source, position + 1, here)
      strings.push({ text: source.slice(position + 1, end), start: position })
      blank(position + 1, end)
      position = end + 1
    } else if (here === '`') {
      takeTemplate()
    } else if (here === '}' && open === 0) {
      templates.pop()
      takeTemplate()
    } else if (here === '/' && startsRegExp(code, position)) {
      const end = endOfRegExp(source, position + 1)
      const flags = /^\w*/.exec(source.slice(end + 1))?.[0] ?? ''
      patterns.push({ source: source.slice(position + 1, end), flags, start: position })
      blank(position + 1, end)
      position = end + 1
    } else {
      if (open !== undefined && here === '{') templates[templates.length - 1] = open + 1
      if (open !== undefined && here === '}') templates[templates.length - 1] = open - 1
      position++
    }
  }
  return { code: code.join(''), comments, strings, patterns }
}

const endOr = (found: number, source: string, length = 0): number => (found < 0 ? source.length : found + length)

function endOfQuoted(source: string, from: number, quote: string): number {
  for (let index = from; index < source.length; index++) {
    if (source[index] === '\\') index++
    else if (source[index] === quote || source[index] === '\n') return index
  }
  return source.length
}

function endOfTemplatePart(source: string, from: number): number {
  for (let index = from; index < source.length; index++) {
    if (source[index] === '\\') index++
    else if (source[index] === '`' || source.startsWith('${', index)) return index
  }
  return source.length
}

function endOfRegExp(source: string, from: number): number {
  let inClass = false
  for (let index = from; index < source.length; index++) {
    const here = source[index]
    if (here === '\n') return index
    if (here === '\\') index++
    else if (here === '[') inClass = true
    else if (here === ']') inClass = false
    else if (here === '/' && !inClass) return index
  }
  return source.length
}

/** A slash opens a regular expression where a value may begin, and divides where one has just ended. */
function startsRegExp(code: readonly string[], position: number): boolean {
  let index = position - 1
  while (index >= 0 && /\s/.test(code[index] ?? '')) index--
  if (index < 0) return true
  if (!/[\w$)\]}'"`.]/.test(code[index] ?? '')) return true
  const word = code.slice(Math.max(0, index - 9), index + 1).join('')
  return /(?:^|[^\w$.])(?:return|typeof|case|of|in|await|yield|throw|else|void)$/.test(word)
}
