/** Longer words are not mistyped names, and the distance costs their square. */
const longest = 40

/**
 * The candidate that was most likely meant: fewest letters missing, extra, wrong or swapped with a
 * neighbour, and no more than a third of the longer word.
 *
 * @returns null when none is near.
 */
export function nearest<T extends string>(typed: string, candidates: readonly T[]): T | null {
  const word = typed.toLowerCase()
  if (word.length > longest) return null
  const near = candidates.flatMap((candidate) => {
    const bearable = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    if (Math.abs(word.length - candidate.length) > bearable) return []
    const steps = distance(word, candidate.toLowerCase())
    // One letter of a two-letter word is not a typing error.
    return steps <= bearable && steps < Math.min(word.length, candidate.length)
      ? [{ candidate, steps }]
      : []
  })
  return near.toSorted((a, b) => a.steps - b.steps)[0]?.candidate ?? null
}

/** Optimal string alignment: edits, and swaps of neighbours that are not edited again. */
export function distance(from: string, to: string): number {
  const [a, b] = [Array.from(from), Array.from(to)]
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const steps = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (const [i, letter] of a.entries()) {
    const row = [i + 1]
    rows.push(row)
    for (const [j, other] of b.entries()) {
      const changed = steps(i, j) + (letter === other ? 0 : 1)
      const swapped =
        i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === other
          ? steps(i - 1, j - 1) + 1
          : changed
      row.push(Math.min(changed, swapped, steps(i, j + 1) + 1, steps(i + 1, j) + 1))
    }
  }
  return steps(a.length, b.length)
}
