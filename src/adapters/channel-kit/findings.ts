import type { Texts } from '../../locales/texts.ts'

/** A text in the language of the person who reads it. */
export type FindingText = (words: Texts['doctor'], all: Texts) => string

/** The same for what is found, with where to mend it when it should be otherwise. */
type FindingTexts = (...words: Parameters<FindingText>) => readonly [line: string, mend: string]

/** One line of the doctor's: what is so, and where to mend it when it should be otherwise. */
export interface Finding {
  verdict: 'good' | 'bad' | 'note'
  says: FindingText | FindingTexts
  /** Lines for `.env`; what belongs behind a `=` at their end is for a person to put there. */
  env?: readonly string[]
  /** The page of the manual that says more, as `slack`. */
  manual?: string
  /** The line is what a program or a file said, as it said it. */
  isVerbatim?: true
}
/** A finding in one language. */
export interface Told extends Omit<Finding, 'says'> {
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

/** @param hide takes secrets out of a text (S7). */
export function told(
  { says, ...rest }: Finding,
  words: Texts,
  hide: (text: string) => string,
): Told {
  const [line = '', mend] = [says(words.doctor, words)].flat().map(hide)
  return { ...rest, line, ...(mend === undefined ? {} : { mend }) }
}
