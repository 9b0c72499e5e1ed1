import { describe, expect, it } from 'vitest'
import { choiceIn } from '../../../src/agent/said/choice.ts'
import { countsOf } from './wordings.ts'

const cities = ['Lisbon', 'Porto', 'Madrid']
const amounts = ['3', '5', '8']
const seats = ['2 seats', '4 seats', '6 seats']
const rooms = ['Room 2', 'Room 1', 'Room 7']
const days = ['周一', '周二', '周三']
const list = (text: string) => text.split('|').map((one) => one.trim())
const halls = ['小会议室', '大会议室', '线上']
const tables = ['2人桌', '4人桌', '6人桌']
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
      'Porto 👍',
      ':+1: Porto',
      'Porto :heart:!',
    ].map((said) => [cities, said, 'Porto'] as const),
    ...[
      '2',
      '2.',
      '2)',
      '2️⃣',
      ':two:',
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
      'Porto 👎',
      ':x: Porto',
      'Porto?',
      'second thoughts',
      'one second',
      'One second, please',
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
    ...list(
      "let's go with Porto | I choose Porto | go with Porto | take Porto | Porto it is | I'd say Porto | the 2nd one",
    ).map((said) => [cities, said, 'Porto'] as const),
    ...list('not Porto | Porto or Madrid | both | neither | I have 2 of them | in 2 days').map(
      (said) => [cities, said, null] as const,
    ),
    ...list('number 3 | take 3 | 3 please | 3个 | 选3 | 3号 | 就3个').map(
      (said) => [amounts, said, '3'] as const,
    ),
    [amounts, '第三个', '8'],
    [amounts, '5吧', '5'],
    [amounts, '要8', '8'],
    [amounts, '三', null],
    [['Take the train', 'Walk'], 'take the train please', 'Take the train'],
    ...list(`小会议室。 | 小会议室吧 | 就小会议室 | 选小会议室 | 我选小会议室 | 小会议室，谢谢 | “小会议室” | 要小会议室 | 那就小会议室吧 |
      用小会议室 | 第一个 | 第一个吧 | 第1个 | 选第一个 | 就第一个 | 选1 | 1号 | 选项1 | 第一项 | 第一种`).map(
      (said) => [halls, said, '小会议室'] as const,
    ),
    ...list('最后一个吧 | 线上！ | 线上吧 | 第三个 | 第三 | 我要线上').map(
      (said) => [halls, said, '线上'] as const,
    ),
    ...list('第二个，谢谢 | 我要第二个 | 那就第二个').map(
      (said) => [halls, said, '大会议室'] as const,
    ),
    ...list(
      '两个都行 | 都可以 | 第四个 | 不是小会议室 | 小会议室还是大会议室 | 小会议室？ | 大的',
    ).map((said) => [halls, said, null] as const),
    ...list('2人桌吧 | 要2人桌 | 选2人桌 | 就2人桌').map(
      (said) => [tables, said, '2人桌'] as const,
    ),
    ...list('选4 | 4人桌 | 第二个').map((said) => [tables, said, '4人桌'] as const),
    [tables, '3号', '?6人桌'],
    [['取消', '改期'], '取消', '取消'],
    [['取消', '改期'], '就改期', '改期'],
  ]

describe('a typed choice', () => {
  it('is the one of that name, then the one in that place, else one’s own words (C332, C484, C989, R156)', () => {
    const readAs = (choices: readonly string[], said: string) => {
      const read = choiceIn(choices, said)
      if (read === null) return null
      return read.kind === 'choice' ? read.choice : `?${read.choices.join('|')}`
    }
    const { english, chinese } = countsOf(cases.map(([, said]) => [said]))
    expect(english).toBeGreaterThanOrEqual(60)
    expect(chinese).toBeGreaterThanOrEqual(60)
    expect(cases.map(([choices, said]) => [choices, said, readAs(choices, said)])).toEqual(cases)
  })
})
