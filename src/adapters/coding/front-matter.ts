import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { yaml } from '../../agent/on-demand.ts'

/*
 * Frontmatter of a file that a program or a model wrote: the fields between two `---` lines, each
 * as text. Reading is lenient: where a head is not valid YAML, a value is the rest of its line
 * (C370).
 */

export interface FrontMatter {
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
}

/** Longest frontmatter, in lines; more is text between two horizontal rules. */
export const headMost = 40
const rule = /^---[ \t]*$/
const fence = /^(?:```|~~~)[\w-]*[ \t]*$/
const names: Readonly<Record<string, string>> = {
  状态: 'status',
  狀態: 'status',
  问题: 'question',
  問題: 'question',
}
/** Fields that count as such on any line of a head, even in a list. */
const known = ['status', 'question', 'session_id']
const keyLine =
  /^([-*]\s+)?["'*_`]{0,3}([\p{L}][\p{L}\p{N}_-]{0,40}?)["'*_`]{0,3}\s*[:：][*_]{0,3}(?!\/)\s*(\S.*|)$/u

/**
 * Reads the frontmatter.
 *
 * @returns `null` while the frontmatter is not closed, since the file may be half written (C29).
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const place = headIn(lines)
  if (place === null) return null
  const { from, to } = place
  const isFenced = lines.slice(0, from + 1).filter((line) => fence.test(line)).length % 2 === 1
  const rest = lines.slice(to + 1)
  return {
    fields: fieldsOf(lines.slice(from + 1, to)),
    body: (isFenced && rule.test(lines[to] ?? '') ? withoutFence(rest) : rest).join('\n'),
  }
}

/**
 * Finds the head: at the start of the file, or the first one with a status, after a heading, a
 * comment, a fence or text.
 */
function headIn(lines: readonly string[]): { from: number; to: number } | null {
  const first = lines.findIndex((line) => line.trim() !== '')
  const rules = lines.flatMap((line, index) => (rule.test(line) ? [index] : []))
  for (const [place, from] of rules.entries()) {
    const to = rules[place + 1]
    if (to === undefined) break
    if (from === first || hasStatus(lines.slice(from + 1, to))) return { from, to }
  }
  return rules.length > 0 ? null : fencedHead(lines)
}

/**
 * Finds fields in a code fence without `---` lines. Only headings, comments and blank lines may
 * come before it.
 */
function fencedHead(lines: readonly string[]): { from: number; to: number } | null {
  const from = lines.findIndex((line) => !/^\s*(?:$|#|<!--.*-->\s*$)/.test(line))
  if (!fence.test(lines[from] ?? '')) return null
  const length = lines.slice(from + 1).findIndex((line) => /^(?:```|~~~)[ \t]*$/.test(line))
  const to = from + 1 + length
  return length > 0 && hasStatus(lines.slice(from + 1, to)) ? { from, to } : null
}

/** True if the lines are a head, not text between two horizontal rules. */
export const hasStatus = (lines: readonly string[]): boolean =>
  lines.length <= headMost && lines.some((line) => keyOf(line.trim())?.key === 'status')

/**
 * Drops the end of the code fence that was open around the head: right after the head, or at the
 * end of the text.
 */
function withoutFence(lines: readonly string[]): readonly string[] {
  const next = lines.findIndex((line) => line.trim() !== '')
  const closes = (line: string | undefined) => /^(?:```|~~~)[ \t]*$/.test(line ?? '')
  if (closes(lines[next])) return lines.slice(next + 1)
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return closes(lines[last]) ? lines.slice(0, last) : lines
}

function keyOf(line: string): { key: string; value: string } | null {
  const [, bullet, name = '', value = ''] = keyLine.exec(line) ?? []
  if (name === '') return null
  const typed = name.toLowerCase().replaceAll('-', '_')
  const key = names[typed] ?? typed
  return bullet === undefined || known.includes(key) ? { key, value: value.trim() } : null
}

function fieldsOf(head: readonly string[]): Record<string, string> {
  if (head.join('\n').trim().startsWith('{')) return asFields(parsed(head.join('\n')))
  const indent = /^\s*/.exec(head.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0
  const chunks: { key: string; value: string; more: string[] }[] = []
  for (const line of head.map((one) => one.slice(Math.min(indent, one.search(/\S|$/))))) {
    const last = chunks.at(-1)
    // An indented line continues the previous field, unless that field has its value and the line
    // names a known field.
    const isInside = /^\s/.test(line) && (last?.value === '' || !isKnown(line))
    const found = isInside ? null : keyOf(line.trim())
    if (found !== null) chunks.push({ ...found, more: [] })
    else if (!/^#/.test(line)) last?.more.push(line)
  }
  const fields: Record<string, string> = {}
  for (const { key, value, more } of chunks) {
    const read = cleanText(saidIn(value, more)).trim()
    // If a report asks two questions, both are kept.
    const isMore = key === 'question' && fields[key] !== undefined && fields[key] !== read
    fields[key] = isMore ? `${fields[key]}\n${read}` : read
  }
  return fields
}

const isKnown = (line: string) => known.includes(keyOf(line.trim())?.key ?? '')

/**
 * Returns a value as YAML reads it if it is quoted, a block or a list; otherwise the words as
 * written.
 */
function saidIn(value: string, more: readonly string[]): string {
  const lines = more.filter((line) => line.trim() !== '')
  if (/^["'[{|>]/.test(value) || (value === '' && lines.length > 0)) {
    const said = parsed(
      `value: ${value}\n${more.map((line) => line.replace(/^\t+/, '  ')).join('\n')}`,
    )
    if (isRecord(said)) return textOf(said.value)
  }
  const first = /^[|>][+-]?\d?$/.test(value) ? '' : value
  return [first, ...lines.map((line) => line.trim())].filter((line) => line !== '').join('\n')
}

/** Parses YAML with every value as text; `undefined` if it is invalid. */
function parsed(text: string): unknown {
  try {
    return yaml().parse(text, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' })
  } catch {
    return undefined
  }
}

const asFields = (value: unknown): Record<string, string> =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, held]) => [key.toLowerCase(), cleanText(textOf(held))]),
      )
    : {}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `- ${textOf(one)}`).join('\n')
  return isRecord(value) ? JSON.stringify(value) : String(value ?? '')
}
