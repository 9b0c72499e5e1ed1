import { expect, it } from 'vitest'
import { isHard, longLines, longSubjects, openingsIn } from '../../scripts/plain-words.ts'

it('reads the first line of a doc comment behind the numbers of behaviours', () => {
  const source = [
    '/** R901, C902: What is said. */',
    '/**',
    ' * Length of a line, in characters.',
    ' * What follows is no opening.',
    ' */',
    '// Who writes here is no doc comment.',
    "const text = '/** How a string looks */'",
  ].join('\n')
  expect(openingsIn(source)).toEqual(['What is said.', 'Length of a line, in characters.'])
})

it.each([
  ['What is said.', true],
  ['Whether it runs.', true],
  ['Of a file, its name.', true],
  ['One of three.', true],
  ['Ones that run.', false],
  ['Length of a line.', false],
  ['Offers a choice.', false],
])('judges the opening “%s”', (opening, hard) => {
  expect(isHard(opening)).toBe(hard)
})

it('finds behaviours of more than 40 words, lettered ones included', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
  const lines = [`- **C901** ${words(40)}`, `- **C902a** ${words(41)}`, words(60)].join('\n')
  expect(longLines(lines)).toEqual([{ number: 'C902a', words: 41 }])
})

it('finds subjects of more than 72 characters', () => {
  expect(longSubjects(['x'.repeat(72), 'y'.repeat(73)])).toEqual(['y'.repeat(73)])
})
