import { describe, expect, it } from 'vitest'
import { cut, keptMost, uncut } from '../../../src/agent/domain/cut.ts'
import { shownResult } from '../../../src/agent/model/fence.ts'

describe('a cut text', () => {
  it.each([
    [10_001, 1],
    [59_532, 49_532],
    [200_000, 190_000],
    [1_234_567, 1_224_567],
  ])(
    'of %i characters tells how many are missing, however often it is cut (C493)',
    (whole, gone) => {
      const kept = cut(cut('x'.repeat(whole), 120_000), keptMost)
      const shown = shownResult(shownResult(kept, 3), 3)
      expect(shown).toContain(`… [cut: ${gone} of ${whole} characters are not shown: this is not`)
      expect(shown.match(/\[cut:/g)).toHaveLength(1)
      expect(shown).toContain('recall with "3 from 10000"')
      expect(uncut(shown)).toEqual({ kept: 'x'.repeat(10_000), whole })
    },
  )

  it.each([
    ['short', 'three words here'],
    ['of the very length', 'x'.repeat(10_000)],
    ['that speaks of a cut', '… [cut: 5 of 9 characters are not shown] is what it says.'],
  ])('is none where it is %s (C493)', (_, text) => {
    expect(cut(text, 10_000)).toBe(text)
    expect(uncut(text)).toEqual({ kept: text, whole: text.length })
  })

  it('never ends in half of a character', () => {
    expect(cut('ab😀cd', 3)).toBe('ab… [cut: 4 of 6 characters are not shown]')
  })
})
