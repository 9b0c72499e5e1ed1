/** Longer words are not mistyped names, and the distance costs their square. */
const longest = 40

/**
 * The candidate that was most likely meant: fewest letters missing, extra, wrong or swapped with a neighbour, and no more
 * than a third of the longer word.
 *
 * @returns null when none is near.
 */
export function nearest<T extends string>(typed: string, candidates: readonly T[]): T | null {
  const word = typed.toLowerCase()
  if (word.length > longest) return null
  let best: T | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const steps = distance(word, candidate.toLowerCase())
    const bearable = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    // One letter of a two-letter word is not a typing error.
    if (steps < least && steps <= bearable && steps < Math.min(word.length, candidate.length)) {
      best = candidate
      least = steps
    }
  }
  return best
}

/** Optimal string alignment: edits, and swaps of neighbours that are not edited again. */
export function distance(from: string, to: string): number {
  const a = Array.from(from)
  const b = Array.from(to)
  let twoBack: number[] = []
  let back = b.map((_, index) => index)
  back.push(b.length)
  for (const [i, letter] of a.entries()) {
    const row = [i + 1]
    for (const [j, other] of b.entries()) {
      const wrong = at(back, j) + (letter === other ? 0 : 1)
      const extra = Math.min(at(back, j + 1), at(row, j)) + 1
      const swapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === other
      row.push(Math.min(wrong, extra, swapped ? at(twoBack, j - 1) + 1 : extra))
    }
    twoBack = back
    back = row
  }
  return at(back, b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
