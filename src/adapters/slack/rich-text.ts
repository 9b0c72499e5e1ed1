import type {
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextSection,
  RichTextStyleable,
} from '@slack/types'
import { Lexer, type Token, type Tokens } from 'marked'

/*
 * Markdown as rich text. Slack makes links and mentions of nothing in it but of elements of their own, so that code in it is shown as it
 * is (C395).
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

/** Paragraphs, headings, lists and quotes; null for what rich text cannot show: tables, rules and what is nested deeper. */
export function richTextOf(markdown: string): RichTextBlockElement[] | null {
  const elements = new Lexer({ gfm: true }).lex(markdown).map(elementsOf)
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

/** A list, with those in it further in. */
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

/** Only what may be followed has come so far (S2). */
function linkOf(url: string, text: string, style: Style): RichTextElement {
  if (!/^https?:\/\//.test(url)) return leaf(text, style)
  const link = text === url ? { type: 'link' as const, url } : { type: 'link' as const, url, text }
  return Object.keys(style).length === 0 ? link : { ...link, style }
}
