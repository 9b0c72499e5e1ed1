/** Length of a result that a task keeps, in characters; prompts show the beginning (F1), and `recall` reads on. */
export const keptMost = 60_000

/** The end of a text that was cut: how much is missing, of how much. */
const note = /… \[cut: \d+ of (\d+) characters are not shown[^\]\n]*\]$/

/** The text without the note of a cut, and the length that it had before, in characters. */
export function uncut(text: string): { kept: string; whole: number } {
  const found = note.exec(text)
  return found === null
    ? { kept: text, whole: text.length }
    : { kept: text.slice(0, found.index), whole: Number(found[1]) }
}

/**
 * Returns the first `most` characters, with a note of how many are missing; never half of a surrogate pair. A text that was cut
 * before is cut once: its note counts from the whole text (C493).
 *
 * @param more end of the note: what can be done about it.
 */
export function cut(text: string, most: number, more = ''): string {
  if (text.length <= most) return text
  const { kept, whole } = uncut(text)
  if (kept.length <= most) return text
  const shown = kept.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${shown}… [cut: ${whole - shown.length} of ${whole} characters are not shown${more}]`
}
