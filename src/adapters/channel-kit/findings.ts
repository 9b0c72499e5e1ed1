import type { Texts } from '../../locales/texts.ts'

/** Writes a finding's text in the reader's language. */
export type FindingText = (words: Texts['doctor'], all: Texts) => string

/** Writes a finding's text and where to fix it. */
type FindingTexts = (...words: Parameters<FindingText>) => readonly [line: string, mend: string]

/** Single result of `doctor`: the current state and, if it is wrong, where to fix it. */
export interface Finding {
  verdict: 'good' | 'bad' | 'note'
  says: FindingText | FindingTexts
  /** Lines for `.env`. A line that ends in `=` needs a value from the operator. */
  env?: readonly string[]
  /** Page of the manual with more about it, such as `slack`. */
  manual?: string
  /** Set if the line quotes a program or a file verbatim. */
  isVerbatim?: true
}
/** Finding as text in one language. */
export interface WordedFinding extends Omit<Finding, 'says'> {
  line: string
  mend?: string
}
type More = Pick<Finding, 'env' | 'manual'>

export const good = (says: FindingText): Finding => ({ verdict: 'good', says })
export const bad = (says: FindingTexts, more: More = {}): Finding => ({
  verdict: 'bad',
  says,
  ...more,
})
export const note = (says: FindingText | FindingTexts, more: More = {}): Finding => ({
  verdict: 'note',
  says,
  ...more,
})
export const cited = (line: string, mend: FindingText): Finding => ({
  ...bad((words, all) => [line, mend(words, all)]),
  isVerbatim: true,
})

/**
 * Renders a finding in one language.
 *
 * @param hide redacts secrets in a text (S7).
 */
export function told(
  { says, ...rest }: Finding,
  words: Texts,
  hide: (text: string) => string,
): WordedFinding {
  const [line = '', mend] = [says(words.doctor, words)].flat().map(hide)
  return { ...rest, line, mend }
}
