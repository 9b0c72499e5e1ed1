import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { definedIn } from '../../scripts/uncited.ts'

describe('docs/behaviours.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/behaviours.md'), 'utf8')
  const numbers = definedIn(text)
  const marks = [...text.matchAll(/\*\*([RCFPSI]\d+)([a-z]?)\*\*/g)]

  it('defines each bold number at the beginning of a line', () => {
    expect(numbers.length).toBeGreaterThan(279)
    // None stands in a line that is written otherwise, where `npm run uncited` would not look for it.
    expect(marks.map(([, number]) => number)).toEqual(numbers)
  })

  it('has one line for each number, or lines from a on directly below each other', () => {
    const misplaced = marks.filter(([, number = '', letter = ''], index) => {
      if (letter <= 'a') return numbers.indexOf(number) !== index
      const before = String.fromCharCode(letter.charCodeAt(0) - 1)
      return marks[index - 1]?.[0] !== `**${number}${before}**`
    })
    expect(misplaced.map(([mark]) => mark)).toEqual([])
  })
})
