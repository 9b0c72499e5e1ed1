/** One line of the doctor's: what is so, and where to mend it when it should be otherwise. */
export interface Finding {
  verdict: 'good' | 'bad' | 'note'
  line: string
  mend?: string
}

export const good = (line: string): Finding => ({ verdict: 'good', line })
export const bad = (line: string, mend: string): Finding => ({ verdict: 'bad', line, mend })
export const note = (line: string, mend?: string): Finding => ({
  ...{ verdict: 'note', line },
  ...(mend === undefined ? {} : { mend }),
})
