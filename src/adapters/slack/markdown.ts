import { aroundCode } from '../code.ts'
import { boldInMrkdwn } from '../emphasis.ts'
import { blocksIn } from '../fences.ts'
import { namedInstant, withInstants } from '../instants.ts'
import { withoutMentions } from '../safety.ts'

/** Escapes a text for Slack and disables its mentions and commands (S1). */
export function escapeText(text: string): string {
  return escapeOnly(withoutMentions(text))
}

/** Escapes what Slack requires and changes nothing else. */
export const escapeOnly = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Converts Markdown into text for a notification, without links and mentions. Code is unchanged
 * except for Slack's escapes (C395).
 */
export function inNotification(markdown: string): string {
  const pieces = blocksIn(markdown).map(({ fence, lines }) =>
    fence === null
      ? aroundCode(lines.join('\n'), lineInMrkdwn, (code) => `\`${escapeOnly(code)}\``)
      : `\`\`\`\n${escapeOnly(lines.join('\n'))}\n\`\`\``,
  )
  return pieces.join('\n')
}

/**
 * Converts a line of our own Markdown into Slack's markup: bold, strikethrough, code, no
 * backslashes, and times in each reader's zone.
 */
export function lineInMrkdwn(markdown: string): string {
  const plain = boldInMrkdwn(escapeText(markdown))
    .replace(/~~(.+?)~~/g, '~$1~')
    .replace(/\\([\\`*~[\]_|]|&lt;|&gt;)/g, '$1')
  return plain
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : withInstants(part, date)))
    .join('')
}

/** Renders a time that Slack shows in each reader's zone (C138). */
const date = (at: number, written: string) =>
  `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time}|${namedInstant(at, written)}>`

/**
 * Converts Markdown with times into Slack's markup. Returns `null` if the markup cannot express it:
 * links, tables, headings, code blocks.
 */
export function inMrkdwn(markdown: string): string | null {
  const beyond = /```|~~~|^[ \t]*[|#>]|\]\(|<\w|(?<![*\\])\*(?![*\s])/m
  return beyond.test(markdown) ? null : lineInMrkdwn(markdown.replace(/^([ \t]*)[-*] /gm, '$1• '))
}

const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Returns the ids of mentioned people. */
export function mentionsIn(text: string): string[] {
  return Array.from(text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g), ([, id = '']) => id)
}

/** Most channels of a message that are looked up. */
const channelsNamed = 10

/** Returns the ids of mentioned channels that Slack does not name. */
export const unnamedChannels = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/<#(C[A-Z0-9]+)\|?>/g), ([, id = '']) => id))].slice(
    0,
    channelsNamed,
  )

export interface Addressing {
  text: string
  mentioned: boolean
  /** True if the text begins with a mention of somebody else and never mentions Clew (R146). */
  forSomeoneElse: boolean
  /** True if the text mentions others, but not Clew. */
  namesOthers: boolean
}

/** Mention of a person, a group or everybody in Slack's markup. */
const person = /<(?:@[UW][A-Z0-9]+|!subteam\^|!(?:here|channel|everyone)\b)/

/** Token in angle brackets, with the separators that may follow a name. */
const token = /<([^<>]*)>([ \t]*[,:，：]?[ \t]*)/g

/**
 * Converts a message from Slack's markup into plain words: drops Clew's own name, replaces ids by
 * names of people and channels, and shows links as addresses.
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

/** Returns a token as words, or `null` if it is unknown. */
function wordsOf(
  head: string,
  label: string | undefined,
  nameOf: (id: string) => string | null,
): string | null {
  const person = /^@([UW][A-Z0-9]+)$/.exec(head)?.[1]
  if (person !== undefined) return `@${nameOf(person) ?? label ?? person}`
  const channel = /^#([CGD][A-Z0-9]+)$/.exec(head)?.[1]
  if (channel !== undefined) return `#${label || (nameOf(channel) ?? channel)}`
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
