import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  inlineCode,
  oneLine,
  plainText,
  quoteIfNeeded,
  readLine,
  textOf,
  wordsOf,
} from '../../../src/agent/commands/command-line.ts'
import { anyFrame, exampleOf } from '../../../src/agent/commands/grammar.ts'
import { addForm } from '../../../src/agent/commands/schedule-table.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'

const specs = [
  { name: 'tag' as const, aliases: ['t', '标签'] },
  {
    name: 'due' as const,
    aliases: ['截止'],
    take: (words: readonly string[]) => (words[0] === 'tomorrow' ? 2 : 0),
  },
]
const read = (text: string) => {
  const { words, options, problems } = readLine(text, specs)
  return {
    text: textOf(words),
    ...Object.fromEntries(options),
    problems: problems.map(({ kind }) => kind),
  }
}

describe('options', () => {
  it.each([
    ['Call Ana --tag work', { text: 'Call Ana', tag: 'work' }],
    ['--tag work Call Ana', { text: 'Call Ana', tag: 'work' }],
    ['Call --tag work Ana', { text: 'Call Ana', tag: 'work' }],
    ['Call Ana --tag=work', { text: 'Call Ana', tag: 'work' }],
    ['Call Ana --tag:work', { text: 'Call Ana', tag: 'work' }],
    ['Call Ana --TAG work', { text: 'Call Ana', tag: 'work' }],
    ['Call Ana --tag "big things"', { text: 'Call Ana', tag: 'big things' }],
    ['Call Ana --tag="big things"', { text: 'Call Ana', tag: 'big things' }],
    ['买牛奶 ——tag 家', { text: '买牛奶', tag: '家' }],
    ['买牛奶 ——标签：家', { text: '买牛奶', tag: '家' }],
    ['买牛奶 －－ｔａｇ　家', { text: '买牛奶', tag: '家' }],
    ['买牛奶 --标签家', { text: '买牛奶', tag: '家' }],
    ['买牛奶 --标签：「家 里」', { text: '买牛奶', tag: '家 里' }],
    ['Call Ana —tag work', { text: 'Call Ana', tag: 'work' }],
    ['Call Ana –tag work', { text: 'Call Ana', tag: 'work' }],
    ['Call --due tomorrow 9am Ana', { text: 'Call Ana', due: 'tomorrow 9am' }],
    ['Call --due friday Ana', { text: 'Call Ana', due: 'friday' }],
  ])('are found in %s (F6)', (text, expected) => {
    expect(read(text)).toEqual({ ...expected, problems: [] })
  })

  it.each([
    ['Call Ana —soon', 'Call Ana —soon'],
    ['Call Ana — soon', 'Call Ana — soon'],
    ['买牛奶——记得带袋子', '买牛奶——记得带袋子'],
    ['买牛奶 ——记得带袋子', '买牛奶 ——记得带袋子'],
    ['a -- b', 'a -- b'],
    ['-1 -x', '-1 -x'],
    ['"call --tag work"', 'call --tag work'],
    ['well-known --', 'well-known --'],
  ])('are not seen in %s', (text, expected) => {
    expect(read(text)).toEqual({ text: expected, problems: [] })
  })

  it.each([
    ['Call --tagg x', 'unknown_option'],
    ['Call --tag', 'no_value'],
    ['Call --tag --due tomorrow 9am', 'no_value'],
    ['Call --tag a --tag b', 'twice'],
  ])('are refused in %s', (text, kind) => {
    expect(read(text).problems).toEqual([kind])
  })
})

describe('quotes', () => {
  it.each([
    ['"Buy milk"', 'Buy milk'],
    ['“Buy milk”', 'Buy milk'],
    ['「买 牛奶」', '买 牛奶'],
    ["'Buy milk'", 'Buy milk'],
    ['"say \\"hi\\""', 'say "hi"'],
    ['"C:\\temp"', 'C:\\temp'],
    ['Ask about "Lisbon"', 'Ask about "Lisbon"'],
    ["don't forget Ana's book", "don't forget Ana's book"],
    ['a 5" screen', 'a 5" screen'],
    ['"open', '"open'],
    ['"a" and "b"', '"a" and "b"'],
    ['  two\n\tlines\u0007 ', 'two lines'],
  ])('in %s', (text, expected) => {
    expect(textOf(wordsOf(text))).toBe(expected)
  })

  it('are put where a text needs them, so that it is read back as it was', () => {
    const word = fc.constantFrom(
      '--tag',
      '——',
      '—due',
      '"',
      "'",
      '“',
      '”',
      '\\',
      '\\"',
      'a',
      'b c',
      '牛奶',
      '-',
      '「',
      '」',
    )
    const text = fc.oneof(
      anyText(40),
      fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
      fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
    )
    fc.assert(
      fc.property(
        text.map(oneLine).filter((line) => line !== ''),
        (line) => {
          const { words, options, problems } = readLine(quoteIfNeeded(line), specs)
          expect([textOf(words), options.size, problems]).toEqual([line, 0, []])
        },
      ),
      { numRuns: Math.max(2_000, runs()) },
    )
  })
})

describe('showing what people wrote', () => {
  it('fences code that holds backticks', () => {
    expect(inlineCode('a')).toBe('`a`')
    expect(inlineCode('a `b` c')).toBe('``a `b` c``')
    expect(inlineCode('`a')).toBe('`` `a ``')
  })

  it('takes the meaning out of Markdown and of mentions (S1)', () => {
    expect(plainText('*a* _b_ snake_case [x](y) <@U1> `c` ~d~ |')).toBe(
      '\\*a\\* \\_b\\_ snake_case \\[x\\](y) \\<@U1\\> \\`c\\` \\~d\\~ \\|',
    )
  })
})

it('shows the example of a schedule with one title, not two', () => {
  expect(exampleOf(addForm, anyFrame)).toBe('every weekday at 9 post what is due today')
})
