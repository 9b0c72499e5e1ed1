/*
 * Code blocks of a Markdown text.
 */

export interface CodeBlock {
  language: string
  /** Full text after the opening marks. */
  info: string
  text: string
}

/**
 * Replaces code blocks of a text. `replaced` gets the lines above as `before`; `null` keeps the
 * block.
 */
export function withCodeBlocks(
  text: string,
  replaced: (block: CodeBlock, before: string) => string | null,
): string {
  const lines = text.split('\n')
  const shown: string[] = []
  for (let index = 0; index < lines.length; ) {
    const found = fenceAt(lines, index)
    const next = found?.next ?? index + 1
    const line = found === null ? null : replaced(codeOfBlock(found), shown.slice(-3).join('\n'))
    shown.push(...(line === null ? lines.slice(index, next) : [line]))
    index = next
  }
  return shown.join('\n')
}

const codeOfBlock = ({
  block: { fence, lines },
  info = '',
}: NonNullable<BlockMatch>): CodeBlock => ({
  language: fence ?? '',
  info,
  text: lines.join('\n'),
})

/** Consecutive lines: a code block with its language, or plain text with `fence: null`. */
export interface Block {
  fence: string | null
  lines: string[]
}

/** Block found in lines; `next` is the index of the first line after it. */
export type BlockMatch = { block: Block; next: number; info?: string; marker?: string } | null
const plainLine = (line: string): Block => ({ fence: null, lines: [line] })

/**
 * Parses the code block that begins at a line, if any. A block inside a quote or list is moved out
 * of it, since some platforms do not show it whole there.
 */
export function fenceAt(lines: readonly string[], start: number): BlockMatch {
  const [, before = '', marker = '', opener = '', info = ''] =
    /^((?:[^\S\n]*>)*[^\S\n]*)((?:[-*+]|\d{1,9}[.)])[^\S\n]+)?(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/.exec(
      lines[start] ?? '',
    ) ?? []
  if (opener === '') return null
  const quotes = before.replace(/[^>]/g, '').length
  const inside = (line: string) => withoutIndent(line, quotes, before.length + marker.length)
  const closes = (line: string) => {
    const marks = inside(line).trim()
    return /^(?:`+|~+)$/.test(marks) && marks.startsWith(opener)
  }
  const end = nextOf(
    lines,
    start + 1,
    (line) => closes(line) || (quotes > 0 && !line.trimStart().startsWith('>')),
  )
  const [language = ''] = info.trim().split(/\s/, 1)
  const fence = /^[\w+#.-]{1,30}$/.exec(language)?.[0] ?? ''
  const block = { fence, lines: lines.slice(start + 1, end).map(inside) }
  return {
    block,
    next: closes(lines[end] ?? '') ? end + 1 : end,
    info: info.trim(),
    marker: /\d/.test(marker) ? marker.trim() : '',
  }
}

/** Strips the quote marks and list indentation from a line of a code block. */
function withoutIndent(line: string, quotes: number, indent: number): string {
  let rest = line
  for (let depth = 0; depth < quotes; depth++) rest = rest.replace(/^[^\S\n]*>/, '')
  const blanks = /^[^\S\n\t]*/.exec(rest)?.[0].length ?? 0
  return rest.slice(Math.min(blanks, indent - quotes))
}

/** Returns the index of the first matching line from `from` on, or the number of lines. */
export function nextOf(
  lines: readonly string[],
  from: number,
  isSo: (line: string) => boolean,
): number {
  let index = from
  while (index < lines.length && !isSo(lines[index] ?? '')) index += 1
  return index
}

/**
 * Splits a text into its blocks and the text between them, in order. `blockAt` finds the block that
 * begins at a line; by default only code.
 */
export function blocksIn(text: string, blockAt: typeof fenceAt = fenceAt): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let index = 0; index < lines.length; ) {
    const found = blockAt(lines, index)
    const last = blocks.at(-1)
    if (found !== null) blocks.push(...(found.marker ? [plainLine(found.marker)] : []), found.block)
    else if (last?.fence === null) last.lines.push(lines[index] ?? '')
    else blocks.push(plainLine(lines[index] ?? ''))
    index = found?.next ?? index + 1
  }
  return blocks
}
