import fc from 'fast-check'
import { filled, mixtures, units } from '../../support/nasty.ts'

/** As long as a message may be. */
const longest = 40_000
/** What most people stay below. */
const short = 500
const middling = 6_000

/** What each kind repeats until it is long enough. */
const kinds: Readonly<Record<string, fc.Arbitrary<string>>> = {
  runs: fc.constantFrom(...units),
  nesting: fc.constantFrom(
    '>',
    '> ',
    '1. ',
    '- ',
    '- > ',
    '[',
    '](',
    '(',
    '{"a":',
    '<div>',
    '*_',
    '**a *b ',
    '`',
    '|a',
  ),
  surrogates: joined(
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '😀',
    '\udc00\ud800',
    'a',
    '中',
    ' ',
    '\n',
  ),
  controls: joined(
    '\0',
    '\u0001',
    '\b',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u009b',
    '\r',
    '\v',
    '\f',
    'a',
    ' ',
    '\n',
  ),
  directions: joined(
    '\u202a',
    '\u202e',
    '\u202c',
    '\u2067',
    '\u2069',
    '\u200f',
    'a',
    'שלום',
    'مرحبا',
    '1',
    '\n',
  ),
  mixtures,
}

/** How some begin: as what people say to Clew, so that it is not only small talk. */
const openings = [
  '/todo add ',
  '/schedule add tomorrow 9am ',
  '/schedule add every monday ',
  '/',
  '@clew ',
  'stop ',
  '1. ',
]

/** A text of any of the nasty kinds, with at least `least` and at most `most` UTF-16 units. */
const textOf = (least: number, most: number): fc.Arbitrary<string> =>
  fc
    .record({
      unit: fc.oneof(...Object.values(kinds)),
      length: fc.integer({ min: least, max: most }),
      opening: fc.oneof(
        { weight: 6, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom(...openings) },
        { weight: 1, arbitrary: fc.constantFrom('Book the offsite ', 'What of ') },
      ),
    })
    .map(({ unit, length, opening }) => (opening + filled(unit || ' ', length)).slice(0, most))

/** What a model says: mostly short, at times as long as a message may be. */
export const saidByModels: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: textOf(1, short) },
  { weight: 10, arbitrary: textOf(short, middling) },
  { weight: 1, arbitrary: fc.constant(longest).chain((length) => textOf(length, length)) },
)

/** Half of them are short, one in fifty is as long as a message may be; the same for the same seed (P16), in any order. */
export function textsOf(seed: number, count: number): string[] {
  const sample = (texts: fc.Arbitrary<string>, numRuns: number) =>
    numRuns === 0 ? [] : fc.sample(texts, { seed, numRuns })
  const [half, long] = [Math.ceil(count / 2), Math.ceil(count / 50)]
  const groups = [
    sample(textOf(1, short - 1), half),
    sample(textOf(longest, longest), long),
    sample(textOf(short, middling), count - half - long),
  ]
  // Each group is spread over the whole, so that every thread has some of them.
  return groups
    .flatMap((group) => group.map((text, index) => ({ text, at: (index + 0.5) / group.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
}

function joined(...parts: string[]): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 20 })
    .map((some) => some.join(''))
}
