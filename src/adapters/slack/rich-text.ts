import type {
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextSection,
  RichTextStyleable,
} from '@slack/types'
import type { Token, Tokens } from 'marked'
import { tokensOf } from '../bounded-lexer.ts'

/*
 * Markdown as rich text. In it, only dedicated elements become links and mentions, so code is shown
 * unchanged (C395).
 */

type Style = NonNullable<RichTextStyleable['style']>

export const preformatted = (code: string): RichTextBlockElement => ({
  type: 'rich_text_preformatted',
  elements: [{ type: 'text', text: code }],
})

export const richBlock = (elements: RichTextBlockElement[]): RichTextBlock => ({
  type: 'rich_text',
  elements,
})

/**
 * Converts paragraphs, headings, lists and quotes. Returns `null` for anything that rich text
 * cannot show (tables, rules, deeper nesting), and for what takes too long to parse (S12).
 */
export function richTextOf(markdown: string): RichTextBlockElement[] | null {
  const elements = tokensOf(markdown, { gfm: true })?.map(elementsOf) ?? [null]
  return elements.every((one) => one !== null) ? elements.flat() : null
}

function elementsOf(token: Token): RichTextBlockElement[] | null {
  if (isList(token)) return listOf(token, 0)
  if (token.type === 'space') return []
  if (token.type === 'paragraph' || token.type === 'text') return [section(token, {})]
  if (token.type === 'heading') return [section(token, { bold: true })]
  const inner = 'tokens' in token ? (token.tokens ?? []) : []
  return token.type === 'blockquote' && inner.every(({ type }) => type === 'paragraph')
    ? inner.map((one) => ({ ...section(one, {}), type: 'rich_text_quote' }))
    : null
}

const isList = (token: Token): token is Tokens.List => token.type === 'list'

/** Converts a list, with nested lists indented. */
function listOf(list: Tokens.List, indent: number): RichTextBlockElement[] | null {
  const lists: RichTextBlockElement[] = []
  let items: RichTextSection[] = []
  for (const [index, { tokens, task, checked }] of list.items.entries()) {
    const [first, ...below] = tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox')
    const inner = below.map((one) => (isList(one) ? listOf(one, indent + 1) : null))
    if (first === undefined || !['text', 'paragraph'].includes(first.type) || indent > 5)
      return null
    if (inner.some((one) => one === null)) return null
    const sign = task === true ? [leaf(checked === true ? '☑ ' : '☐ ', {})] : []
    const elements = [...sign, ...section(first, {}).elements]
    items.push({ type: 'rich_text_section', elements })
    if (inner.length === 0 && index < list.items.length - 1) continue
    const offset = Number(list.start || 1) + index - items.length
    const style = list.ordered ? ('ordered' as const) : ('bullet' as const)
    const shown = { type: 'rich_text_list' as const, style, indent, offset, elements: items }
    lists.push(shown, ...inner.flatMap((one) => one ?? []))
    items = []
  }
  return lists
}

const section = (token: Token, style: Style): RichTextSection => ({
  type: 'rich_text_section',
  elements: 'tokens' in token ? leavesOf(token.tokens ?? [], style) : [leaf(token.raw, style)],
})

const leaf = (text: string, style: Style): RichTextElement =>
  Object.keys(style).length === 0 ? { type: 'text', text } : { type: 'text', text, style }

const styles: ReadonlyMap<string, Style> = new Map([
  ['strong', { bold: true }],
  ['em', { italic: true }],
  ['del', { strike: true }],
])

const leavesOf = (tokens: readonly Token[], style: Style): RichTextElement[] =>
  tokens.flatMap((token) => leafOf(token, style))

function leafOf(token: Token, style: Style): RichTextElement[] {
  const added = styles.get(token.type)
  if (added !== undefined)
    return leavesOf('tokens' in token ? (token.tokens ?? []) : [], { ...style, ...added })
  if (token.type === 'br') return [leaf('\n', {})]
  const text = 'text' in token ? String(token.text) : token.raw
  if (token.type === 'link') return [linkOf(String(token.href), text, style)]
  return [leaf(text, token.type === 'codespan' ? { ...style, code: true } : style)]
}

/** Converts a link. Addresses are already sanitized here (S2). */
function linkOf(url: string, text: string, style: Style): RichTextElement {
  if (!/^https?:\/\//.test(url)) return leaf(text, style)
  const link = text === url ? { type: 'link' as const, url } : { type: 'link' as const, url, text }
  return Object.keys(style).length === 0 ? link : { ...link, style }
}
