import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { numbersIn } from '../../scripts/uncited.ts'
import { expectProven, rowsOf } from './rows.ts'

describe('docs/security.md (S10)', () => {
  const rows = rowsOf(readFileSync('docs/security.md', 'utf8'))
  const behaviours = readFileSync('docs/behaviours.md', 'utf8')

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
    for (const { name, lines } of rows.filter((row) => row.lines !== 'not defended')) {
      const named = numbersIn(lines)
      expect([...named].length, name).toBeGreaterThan(0)
      for (const number of named) expect(behaviours, name).toContain(`- **${number}** `)
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
