import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citationsIn, definedIn, numbersIn } from '../../scripts/uncited.ts'
import { expectProven, rowsOf } from './rows.ts'

/**
 * Sentences that promise something: of every list and text before the tables of threats. A heading in bold says who somebody is, and
 * what is not defended is no promise.
 */
function promisesIn(page: string): string[] {
  const [, part = ''] = page.split('\n## Who could attack')
  const [before = ''] = part.split('\n## OWASP')
  const texts = before
    .split(/\n(?=- |\n)/)
    .slice(1)
    .map((text) => text.trim().replace(/^- |\s+/g, (mark) => (mark === '- ' ? '' : ' ')))
    .filter((text) => !/^(?:$|#|\||\*\*|\*Not defended:\*)/.test(text))
  return texts.flatMap((text) => text.split(/(?<=\.)\s+(?=\W*[A-Z*`])/))
}

describe('docs/security.md (S10)', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  const rows = rowsOf(page)
  const behaviours = readFileSync('docs/behaviours.md', 'utf8')

  it('promises nothing without a line that a test names (S59)', () => {
    const defined = new Set(definedIn(behaviours))
    const cited = new Set(
      ['test', 'packages'].flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.test.ts'))
          .flatMap((path) => [...citationsIn(readFileSync(join(folder, path), 'utf8'))]),
      ),
    )
    const isProven = (number: string) => defined.has(number) && cited.has(number)
    const promises = promisesIn(page)
    expect(promises.length).toBeGreaterThan(50)
    const unproven = promises.filter((promise) => {
      const named = numbersIn(promise)
      return named.length === 0 || !named.every(isProven)
    })
    expect(unproven).toEqual([])
  })

  it('has one row for each threat of the three lists', () => {
    const upTo = (letters: string, last: number, width: number) =>
      Array.from(
        { length: last },
        (_, index) => `${letters}${String(index + 1).padStart(width, '0')}`,
      )
    const all = [...upTo('LLM', 10, 2), ...upTo('ASI', 10, 2), ...upTo('T', 17, 1)]
    expect(rows.map(({ name }) => name.split(' ')[0])).toEqual(all)
  })

  it('names lines that are there, or says that nothing is done', () => {
    const defined = definedIn(behaviours)
    for (const { name, lines } of rows.filter((row) => row.lines !== 'not defended')) {
      const named = numbersIn(lines)
      expect([...named].length, name).toBeGreaterThan(0)
      for (const number of named) expect(defined, name).toContain(number)
    }
  })

  it('names tests that are there, each with a line that it proves, and one for each line', () => {
    for (const row of rows.filter(({ lines }) => lines !== 'not defended')) expectProven(row)
  })
})

describe('test/outside/README.md', () => {
  it('names tests that are there, each with a line that it proves, and one for each line', () => {
    const rows = rowsOf(readFileSync('test/outside/README.md', 'utf8'))
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) expectProven(row)
  })
})
