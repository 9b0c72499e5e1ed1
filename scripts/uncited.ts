/**
 * Prints every behaviour of `docs/behaviours.md` that a built area of the product needs and that no test cites.
 *
 * Run with `npm run uncited`; exits 1 when anything is printed. A citation is the number as a whole word in a test's
 * title or in a comment below `test/`; `R101–R103` cites all three.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from './source.ts'

/** What each area that is built must show. Numbers and ranges, as in a citation. */
const areas: Readonly<Record<string, string>> = {
  'the durable agent': `
    R1–R44 R91–R119 R123 R141–R146 R149–R152
    C1–C9 C14 C15 C21 C24–C27 C35 C39 C45 C47 C49 C50 C51 C52 C54 C56 C57
    F1 F2 F3 F5 F6 F7 F26–F29
    P2 P3 P5 P6 P8 P9 P11–P14 P16 S5 S7 S9 I1–I6 I8–I10`,
  'at home in Slack': 'C44 C49 S1 S2 S6 S9 P2 P3 P4 R147–R149 R152 I1–I6 I11',
  'batches and free tasks': `
    R45–R89 R120 C10–C23 C32–C37 C39 C40 C41 C55 F16 F17 F21–F23 F25 P1 P11 P12`,
  'schedules, to-dos and reports': `
    R105–R108 R114 R115 R122 R147 R148 C45 C46 C48 C53 F6–F13 F27 F31 P10 S3 S4 I7`,
  'tools that people approve': 'C13 C40 C47 C50 P1 P13 S4 S5 S7',
  'memory, follow-up and budgets': 'F30 S5 S8 R90 R92 R121 C32 C35 P1 P8 P12',
  'coding agents and folders': 'R98 R124–R140 C28–C32 C34 C36–C41 C43 F32–F34 P1 P11–P13',
  Discord: 'R104–R106 R122 R123 R145–R149 R152 C44 C47 C49 F13 P1–P4 S1 S2 S6 S7 S9 I6',
}

/** All behaviour numbers in `text`, ranges filled in, in order of appearance and with repetitions. */
export function numbersIn(text: string): string[] {
  const range = /\b([RCFPSI])(\d{1,3})(?:[–-]\1?(\d{1,3}))?\b/g
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
  const titles = strings.filter(({ start }) => opensTitle(code.slice(0, start))).map(({ text }) => text)
  const rows = strings.filter(({ start }) => /(?:\[|\bname:)\s*$/.test(code.slice(0, start).slice(-200)))
  const bracketed = rows.flatMap(({ text }) => text.match(/\([^()]*\)/g) ?? [])
  return new Set([...comments, ...titles, ...bracketed].flatMap(numbersIn))
}

/** Whether a string that begins after `before` is a title: `it('…`, `it.each(…)('…`, `describeWith('program', '…`. */
function opensTitle(before: string): boolean {
  const line = before.slice(-200)
  return /(?:\b(?:it|test|describe)(?:\.\w+)*\(|[)\]]\(|\bdescribeWith\([^()]*,)\s*$/.test(line)
}

function uncited(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const cited = new Set(files.flatMap((path) => [...citationsIn(readFileSync(join(folder, path), 'utf8'))]))
  const missing = Object.entries(areas).map(([area, needed]) => {
    return [area, numbersIn(needed).filter((number) => !cited.has(number))] as const
  })
  return new Map(missing.filter(([, numbers]) => numbers.length > 0))
}

if (import.meta.main) {
  for (const [area, numbers] of uncited(join(import.meta.dirname, '../test'))) {
    console.log(`${area}: no test cites ${numbers.join(', ')}`)
    process.exitCode = 1
  }
}
