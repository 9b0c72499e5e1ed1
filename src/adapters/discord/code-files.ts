import { type CodeBlock, withCodeBlocks } from '../fences.ts'
import { shortened } from '../text.ts'
import type { File } from './api.ts'
import { limits } from './limits.ts'

/** File extensions by language. A short unknown language is its own extension. */
const ends: Readonly<Record<string, string>> = {
  bash: 'sh',
  javascript: 'js',
  markdown: 'md',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  typescript: 'ts',
}

const fileName = /(?<![\w.-])[\w-][\w.-]{0,60}\.[a-z]\w{0,7}(?![\w.-]*[/(])/gi

/**
 * Moves code blocks into files if a message would cut them (C392), or if they contain the marks
 * that end a block.
 */
export function withCodeFiles(text: string, say: (name: string) => string) {
  const files: File[] = []
  const rest = withCodeBlocks(text, (block, before) => {
    const isShown = block.text.length <= limits.codeCharacters && !block.text.includes('```')
    if (isShown || files.length === limits.filesOfMessage) return null
    const name = freeName(nameOf(block, before), files)
    files.push({ name, data: Buffer.from(`${block.text}\n`), type: 'text/plain' })
    return say(name)
  })
  return { text: rest, files }
}

/**
 * Returns the file name given by the fence, the first line or the text above, or else one by
 * language.
 */
function nameOf({ language, info, text }: CodeBlock, before: string): string {
  const [first = ''] = text.split('\n', 1)
  const comment = /^\s*(?:#(?!!)|\/\/|--|;|\/\*|<!--)/.test(first) ? first : ''
  const named = [info, comment, before].flatMap((words) => words.match(fileName)?.at(-1) ?? [])[0]
  const end = ends[language.toLowerCase()] ?? (/^[a-z]\w{0,4}$/i.test(language) ? language : 'txt')
  return named ?? `script.${end}`
}

function freeName(name: string, files: readonly File[]): string {
  const isTaken = (one: string) => files.some((file) => file.name === one)
  for (let count = 2, free = shortened(name, 80); ; count++) {
    if (!isTaken(free)) return free
    free = name.replace(/(?=\.\w+$)/, `-${count}`)
  }
}
