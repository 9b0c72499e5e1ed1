import type { MarkedOptions, Token, TokensList } from 'marked'
import { markdown } from '../agent/on-demand.ts'
import { isTooMuchWork } from './markdown-work.ts'

/** Deepest nesting of lists, quotes and emphasis; anything deeper is plain text. */
const deepest = 24
/**
 * Most work for pairing the marks of one paragraph: its length times its marks. With 5,000
 * characters it may have 100 marks.
 */
const paragraphWork = 500_000

const marks = /[!*_~`[\\<@&]| {2}|:\/\//g
const tableRule = /^[ \t|]*:?-/

/**
 * Parses Markdown into tokens, in time linear in the text and without a stack overflow (S12). Parts
 * that are nested too deeply, and paragraphs full of marks, become plain text. Everything around
 * them is formatted.
 *
 * @returns null for a text that is better shown as it is.
 */
export function tokensOf(text: string, options: MarkedOptions): TokensList | null {
  const lines = text.replace(/\r\n?/g, '\n')
  if (isTooMuchWork(lines)) return null
  const { Lexer } = markdown()
  const lexer = new Lexer(options)
  const { blockTokens, inlineTokens } = lexer
  let depth = 0
  function within<T extends Token[]>(
    src: string,
    tokens: T,
    isPlain: boolean,
    read: () => void,
  ): T {
    if (isPlain || depth >= deepest) tokens.push({ type: 'text', raw: src, text: src })
    else {
      depth += 1
      read()
      depth -= 1
    }
    return tokens
  }
  lexer.blockTokens = (src: string, tokens: TokensList = lexer.tokens, isClipped?: boolean) =>
    within(src, tokens, false, () => blockTokens.call(lexer, src, tokens, isClipped))
  lexer.inlineTokens = (src, tokens = []) =>
    within(src, tokens, isTooMuch(src), () => inlineTokens.call(lexer, src, tokens))
  return lexer.lex(lines)
}

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0
const isTooMuch = (paragraph: string) =>
  paragraph.length * countOf(marks, paragraph) > paragraphWork

/**
 * True if a text begins with a table that would grow when rendered: each row is padded to as many
 * cells as the head has.
 */
export function isHugeTable(text: string): boolean {
  const end = text.indexOf('\n')
  if (end === -1 || !tableRule.test(text.slice(end + 1, end + 100))) return false
  const [table = ''] = text.split(/\n[ \t]*\n/, 1)
  return countOf(/\|/g, text.slice(0, end)) * countOf(/\n/g, table) > table.length
}
