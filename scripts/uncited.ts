/**
 * Prints every behaviour of `docs/behaviours.md` that no test cites.
 *
 * Run with `npm run uncited`; exits 1 when anything is printed. A citation is the number as a whole word in a test's
 * title or in a comment below `test/`; `R101–R103` cites all three.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, scan } from './source.ts'

/** All behaviour numbers in `text`, ranges filled in and letters left out, in order of appearance and with repetitions. */
export function numbersIn(text: string): string[] {
  const range = /\b([RCFPSI])(\d{1,4})(?:[–-]\1?(\d{1,4}))?(?:[a-z](?:, [a-z])*)?\b/g
  return [...text.matchAll(range)].flatMap(([, letter, first, last]) => {
    const from = Number(first)
    const count = Math.max(0, Number(last ?? first) - from) + 1
    return Array.from({ length: count }, (_, offset) => `${letter}${from + offset}`)
  })
}

/**
 * The numbers that a test file cites: in its comments, in the titles of its tests and suites, and, in brackets, in the
 * names of the rows of an `it.each` table, which become titles.
 */
export function citationsIn(source: string): Set<string> {
  const { code, comments, strings } = scan(source)
  const titles = strings
    .filter(({ start }) => opensTitle(code.slice(0, start)))
    .map(({ text }) => text)
  const rows = strings.filter(({ start }) =>
    /(?:\[|\bname:)\s*$/.test(code.slice(0, start).slice(-200)),
  )
  const bracketed = rows.flatMap(({ text }) => text.match(/\([^()]*\)/g) ?? [])
  return new Set([...comments, ...titles, ...bracketed].flatMap(numbersIn))
}

/** Whether a string that begins after `before` is a title: `it('…`, `it.each(…)('…`, `describeWith('program', '…`. */
function opensTitle(before: string): boolean {
  const line = before.slice(-200)
  return /(?:\b(?:it|test|describe)(?:\.\w+)*\(|[)\]]\(|\bdescribeWith\([^()]*,)\s*$/.test(line)
}

/** Numbers that the list of behaviours defines: every line that begins with one; lettered lines share theirs. */
export function definedIn(markdown: string): string[] {
  return [...markdown.matchAll(/^- \*\*([RCFPSI]\d{1,4})[a-z]?\*\* /gm)].flatMap(
    ([, number = '']) => number,
  )
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const files = filesIn(['test', 'packages'], /\.ts$/)
  const cited = new Set(files.flatMap(({ source }) => [...citationsIn(source)]))
  const missing = definedIn(readFileSync(join(root, 'docs/behaviours.md'), 'utf8')).filter(
    (number) => !cited.has(number),
  )
  for (const number of missing) console.log(`no test cites ${number}`)
  if (missing.length > 0) process.exitCode = 1
}
