import { quiet } from '../safety.ts'

/** What Slack wants escaped, and nothing else; mentions and commands of a text come out as plain words (S1). */
export function escapeText(text: string): string {
  return quiet(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A line of our own Markdown in Slack's own markup: bold, struck out and code, without its backslashes. */
export function lineInMrkdwn(markdown: string): string {
  return escapeText(markdown)
    .replace(/\*\*(.+?)\*\*/g, '*$1*')
    .replace(/~~(.+?)~~/g, '~$1~')
    .replace(/\\([\\`*~[\]_|]|&lt;|&gt;)/g, '$1')
}

const unescapeText = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Ids of the people whom a message names. */
export function mentionsIn(text: string): string[] {
  return Array.from(text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g), ([, id = '']) => id)
}

export interface Addressing {
  text: string
  mentioned: boolean
  /** It begins by speaking to somebody else, and not to Clew at all (R146). */
  forSomeoneElse: boolean
}

/**
 * What a person wrote, as words: Clew's own name is gone, other people's and channels' names stand where Slack has ids,
 * links are plain addresses.
 */
export function readMessage(raw: string, own: string, nameOf: (id: string) => string | null): Addressing {
  const mentioned = mentionsIn(raw).includes(own)
  const first = /^\s*<@([UW][A-Z0-9]+)/.exec(raw)?.[1]
  const text = unescapeText(
    raw
      .replace(new RegExp(`<@${own}(?:\\|[^>]*)?>[ \\t]*[,:，：]?[ \\t]*`, 'g'), '')
      .replace(/<@([UW][A-Z0-9]+)(?:\|([^>]*))?>/g, (_, id: string, label?: string) => `@${nameOf(id) ?? label ?? id}`)
      .replace(/<#([CGD][A-Z0-9]+)(?:\|([^>]*))?>/g, (_, id: string, label?: string) => `#${label || id}`)
      .replace(/<!subteam\^[A-Z0-9]+(?:\|@?([^>]*))?>/g, (_, label?: string) => `@${label ?? 'group'}`)
      .replace(/<!date\^[^>|]*(?:\|([^>]*))?>/g, (_, fallback?: string) => fallback ?? '')
      .replace(/<!([a-z]+)(?:\|[^>]*)?>/g, '@$1')
      .replace(/<(?:mailto:|tel:)([^|>]+)(?:\|[^>]*)?>/g, '$1')
      .replace(/<([a-z][a-z0-9+.-]*:[^|>]+)\|([^>]*)>/g, (_, url: string, label: string) =>
        sameAddress(url, label) ? url : `${label} (${url})`,
      )
      .replace(/<([a-z][a-z0-9+.-]*:[^>]+)>/g, '$1'),
  ).trim()
  return { text, mentioned, forSomeoneElse: !mentioned && first !== undefined && first !== own }
}

const sameAddress = (url: string, label: string) =>
  url.replace(/^https?:\/\//, '') === label.replace(/^https?:\/\//, '')
