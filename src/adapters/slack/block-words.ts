import { z } from 'zod'
import { escapeOnly } from './markdown.ts'

/*
 * Text of Slack's blocks in Slack's markup, like a message's own text. On some clients, pasted
 * tables and formatting (lists, code, quotes) exist only in blocks.
 */

const words = z.string().nullish().catch(null)
const Style = z.object({ code: z.boolean().optional() }).nullish().catch(null)
const Leaf = z.object({
  type: z.string(),
  text: words,
  url: words,
  user_id: words,
  channel_id: words,
  usergroup_id: words,
  range: words,
  name: words,
  fallback: words,
  style: Style,
})
const Inline = z.object({ elements: z.array(Leaf) })
const Text = z.object({ text: z.string() })
const Container = z.object({
  type: z.string(),
  indent: z.number().nullish(),
  offset: z.number().nullish(),
  style: words,
  elements: z.array(z.unknown()),
})
const Block = z.object({
  type: z.string(),
  text: z.union([z.string(), Text]).nullish().catch(null),
  fields: z.array(Text).nullish().catch(null),
  elements: z.array(z.unknown()).nullish().catch(null),
  rows: z.array(z.array(z.unknown())).nullish().catch(null),
  alt_text: words,
})

type Leaf = z.infer<typeof Leaf>

/** Converters of rich text leaves to Slack's markup, by type. */
const markup: ReadonlyMap<string, (leaf: Leaf) => string> = new Map([
  [
    'text',
    ({ text, style }) =>
      style?.code === true ? `\`${escapeOnly(text ?? '')}\`` : escapeOnly(text ?? ''),
  ],
  ['user', ({ user_id: id }) => `<@${id}>`],
  ['channel', ({ channel_id: id }) => `<#${id}>`],
  ['usergroup', ({ usergroup_id: id }) => `<!subteam^${id}>`],
  ['broadcast', ({ range }) => `<!${range}>`],
  ['emoji', ({ name }) => `:${name}:`],
])

/** Links, and mentions of lists, canvases, files and what apps have, are known by their address. */
function leafWords(leaf: Leaf): string {
  const label = escapeOnly(leaf.fallback || leaf.text || '')
  const linked = label === '' ? `<${leaf.url}>` : `<${leaf.url}|${label}>`
  return markup.get(leaf.type)?.(leaf) ?? (leaf.url ? linked : label)
}

const inline = (raw: unknown): string =>
  (Inline.safeParse(raw).data?.elements ?? []).map(leafWords).join('')

/** Returns the pieces of rich text as they would appear in a message's text. */
function containerWords(raw: unknown): string {
  const { data } = Container.safeParse(raw)
  if (data === undefined) return ''
  const { type, elements, indent, offset, style } = data
  if (type === 'rich_text_list') {
    const blanks = '    '.repeat(indent ?? 0)
    const mark = (index: number) => (style === 'ordered' ? `${(offset ?? 0) + index + 1}.` : '•')
    return elements.map((item, index) => `${blanks}${mark(index)} ${inline(item)}`).join('\n')
  }
  const text = inline(raw)
  if (type === 'rich_text_preformatted') return `\`\`\`\n${text}\n\`\`\``
  return type === 'rich_text_quote' ? text.replace(/^/gm, '&gt; ') : text
}

/** Renders a table in Markdown. */
function tableWords(rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cellWords))
  const [head = [], ...rest] = cells
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n')
}

function cellWords(raw: unknown): string {
  const text = Text.safeParse(raw).data?.text
  const words = text === undefined ? piecesOf(raw).join(' ') : escapeOnly(text)
  return words
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replaceAll('|', '\\|')
}

const piecesOf = (raw: unknown): string[] =>
  (Container.safeParse(raw).data?.elements ?? []).map(containerWords)

/** Returns the text of a block in pieces, or none for a block without text. */
function blockWords(raw: unknown): string[] {
  const { data } = Block.safeParse(raw)
  if (data === undefined) return []
  const { type, text, fields, elements, rows, alt_text: alt } = data
  if (type === 'rich_text') return piecesOf(raw)
  if (type === 'table') return rows == null ? [] : [tableWords(rows)]
  const own = typeof text === 'string' ? text : (text?.text ?? '')
  const inside = (elements ?? []).map((element) => Text.safeParse(element).data?.text ?? '')
  return [own, ...(fields ?? []).map((field) => field.text), ...inside, alt ?? '']
}

export const wordsOfBlocks = (blocks: readonly unknown[]): string[] =>
  blocks.flatMap(blockWords).filter((piece) => piece.trim() !== '')

/**
 * True if the blocks are a pasted table, which belongs to the message. Other attached blocks are
 * previews or an app's.
 */
export const isPasted = (blocks: readonly unknown[]): boolean =>
  blocks.length > 0 &&
  blocks.every((raw) => ['table', 'rich_text'].includes(Block.safeParse(raw).data?.type ?? ''))

/** Adds pieces of blocks to a text that lacks them, ignoring formatting. */
export function withPieces(text: string, pieces: readonly string[]): string {
  let whole = text
  for (const piece of pieces)
    if (!bare(whole).includes(bare(piece))) whole = whole === '' ? piece : `${whole}\n${piece}`
  return whole
}

const bare = (text: string): string =>
  text.replace(/&(?:amp|lt|gt);/g, '').replace(/[^\p{L}\p{N}]+/gu, '')
