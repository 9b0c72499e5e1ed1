import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { definedIn } from '../../scripts/uncited.ts'

describe('docs/behaviours.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/behaviours.md'), 'utf8')

  it('has one line for each number', () => {
    const lines = definedIn(text)
    expect(lines.length).toBeGreaterThan(279)
    // None stands in a line that is written otherwise, where `npm run uncited` would not look for it.
    const bold = [...text.matchAll(/\*\*([RCFPSI]\d+)\*\*/g)].map(([, number]) => number)
    expect(bold).toEqual(lines)
    expect(lines.filter((number, index) => lines.indexOf(number) !== index)).toEqual([])
  })
})
