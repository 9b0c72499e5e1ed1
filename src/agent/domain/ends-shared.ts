type Sequence = string | readonly string[]

/** Lengths of what two texts, or two lists of lines, begin and end with alike; they never overlap. */
export function endsShared(before: Sequence, after: Sequence): { head: number; tail: number } {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return { head, tail }
}
