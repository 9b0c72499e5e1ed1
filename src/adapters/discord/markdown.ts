import { closed } from '../../agent/domain/clean-text.ts'
import { withoutEnding } from '../../locales/sentence-end.ts'
import { type AsCode, aroundCode, codeIn, outsideCode } from '../code.ts'
import { type Block, type BlockMatch, blocksIn, fenceAt, nextOf } from '../fences.ts'
import { withInstants } from '../instants.ts'
import { defang, type MayLink, withoutMentions } from '../safety.ts'

/**
 * Converts Markdown for Discord. Tables become aligned text in a code block, or lists if a phone
 * has no room for them (C181). Small headings become bold, and times show in each reader's zone.
 * Links are restricted (S2) and mentions disabled (S1).
 *
 * Code is shown byte for byte, since Discord finds no links or mentions in it (C389). Discord pairs
 * backticks in its own way, so stray ones that could open or close code are replaced.
 */
export function toDiscord(text: string, mayLink: MayLink): string {
  const blocks = blocksOf(closed(text.toWellFormed()))
  // A bracket before code could become the label of an address inside the code.
  const holdsTarget = blocks.some(({ fence, lines }) =>
    lines.some((line) => (fence === null ? codeOf(line) : line).includes('](')),
  )
  return blocks
    .map(({ fence, lines }) =>
      fence === null ? plainText(lines.join('\n'), mayLink, holdsTarget) : codeBlock(fence, lines),
    )
    .join('\n')
}

/** Splits a text into blocks. A table becomes a block, since Discord has no tables. */
function blocksOf(text: string): Block[] {
  const blocks = blocksIn(text, (lines, at) => fenceAt(lines, at) ?? tableAt(lines, at))
  // Discord does not recognize an empty block; its end would open another block.
  return blocks.filter(
    ({ fence, lines: inside }) => fence === null || inside.some((line) => line.trim() !== ''),
  )
}

function tableAt(lines: readonly string[], start: number): BlockMatch {
  if (!isRow(lines[start] ?? '') || !isRule(lines[start + 1] ?? '')) return null
  const end = nextOf(lines, start + 2, (line) => !isRow(line))
  const rows = [lines[start] ?? '', ...lines.slice(start + 2, end)].map(cellsOf)
  const table = aligned(rows.map((row) => row.map(withoutMarks)))
  const block = table === null ? { fence: null, lines: listed(rows) } : { fence: '', lines: table }
  return { block, next: end }
}

const marks = '```'
const broken = (line: string) => line.replace(/`{3,}/g, (run) => Array.from(run).join('\u200b'))
const codeBlock = (language: string, lines: readonly string[]) =>
  [marks + language, ...lines.map(broken), marks].join('\n')

/** Longest inline code, in characters. Splitting a text could cut longer code. */
const longestCode = 800

/** Returns unambiguous inline code, or `null` if Discord cannot express it. */
function inlineCode(content: string): string | null {
  if (content.length > longestCode || content.includes('``')) return null
  if (!content.includes('`')) return content === '' ? null : `\`${content}\``
  const [before, after] = [/^`/, /`$/].map((edge) => (edge.test(content) ? ' ' : ''))
  return `\`\`${before}${content}${after}\`\``
}

const codeOf = (line: string) =>
  codeIn(line)
    .map(({ from, to }) => line.slice(from, to))
    .join()

function plainText(text: string, mayLink: MayLink, holdsTarget: boolean): string {
  const words = (masked: string, quote: AsCode) => {
    const safe = defang(masked, mayLink, (target) =>
      uncertain.test(target) ? null : quote(target),
    )
    const shown = withInstants(headings(safe), timestamp)
      .replace(/\\?`/g, 'ˋ')
      // A pair of them would hide the text in between.
      .replace(/(?:\\?\|){2,}/g, (run) => run.replace(/\\?\|/g, '\\|'))
    // Discord recognizes these two even inside a word.
    const calling = withoutMentions(shown).replace(/@(?=everyone|here)/gi, '@\u200b')
    return holdsTarget ? withoutLabels(calling) : calling
  }
  return aroundCode(text, words, inlineCode)
}

/** Addresses that Discord may find in code too: invites, and those that could end a label. */
const uncertain = /discord(?:\.gg|(?:app)?\.com\/invite)\/|[[\]]/i

const withoutLabels = (text: string) =>
  text.replace(/(?<!\\)((?:\\\\)*)\[(?![^[\]\n]*\]\([^()\s]+\))/g, '$1\\[')

const headings = (text: string) =>
  text
    .replace(
      /^ {0,3}#{4,6}[^\S\n]+(\S.*)/gm,
      (_, title: string) => `**${withoutEnding(title, '#')}**`,
    )
    .replace(/^ {0,3}(?:[-*_] ?){3,}$/gm, '')

/**
 * Renders a time that each reader sees in their own zone and language. @param at milliseconds since
 * the epoch.
 */
const timestamp = (at: number) => `<t:${Math.floor(at / 1000)}:F>`

const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string) => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\(?=\|)/g, ''))

/** Strips formatting from a cell. Code stays as it is. */
const withoutMarks = (cell: string) =>
  aroundCode(
    cell,
    (words) => words.replace(/\*\*|`/g, ''),
    (content) => content,
  )

/** Widest block that a phone shows unbroken, in monospaced columns (C181). */
const phoneColumns = 42

/** Aligns columns, or returns `null` if they are too wide for a phone. */
function aligned(rows: readonly string[][]): string[] | null {
  const widths = rows
    .reduce((widest, row) => (row.length > widest.length ? row : widest), [])
    .map(() => 0)
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))
  if (widths.reduce((sum, width) => sum + width + 2, -2) > phoneColumns) return null
  const lines = rows.map((row) =>
    widths
      .map(
        (width, column) =>
          (row[column] ?? '') + ' '.repeat(Math.max(0, width - widthOf(row[column] ?? ''))),
      )
      .join('  ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [lines[0] ?? '', rule, ...lines.slice(1)]
}

/** Renders rows as lists: the first cell, and below it every other cell with its column's name. */
function listed([head = [], ...rows]: readonly string[][]): string[] {
  if (rows.length === 0) return [head.join(' · ')]
  return rows.flatMap(([first = '', ...cells]) => {
    const named = cells.map((cell, column) => [head[column + 1] ?? '', cell] as const)
    const lines = named
      .filter(([, cell]) => cell !== '')
      .map(([name, cell]) => `- ${name === '' ? '' : `${name}: `}${cell}`)
    const title = outsideCode(first, (words) => words.replaceAll('**', ''))
    return [title === '' ? '' : `**${title}**`, ...lines].filter((line) => line !== '')
  })
}

/** Returns the width of a text in columns. Chinese, Japanese and Korean characters take two. */
const widthOf = (text: string) =>
  Array.from(text).reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(
        letter,
      )
        ? 2
        : 1),
    0,
  )
