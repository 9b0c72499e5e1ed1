import { defang, type MayLink, quiet } from '../safety.ts'

/** A code block or a piece of inline code; what is in it means nothing to Discord and stays as it is. */
const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|(`{1,2})(?!`)[^\n]*?\2)/g

/**
 * Markdown as Discord shows it: tables become aligned text in a code block, small headings stay headings, instants with a
 * zone become times that every reader sees in their own; links lead only where they may (S2) and nobody is called (S1).
 */
export function toDiscord(text: string, mayLink: MayLink): string {
  const parts = withTables(text).split(code)
  // The pattern has two groups: after each plain piece come the code and the marks of inline code.
  const shown = parts.map((part, index) => {
    if (index % 3 === 2) return ''
    return index % 3 === 1 ? part : withTimes(headings(defang(part, mayLink)))
  })
  // Discord finds these two even where a word goes on behind them.
  return quiet(shown.join('')).replace(/@(?=everyone|here)/gi, '@\u200b')
}

const headings = (text: string): string =>
  text.replace(/^ {0,3}#{4,6}\s+(.+?)\s*#*$/gm, '**$1**').replace(/^ {0,3}(?:[-*_] ?){3,}$/gm, '')

const instant = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})(?![\w:])/g

function withTimes(text: string): string {
  return text.replace(instant, (found) => {
    const at = Date.parse(found)
    return Number.isNaN(at) ? found : timestamp(at)
  })
}

/** An instant that every reader sees in their own zone and language. @param at milliseconds since the epoch. */
const timestamp = (at: number, style: 'F' | 'R' = 'F'): string => `<t:${Math.floor(at / 1000)}:${style}>`

/** Discord has no tables: a table becomes a code block with columns of equal width. */
function withTables(text: string): string {
  const lines = text.split('\n')
  const shown: string[] = []
  let fenced = false
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    if (fenced || !isRow(line) || !isRule(lines[index + 1] ?? '')) {
      shown.push(line)
      continue
    }
    const rows = [cellsOf(line)]
    for (index += 2; index < lines.length && isRow(lines[index] ?? ''); index++) rows.push(cellsOf(lines[index] ?? ''))
    index -= 1
    shown.push('```', ...aligned(rows), '```')
  }
  return shown.join('\n')
}

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string): boolean => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\*\*|`|\\(?=\|)/g, ''))

function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))))
  const lines = rows.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '') + ' '.repeat(Math.max(0, width - widthOf(row[column] ?? ''))))
      .join('  ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [lines[0] ?? '', rule, ...lines.slice(1)]
}

/** Chinese, Japanese and Korean characters take two columns. */
const widthOf = (text: string): number =>
  Array.from(text).reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(letter)
        ? 2
        : 1),
    0,
  )
