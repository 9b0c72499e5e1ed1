import { describe, expect, it } from 'vitest'
import { choiceIn } from '../../../src/agent/said/choice.ts'

const cities = ['Lisbon', 'Porto', 'Madrid']
const amounts = ['3', '5', '8']
const seats = ['2 seats', '4 seats', '6 seats']
const rooms = ['Room 2', 'Room 1', 'Room 7']
const days = ['周一', '周二', '周三']
const stops = ['Cancel', 'Move it', 'Abort', '改期', 'Yes']

/** Sixty wordings and more, in two languages: which choice, `?` for those that are asked about, null for one's own words. */
const cases: readonly (readonly [choices: readonly string[], said: string, read: string | null])[] =
  [
    ...[
      'Porto',
      'porto',
      ' PORTO. ',
      'Porto!',
      '“Porto”',
      'Porto, please',
      'please, Porto',
      'porto please',
      'Porto, thanks 🙏',
    ].map((said) => [cities, said, 'Porto'] as const),
    ...[
      '2',
      '2.',
      '2)',
      '#2',
      ' 2 ',
      '２',
      'option 2',
      'number 2',
      'No. 2'.replace('. ', ' '),
      'the second',
      'the second one',
      'second, please',
      "I'll take the second one",
      '第二个',
      '选2',
      '第2个',
      '选第二个',
      '2号',
    ].map((said) => [cities, said, 'Porto'] as const),
    ...['3', 'the third', 'last one', 'the last one, please', '最后一个'].map(
      (said) => [cities, said, 'Madrid'] as const,
    ),
    ...['4', '0', '99', 'the fourth'].map((said) => [cities, said, null] as const),
    ...[
      'Neither, rather Madrid',
      'Porto?',
      'second thoughts',
      'two of us',
      'Lisbon and Porto',
      '二',
      '一起去',
    ].map((said) => [cities, said, null] as const),
    [amounts, '3', '3'],
    [amounts, '5.', '5'],
    [amounts, '8', '8'],
    [amounts, '2', '?5'],
    [amounts, '1', '?3'],
    [amounts, '7', null],
    [amounts, 'the second one', '5'],
    [amounts, 'option 1', '3'],
    [['2', '1', '4'], '2', '2'],
    [['2', '1', '4'], '1', '1'],
    [seats, '2', '2 seats'],
    [seats, '4', '4 seats'],
    [seats, '3', '?6 seats'],
    [seats, '2 seats', '2 seats'],
    [['2 seats', '2 beds', 'none'], '2', '?2 seats|2 beds'],
    [rooms, '7', 'Room 7'],
    [rooms, '3', 'Room 7'],
    [rooms, '1', '?Room 1|Room 2'],
    [['12 June', '13 June'], '12', '12 June'],
    [['9:00', '10:00'], '10', '10:00'],
    [days, '周二', '周二'],
    [days, '周二，谢谢', '周二'],
    [days, '2', '周二'],
    [days, '第三个', '周三'],
    [stops, 'cancel', 'Cancel'],
    [stops, 'Abort.', 'Abort'],
    [stops, '改期', '改期'],
    [stops, '改期吧', '改期'],
    [stops, 'yes please', 'Yes'],
  ]

describe('a typed choice', () => {
  it('is the one of that name, then the one in that place, else one’s own words (C332, R156)', () => {
    const readAs = (choices: readonly string[], said: string) => {
      const read = choiceIn(choices, said)
      if (read === null) return null
      return read.kind === 'choice' ? read.choice : `?${read.choices.join('|')}`
    }
    expect(cases.length).toBeGreaterThanOrEqual(60)
    expect(cases.map(([choices, said]) => [choices, said, readAs(choices, said)])).toEqual(cases)
  })
})
