import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { citationsIn, numbersIn } from '../../scripts/uncited.ts'

/** A row of a table of four columns: a name, words about it, lines of docs/behaviours.md, and tests. */
export interface Row {
  name: string
  lines: string
  tests: string[]
}

/** The rows of every table of four columns in a Markdown text. */
export function rowsOf(text: string): Row[] {
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return cells
    .filter(({ length }) => length === 6)
    .filter(([, , , lines]) => lines !== 'lines')
    .map(([, name = '', , lines = '', tests = '']) => ({
      name,
      lines,
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    }))
}

/** The tests of a row are there, each has a line that it proves, and each line has one. */
export function expectProven({ name, lines, tests }: Row): void {
  const proven = tests.map((path) => {
    expect(existsSync(path), `${name}: ${path}`).toBe(true)
    return numbersIn(lines).filter((number) => citationsIn(readFileSync(path, 'utf8')).has(number))
  })
  expect(
    proven.findIndex((numbers) => numbers.length === 0),
    `${name}: proves nothing`,
  ).toBe(-1)
  expect([...new Set(proven.flat())].sort(), name).toEqual([...numbersIn(lines)].sort())
}
