import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { remindClock } from '../../../src/agent/commands/when/decide.ts'
import { dueClock, readTime } from '../../../src/agent/commands/when/read.ts'
import { formatInstant } from '../../../src/agent/domain/zone.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'

/** A Wednesday, 10:00:37 in Shanghai. */
const now = Date.UTC(2026, 2, 4, 2, 0, 37)

function read(text: string, timeZone = 'Asia/Shanghai', at = now, clock = dueClock): string | null {
  const time = readTime(text, { now: at, timeZone, clock })
  return time === null ? null : formatInstant(timeZone, time)
}

const english: [string, string][] = [
  ['2026-03-08 18:00', '2026-03-08 18:00'],
  ['2026-3-8 9:05', '2026-03-08 09:05'],
  ['2026/03/08 18:00', '2026-03-08 18:00'],
  ['2026-03-08T18:00', '2026-03-08 18:00'],
  ['2026-03-08 18:00Z', '2026-03-09 02:00'],
  ['2026-03-08 18:00-05:00', '2026-03-09 07:00'],
  ['２０２６-03-08　18：00', '2026-03-08 18:00'],
  ['tomorrow 9am', '2026-03-05 09:00'],
  ['Tomorrow at 9:30 PM', '2026-03-05 21:30'],
  ['17:30 tomorrow', '2026-03-05 17:30'],
  ['at 5pm', '2026-03-04 17:00'],
  ['9:00', '2026-03-05 09:00'],
  ['friday 18:00', '2026-03-06 18:00'],
  ['next friday at 9am', '2026-03-13 09:00'],
  ['March 20 at noon', '2026-03-20 12:00'],
  ['20 March 2027 at 5pm', '2027-03-20 17:00'],
  ['1 March 8:00', '2027-03-01 08:00'],
  ['tomorrow morning', '2026-03-05 09:00'],
  ['tonight', '2026-03-04 20:00'],
  ['midnight', '2026-03-05 00:00'],
  ['in 2 hours', '2026-03-04 12:01'],
  ['in 1 hour 30 minutes', '2026-03-04 11:31'],
  ['in half an hour', '2026-03-04 10:31'],
  ['90 min', '2026-03-04 11:31'],
  ['the day after tomorrow at 5pm', '2026-03-06 17:00'],
  ['in two weeks at 9am', '2026-03-18 09:00'],
  ['tomorrow 9:00 UTC', '2026-03-05 17:00'],
]

const chinese: [string, string][] = [
  ['明天上午9点', '2026-03-05 09:00'],
  ['明天 9:00', '2026-03-05 09:00'],
  ['明天上午９：３０', '2026-03-05 09:30'],
  ['明天9點', '2026-03-05 09:00'],
  ['后天下午三点半', '2026-03-06 15:30'],
  ['大后天中午', '2026-03-07 12:00'],
  ['明天的下午3点', '2026-03-05 15:00'],
  ['今晚8点', '2026-03-04 20:00'],
  ['明早8点', '2026-03-05 08:00'],
  ['明晚', '2026-03-05 20:00'],
  ['周五 18:00', '2026-03-06 18:00'],
  ['星期三 18:00', '2026-03-04 18:00'],
  ['下周一上午十点', '2026-03-09 10:00'],
  ['下下周一早上', '2026-03-16 09:00'],
  ['礼拜天晚上', '2026-03-08 20:00'],
  ['上周五9点', '2026-02-27 09:00'],
  ['3月8日 14:30', '2026-03-08 14:30'],
  ['三月八号下午2点', '2026-03-08 14:00'],
  ['3月1号8点', '2027-03-01 08:00'],
  ['12月25日早上', '2026-12-25 09:00'],
  ['明年3月1日9点', '2027-03-01 09:00'],
  ['2026年3月8日 14:30', '2026-03-08 14:30'],
  ['二〇二六年五月一日中午12点', '2026-05-01 12:00'],
  ['下个月1号9点', '2026-04-01 09:00'],
  ['5号下午3点一刻', '2026-03-05 15:15'],
  ['2号9点', '2026-04-02 09:00'],
  ['2026-03-08 下午3点', '2026-03-08 15:00'],
  ['下午3点15分', '2026-03-04 15:15'],
  ['凌晨1点', '2026-03-05 01:00'],
  ['晚上12点', '2026-03-05 00:00'],
  ['中午一点', '2026-03-04 13:00'],
  ['两小时后', '2026-03-04 12:01'],
  ['半小时后', '2026-03-04 10:31'],
  ['两个半小时后', '2026-03-04 12:31'],
  ['一小时30分钟后', '2026-03-04 11:31'],
  ['一個小時後', '2026-03-04 11:01'],
  ['三天后下午3点', '2026-03-07 15:00'],
]

/** Days without an hour. */
const days: [string, string][] = [
  ['2026-03-08', '2026-03-08'],
  ['today', '2026-03-04'],
  ['tomorrow', '2026-03-05'],
  ['by friday', '2026-03-06'],
  ['next friday', '2026-03-13'],
  ['in 3 days', '2026-03-07'],
  ['next week', '2026-03-11'],
  ['end of month', '2026-03-31'],
  ['March 20', '2026-03-20'],
  ['yesterday', '2026-03-03'],
  ['last friday', '2026-02-27'],
  ['2 days ago', '2026-03-02'],
  ['今天', '2026-03-04'],
  ['明天', '2026-03-05'],
  ['周三', '2026-03-04'],
  ['本周五', '2026-03-06'],
  ['下周五', '2026-03-13'],
  ['下星期二', '2026-03-10'],
  ['周末', '2026-03-07'],
  ['三天后', '2026-03-07'],
  ['两周后', '2026-03-18'],
  ['三个月后', '2026-06-04'],
  ['月底', '2026-03-31'],
  ['下个月底', '2026-04-30'],
  ['年底', '2026-12-31'],
  ['3月8日', '2026-03-08'],
  ['9号', '2026-03-09'],
  ['十一月十一号', '2026-11-11'],
]

const noTimes = [
  '',
  '   ',
  'milk',
  'tomrw 9am',
  'tomorrow 9',
  'tomorrow milk',
  '2026-02-30',
  '2026-03-08 25:00',
  '2026-03-08 24:00',
  '99999-01-01',
  '1969-01-01',
  '2月30日',
  '13月1日',
  '0号',
  '买牛奶明天',
  '明天开会',
  '明天25点',
  '3月',
  'Sep 12-13',
  'friday 9-11am',
  'in 99999999999 hours',
  'x'.repeat(500),
  '明天'.repeat(100),
]

const zoneOfTheMachine = process.env.TZ
afterAll(() => {
  process.env.TZ = zoneOfTheMachine ?? ''
  if (zoneOfTheMachine === undefined) delete process.env.TZ
})

describe.each(['UTC', 'America/New_York', 'Asia/Shanghai', 'Pacific/Kiritimati'])(
  'on a machine in %s',
  (machine) => {
    it('reads what people write in English (C46)', () => {
      process.env.TZ = machine
      expect(english.map(([text]) => [text, read(text)])).toEqual(english)
    })

    it('reads what people write in Chinese (C46)', () => {
      process.env.TZ = machine
      expect(chinese.map(([text]) => [text, read(text)])).toEqual(chinese)
    })

    it('takes a day without an hour as due until its end, and reminds in its morning (F6)', () => {
      process.env.TZ = machine
      expect(days.map(([text]) => [text, read(text)])).toEqual(
        days.map(([text, day]) => [text, `${day} 23:59`]),
      )
      // At ten, nine is over on a Wednesday: its morning is the next one's.
      const ahead = days.filter(([text]) => text !== '周三')
      const mornings = ahead.map(([text]) => [text, read(text, 'Asia/Shanghai', now, remindClock)])
      expect(mornings).toEqual(ahead.map(([text, day]) => [text, `${day} 09:00`]))
    })

    it('refuses what is no time, in whole or in part', () => {
      process.env.TZ = machine
      expect(noTimes.filter((text) => read(text) !== null)).toEqual([])
    })
  },
)

describe('where the clock is turned (C46)', () => {
  const zone = 'America/New_York'
  /** 12:00 on the Saturday before the clock goes forward, and before it goes back. */
  const spring = Date.UTC(2026, 2, 7, 17)
  const autumn = Date.UTC(2026, 9, 31, 16)
  const iso = (text: string, at: number) => {
    const time = readTime(text, { now: at, timeZone: zone, clock: dueClock })
    return time === null ? null : new Date(time).toISOString()
  }

  it.each([
    ['tomorrow 2:30am', spring, '2026-03-08T07:30:00.000Z'],
    ['明天凌晨2点30分', spring, '2026-03-08T07:30:00.000Z'],
    ['2026-03-08 02:30', spring, '2026-03-08T07:30:00.000Z'],
    ['tomorrow 9am', spring, '2026-03-08T13:00:00.000Z'],
    ['明天上午9点', spring, '2026-03-08T13:00:00.000Z'],
    ['in 24 hours', spring, '2026-03-08T17:00:00.000Z'],
    ['24小时后', spring, '2026-03-08T17:00:00.000Z'],
    ['tomorrow 1:30am', autumn, '2026-11-01T05:30:00.000Z'],
    ['明天凌晨1点半', autumn, '2026-11-01T05:30:00.000Z'],
    ['2026-11-01 01:30', autumn, '2026-11-01T05:30:00.000Z'],
    ['2026-11-01 01:30-05:00', autumn, '2026-11-01T06:30:00.000Z'],
    ['tomorrow 9am', autumn, '2026-11-01T14:00:00.000Z'],
    ['明天上午9点', autumn, '2026-11-01T14:00:00.000Z'],
    ['in 24 hours', autumn, '2026-11-01T16:00:00.000Z'],
  ])('reads %s', (text, at, expected) => {
    expect(iso(text, at)).toBe(expected)
  })

  it('knows which day it is where the person is', () => {
    const at = Date.UTC(2026, 2, 4, 23, 30)
    expect(read('tomorrow 9am', 'Asia/Shanghai', at)).toBe('2026-03-06 09:00')
    expect(read('tomorrow 9am', 'America/Los_Angeles', at)).toBe('2026-03-05 09:00')
    expect(read('明天上午9点', 'Asia/Shanghai', at)).toBe('2026-03-06 09:00')
  })
})

it('answers any text with a full minute or nothing', () => {
  const piece = fc.constantFrom(
    '明天',
    '下周',
    '一',
    '3',
    '点',
    '半',
    '月',
    '日',
    '后',
    '小时',
    ':',
    ' ',
    'am',
    'in',
    'friday',
    '-',
  )
  const text = fc.oneof(
    anyText(80),
    fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
  )
  const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe')
  fc.assert(
    fc.property(text, zone, fc.integer({ min: 0, max: 4e12 }), (written, timeZone, at) => {
      const time = readTime(written, { now: at, timeZone, clock: dueClock })
      expect(time === null || (Number.isInteger(time / 60_000) && Math.abs(time) < 3e14)).toBe(true)
    }),
    { numRuns: runs() },
  )
})
