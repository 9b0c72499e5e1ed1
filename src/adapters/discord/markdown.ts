import { withoutEnding } from '../../locales/sentence-end.ts'
import { withInstants } from '../instants.ts'
import { defang, type MayLink, withoutMentions } from '../safety.ts'

/**
 * Markdown as Discord shows it: tables become aligned text in a code block or, where a phone has no room for it, lists (C181); small headings stay headings, instants with a
 * zone become times that every reader sees in their own; links lead only where they may (S2) and nobody is called (S1).
 *
 * Only whole code blocks keep addresses as they are. Discord pairs backticks in ways of its own, so whatever could open code
 * that nobody meant, or close it early, is taken out of its way.
 */
export function toDiscord(text: string, mayLink: MayLink): string {
  const blocks = blocksOf(text)
  // A bracket before a code block could become the label of an address in it.
  const closes = blocks.some(
    ({ fence, lines }) => fence !== null && lines.some((line) => line.includes('](')),
  )
  const shown = blocks.map(({ fence, lines }) => {
    if (fence !== null) return codeBlock(fence, lines)
    const plain = plainText(lines.join('\n'), mayLink)
    return closes
      ? plain.replace(/(?<!\\)((?:\\\\)*)\[(?![^[\]\n]*\]\([^()\s]+\))/g, '$1\\[')
      : plain
  })
  // Discord finds these two even where a word goes on behind them.
  return withoutMentions(shown.join('\n')).replace(/@(?=everyone|here)/gi, '@\u200b')
}

/** Lines that belong together; of a code block its language and what is in it. */
interface Block {
  fence: string | null
  lines: string[]
}

/** Discord has no tables either: a table becomes a code block with columns of equal width. */
function blocksOf(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let index = 0; index < lines.length; ) {
    const found = fenceAt(lines, index) ?? tableAt(lines, index)
    const last = blocks.at(-1)
    if (found !== null) blocks.push(found.block)
    else if (last?.fence === null) last.lines.push(lines[index] ?? '')
    else blocks.push({ fence: null, lines: [lines[index] ?? ''] })
    index = found?.next ?? index + 1
  }
  // Discord does not take an empty block for one, and would take its end for the beginning of another.
  return blocks.filter(
    ({ fence, lines: inside }) => fence === null || inside.some((line) => line.trim() !== ''),
  )
}

type Found = { block: Block; next: number } | null

function fenceAt(lines: readonly string[], start: number): Found {
  const [, opener = '', info = ''] =
    /^\s*(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/.exec(lines[start] ?? '') ?? []
  if (opener === '') return null
  const closes = (line: string) => /^(?:`+|~+)$/.test(line.trim()) && line.trim().startsWith(opener)
  const end = nextOf(lines, start + 1, closes)
  const fence = /^[\w+#.-]{1,30}$/.exec(info.trim())?.[0] ?? ''
  return { block: { fence, lines: lines.slice(start + 1, end) }, next: end + 1 }
}

function tableAt(lines: readonly string[], start: number): Found {
  if (!isRow(lines[start] ?? '') || !isRule(lines[start + 1] ?? '')) return null
  const end = nextOf(lines, start + 2, (line) => !isRow(line))
  const rows = [lines[start] ?? '', ...lines.slice(start + 2, end)].map(cellsOf)
  const table = aligned(rows)
  const block = table === null ? { fence: null, lines: listed(rows) } : { fence: '', lines: table }
  return { block, next: end }
}

/** The first line from a place on that is so; where none is, the end. */
function nextOf(lines: readonly string[], from: number, isSo: (line: string) => boolean): number {
  let index = from
  while (index < lines.length && !isSo(lines[index] ?? '')) index += 1
  return index
}

const marks = '```'
const broken = (line: string) => line.replace(/`{3,}/g, (run) => Array.from(run).join('\u200b'))
const codeBlock = (language: string, lines: readonly string[]): string =>
  [marks + language, ...lines.map(broken), marks].join('\n')

/** Inline code that Discord cannot take for anything else. */
const code = /(?<![`\\])(`[^`\n]{1,300}`)(?!`)/g

function plainText(text: string, mayLink: MayLink): string {
  const parts = defang(text, mayLink).split(code)
  const shown = parts.map((part, index) =>
    index % 2 === 1 ? part : withInstants(headings(part), timestamp).replace(/\\?`/g, 'ˋ'),
  )
  return shown.join('')
}

const headings = (text: string): string =>
  text
    .replace(
      /^ {0,3}#{4,6}[^\S\n]+(\S.*)/gm,
      (_, title: string) => `**${withoutEnding(title, '#')}**`,
    )
    .replace(/^ {0,3}(?:[-*_] ?){3,}$/gm, '')

/** An instant that every reader sees in their own zone and language. @param at milliseconds since the epoch. */
const timestamp = (at: number): string => `<t:${Math.floor(at / 1000)}:F>`

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string): boolean => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\*\*|`|\\(?=\|)/g, ''))

/** What stands side by side on a phone, in letters of equal width; in a wider block every line is broken (C181). */
const phoneColumns = 42

/** Columns of equal width; null where a phone has no room for them. */
function aligned(rows: readonly string[][]): string[] | null {
  const head = rows[0] ?? []
  const widths = head.map(() => 0)
  for (const row of rows)
    for (const [column, cell] of row.slice(0, head.length).entries())
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

/** A row as a paragraph: its first cell, and below it every other one beside the name of its column. */
function listed([head = [], ...rows]: readonly string[][]): string[] {
  return rows.flatMap(([first = '', ...cells]) => {
    const named = cells
      .slice(0, Math.max(0, head.length - 1))
      .map((cell, column) => [head[column + 1] ?? '', cell] as const)
    const lines = named
      .filter(([, cell]) => cell !== '')
      .map(([name, cell]) => `- ${name === '' ? '' : `${name}: `}${cell}`)
    return [first === '' ? '' : `**${first}**`, ...lines].filter((line) => line !== '')
  })
}

/** Chinese, Japanese and Korean characters take two columns. */
const widthOf = (text: string): number =>
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
