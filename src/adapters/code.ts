/*
 * Code in a text: what stands between two runs of backticks of the same length, as Discord, Slack and CommonMark pair them.
 */

export type Range = { from: number; to: number }

const rangeOf = ({ index, 0: found }: RegExpExecArray): Range => ({
  from: index,
  to: index + found.length,
})

/** Where code stands, its backticks included; in linear time (S11). */
export function codeIn(text: string): Range[] {
  const runs = Array.from(text.matchAll(/`+/g), rangeOf)
  const nextOf = new Map<number, number>()
  const partners = runs.map(() => -1)
  for (const [place, { from, to }] of [...runs.entries()].reverse()) {
    partners[place] = nextOf.get(to - from) ?? -1
    nextOf.set(to - from, place)
  }
  const found: Range[] = []
  for (let place = 0; place < runs.length; place++) {
    const [opens, closes] = [runs[place], runs[partners[place] ?? -1]]
    if (opens === undefined || closes === undefined || text[opens.from - 1] === '\\') continue
    found.push({ from: opens.from, to: closes.to })
    place = partners[place] ?? place
  }
  return found
}

/** A text whose code stays as it is, and whose other words are changed. */
export function outsideCode(text: string, change: (words: string) => string): string {
  let shown = ''
  let done = 0
  for (const { from, to } of codeIn(text)) {
    shown += change(text.slice(done, from)) + text.slice(from, to)
    done = to
  }
  return shown + change(text.slice(done))
}
