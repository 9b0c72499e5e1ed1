import { aroundCode, outsideCode } from '../code.ts'
import { emphasised } from '../emphasis.ts'
import { blocksIn, type Block as Piece } from '../fences.ts'
import { namedInstant, withInstants } from '../instants.ts'
import { broken, defang, type MayLink, withoutMentions } from '../safety.ts'
import { splitMarkdown } from '../text.ts'
import { type Block, markdown } from './blocks.ts'
import { limits } from './limits.ts'
import { preformatted, richBlock, richTextOf } from './rich-text.ts'

/** Part of a Markdown text: its text, and the blocks that show it. */
export interface MarkdownPart {
  text: string
  blocks: Block[]
}

/**
 * Splits Markdown into sanitized parts that fit a message (R152, S1, S2). `markdown` blocks show
 * most of it. Slack does not document that code in them is free of links and mentions, so risky
 * code goes into rich text, byte for byte (C395).
 */
export function partsOf(text: string, mayLink: MayLink): MarkdownPart[] {
  const safe = blocksIn(emphasised(text)).map(safeLines(mayLink)).join('\n')
  return splitMarkdown(safe, limits.markdownCharacters).flatMap((part) => fitting(part))
}

/** Sanitizes a whole text, its code as well, for a document instead of blocks (S97). */
export const safely = (text: string, mayLink: MayLink): string =>
  guarded(blocksIn(text).map(safeLines(mayLink)).join('\n'))

const safeLines =
  (mayLink: MayLink) =>
  ({ fence, lines }: Piece): string =>
    fence === null
      ? aroundCode(
          lines.join('\n'),
          // A stray backtick could take the opening of code for its end.
          (words, quote) => withoutMentions(defang(words.replace(/\\?`/g, 'ˋ'), mayLink, quote)),
          (code) => (code.length > longestCode || code === '' ? null : quoted(code)),
        )
      : fenced(fence, lines.join('\n'))

/** Longest inline code, in characters. Splitting a text could cut longer code. */
const longestCode = 800

/** Quotes code with more backticks than its longest run. */
function quoted(code: string): string {
  const marks = '`'.repeat(longestRun(code) + 1)
  const edge = /^`|`$|^ .* $/.test(code) ? ' ' : ''
  return marks + edge + code + edge + marks
}

function fenced(language: string, code: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${marks}${language}\n${code}\n${marks}`
}

const longestRun = (code: string) =>
  Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))

/**
 * Splits a part further if its blocks are too large. If a part cannot be split further, it becomes
 * one guarded `markdown` block.
 */
function fitting(part: string, room: number = limits.markdownCharacters): MarkdownPart[] {
  const blocks = blocksOf(part)
  if (
    blocks.length <= limits.blocksOfText &&
    JSON.stringify(blocks).length <= limits.blocksCharacters
  )
    return [{ text: part, blocks }]
  const smaller = Math.floor(room / 2)
  return smaller < leastRoom
    ? [{ text: part, blocks: [markdown(guarded(part))] }]
    : splitMarkdown(part, smaller).flatMap((one) => fitting(one, smaller))
}

const leastRoom = 500

function blocksOf(part: string): Block[] {
  const pieces = blocksIn(part).map(({ fence, lines }) => ({ fence, text: lines.join('\n') }))
  const isPlain = pieces.every(({ fence, text }) =>
    fence === null ? isCodeHarmless(text) : isHarmless(text),
  )
  if (isPlain) return [markdown(part)]
  const shown = pieces.flatMap(({ fence, text }) => {
    if (fence === null) return paragraphsOf(outsideCode(text, named)).map(paragraph)
    return [isHarmless(text) ? markdown(fenced(fence, text)) : richBlock([preformatted(text)])]
  })
  return joined(shown)
}

/** Names times with their zone (C138). */
const named = (words: string) => withInstants(words, namedInstant)

/** Splits words at blank lines, but keeps a list together. */
const paragraphsOf = (words: string): string[] =>
  words
    .replace(/^[^\S\n]+$/gm, '')
    .split(/\n\n(?![^\S\n])/)
    .map((one) => one.replace(/^\n+/, '').trimEnd())
    .filter((one) => one !== '')

function paragraph(words: string): Block {
  if (isCodeHarmless(words)) return markdown(words)
  const rich = richTextOf(words)
  return rich === null ? markdown(guarded(words)) : richBlock(rich)
}

function isCodeHarmless(words: string): boolean {
  let isSo = true
  aroundCode(
    words,
    (masked) => masked,
    (code) => {
      isSo &&= isHarmless(code)
      return ''
    },
  )
  return isSo
}

function joined(blocks: readonly Block[]): Block[] {
  const shown: Block[] = []
  for (const block of blocks) {
    const last = shown.at(-1)
    if (last?.type === 'markdown' && block.type === 'markdown')
      shown.splice(-1, 1, markdown(`${last.text}\n\n${block.text}`))
    else shown.push(block)
  }
  return shown
}

const guard = (text: string) => withoutMentions(defang(text, () => false, broken))
const isHarmless = (code: string) => guard(code) === code

/** Sanitizes code as well, as the last resort. */
const guarded = (part: string) =>
  blocksIn(part)
    .map(({ fence, lines }) => {
      const text = lines.join('\n')
      if (fence !== null) return fenced(fence, guard(text))
      return aroundCode(
        text,
        (words) => words,
        (code) => quoted(guard(code)),
      )
    })
    .join('\n')

/** Returns a block's text for a message without blocks, with its code sanitized. */
export function writtenIn(block: Block): string[] {
  if (block.type === 'markdown') return [guarded(block.text)]
  if (block.type !== 'rich_text') return []
  return [guard(block.elements.map((one) => textsIn(one).join('')).join('\n'))]
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  if ('elements' in value) return textsIn(value.elements)
  if ('text' in value && typeof value.text === 'string') return [value.text]
  return 'url' in value && typeof value.url === 'string' ? [value.url] : []
}
