import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { citationsIn, numbersIn } from '../../scripts/uncited.ts'

interface Row {
  threat: string
  lines: string
  tests: string[]
}

/** The rows of every table whose last columns are `lines` and `tests`. */
function rowsOf(text: string): Row[] {
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| threat |'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return cells.map(([, threat = '', , lines = '', tests = '']) => ({
    threat,
    lines,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  }))
}

describe('docs/security.md (S10)', () => {
  const rows = rowsOf(readFileSync('docs/security.md', 'utf8'))
  const behaviours = readFileSync('docs/behaviours.md', 'utf8')

  it('has one row for each threat of the three lists', () => {
    const upTo = (letters: string, last: number, width: number) =>
      Array.from({ length: last }, (_, index) => `${letters}${String(index + 1).padStart(width, '0')}`)
    const all = [...upTo('LLM', 10, 2), ...upTo('ASI', 10, 2), ...upTo('T', 17, 1)]
    expect(rows.map(({ threat }) => threat.split(' ')[0])).toEqual(all)
  })

  it('names lines that are there, or says that nothing is done', () => {
    for (const { threat, lines } of rows.filter((row) => row.lines !== 'not defended')) {
      const named = numbersIn(lines)
      expect([...named].length, threat).toBeGreaterThan(0)
      for (const number of named) expect(behaviours, threat).toContain(`- **${number}** `)
    }
  })

  it('names tests that are there, each with a line that it proves, and one for each line', () => {
    for (const { threat, lines, tests } of rows.filter((row) => row.lines !== 'not defended')) {
      const proven = tests.map((path) => {
        expect(existsSync(path), `${threat}: ${path}`).toBe(true)
        return numbersIn(lines).filter((number) => citationsIn(readFileSync(path, 'utf8')).has(number))
      })
      expect(
        proven.findIndex((numbers) => numbers.length === 0),
        `${threat}: proves nothing`,
      ).toBe(-1)
      expect([...new Set(proven.flat())].sort(), threat).toEqual([...numbersIn(lines)].sort())
    }
  })
})
