import { aroundCode } from '../code.ts'
import { blocksIn } from '../fences.ts'
import { namedInstant, withInstants } from '../instants.ts'
import { withoutMentions } from '../safety.ts'

/** What Slack wants escaped, and nothing else; mentions and commands of a text come out as plain words (S1). */
export function escapeText(text: string): string {
  return escapeOnly(withoutMentions(text))
}

/** Escapes what Slack wants escaped, and changes nothing else. */
export const escapeOnly = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Words for a notification, in which nothing is a link or a mention: code stays as it is but for Slack's escapes (C395). */
export function inNotification(markdown: string): string {
  const pieces = blocksIn(markdown).map(({ fence, lines }) =>
    fence === null
      ? aroundCode(lines.join('\n'), lineInMrkdwn, (code) => `\`${escapeOnly(code)}\``)
      : `\`\`\`\n${escapeOnly(lines.join('\n'))}\n\`\`\``,
  )
  return pieces.join('\n')
}

/** A line of our own Markdown in Slack's own markup: bold, struck out and code, without its backslashes; instants in each reader's time. */
export function lineInMrkdwn(markdown: string): string {
  const plain = escapeText(markdown)
    .replace(/\*\*(.+?)\*\*/g, '*$1*')
    .replace(/~~(.+?)~~/g, '~$1~')
    .replace(/\\([\\`*~[\]_|]|&lt;|&gt;)/g, '$1')
  return plain
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : withInstants(part, date)))
    .join('')
}

/** Slack shows the reader's own day and clock (C138). */
const date = (at: number, written: string): string =>
  `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time}|${namedInstant(at, written)}>`

/** Markdown with an instant in Slack's own markup, where that can say all of it; null where it cannot: links, tables, headings, code blocks. */
export function inMrkdwn(markdown: string): string | null {
  const beyond = /```|~~~|^[ \t]*[|#>]|\]\(|<\w|(?<![*\\])\*(?![*\s])/m
  return beyond.test(markdown) ? null : lineInMrkdwn(markdown.replace(/^([ \t]*)[-*] /gm, '$1• '))
}

const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Ids of the people whom a message names. */
export function mentionsIn(text: string): string[] {
  return Array.from(text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g), ([, id = '']) => id)
}

export interface Addressing {
  text: string
  mentioned: boolean
  /** It begins by speaking to somebody else, and not to Clew at all (R146). */
  forSomeoneElse: boolean
  /** It mentions others, anywhere in the text, and not Clew. */
  namesOthers: boolean
}

/** Somebody or everybody, as Slack puts them into angle brackets. */
const person = /<(?:@[UW][A-Z0-9]+|!subteam\^|!(?:here|channel|everyone)\b)/

/** What Slack puts into angle brackets, and what may part a name from the words behind it. */
const token = /<([^<>]*)>([ \t]*[,:，：]?[ \t]*)/g

/**
 * What a person wrote, as words: Clew's own name is gone, other people's and channels' names stand where Slack has ids,
 * links are plain addresses.
 */
export function readMessage(
  raw: string,
  own: string,
  nameOf: (id: string) => string | null,
): Addressing {
  const mentioned = mentionsIn(raw).includes(own)
  const words = raw.replace(token, (whole, inside: string, after: string) => {
    const [head = '', ...labels] = inside.split('|')
    if (head === `@${own}`) return ''
    const read = wordsOf(head, labels.length === 0 ? undefined : labels.join('|'), nameOf)
    return read === null ? whole : read + after
  })
  const namesOthers = !mentioned && person.test(raw)
  const forSomeoneElse = namesOthers && raw.trimStart().search(person) === 0
  return { text: unescapeText(words).trim(), mentioned, forSomeoneElse, namesOthers }
}

/** A token in words; null for one that is not known. */
function wordsOf(
  head: string,
  label: string | undefined,
  nameOf: (id: string) => string | null,
): string | null {
  const person = /^@([UW][A-Z0-9]+)$/.exec(head)?.[1]
  if (person !== undefined) return `@${nameOf(person) ?? label ?? person}`
  const channel = /^#([CGD][A-Z0-9]+)$/.exec(head)?.[1]
  if (channel !== undefined) return `#${label || channel}`
  if (/^!subteam\^[A-Z0-9]+$/.test(head)) return `@${label?.replace(/^@/, '') ?? 'group'}`
  if (head.startsWith('!date^')) return label ?? ''
  if (/^![a-z]+$/.test(head)) return `@${head.slice(1)}`
  const address = /^(?:mailto:|tel:)(.+)$/s.exec(head)?.[1]
  if (address !== undefined) return address
  if (!/^[a-z][a-z0-9+.-]*:./s.test(head)) return null
  return label === undefined || sameAddress(head, label) ? head : `${label} (${head})`
}

const sameAddress = (url: string, label: string) =>
  url.replace(/^https?:\/\//, '') === label.replace(/^https?:\/\//, '')
