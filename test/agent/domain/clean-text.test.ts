import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText, cleanTexts, closed } from '../../../src/agent/domain/clean-text.ts'
import { timeOf } from '../../support/processor-time.ts'

const signs = [
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200f\n\r\t\0\u0007\u0085\u{1f600}ab א',
  '\ud800',
  '\udc00',
]
const nasty = fc.array(fc.constantFrom(...signs), { maxLength: 60 }).map((parts) => parts.join(''))

describe('a text from outside (P17)', () => {
  it.each([
    ['a\ud800b', 'a\ufffdb'],
    ['a\0b\u0007c', 'abc'],
    ['a\r\nb\rc\u000cd', 'a\nb\ncd'],
    ['\ttabs stay\n', '\ttabs stay\n'],
    ['photo\u202egpj.exe', 'photo\u202egpj.exe\u202c'],
    ['\u2067one\ntwo', '\u2067one\u2069\ntwo'],
    ['\u2067one\u202btwo\u2069three', '\u2067one\u202btwo\u2069three'],
    ['ended\u202c\u2069 twice', 'ended twice'],
    ['\u{1f600} שלום', '\u{1f600} שלום'],
    ['{"goal":"\u202eabc"}', '{"goal":"\\u202eabc"}'],
    ['[\u202eno JSON', '[\u202eno JSON\u202c'],
  ])('%j becomes %j', (given, clean) => {
    expect(cleanText(given)).toBe(clean)
  })

  it('is clean after once, and closes in every line what it opens (C60)', () => {
    fc.assert(
      fc.property(nasty, (given) => {
        const clean = cleanText(given)
        expect(cleanText(clean)).toBe(clean)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).not.toMatch(/[^\P{Cc}\n\t]/u)
        // What stands behind it, in whatever line, is not closed by it nor left open.
        expect(closed(`\u2068${clean.replaceAll('\n', '')}\u2069 after`)).toMatch(/\u2069 after$/)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(['\u202e', '\u2067', '\u202c', '\0', '\ud800', ' ', '\u2067a\n'])(
    'takes 40,000 times %j in no time',
    async (sign) => {
      const text = sign.repeat(40_000)
      expect(cleanText(text).length).toBeLessThan(500_000)
      expect(await timeOf(() => cleanText(text), 500)).toBeLessThan(500)
    },
  )

  it('is found in every place of a value, and a value that is nested without end has one', () => {
    expect(cleanTexts({ 'a\0': ['b\ud800', 1, null, true] })).toEqual({
      a: ['b\ufffd', 1, null, true],
    })
    const nested: unknown = JSON.parse(`${'['.repeat(50_000)}"x"${']'.repeat(50_000)}`)
    expect(JSON.stringify(cleanTexts(nested))).toBe(`${'['.repeat(64)}null${']'.repeat(64)}`)
  })
})
