import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type SplitLine, splitWhen } from '../../../src/agent/commands/when/read.ts'
import {
  addDays,
  instantOf,
  type WallClock,
  wallClockIn,
  weekdayOf,
} from '../../../src/agent/domain/zone.ts'
import { runs } from '../../support/runs.ts'

/*
 * P26: 500 times that a generator says in words, with a title before or behind; 20,000 with CLEW_RUNS=10000, as the soak does.
 * fast-check names the seed of a line that is misread.
 */

type Words = readonly [en: string, zh: string]
/** Words for a clock, and its minutes of the day. */
const clocks: readonly (readonly [...Words, ...number[]])[] = [
  ['at 9', '9点', 540],
  ['at 9am', '上午九点', 540],
  ['at 5:30 p.m.', '下午五点半', 1050],
  ['at noon', '中午12点', 720],
  ['at half past eight', '8点半', 510],
  ['at 17:05', '17:05', 1025],
  ['at 8 in the evening', '晚上8点', 1200],
  ['at a quarter to seven', '6点45分', 405],
  ['at 9am and 5pm', '9点和17点', 540, 1020],
  ['at 8:15, 12:00 and 20:30', '8:15、12:00和20:30', 495, 720, 1230],
]
/** Words for days, and the last three fields of their pattern. */
const days: readonly (readonly [...Words, string])[] = [
  ['every day', '每天', '* * *'],
  ['daily', '每日', '* * *'],
  ['every weekday', '每个工作日', '* * 1-5'],
  ['on weekdays', '工作日', '* * 1-5'],
  ['every monday', '每周一', '* * 1'],
  ['on fridays', '每个星期五', '* * 5'],
  ['every mon, wed and fri', '每周一、三、五', '* * 1,3,5'],
  ['monday to thursday', '每周一到周四', '* * 1,2,3,4'],
  ['weekdays and saturday', '每周一到周五和周六', '* * 1,2,3,4,5,6'],
  ['every weekend', '每个周末', '* * 0,6'],
  ['every day except sunday', '每天除了周日', '* * 1,2,3,4,5,6'],
  ['every month on the 1st and 15th', '每月1号和15号', '1,15 * *'],
  ['on the last day of every month', '每月最后一天', 'L * *'],
  ['on the last friday of every month', '每月最后一个周五', '* * 5#L'],
  ['every december 24', '每年12月24日', '24 12 *'],
  ['every monday in march', '三月每周一', '* 3 1'],
]
/** Words for a day, and how many days from today it is, or which weekday. */
const dates: readonly (readonly [...Words, { in: number } | { weekday: number }])[] = [
  ['tomorrow', '明天', { in: 1 }],
  ['the day after tomorrow', '后天', { in: 2 }],
  ['in 3 days', '三天后', { in: 3 }],
  ['in two weeks', '两周后', { in: 14 }],
  ['on friday', '周五', { weekday: 5 }],
  ['on sunday', '星期天', { weekday: 7 }],
]
/** Words for a zone, and what it is; null: an abbreviation that no rule has. */
const zones: readonly (readonly [...Words, string | null | undefined])[] = [
  ['', '', undefined],
  ['', '', undefined],
  ['UTC', 'UTC', 'UTC'],
  ['Tokyo time', '东京时间', 'Asia/Tokyo'],
  ['BST', 'BST', null],
]
/** Words for a limit, and the first and last minute of the rule; `never`: it is no limit, or leaves one open. */
type Limits = { starting?: WallClock; until?: WallClock } | 'two weeks' | 'never'
const march = { year: 2027, month: 3, day: 1, hour: 0, minute: 0 }
const june = { year: 2027, month: 6, day: 30, hour: 23, minute: 59 }
const limits: readonly (readonly [...Words, Limits])[] = [
  ['', '', {}],
  ['', '', {}],
  ['until 30 june 2027', '直到2027年6月30日', { until: june }],
  ['until 30 june 2027 5pm', '直到2027年6月30日17点', { until: { ...june, hour: 17, minute: 0 } }],
  [
    'till june 30, 2027 at 18:30',
    '截至2027年6月30日下午6点半',
    { until: { ...june, hour: 18, minute: 30 } },
  ],
  ['starting 1 march 2027', '从2027年3月1日开始', { starting: march }],
  ['starting 1 march 2027 in the morning', '从2027年3月1日早上起', { starting: march }],
  ['from 1 march 2027 at 8am', '从2027年3月1日8点开始', { starting: { ...march, hour: 8 } }],
  [
    'from 1 march 2027 to 30 june 2027',
    '2027年3月1日到2027年6月30日',
    { starting: march, until: june },
  ],
  ['for two weeks', '为期两周', 'two weeks'],
  ['until friday evening', '直到周五晚上', 'never'],
  ['unless it rains', '除非下雨', 'never'],
  ['except holidays', '节假日除外', 'never'],
]
const titles = {
  en: 'ping the team|weekly report|friday news|book the 9 o’clock train|may flowers|second draft|midnight snack|8 posts about May|call at noon|sun cream|march on Rome|3 people wait|meet on monday|half a page|and so forth|send 2 weeks of logs|review Q4 by friday|at last, rest'.split(
    '|',
  ),
  zh: '开会|发日报|发周报|九点半的会|周一例会|半年总结|三天的行程|后台检查|每人一份|点名|下午茶|前端评审|给5号楼送水'.split(
    '|',
  ),
}
/** Words that begin like more of a time: they are read as that, or nothing is. */
const seams = {
  en: ['', '', '', 'and noon', 'and 6pm', 'on tuesdays', 'till dawn', '5pm', 'or 7', 'not friday'],
  zh: ['', '', '', '和18点', '前', '到10点', '以外', '起'],
}
const nows = [
  '2026-11-25T09:00Z',
  '2026-01-31T22:30:12Z',
  '2026-03-28T23:50Z',
  '2026-10-24T16:00Z',
  '2028-02-28T11:59:59Z',
].map((at) => Date.parse(at))
const own = ['Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe']

const generated = fc.record({
  language: fc.constantFrom('en' as const, 'zh' as const),
  now: fc.constantFrom(...nows),
  timeZone: fc.constantFrom(...own),
  hours: fc.constantFrom(...clocks),
  zone: fc.constantFrom(...zones),
  limit: fc.constantFrom(...limits),
  isLast: fc.boolean(),
  order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
  isUsual: fc.boolean(),
  comma: fc.boolean(),
  title: fc.nat(),
  seam: fc.nat(),
})
type Generated = typeof generated extends fc.Arbitrary<infer T> ? T : never
const pick = <T>(list: readonly T[], place: number) => list[place % list.length] as T

/** The line in words, what it is to be read as its title, and how it is read. */
function lineOf(one: Generated, day: Words, limit: Words) {
  const { language, hours, zone, isLast, isUsual, comma } = one
  const at = language === 'en' ? 0 : 1
  const seam = isLast ? '' : pick(seams[language], one.seam)
  const usual = language === 'en' ? [day, hours, zone, limit] : [zone, limit, day, hours]
  const order = isUsual ? usual : one.order.map((place) => pick(usual, place))
  const blank = language === 'en' ? ' ' : ''
  const said = order.map((part) => part[at]).filter((part) => part !== '')
  const between = comma ? pick([', ', '，'], at) : blank
  const words = [said.join(between), seam].filter((part) => part !== '').join(blank)
  // A line that begins with a clock has its time there (C317); one beside days is theirs.
  const beside = isLast || said.at(-1) !== hours[at]
  const clock = beside ? /^(?:midnight|九点|周一)|(?:noon|monday|friday)$/ : /^midnight/
  const title = pick(
    titles[language].filter((text) => !clock.test(text)),
    one.title,
  )
  const line = isLast ? `${title} ${words}` : `${words}${blank}${title}`
  return { title, words, seam, found: splitWhen(line, one) }
}

/** What is read has the title whole and, where its seam says more, that too. */
function isWhole({ title, words, seam, found }: ReturnType<typeof lineOf>, one: Generated) {
  if (found === null) return null
  expect(found.rest).toBe(title)
  const { rest: _, ...read }: SplitLine = found
  if (seam === '') return read
  const { rest: __, ...whole } = splitWhen(words, one) ?? { rest: '' }
  expect(read).toEqual(whole)
  return null
}

function limitsOf(limit: Limits, place: string, now: number) {
  if (limit === 'never') return {}
  if (limit !== 'two weeks') {
    const at = (wall?: WallClock) => (wall === undefined ? undefined : instantOf(place, wall))
    return { starting: at(limit.starting), until: at(limit.until) }
  }
  const today = wallClockIn(place, now)
  return { until: instantOf(place, { ...today, ...addDays(today, 14) }) + (now % 60_000) - 60_000 }
}

const count = { numRuns: Math.max(500, runs(2)) }
/** So many of those that could be read were. */
const read = { all: 0, well: 0 }

it('schedules a rule as it was said, or nothing (P26)', () => {
  fc.assert(
    fc.property(generated, fc.constantFrom(...days), (one, day) => {
      const found = isWhole(lineOf(one, [day[0], day[1]], [one.limit[0], one.limit[1]]), one)
      const [, , zone] = one.zone
      read.all += 1
      if (found === null) return
      read.well += 1
      const [, , ...minutes] = one.hours
      const patterns = Array.from(
        Map.groupBy(minutes, (minute) => minute % 60),
        ([minute, all]) => `${minute} ${all.map((at) => Math.floor(at / 60)).join()} ${day[2]}`,
      )
      expect(zone).not.toBe(null)
      expect(found.timeZone).toBe(zone)
      const place = zone ?? one.timeZone
      const [, , limit] = one.limit
      expect(limit).not.toBe('never')
      const { starting, until } = limitsOf(limit, place, one.now)
      expect(found.when).toEqual({
        kind: 'cron',
        expression: patterns.join(' | '),
        times: -1,
        until,
        starting: starting !== undefined && starting > one.now ? starting : undefined,
      })
    }),
    count,
  )
  // Most lines say nothing that has to be refused.
  expect(read.well / read.all).toBeGreaterThan(0.15)
})

it('schedules a single time as it was said, or nothing (P26)', () => {
  fc.assert(
    fc.property(generated, fc.constantFrom(...dates), (one, date) => {
      const line = lineOf(one, [date[0], date[1]], ['', ''])
      // “tomorrow at 9 Monday meeting”: where tomorrow is Monday, both are the day.
      fc.pre(!/day|sun|周一/.test(line.title))
      const found = isWhole(line, one)
      if (found === null) return
      const [, , minutes = 0, another] = one.hours
      const [, , day] = date
      expect(another).toBe(undefined)
      const abbreviated = { BST: '+01:00' }.BST
      const place = one.zone[2] === null ? abbreviated : (one.zone[2] ?? one.timeZone)
      // Today is today where the person is, but a weekday is one of the zone.
      const today = wallClockIn('in' in day ? one.timeZone : place, one.now)
      const at = (later: number) =>
        instantOf(place, {
          ...addDays(today, later),
          hour: Math.floor(minutes / 60),
          minute: minutes % 60,
        })
      const isRight = (later: number) =>
        'in' in day
          ? later === day.in
          : weekdayOf(addDays(today, later)) === day.weekday && at(later) > one.now
      const right = Array.from({ length: 15 }, (_, later) => later).find(isRight) ?? 0
      expect(found.when).toEqual({ kind: 'once', at: at(right) })
    }),
    count,
  )
})
