import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitMarkdown } from '../../src/adapters/text.ts'
import { anyText } from '../support/any-text.ts'
import { timeOf } from '../support/processor-time.ts'
import { runs } from '../support/runs.ts'

/** What people read, without white space and fence lines, and whether the text ends outside of every code block. */
function read(text: string): { content: string; balanced: boolean } {
  let open: string | null = null
  let content = ''
  for (const line of text.split('\n')) {
    const [, marks = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    const opens = open === null && marks !== '' && !(marks.startsWith('`') && info.includes('`'))
    const closes =
      open !== null && marks[0] === open[0] && marks.length >= open.length && info.trim() === ''
    if (opens) open = marks
    else if (closes) open = null
    else content += line.replaceAll(/\s/g, '')
  }
  return { content, balanced: open === null }
}

const words = fc.constantFrom(
  'word',
  'a',
  '长句子没有空格',
  '。',
  '👩‍👩‍👧‍👦',
  '🇵🇹',
  'é',
  '\\*',
  '\\\\',
  '&amp;',
  '&lt;',
  '<@U123>',
  '`code here`',
  '[a label](https://example.org/a/b)',
  'https://example.org/path?q=1',
  '**bold**',
  'x'.repeat(70),
  '\n',
  '\n\n',
  ' ',
)
const prose = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' '))
const code = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````'),
    fc.constantFrom('', 'ts', 'a long language name'),
    fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 8 }),
  )
  .map(
    ([fence, language, lines]) =>
      `${fence}${language}\n${lines.map((line) => line.replaceAll(/[`~\n\r]/g, '')).join('\n')}\n${fence}`,
  )
const markdown = fc
  .array(fc.oneof(prose, code), { maxLength: 8 })
  .map((blocks) => blocks.join('\n\n'))

describe('splitMarkdown', () => {
  it('keeps every part within the limit, in order and complete, with closed fences (R152)', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 80, max: 400 }), (text, limit) => {
        const parts = splitMarkdown(text, limit)
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit)
          expect(part.trim()).not.toBe('')
          expect(part.isWellFormed()).toBe(true)
        }
        if (text.length > limit) expect(parts.every((part) => read(part).balanced)).toBe(true)
        expect(parts.map((part) => read(part).content).join('')).toBe(read(text).content)
      }),
      { numRuns: Math.max(2_000, runs()) },
    )
  })

  it('survives any text at all (R152)', () => {
    fc.assert(
      fc.property(anyText(600), fc.integer({ min: 40, max: 120 }), (text, limit) => {
        for (const part of splitMarkdown(text, limit))
          expect(part.length).toBeLessThanOrEqual(limit)
      }),
      { numRuns: Math.max(2_000, runs()) },
    )
  })

  it('cuts no escape, entity, mention, link, inline code or character (R152)', () => {
    const atoms = [
      '\\*',
      '&amp;',
      '<@U123>',
      '[a b](https://e.org)',
      '`a b c`,',
      '👩‍👩‍👧‍👦',
      '🇵🇹',
      'e\u0301',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...atoms), { minLength: 20, maxLength: 200 }),
        fc.integer({ min: 40, max: 90 }),
        (list, limit) => {
          for (const separator of ['', ' ']) {
            const parts = splitMarkdown(list.join(separator), limit)
            expect(parts.length).toBeGreaterThan(0)
            for (const part of parts) {
              const left = atoms.reduce((text, atom) => text.replaceAll(atom, ''), part)
              // Between inline code and the comma after it is as good a place as any.
              expect(left.replaceAll(/`a b c`|,/g, '').trim()).toBe('')
            }
          }
        },
      ),
      { numRuns: runs() },
    )
  })

  it('closes a code block that it cuts and opens it again with its language (R152)', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `const value${index} = ${index}`)
    const parts = splitMarkdown(`Before.\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n\nAfter.`, 120)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts[0]).toMatch(/^Before\.\n\n```ts\nconst value0 = 0\n[\s\S]*\n```$/)
    expect(parts[1]).toMatch(/^```ts\nconst[\s\S]*\n```/)
    expect(parts.at(-1)).toMatch(/After\.$/)
  })

  it('prefers the end of a paragraph, then of a line, then of a sentence (R152)', () => {
    const sentence = 'One sentence of some words. '
    expect(
      splitMarkdown(`${sentence.repeat(2).trim()}\n\n${sentence.repeat(2).trim()}`, 100),
    ).toHaveLength(2)
    expect(splitMarkdown(`${'a'.repeat(30)}\n${'b'.repeat(30)}`, 50)).toEqual([
      'a'.repeat(30),
      'b'.repeat(30),
    ])
    expect(splitMarkdown(sentence.repeat(3).trim(), 60)[0]).toBe(sentence.repeat(2).trim())
  })

  it('makes no blank part of the blank lines before a word that is longer than a part (R152)', () => {
    expect(splitMarkdown(`\n\n${'x'.repeat(100)}`, 60)).toEqual(['x'.repeat(60), 'x'.repeat(40)])
    expect(
      splitMarkdown(`${' '.repeat(200)}\t${'x'.repeat(50)}`, 60).filter(
        (part) => part.trim() === '',
      ),
    ).toEqual([])
  })

  it('leaves a short text as it is, and makes nothing of a blank one', () => {
    expect(splitMarkdown('a\n\n```\nb', 40)).toEqual(['a\n\n```\nb'])
    expect(splitMarkdown(' \n ', 40)).toEqual([])
    expect(() => splitMarkdown('a', 10)).toThrow(RangeError)
  })

  it('is quick with 40,000 characters of anything', async () => {
    for (const text of ['x', ' ', '`', '[', '<a', '\n', '👩‍👩‍👧‍👦', '\\', '```\n'].map((one) =>
      one.repeat(40_000 / one.length),
    )) {
      expect(await timeOf(() => splitMarkdown(text, 2_000), 2_000)).toBeLessThan(2_000)
    }
  })
})
