/**
 * Length of a result that a task keeps, in characters; prompts show the beginning (F1), and
 * `recall` reads on.
 */
export const keptMost = 60_000

/**
 * Length of what `recall` shows at once, in characters: with its notes it is a result that is shown
 * whole.
 */
export const recallMost = 9_000

/** The end of a text that was cut: how much is missing, of how much. */
const noteStart = '… [cut: '
const note = /^… \[cut: \d+ of (\d+) characters are not shown[^\]\n]*\]$/

/** The text without the note of a cut, and the length that it had before, in characters. */
export function uncut(text: string): { kept: string; whole: number } {
  const at = text.lastIndexOf(noteStart)
  const found = at === -1 ? null : note.exec(text.slice(at))
  return found === null
    ? { kept: text, whole: text.length }
    : { kept: text.slice(0, at), whole: Number(found[1]) }
}

/**
 * Returns the first `most` characters, with a note of how many are missing; never half of a
 * surrogate pair. A text that was cut before is cut once: its note counts from the whole text
 * (C493).
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

/** Reads “<name> from 60000”: what is meant, and how many of its characters to pass over (C494). */
export function readOn(input: string): { name: string; from: number | null } {
  const text = input.trim()
  const at = text.toLowerCase().lastIndexOf(' from ')
  const number = text.slice(at + ' from '.length).trim()
  return at !== -1 && /^\d{1,9}$/.test(number)
    ? { name: text.slice(0, at).trimEnd(), from: Number(number) }
    : { name: text, from: null }
}
