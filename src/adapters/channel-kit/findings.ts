import type { Texts } from '../../locales/texts.ts'

/** A text in the language of the person who reads it. */
export type Say = (words: Texts['doctor'], all: Texts) => string

/** One line of the doctor's: what is so, and where to mend it when it should be otherwise. */
export interface Finding {
  verdict: 'good' | 'bad' | 'note'
  line: Say
  mend?: Say
  /** Lines for `.env`; what belongs behind a `=` at their end is for a person to put there. */
  env?: readonly string[]
  /** The page of the manual that says more, as `slack`. */
  manual?: string
  /** The line is what a program or a file said, as it said it. */
  quoted?: true
}
/** A finding in one language. */
export interface Told extends Omit<Finding, 'line' | 'mend'> {
  line: string
  mend?: string
}
type More = Pick<Finding, 'env' | 'manual'>

export const good = (line: Say): Finding => ({ verdict: 'good', line })
export const bad = (line: Say, mend: Say, more: More = {}): Finding => ({ verdict: 'bad', line, mend, ...more })
export const note = (line: Say, mend?: Say, more: More = {}): Finding => ({
  ...{ verdict: 'note', line, ...more },
  ...(mend === undefined ? {} : { mend }),
})
export const quoted = (line: string, mend: Say): Finding => ({ ...bad(() => line, mend), quoted: true })

/** @param hide takes secrets out of a text (S7). */
export function told({ line, mend, ...rest }: Finding, words: Texts, hide: (text: string) => string): Told {
  const say = (text: Say) => hide(text(words.doctor, words))
  return { ...rest, line: say(line), ...(mend === undefined ? {} : { mend: say(mend) }) }
}
