import { languages, texts } from './texts.ts'

/**
 * Text without the blanks and the given marks at its end, in linear time (S11). A pattern that ends
 * in `+$` would rescan a run of marks in the middle from each of its characters.
 *
 * @param marks characters of one UTF-16 unit each.
 */
export function withoutEnding(text: string, marks: string): string {
  let end = text.length
  while (end > 0 && (marks.includes(text.charAt(end - 1)) || text.charAt(end - 1).trim() === ''))
    end -= 1
  return text.slice(0, end)
}

/** Marks that may end a one-word message. */
export const fullStops = '.!。！'

/**
 * True if the whole message is a word that resumes a task, in any language (F1). Case, a slash
 * before it and a full stop behind it do not matter.
 */
export function isResumeWord(text: string): boolean {
  const bare = withoutEnding(text.trim().replace(/^\//, '').toLowerCase(), fullStops)
  return languages.some((locale) => texts(locale).core.resumeWords.includes(bare))
}
