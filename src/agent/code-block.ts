import { parseObject } from './model/json-text.ts'

/**
 * Length of one value and of the whole block, in characters. Beyond it, only the number of missing
 * characters is shown. A block fits into one message of any platform.
 */
const valueMost = 400
const wholeMost = 1_000

/**
 * The input of a tool call for people, who have to judge it: literally, in a code block that it
 * cannot leave, with what is invisible or turns the reading direction made visible. A JSON object
 * is one line a field.
 *
 * @param notShown says that so many characters are left out.
 */
export function codeBlock(input: string, notShown: (count: number) => string): string {
  const shown = fieldsOf(input, (value) => shortened(value, valueMost, notShown))
  return `\`\`\`text\n${shortened(shown, wholeMost, notShown)}\n\`\`\``
}

/** Lines in a code block that none of them can leave; each stays one line. */
export function linesBlock(lines: readonly string[]): string {
  const shown = lines.map((line) => literal(line).replaceAll('\n', ' '))
  return `\`\`\`text\n${shown.join('\n')}\n\`\`\``
}

/** Whole input of a call without a block. */
export const wholeInput = (input: string): string => fieldsOf(input, (value) => value)

function fieldsOf(text: string, asShown: (value: string) => string): string {
  const fields = parseObject(text)
  if (fields === null) return literal(text.trim())
  const lines = Object.entries(fields).map(([name, value]) => {
    const words = typeof value === 'string' ? value : JSON.stringify(value)
    // Further lines stand back, so that no value can look like another field.
    return `${literal(name).replaceAll('\n', ' ')}: ${asShown(literal(words).replaceAll('\n', '\n    '))}`
  })
  return lines.length === 0 ? '-' : lines.join('\n')
}

/**
 * Control and format characters (zero width, bidirectional) by their code; no run of backticks that
 * could end the block.
 */
function literal(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\t', '  ')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
    .replace(/`{3,}|~{3,}/g, (run) => [...run].join('\u200b'))
}

function shortened(text: string, most: number, notShown: (count: number) => string): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… ${notShown(text.length - kept.length)}`
}
