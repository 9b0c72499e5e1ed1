import { outsideCode } from './code.ts'

/*
 * Emphasis beside Chinese, Japanese and Korean, which are written without blanks. CommonMark opens
 * none between a letter and punctuation, and Slack's own markup none inside a word.
 */

/** Sign without a width that counts neither as a letter nor as punctuation. */
const zeroWidth = '\u200b'

const wide =
  /[\u1100-\u11ff\u2e80-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/

/** Emphasis on one line, with the letters around it. */
const emphasis = /(?<=([^*~]?))(\*{1,3}|~~)(?=[^\s*~])([^*~\n]{1,300})\2(?=([^*~]?))/gsu
const punctuation = /[\p{P}\p{S}]/u

/**
 * Adds signs without a width to Markdown, so that emphasis whose edge is punctuation is seen as
 * such between letters of which one is wide (C979): `**标签：**正文`.
 */
export const emphasised = (markdown: string): string =>
  outsideCode(markdown, (words) =>
    words.replace(emphasis, (whole, before: string, mark: string, inner: string, after: string) => {
      if (/\s$/.test(inner)) return whole
      const opens = hidden(before, Array.from(inner).at(0))
      const closes = hidden(after, Array.from(inner).at(-1))
      return mark + opens + inner + closes + mark
    }),
  )

function hidden(outside: string, edge = ''): string {
  const isBetween = punctuation.test(edge) && /[^\s\p{P}\p{S}]/u.test(outside)
  return isBetween && (wide.test(outside) || wide.test(edge)) ? zeroWidth : ''
}

/** Bold text in Slack's markup, set apart from what is written beside it (C979). */
export function boldInMrkdwn(line: string): string {
  return line.replace(/\*\*(.+?)\*\*/g, (_, given: string, at: number) => {
    const inner = given.replace(/^\u200b|\u200b$/g, '')
    const [before, after] = [line.charAt(at - 1), line.charAt(at + given.length + 4)]
    return `${wide.test(before) ? zeroWidth : ''}*${inner}*${wide.test(after) ? zeroWidth : ''}`
  })
}
