import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { numbersIn } from '../../scripts/uncited.ts'

describe('docs/behaviours.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/behaviours.md'), 'utf8')

  it('has one line for each number', () => {
    const lines = [...text.matchAll(/^- \*\*([A-Z]\d+)\*\* ./gm)].map(([, number]) => number)
    // Put together here, since a range in words would cite what it names.
    const last = { R: 152, C: 60, F: 34, P: 18, S: 10, I: 11 }
    const all = Object.entries(last).flatMap(([letter, count]) => numbersIn(`${letter}1-${count}`))
    // C58 is kept for a line to come.
    expect([...lines].sort()).toEqual(all.filter((number) => lines.includes('C58') || number !== 'C58').sort())
  })
})
