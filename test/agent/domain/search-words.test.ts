import { expect, it } from 'vitest'
import {
  countIn,
  marked,
  termsIn,
  wordsIn,
  wordsMost,
} from '../../../src/agent/domain/search-words.ts'

it.each([
  ['Plan the Offsite, plan it well', ['plan', 'the', 'offsite', 'it', 'well']],
  ['São Paulo: Café-Straße Ｎ５', ['sao', 'paulo', 'cafe', 'straße', 'n5']],
  ['see https://x.test/a_b?c=1', ['see', 'https', 'x', 'test', 'a', 'b', 'c', '1']],
  ['会议在 Clew开', ['会议', '议在', '在', 'clew', '开']],
  ['ガント', ['ガン', 'ント', 'ト']],
  ['🎉 …', []],
])('takes the words of %s (C200)', (text, words) => expect(wordsIn(text)).toEqual(words))

it('takes so many of a long text, and so much of a long word (C200)', () => {
  const long = Array.from({ length: 2_000 }, (_, n) => `w${n}`).join(' ')
  expect(wordsIn(long)).toHaveLength(wordsMost)
  expect(wordsIn('x'.repeat(100_000))[0]).toHaveLength(40)
})

it.each([
  ['plan to', 'We planned it TO the day', 2],
  ['plan to', 'Tomorrow', 0],
  ['议', '会议在', 1],
  ['会议', '会在议', 0],
  ['会议在', '会议在 Clew', 2],
])(
  'finds %s in %s by beginnings, and what is short or unspaced as it is (C200)',
  (query, text, count) => expect(countIn(text, termsIn(query))).toBe(count),
)

it.each([
  ['the plan: Planning', 'plan', ['the ', '[plan]', ': ', '[Planning]']],
  ['在会议室开', '会议室', ['在', '[会议室]', '开']],
  ['nothing', 'plan', ['nothing']],
  ['', 'plan', []],
])('marks in %s what was looked for (C202)', (text, query, parts) =>
  expect(marked(text, termsIn(query)).map(({ text, hit }) => (hit ? `[${text}]` : text))).toEqual(
    parts,
  ),
)
