/** Something that holds of a run that went right. */
export type Check =
  /** Words that stand in its report, or do not. */
  | { kind: 'says'; words: string; holds: boolean }
  /** A tool that it calls, or does not. */
  | { kind: 'calls'; tool: string; holds: boolean }
  /** Sentences that a model judges the report by. */
  | { kind: 'judge'; words: string }

const begins =
  /^\s{0,9}[-*]?\s{0,9}(?:(never|not|不)\s{0,9})?(says|calls|说|调用)\s{0,9}[:：]\s{0,9}(\S.*)$/iu

/**
 * Returns the checks in the words of what would be right: lines such as `says: Lisbon`,
 * `never says: Porto`, `calls: todo`, `never calls: email` (or 说、不说、调用、不调用); all other lines
 * together are one for a judge.
 */
export function checksOf(right: string): Check[] {
  const lines = right.split('\n').filter((line) => line.trim() !== '')
  const plain = lines.filter((line) => !begins.test(line))
  const checks = lines.flatMap((line): Check[] => {
    const [, never, verb = '', rest = ''] = begins.exec(line) ?? []
    if (verb === '') return []
    const holds = never === undefined
    const isCall = ['calls', '调用'].includes(verb.toLowerCase())
    const words = rest.trim()
    return [isCall ? { kind: 'calls', tool: words, holds } : { kind: 'says', words, holds }]
  })
  return plain.length === 0 ? checks : [...checks, { kind: 'judge', words: plain.join('\n') }]
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Returns why a check fails, in a sentence; null: it holds. A judge's is not decided here. */
export function failureOf(
  check: Exclude<Check, { kind: 'judge' }>,
  { report, tools }: { report: string; tools: readonly string[] },
): string | null {
  if (check.kind === 'says') {
    if (folded(report).includes(folded(check.words)) === check.holds) return null
    return `the report ${check.holds ? 'does not say' : 'says'} “${check.words}”`
  }
  if (tools.includes(check.tool) === check.holds) return null
  return `it ${check.holds ? 'never called' : 'called'} ${check.tool}`
}
