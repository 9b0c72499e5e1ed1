import { languages, texts } from './texts.ts'

/**
 * A text without the blanks and the given marks at its end, in linear time (S11). A pattern that ends in `+$` would try a run
 * in the middle of the text again from each of its characters.
 *
 * @param marks characters of one UTF-16 unit each.
 */
export function withoutEnding(text: string, marks: string): string {
  let end = text.length
  while (end > 0 && (marks.includes(text.charAt(end - 1)) || text.charAt(end - 1).trim() === ''))
    end -= 1
  return text.slice(0, end)
}

/** What may stand behind a word that is the whole message. */
export const fullStops = '.!。！'

/** True if the whole message is a word that goes on with a task, in any language (F1); case, a slash before it or a full stop behind it do not matter. */
export function isResumeWord(text: string): boolean {
  const bare = withoutEnding(text.trim().replace(/^\//, '').toLowerCase(), fullStops)
  return languages.some((locale) => texts(locale).core.resumeWords.includes(bare))
}
