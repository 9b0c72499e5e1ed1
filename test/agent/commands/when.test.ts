import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { readCommand } from '../../../src/agent/commands/reader.ts'
import { ruleInWords } from '../../../src/agent/commands/rule-words.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import type { NewSchedule } from '../../../src/agent/commands/schedule-write.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { openHalf } from '../../../src/agent/commands/when/open-half.ts'
import { splitWhen } from '../../../src/agent/commands/when/read.ts'
import { runStrategies } from '../../../src/agent/domain/schedule.ts'
import { formatInstant } from '../../../src/agent/domain/zone.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { contextOf } from './context.ts'

/** A Wednesday, ten in the morning in Berlin. */
const now = Date.UTC(2026, 10, 25, 9)
const timeZone = 'Europe/Berlin'
const frame = { now, timeZone, locale: 'en' }

interface Case {
  said: string
  right: string[]
}
const { cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/times.json'), 'utf8'),
) as { cases: Case[] }

it.each([
  ['half past four', '2026-11-25T15:30Z'],
  ['by half past eleven', '2026-11-25T10:30Z'],
  ['tomorrow at 4', '2026-11-26T15:00Z'],
  ['every weekday at nine', '2026-11-26T08:00Z'],
  ['四点半', '2026-11-25T15:30Z'],
  ['half past four pm', null],
  ['half past four in the afternoon', null],
  ['04:30', null],
  ['2026-12-01 4:30', null],
  ['16:30', null],
  ['at twelve', null],
  ['下午四点半', null],
  ['tomorrow', null],
  ['in two hours', null],
  ['an hour before', null],
  ['call Ana at 4', null],
])('knows that “%s” leaves open the half of the day: %s (C901)', (said, at) => {
  expect(openHalf(said, frame)).toBe(at === null ? null : Date.parse(at))
})

it('takes a rule for no time where a single one is meant (C901)', () => {
  expect(openHalf('every Monday at 4', frame)).not.toBeNull()
  expect(openHalf('every Monday at 4', frame, true)).toBeNull()
})

/** What a line comes to, as the fixture writes it, or the sentence that refuses it. */
function read(line: string, zone = timeZone): { got: string; title: string } {
  const reading = readCommand(scheduleTable, `add ${line}`, { ...frame, timeZone: zone })
  if (!reading.ok)
    return { got: 'NOT READ', title: `${reading.problem.kind} ${reading.problem.typed}` }
  const { when, title, fields } = reading.request as NewSchedule
  const limits = !('times' in when)
    ? ''
    : [
        when.starting === undefined ? '' : ` starting ${formatInstant(zone, when.starting)}`,
        when.until === undefined ? '' : ` until ${formatInstant(zone, when.until)}`,
        when.times === -1 ? '' : ` times ${when.times}`,
      ].join('')
  if (when.kind === 'once') return { got: formatInstant(zone, when.at), title }
  if (when.kind === 'event') return { got: `event ${when.source}`, title }
  if (when.kind === 'every')
    return { got: `every ${when.minutes}m from ${formatInstant(zone, when.start)}${limits}`, title }
  const isOwn = (fields.timeZone ?? zone) === zone
  return { got: `cron ${when.expression}${isOwn ? '' : ` in ${fields.timeZone}`}${limits}`, title }
}

describe('times as people write them (C312, C313)', () => {
  it('misreads none of 239 wordings and refuses at most 12', () => {
    const wrong = cases.flatMap(({ said, right }) => {
      const isHan = /\p{Script=Han}/u.test(said)
      const { got, title } = read(isHan ? `${said}提醒我开会` : `${said} ping the team`)
      const isRight = right.some((one) => got.startsWith(one))
      const isWhole = got === 'NOT READ' || title === (isHan ? '开会' : 'ping the team')
      return isRight && isWhole ? [] : [{ said, got, title, right }]
    })
    expect(wrong.filter(({ got }) => got !== 'NOT READ')).toEqual([])
    expect(wrong.length).toBeLessThanOrEqual(12)
  })

  it.each([
    ['every friday at 5:30 p.m. post it', 'cron 30 17 * * 5', 'post it'],
    ['every day at noon and 6pm, post it', 'cron 0 12,18 * * *', 'post it'],
    ['every day at 9:30 and 17:00 post it', 'cron 30 9 * * * | 0 17 * * *', 'post it'],
    ['每天8点、12点和18点发日报', 'cron 0 8,12,18 * * *', '发日报'],
    ['每天早晚八点吃药', 'cron 0 8,20 * * *', '吃药'],
    ['每月1号和15号上午9点交房租', 'cron 0 9 1,15 * *', '交房租'],
    ['every hour between 9 and 17, check', 'cron 0 9-17 * * *', 'check'],
    ['every 2 hours between 8 and 18, check', 'cron 0 8-18/2 * * *', 'check'],
    ['every hour from 9 to 5 on weekdays check', 'cron 0 9-17 * * 1-5', 'check'],
    ['工作日9点到18点每小时检查队列', 'cron 0 9-18 * * 1-5', '检查队列'],
    ['hourly on weekdays, check', 'cron 0 * * * 1-5', 'check'],
    ['last weekday of the month at 17:00 x', 'cron 0 17 LW * *', 'x'],
    ['on the last day of every month at 5 p.m. x', 'cron 0 17 L * *', 'x'],
    ['每月最后一个工作日下午5点结账', 'cron 0 17 LW * *', '结账'],
    ['every monday in december at 9, post', 'cron 0 9 * 12 1', 'post'],
    ['除了周末每天9点发日报', 'cron 0 9 * * 1-5', '发日报'],
    ['every other friday at 3pm x', 'every 20160m from 2026-11-27 15:00', 'x'],
    ['隔周周一上午9点写周报', 'every 20160m from 2026-11-30 09:00', '写周报'],
    [
      'every 3 weeks on tuesday at 9 starting 1 december x',
      'every 30240m from 2026-12-01 09:00',
      'x',
    ],
    ['每週五下午五點發週報', 'cron 0 17 * * 5', '發週報'],
    ['a week from friday x', '2026-12-04 09:00', 'x'],
    ['friday week x', '2026-12-04 09:00', 'x'],
    ['in two hours and a half x', '2026-11-25 12:30', 'x'],
    ['in a quarter of an hour x', '2026-11-25 10:15', 'x'],
    ['两刻钟后开会', '2026-11-25 10:30', '开会'],
    ['晚上12点半睡觉', '2026-11-26 00:30', '睡觉'],
    ['last friday of december x', '2026-12-25 09:00', 'x'],
    ['first monday of next month x', '2026-12-07 09:00', 'x'],
    ['tomorrow 9am eat lunch', '2026-11-26 09:00', 'eat lunch'],
    ['tomorrow 9am Beijing time x', '2026-11-26 02:00', 'x'],
    ['tomorrow at 9 book the 9 o’clock train', '2026-11-26 09:00', 'book the 9 o’clock train'],
    ['every weekday at 9 weekly report', 'cron 0 9 * * 1-5', 'weekly report'],
    ['weekdays and saturday at 9 x', 'cron 0 9 * * 1,2,3,4,5,6', 'x'],
    ['every weekday and sunday at 9 x', 'cron 0 9 * * 0,1,2,3,4,5', 'x'],
    ['每周一到周五和周日9点开会', 'cron 0 9 * * 0,1,2,3,4,5', '开会'],
    ['每周三日报', 'cron 0 9 * * 3', '日报'],
    ['每天20:30点名', 'cron 30 20 * * *', '点名'],
    ['每天8:30半年总结', 'cron 30 8 * * *', '半年总结'],
    ['ping tomorrow at a quarter to seven', '2026-11-26 06:45', 'ping'],
    ['ping the day after tomorrow at 9', '2026-11-27 09:00', 'ping'],
    ['🎉 party tomorrow at 9', '2026-11-26 09:00', '🎉 party'],
    ['weekly sync every monday at 10', 'cron 0 10 * * 1', 'weekly sync'],
    ['every day at 9: post it until friday', 'cron 0 9 * * *', 'post it until friday'],
    ['tomorrow: call Bob at 3pm', '2026-11-26 09:00', 'call Bob at 3pm'],
    [
      'every monday at 9 post what was done on friday',
      'cron 0 9 * * 1',
      'post what was done on friday',
    ],
    ['every day at 7 wake the kids', 'cron 0 7 * * *', 'wake the kids'],
    ['tomorrow at 9 easter eggs', '2026-11-26 09:00', 'easter eggs'],
    ['London trip tomorrow at 9', '2026-11-26 09:00', 'London trip'],
    ['每周一一次性清理', 'cron 0 9 * * 1', '一次性清理'],
  ])('reads “%s” as %s', (line, got, title) => {
    expect(read(line)).toEqual({ got, title })
  })

  it.each([
    ['every 10 minutes during work hours check', 'during work hours'],
    ['every day at 9 excluding holidays, post', 'excluding holidays'],
    ['every day unless it rains at 9 x', 'unless it rains'],
    ['every day at 7 and 9pm x', '7 and 9pm'],
    ['on february 30 at 9, post', 'february 30'],
    ['tomorrow from 9 to 5 x', 'from 9 to 5'],
    ['tomorrow call Bob at 3pm', 'at 3pm'],
    ['every third friday at 9 x', 'every third friday'],
    ['friday, 28 november at 9 x', 'friday'],
    ['每天9点前发日报', '9点前'],
    ['下周三下午3点到5点开会', '3点到5点'],
    ['twice a day, ping', 'twice a day'],
    ['on sunday at 9am and 5pm x', 'on sunday at 9am and 5pm'],
    ['every quarter in december at 9 x', 'in december'],
    ['every december 5 on the 1st at 9 x', 'december 5'],
    ['meet on monday every day at 9', 'monday'],
    ['midnight snack every day at 9', 'every day at 9'],
    ['明天叫小王三点开会', '三点开会'],
    ['周一例会 每天9点', '每天9点'],
    ['明天9点前后开会', '9点前'],
    ['最后一个周一9点开会', '最后一个周一'],
    ['daily standup at 9', 'at 9'],
    ['weekly review friday at 4', 'friday at 4'],
    ['every month pay the rent on the 5th', 'on the 5th'],
    ['at 11 call Bob tomorrow', 'tomorrow'],
  ])('refuses “%s” and names the part (C312, C317)', (line, part) => {
    expect(read(line)).toEqual({ got: 'NOT READ', title: `unread_time ${part}` })
  })

  it('suggests a rule for a rule (C312)', () => {
    const { problem } = readCommand(
      scheduleTable,
      'add every day at 9 excluding holidays, post',
      frame,
    ) as {
      problem: { example: string }
    }
    expect(problem.example).toContain('every weekday')
  })

  it.each([
    ['in 1 month', '2026-01-31', '2026-02-28'],
    ['in 1 month', '2026-08-31', '2026-09-30'],
    ['in 6 months', '2026-08-31', '2027-02-28'],
    ['一个月后', '2026-01-30', '2026-02-28'],
  ])('ends “%s” on %s with that month (C316)', (said, day, right) => {
    const split = splitWhen(said, { now: Date.parse(`${day}T10:00Z`), timeZone: 'UTC' })
    expect(split?.when).toEqual({ kind: 'once', at: Date.parse(`${right}T09:00Z`) })
  })
})

/** Wordings by kind: what is typed, what it comes to, and its title; or the part that is not understood (C480 to C482). */
const kinds = {
  'a.m. and p.m.': `
every tuesday at 7 a.m. sharp, send the agenda → cron 0 7 * * 2 → send the agenda
daily 8:15 a.m. stand-up notes → cron 15 8 * * * → stand-up notes
at 6 P.M. call mum → 2026-11-25 18:00 → call mum
every day at 10 pm. close the till → cron 0 22 * * * → close the till
tomorrow 12 a.m. reboot → 2026-11-26 00:00 → reboot
每天 7 a.m. 发日报 → cron 0 7 * * * → 发日报
明天5:45 p.m.开会 → 2026-11-26 17:45 → 开会
每周三 at 6 p.m. 交周报 → cron 0 18 * * 3 → 交周报
周五 11 a.m. 复盘 → 2026-11-27 11:00 → 复盘
每天晚上10 p.m.关灯 → cron 0 22 * * * → 关灯
`,
  'more than one clock': `
every day at 9, 13 and 18, post → cron 0 9,13,18 * * * → post
every day 9am + 6pm post → cron 0 9,18 * * * → post
every day at 9 / 18 post → cron 0 9,18 * * * → post
every day at 9 and again at 18 post → cron 0 9,18 * * * → post
every day at 8 in the morning and at 8 in the evening post → cron 0 8,20 * * * → post
every monday at 9 and friday at 17 post → NOT READ → unread_time friday
twice a day at 9 and 18 post → NOT READ → unread_time at 9 and 18
每天早上8点和晚上8点吃药 → cron 0 8,20 * * * → 吃药
每天上午9点、下午3点喝水 → cron 0 9,15 * * * → 喝水
每天中午12点和下午6点发日报 → cron 0 12,18 * * * → 发日报
每天8点20点吃药 → NOT READ → unread_time 20点
每天早中晚吃药 → NOT READ → unread_time 早中晚
每天8:30、12:00、18:30打卡 → cron 30 8,18 * * * | 0 12 * * * → 打卡
`,
  'hours of a day': `
every 20 minutes between 9:00 and 17:00 on weekdays check → cron */20 9-16 * * 1-5 → check
each hour between noon and 6pm check → cron 0 12-18 * * * → check
on weekdays every two hours from 8am until 8pm check → cron 0 8-20/2 * * 1-5 → check
hourly during office hours check → NOT READ → unread_time during office hours
every hour from 22 to 6 check → NOT READ → unread_time from 22 to 6
every hour at half past check → NOT READ → unread_time at half past check
every 15 minutes check the queue between 9 and 17 → NOT READ → unread_time between 9 and 17
9点到17点之间每30分钟检查 → cron */30 9-16 * * * → 检查
每小时从9点到17点检查 → cron 0 9-17 * * * → 检查
周一到周五每两小时检查 → cron 0 */2 * * 1-5 → 检查
晚上10点到早上6点每小时检查 → NOT READ → unread_time 10点到早上6点每小时
每15分钟检查，9点到18点 → NOT READ → unread_time 9点到18点
`,
  'days of a week': `
tue/thu 10am lab → cron 0 10 * * 2,4 → lab
every mon wed fri at 9 lab → cron 0 9 * * 1,3,5 → lab
sat & sun 11am lab → cron 0 11 * * 0,6 → lab
sunday to thursday at 8 lab → cron 0 8 * * 0,1,2,3,4 → lab
weekdays and sunday at 8 lab → cron 0 8 * * 0,1,2,3,4,5 → lab
周一三五早上9点站会 → cron 0 9 * * 1,3,5 → 站会
逢周二周四10点上课 → cron 0 10 * * 2,4 → 上课
每周二、四、六上午10点跑步 → cron 0 10 * * 2,4,6 → 跑步
周六周日上午10点打扫 → cron 0 10 * * 0,6 → 打扫
每周一至周四下午5点总结 → cron 0 17 * * 1,2,3,4 → 总结
`,
  'days of a month': `
on the 5th, 10th and 20th of every month pay → cron 0 9 5,10,20 * * → pay
every month on the first and fifteenth pay → cron 0 9 1,15 * * → pay
monthly on the second pay → cron 0 9 2 * * → pay
each july on the 4th pay → cron 0 9 4 7 * → pay
every day on the 1st pay → NOT READ → unread_time 1st
every 3rd of the month at 8 pay → cron 0 8 3 * * → pay
每月5号、10号和20号交账 → cron 0 9 5,10,20 * * → 交账
每月1、15号发工资 → cron 0 9 1,15 * * → 发工资
每月底盘点 → cron 0 9 L * * → 盘点
每月初对账 → cron 0 9 1 * * → 对账
隔月1号交租 → cron 0 9 1 1,3,5,7,9,11 * → 交租
每三个月15号汇报 → cron 0 9 15 1,4,7,10 * → 汇报
`,
  'every second one': `
every second wednesday at 9 post → every 20160m from 2026-12-02 09:00 → post
every alternate friday at 9 post → every 20160m from 2026-11-27 09:00 → post
mondays every other week at 9 post → every 20160m from 2026-11-30 09:00 → post
every 3rd week on monday post → every 30240m from 2026-11-30 09:00 → post
every third day at 9 post → every 4320m from 2026-11-26 09:00 → post
every 2 weeks on mon and thu at 9 post → NOT READ → unread_time every 2 weeks
隔周周三上午10点例会 → every 20160m from 2026-12-02 10:00 → 例会
每隔一周周五发周报 → every 20160m from 2026-11-27 09:00 → 发周报
每三周周一9点开会 → every 30240m from 2026-11-30 09:00 → 开会
隔天9点浇水 → every 2880m from 2026-11-26 09:00 → 浇水
每两周周一和周四9点开会 → NOT READ → unread_time 每两周
`,
  'the first or last one': `
last business day of the month 5pm close → cron 0 17 LW * * → close
the third thursday of each month at 2pm close → cron 0 14 * * 4#3 → close
first workday of the month at 9 close → cron 0 9 1W * * → close
every last day of the month at 18:00 close → cron 0 18 L * * → close
last day of february at 9 close → 2027-02-28 09:00 → close
每月最后一个星期五17点结账 → cron 0 17 * * 5#L → 结账
每月第二个周四下午两点例会 → cron 0 14 * * 4#2 → 例会
每月第一个工作日9点对账 → cron 0 9 1W * * → 对账
每月最后一天18点盘点 → cron 0 18 L * * → 盘点
每月最后一个工作日下午4点结账 → cron 0 16 LW * * → 结账
`,
  'a beginning or an end': `
every day at 9 for the next 10 days post → cron 0 9 * * * until 2026-12-05 09:59 → post
every day at 9, 5 times, post → cron 0 9 * * * times 5 → post
every monday at 9 starting next month post → cron 0 9 * * 1 starting 2026-12-01 00:00 → post
every weekday at 9 up to and including friday post → cron 0 9 * * 1-5 until 2026-11-27 23:59 → post
every day from 1 december to 24 december at 9 post → cron 0 9 * * * starting 2026-12-01 00:00 until 2026-12-24 23:59 → post
every day this week at 9 post → NOT READ → unread_time this week at 9
until friday ping → NOT READ → unread_time until friday
every day at 9 post the digest until friday → NOT READ → unread_time until friday
从明天起到周五每天9点打卡 → cron 0 9 * * * starting 2026-11-26 00:00 until 2026-11-27 23:59 → 打卡
下周开始每天9点打卡 → cron 0 9 * * * starting 2026-11-30 00:00 → 打卡
12月1日至24日每天9点打卡 → cron 0 9 * * * starting 2026-12-01 00:00 until 2026-12-24 23:59 → 打卡
截止到12月24日每天9点打卡 → cron 0 9 * * * until 2026-12-24 23:59 → 打卡
每天9点打卡，持续两周 → NOT READ → unread_time 持续两周
从下周一开始开会 → NOT READ → unread_time 从下周一开始
`,
  'an hour beside an end': `
every december 24 until 30 june 2027 at 5:30pm ping → cron 30 17 24 12 * until 2027-06-30 23:59 → ping
every day until friday at 5pm ping → cron 0 17 * * * until 2026-11-27 23:59 → ping
every day until friday 5pm ping → NOT READ → unread_time until friday 5pm
every day at 9 until friday at 5pm ping → cron 0 9 * * * until 2026-11-27 17:00 → ping
every day at 9 until friday evening ping → NOT READ → unread_time until friday evening
every day starting tomorrow at 8:30 ping → cron 30 8 * * * starting 2026-11-26 00:00 → ping
every day until 4 december at 9am and 5pm ping → cron 0 9,17 * * * until 2026-12-04 23:59 → ping
every 2 hours until friday at 5pm ping → every 120m from 2026-11-25 12:00 until 2026-11-27 17:00 → ping
at 9 every friday until monday ping → cron 0 9 * * 5 until 2026-11-30 23:59 → ping
每天直到周五下午5点发日报 → NOT READ → unread_time 直到周五下午
每天直到周五，下午5点发日报 → cron 0 17 * * * until 2026-11-27 23:59 → 发日报
每天9点直到周五晚上打卡 → NOT READ → unread_time 直到周五晚上
每天9点直到周五17点打卡 → cron 0 9 * * * until 2026-11-27 17:00 → 打卡
从明天早上8点开始每天喝水 → cron 0 8 * * * starting 2026-11-26 00:00 → 喝水
从明晚开始每天10点打卡 → NOT READ → unread_time 从明晚开始
`,
  'a second time in the title': `
tomorrow call Bob at 3pm about the car → NOT READ → unread_time at 3pm about the car
every day call Bob at 3 on his mobile → NOT READ → unread_time at 3 on his mobile
call Bob at 3pm about it every day → NOT READ → unread_time every day
at 9 daily ping → NOT READ → unread_time daily ping
in 3 days call Bob at 3pm → NOT READ → unread_time at 3pm
note for tomorrow call Bob at noon → NOT READ → unread_time at noon
BST every december 24 at 9 call at noon → NOT READ → unread_time at noon
ping the team except holidays every day at 9 → NOT READ → unread_time except holidays every day at 9
ping the team BST every day at 9 → NOT READ → unread_time BST every day at 9
tomorrow prepare the 3pm meeting → 2026-11-26 09:00 → prepare the 3pm meeting
in 2 hours ask about the call at 3pm → 2026-11-25 12:00 → ask about the call at 3pm
三天后叫小王三点开会 → NOT READ → unread_time 三点开会
后天9点半年总结 → 2026-11-27 09:00 → 半年总结
12月24日点名 → 2026-12-24 09:00 → 点名
明天9点UTC三天的行程 → NOT READ → unread_time 三天
9点工作日后台检查 → cron 0 9 * * 1-5 → 后台检查
`,
  'days that are left out': `
every day but sunday at 9 post → cron 0 9 * * 1,2,3,4,5,6 → post
every day apart from monday at 9 post → cron 0 9 * * 0,2,3,4,5,6 → post
weekdays except wednesdays 9am post → cron 0 9 * * 1,2,4,5 → post
every friday except the 13th at 9 post → NOT READ → unread_time except the 13th
every day at 9 while Ana is away, post → NOT READ → unread_time while Ana is
每天除周日外9点打卡 → cron 0 9 * * 1,2,3,4,5,6 → 打卡
除了周三每个工作日9点站会 → cron 0 9 * * 1,2,4,5 → 站会
除节假日外每天9点打卡 → NOT READ → unread_time 除节
每天9点除非下雨跑步 → NOT READ → unread_time 9点除非
每天9点节假日除外打卡 → NOT READ → unread_time 9点节假日
`,
  'a span from now': `
in 2h check the oven → 2026-11-25 12:00 → check the oven
in 1h30m check the oven → 2026-11-25 11:30 → check the oven
in a half hour check the oven → 2026-11-25 10:30 → check the oven
three quarters of an hour from now check the oven → 2026-11-25 10:45 → check the oven
in 2 hours and 15 minutes check the oven → 2026-11-25 12:15 → check the oven
in two and a half days check the oven → NOT READ → unread_time in two and a half days check
every 2h check the oven → every 120m from 2026-11-25 12:00 → check the oven
一个半小时后关火 → 2026-11-25 11:30 → 关火
三刻钟后关火 → 2026-11-25 10:45 → 关火
两天半后关火 → NOT READ → unread_time 两天
过半小时关火 → 2026-11-25 10:30 → 关火
四十五分钟后关火 → 2026-11-25 10:45 → 关火
`,
  'a day from another': `
two weeks from friday send it → 2026-12-11 09:00 → send it
wednesday week at 3pm send it → 2026-12-02 15:00 → send it
next week on tuesday send it → 2026-12-01 09:00 → send it
3 days from monday send it → 2026-12-03 09:00 → send it
next month on the 5th at 10 send it → 2026-12-05 10:00 → send it
the 30th at 9am send it → 2026-11-30 09:00 → send it
下个月5号下午3点交租 → 2026-12-05 15:00 → 交租
下下周三面试 → 2026-12-09 09:00 → 面试
大后天下午面试 → 2026-11-28 15:00 → 面试
31号交租 → 2026-12-31 09:00 → 交租
下月初交租 → 2026-12-01 09:00 → 交租
`,
  'everyday words': `
this afternoon at 4 review → 2026-11-25 16:00 → review
tomorrow evening at 8 review → 2026-11-26 20:00 → review
tomorrow at ten to six review → 2026-11-26 17:50 → review
tomorrow at seven thirty review → 2026-11-26 07:30 → review
every weekday @ 9am review → cron 0 9 * * 1-5 → review
every weekday at 0900 review → cron 0 9 * * 1-5 → review
by eod friday review → 2026-11-27 18:00 → review
this coming friday at 4pm review → 2026-11-27 16:00 → review
tomorrow after lunch review → NOT READ → unread_time after lunch review
明早8点钟起床 → 2026-11-26 08:00 → 起床
明儿下午三点喝茶 → 2026-11-26 15:00 → 喝茶
差一刻九点开会 → 2026-11-26 08:45 → 开会
明晚零点抢票 → 2026-11-27 00:00 → 抢票
每天午饭后吃药 → NOT READ → unread_time 每天午饭后
`,
  'which half of the day': `
tomorrow at half past four review → 2026-11-26 16:30 → review
tomorrow at 4:30 review → 2026-11-26 16:30 → review
tomorrow at 04:30 review → 2026-11-26 04:30 → review
tomorrow at 4 in the morning review → 2026-11-26 04:00 → review
2026-12-01 4:30 review → 2026-12-01 04:30 → review
tomorrow at 6 review → 2026-11-26 06:00 → review
every day at 3 review → cron 0 15 * * * → review
every day at 9:00 and 3:00 review → cron 0 9,15 * * * → review
every day at 3 and 15 review → cron 0 3,15 * * * → review
today at 9 review → 2026-11-25 21:00 → review
明天一早开会 → 2026-11-26 09:00 → 开会
明天四点半开会 → 2026-11-26 16:30 → 开会
明天凌晨四点半开会 → 2026-11-26 04:30 → 开会
每天三点开会 → cron 0 15 * * * → 开会
今天九点开会 → 2026-11-25 21:00 → 开会
每天凌晨三点备份 → cron 0 3 * * * → 备份
`,
  'a day of this week': `
本周三晚上交 → 2026-11-25 20:00 → 交
这周三下午五点交 → 2026-11-25 17:00 → 交
本周五交 → 2026-11-27 09:00 → 交
这周四交 → 2026-11-26 09:00 → 交
本星期日下午三点交 → 2026-11-29 15:00 → 交
本周二交 → NOT READ → unread_time 本周二
this wednesday at 5pm send → 2026-11-25 17:00 → send
this tuesday send → 2026-12-01 09:00 → send
this friday at 5pm send → 2026-11-27 17:00 → send
this sunday at 5pm send → 2026-11-29 17:00 → send
this coming friday send → 2026-11-27 09:00 → send
`,
  'traditional letters': `
每週二晚上八點開會 → cron 0 20 * * 2 → 開會
每個月十五號下午兩點對帳 → cron 0 14 15 * * → 對帳
後天上午十點面試 → 2026-11-27 10:00 → 面試
每兩週的週五下午四點復盤 → every 20160m from 2026-11-27 16:00 → 復盤
下個禮拜一九點開會 → 2026-11-30 09:00 → 開會
`,
  'what no calendar has': `
on 31 june at 9 send it → NOT READ → unread_time 31 june
february 30 send it → NOT READ → unread_time february 30
november 31 at 9 send it → NOT READ → unread_time november 31
9:60 send it → NOT READ → unread_time 9:60 send it
at 25:00 send it → NOT READ → unread_time at 25:00 send it
11月31日开会 → NOT READ → unread_time 11月31日
2月30号开会 → NOT READ → unread_time 2月30号
25点开会 → NOT READ → unread_time 25点
明天25点开会 → NOT READ → unread_time 明天25点
13月1日开会 → NOT READ → unread_time 13月1日
`,
  'a zone': `
every day at 8am Pacific time post → cron 0 8 * * * in America/Los_Angeles → post
every friday at 9am eastern post → cron 0 9 * * 5 in America/New_York → post
every friday at 5pm America/New_York post → cron 0 17 * * 5 in America/New_York → post
every day at 9:00 (UTC) post → cron 0 9 * * * in UTC → post
every day at 9 in new york post → NOT READ → unread_time in new york
every day 9am AEST post → NOT READ → unclear_zone AEST (Australia/Sydney)
every friday at 5pm my time post → NOT READ → unread_time my time post
tomorrow at 9 London call → NOT READ → unread_time London
tomorrow 3pm ET call → 2026-11-26 21:00 → call
纽约时间每周五下午4点发周报 → cron 0 16 * * 5 in America/New_York → 发周报
每周一上午10点（北京时间）开会 → cron 0 10 * * 1 in Asia/Shanghai → 开会
每天伦敦时间9点发日报 → cron 0 9 * * * in Europe/London → 发日报
明天东京时间上午9点打电话 → 2026-11-26 01:00 → 打电话
每天早上9点(CST)发报 → NOT READ → unclear_zone CST (America/Chicago, Asia/Shanghai)
每周一CST9:30开会 → NOT READ → unclear_zone CST (America/Chicago, Asia/Shanghai)
每天从2027年3月1日8点开始BST17:05开会 → NOT READ → unclear_zone BST (Europe/London, Asia/Dhaka)
每天从2027年3月1日8点开始UTC17:05开会 → NOT READ → unread_time 17:05
明天GMT8:30打电话 → 2026-11-26 09:30 → 打电话
every day at9:30 post → cron 30 9 * * * → post
`,
  'how often': `
twice a day ping → NOT READ → unread_time twice a day
every day three times ping → NOT READ → unread_time three times ping
three times a week ping → NOT READ → unread_time three times a week
every week twice ping → NOT READ → unread_time twice ping
every day at 9 5x ping → NOT READ → unread_time 5x ping
每周两次开会 → NOT READ → unread_time 每周两次
每天三次吃药 → NOT READ → unread_time 每天三次
一天两次吃药 → NOT READ → unread_time 一天两
每周一次发周报 → every 10080m from 2026-11-26 09:00 → 发周报
每月一次盘点 → cron 0 9 1 * * → 盘点
`,
  'a clock inside of the words': `
friday meet Bob at eight with coffee → NOT READ → unread_time at eight with coffee
friday news at a quarter to seven unless it rains on fridays → NOT READ → unread_time at a quarter to seven unless it rains on fridays
post at half past eight the news every friday → NOT READ → unread_time every friday
every monday call at ten past nine the whole team and friends → NOT READ → unread_time at ten past nine the whole team and friends
tomorrow send it at nine o’clock to everybody → NOT READ → unread_time at nine o’clock to everybody
friday look at three flats → 2026-11-27 09:00 → look at three flats
friday book the five o’clock train → 2026-11-27 09:00 → book the five o’clock train
friday talk about the half past eight train → 2026-11-27 09:00 → talk about the half past eight train
周五晨会8点半给所有人发一下纪要 → NOT READ → unread_time 8点半给所有人发一下纪要
周五开会在八点半的会议室 → NOT READ → unread_time 八点半的会议室
每周一打电话九点一刻给全组 → NOT READ → unread_time 九点一刻给全组
明天提醒大家十二点在楼下集合 → NOT READ → unread_time 十二点在楼下集合
周五看三套房子 → 2026-11-27 09:00 → 看三套房子
明天8点的会议纪要发给全组 → NOT READ → unread_time 明天8点的
每周一9点的例会提醒大家 → NOT READ → unread_time 每周一9点的
周五下午的会议取消 → NOT READ → unread_time 周五下午的
每周五在八点半的会上发言 → NOT READ → unread_time 每周五在八点半的
明天9点的时候开会 → 2026-11-26 09:00 → 开会
每周五 的确要交周报 → cron 0 9 * * 5 → 的确要交周报
每天9点发明天的日报 → cron 0 9 * * * → 发明天的日报
`,
}

describe.each(Object.entries(kinds))('in words, %s', (name, text) => {
  const rows = text.trim().split('\n')

  it('is read whole, or refused by the part that is not understood (C312, C480, C481, C482, C910, C911)', () => {
    const han = rows.filter((row) => /^[^→]*\p{Script=Han}/u.test(row)).length
    expect(han).toBeGreaterThanOrEqual(5)
    expect(rows.length - han).toBeGreaterThanOrEqual(name === 'traditional letters' ? 0 : 5)
    const shown = rows.map((row) => {
      const [line = ''] = row.split(' → ')
      const { got, title } = read(line)
      return `${line} → ${got} → ${title}`
    })
    expect(shown).toEqual(rows)
  })
})

/** The same where both languages do not have the kind. */
const shorter = `
05.01.2027 at 8 pay → 2027-01-05 08:00 → pay
3.4.2027 pay → 2027-04-03 09:00 → pay
25.13.2026 pay → NOT READ → unread_time 25.13.2026 pay
monday mornings at 8 plan → cron 0 8 * * 1 → plan
friday afternoons at 4 plan → cron 0 16 * * 5 → plan
monday and thursday afternoons at 2 plan → cron 0 14 * * 1,4 → plan
weekday evenings at 6 plan → cron 0 18 * * 1-5 → plan
sun mornings plan → cron 0 9 * * 0 → plan
every tuesday and every thursday at 2pm plan → cron 0 14 * * 2,4 → plan
every monday at 9 and every friday at 5pm plan → NOT READ → unread_time every friday
sat. 10am swim → 2026-11-28 10:00 → swim
Mon. at 9:15 swim → 2026-11-30 09:15 → swim
december twenty-fourth at 10 call → 2026-12-24 10:00 → call
the thirty-first at 9 call → 2026-12-31 09:00 → call
friday at nine forty-five call → 2026-11-27 09:45 → call
friday at seven oh eight call → 2026-11-27 07:08 → call
friday at 1745 call → 2026-11-27 17:45 → call
friday at quarter after nine call → 2026-11-27 09:15 → call
friday at quarter of nine call → 2026-11-27 08:45 → call
fri 4p call → 2026-11-27 16:00 → call
tomorrow 3ish call → 2026-11-26 15:00 → call
tomorrow 9 a.m. a call → 2026-11-26 09:00 → a call
first thing tomorrow call → 2026-11-26 09:00 → call
in an hour and a quarter call → 2026-11-25 11:15 → call
in half hour call → 2026-11-25 10:30 → call
in an hour or so call → 2026-11-25 11:00 → call
in two weeks' time call → 2026-12-09 09:00 → call
a week tomorrow call → 2026-12-03 09:00 → call
once a week on monday call → cron 0 9 * * 1 → call
every half hour check → every 30m from 2026-11-25 10:30 → check
every quarter hour check → every 15m from 2026-11-25 10:15 → check
every hour and a half check → every 90m from 2026-11-25 11:30 → check
every day at 9 without weekends check → cron 0 9 * * 1-5 → check
tomorrow 9am NYC time call → 2026-11-26 15:00 → call
9am et on friday call → 2026-11-27 15:00 → call
tomorrow 9am server time call → NOT READ → unread_time server time call
friday after next call → NOT READ → unread_time after next call
tomorrow early morning call → NOT READ → unread_time early morning call
in 1 hr 30 call → NOT READ → unread_time 30 call
明天八点五十开会 → 2026-11-26 08:50 → 开会
明天三点二十五开会 → 2026-11-26 15:25 → 开会
明天三点五十个人开会 → 2026-11-26 15:00 → 五十个人开会
每月第一天交租 → cron 0 9 1 * * → 交租
每月倒数第二天交租 → NOT READ → unread_time 每月倒数
隔日9点浇水 → every 2880m from 2026-11-26 09:00 → 浇水
每小时整点报时 → cron 0 * * * * → 报时
`

it.each(shorter.trim().split('\n'))('“%s” is read whole, or named (C965)', (row) => {
  const [line = ''] = row.split(' → ')
  const { got, title } = read(line)
  expect(`${line} → ${got} → ${title}`).toBe(row)
})

it.each([
  ['tomorrow, no, friday ping', ', no, friday ping'],
  ['tomorrow at 9, sorry, 10 ping', ', sorry, 10 ping'],
  ['friday, wait, monday ping', ', wait, monday ping'],
  ['tomorrow, actually friday ping', ', actually friday ping'],
  ['at 5, I mean 6 ping', ', I mean 6 ping'],
  ['not on monday ping', 'not on monday ping'],
  ['明天，不，后天开会', '明天，不，后天'],
  ['周五，算了，周六开会', '周五，算了，周六'],
  ['明天或后天开会', '明天或后天'],
  ['明天下午3点或4点开会', '3点或4点'],
])('takes neither time of “%s”, which is corrected or left open (C966)', (line, part) => {
  expect(read(line)).toEqual({ got: 'NOT READ', title: `unread_time ${part}` })
})

it.each([
  ['friday, not monday, ping', '2026-11-27 09:00', 'ping'],
  ['december 24 no meeting', '2026-12-24 09:00', 'no meeting'],
  ['tomorrow better tell Bob', '2026-11-26 09:00', 'better tell Bob'],
  ['明天9点还是老样子', '2026-11-26 09:00', '还是老样子'],
])('reads “%s”, which corrects nothing, as %s (C966)', (line, got, title) => {
  expect(read(line)).toEqual({ got, title })
})

const otherwise = `
ping Bob tomorow at 9 → 2026-11-26 09:00 → ping Bob
call Ana wensday at 4pm → 2026-11-25 16:00 → call Ana
send it firday at 4pm → 2026-11-27 16:00 → send it
pay decemeber 1 at 9 → 2026-12-01 09:00 → pay
call Frida at 5pm → 2026-11-25 17:00 → call Frida
order a sundae at 5pm → 2026-11-25 17:00 → order a sundae
tomorrow morning at 5pm call → NOT READ → unread_time 5pm
monday afternoon at 11 call → NOT READ → unread_time 11
明天早上15点开会 → NOT READ → unread_time 15点
thu 26th at 10 call → 2026-11-26 10:00 → call
friday the 13th at 9 call → NOT READ → unread_time friday
every quarter on the last day call → NOT READ → unread_time last day
dinner on christmas day at 6pm → NOT READ → unread_time at 6pm
call mum easter monday at 9 → NOT READ → unread_time easter monday at 9
post every few days at 9 → NOT READ → unread_time every few days at 9
post in the week of december 7 at 9 → NOT READ → unread_time week of december 7 at 9
appeler Bob demain 14:00 → NOT READ → unread_time 14:00
Besprechung morgen um 14:00 → NOT READ → unread_time 14:00
会議 毎日 9:00 → NOT READ → unread_time 9:00
发祝福 元旦 早上8点 → NOT READ → unread_time 早上8点
remind me when Bob is back at 5pm → NOT READ → unread_time when Bob is back
friday 3 dentist → NOT READ → unread_time 3
friday 3 chairs: order → NOT READ → unread_time 3
tomorrow 1030 call → NOT READ → unread_time 1030
every day 20 pushups → cron 0 9 * * * → 20 pushups
mornings at 8 call → cron 0 8 * * * → call
in about two hours call → 2026-11-25 12:00 → call
in 2h30 call → 2026-11-25 12:30 → call
tomorrow 9 Uhr call → 2026-11-26 09:00 → call
每月初一吃素 → NOT READ → unread_time 每月初一
明天三点多开会 → NOT READ → unread_time 三点多
明天九点零五开会 → 2026-11-26 09:05 → 开会
明天三点，哦不，四点开会 → NOT READ → unread_time 三点，哦不，四点
每天9点发日报，周五不发 → NOT READ → unread_time ，周五不发
每天9点发早报，周末11点 → NOT READ → unread_time ，周末11点
每天9点发早报（周末除外） → NOT READ → unread_time （周末除外）
发周报，周五下午五点半 → 2026-11-27 17:30 → 发周报
post it 3 days in a row at 9 → NOT READ → unread_time in a row at 9
tomorrow at 9 UK team call → NOT READ → unread_time UK
tomorrow 9am Central station → NOT READ → unread_time Central
tomorrow at 9 CT scan → 2026-11-26 09:00 → CT scan
tomorrow 3pm Bob's time call → NOT READ → unread_time Bob's time
`

it.each(otherwise.trim().split('\n'))('reads or names “%s” (C985, C986, C987)', (row) => {
  const [line = ''] = row.split(' → ')
  const { got, title } = read(line)
  expect(`${line} → ${got} → ${title}`).toBe(row)
})

it.each(['workout 45 minutes', 'review PR 2h', 'call Ana demain 15h'])(
  'takes the length in “%s” for no time (C987)',
  (line) => expect(read(line).got).toBe('NOT READ'),
)

it.each([
  ['today at 5 call', '2026-11-27T16:30Z', null],
  ['next month on the 30th call', '2026-01-31T09:00Z', null],
  ['next month on the 28th call', '2026-01-31T09:00Z', '2026-02-28T08:00Z'],
  ['today at 9 call', '2026-11-27T16:30Z', '2026-11-27T20:00Z'],
])('reads “%s” at %s as %s (C986)', (line, at, right) => {
  const when = splitWhen(line, { now: Date.parse(at), timeZone })?.when
  const isAhead = when?.kind === 'once' && when.at > Date.parse(at)
  expect(isAhead ? new Date(when.at).toISOString().slice(0, 16) : null).toBe(
    right?.slice(0, 16) ?? null,
  )
})

describe('a change of a schedule in words (C988)', () => {
  const change = (line: string) => readCommand(scheduleTable, `update 1 ${line}`, frame)

  it.each(['an hour later', 'push back 30 min', 'also on fridays', 'except fridays', '推迟一小时'])(
    'refuses “%s”, which counts from its time',
    (line) => expect(change(line)).toMatchObject({ ok: false, problem: { kind: 'unread_time' } }),
  )

  it.each(['make it every monday at 9 instead', 'to every monday at 9'])('takes “%s”', (line) => {
    const when = { kind: 'cron', expression: '0 9 * * 1' }
    expect(change(line)).toMatchObject({ ok: true, request: { when, title: null } })
  })

  it('still takes other words as its title', () => {
    expect(change('moving day checklist')).toMatchObject({
      request: { when: null, title: 'moving day checklist' },
    })
  })
})

describe('zones that are said (C318, C319)', () => {
  it.each([
    ['tomorrow 9am CST x', 'Asia/Shanghai', '2026-11-26 09:00'],
    ['tomorrow 9am EST x', 'Australia/Brisbane', '2026-11-27 00:00'],
    ['tomorrow 9am CET x', 'America/New_York', '2026-11-26 03:00'],
    ['every day at 9am CST x', 'Asia/Shanghai', 'cron 0 9 * * *'],
    ['tomorrow 15:00 Zulu x', timeZone, '2026-11-26 16:00'],
  ])('reads “%s” in %s as %s (C985)', (line, zone, got) => {
    expect(read(line, zone).got).toBe(got)
  })

  it('takes the abbreviation of the own zone for its clock in summer too (C985)', () => {
    const inSummer = { now: Date.parse('2026-07-15T13:00Z'), timeZone: 'America/New_York' }
    const at = Date.parse('2026-07-16T13:00Z')
    expect(splitWhen('tomorrow 9am EST x', inSummer)?.when).toEqual({ kind: 'once', at })
  })

  it.each([
    ['every friday at 17:00 UTC x', timeZone, 'cron 0 17 * * 5 in UTC'],
    ['every monday at 9am CET x', timeZone, 'cron 0 9 * * 1'],
    ['every weekday at 9am EST x', 'America/New_York', 'cron 0 9 * * 1-5'],
    ['every friday 4pm Pacific x', timeZone, 'cron 0 16 * * 5 in America/Los_Angeles'],
    ['北京时间每天9点发日报', timeZone, 'cron 0 9 * * * in Asia/Shanghai'],
    ['every day at 9 Tokyo time x', timeZone, 'cron 0 9 * * * in Asia/Tokyo'],
    ['every weekday at 8:30 JST x', 'America/Chicago', 'NOT READ'],
    ['every day at 9am BST x', timeZone, 'NOT READ'],
    ['ping every day at 9 BST', timeZone, 'NOT READ'],
    ['every day at 9 London call', 'UTC', 'NOT READ'],
    ['every friday at 17:00 in Tokyo x', 'UTC', 'NOT READ'],
    ['ping every weekday at 9 Berlin', 'Africa/Accra', 'NOT READ'],
  ])('reads “%s” from %s as %s', (line, zone, got) => {
    expect(read(line, zone).got).toBe(got)
  })

  it('refuses abbreviations as --zone, with places to choose from', () => {
    for (const zone of ['BST', 'EST', 'cst', 'IST', 'MST', 'PST'])
      expect(read(`every day at 9 x --zone ${zone}`).title).toMatch(/^unclear_zone .*\(\w+\/\w+/)
    expect(read('every day at 9 x --zone UTC').got).toBe('cron 0 9 * * * in UTC')
  })
})

describe('limits of a rule (C315)', () => {
  it.each([
    ['every weekday at 9 starting monday x', 'cron 0 9 * * 1-5 starting 2026-11-30 00:00'],
    ['every day at 9 until 4 December, x', 'cron 0 9 * * * until 2026-12-04 23:59'],
    ['every day at 9 until friday x', 'cron 0 9 * * * until 2026-11-27 23:59'],
    [
      'every monday at 9 from 1 march to 30 june 2027 x',
      'cron 0 9 * * 1 starting 2027-03-01 00:00 until 2027-06-30 23:59',
    ],
    ['every monday at 9 from 1 march x', 'cron 0 9 * * 1 starting 2027-03-01 00:00'],
    ['从下周一开始每天9点发日报', 'cron 0 9 * * * starting 2026-11-30 00:00'],
    [
      'every day at 9 x --starting 2026-12-01 --until 2026-12-05',
      'cron 0 9 * * * starting 2026-12-01 00:00 until 2026-12-05 23:59',
    ],
  ])('reads “%s”', (line, got) => {
    expect(read(line).got).toBe(got)
  })

  it('says them and the next three times, and changes them', async () => {
    const schedules = createFakeSchedules()
    const deps = {
      schedules,
      runs: { state: async () => null },
      scopeOf: scopeBy('channel'),
      allowable: [],
      ways: runStrategies,
    }
    const command = commandFrom(scheduleTable, deps)
    const run = (line: string, effectId: string) =>
      command.run(line, contextOf({ effectId, now, timeZone }))
    const { text } = await run(
      'add every weekday at 9 starting monday until 1 december post it',
      'a',
    )
    expect(text).toContain('every weekday at 09:00 starting 2026-11-30 until 2026-12-01')
    expect(text).toContain('Next: Mon 2026-11-30 09:00 · Tue 2026-12-01 09:00\n')
    expect((await run('update 1 --until none --starting 2026-12-07', 'b')).text).toContain(
      'every weekday at 09:00 starting 2026-12-07',
    )
    const other = { now, timeZone, channel: 'other' }
    await command.run('add tomorrow at 9 call Bob', contextOf({ effectId: 'c', ...other }))
    const limited = await command.run(
      'update 1 --until 2026-12-07',
      contextOf({ effectId: 'd', ...other }),
    )
    expect(limited.ok).toBe(false)
  })
})

describe('what is at the same time (C320)', () => {
  it('names the time of the other schedule, and lets a reminder last no hour', async () => {
    const schedules = createFakeSchedules()
    const deps = {
      schedules,
      runs: { state: async () => null },
      scopeOf: scopeBy('channel'),
      allowable: [],
      ways: runStrategies,
    }
    const command = commandFrom(scheduleTable, deps)
    const add = async (line: string) =>
      (await command.run(`add ${line}`, contextOf({ effectId: line, now, timeZone }))).text
    await add('tomorrow 9:30 Workshop')
    await add('tomorrow 9:10 call Bob --note')
    const text = await add('tomorrow 9:15 Review')
    expect(text).toContain('#1** Workshop · Thu 2026-11-26 09:30')
    expect(text).not.toContain('call Bob')
  })
})

describe('a form that shows a rule in words (C185, C314)', () => {
  it.each([
    'every day at 9 and 18',
    'every day at 9:30 and 17:00',
    'every mon, wed and fri at 9',
    'every other tuesday at 9',
    'every 3 weeks on friday at 8 until 1 march 2027',
    'every weekday at 9 starting monday until 31 december',
    'every day at 9, 5 times,',
    'every 15 minutes from 9 to 17 on weekdays',
    'every month on the 1st and 15th at 9',
    'last weekday of the month at 17:00',
    'on the third thursday of each month at 2pm',
    'every december 24 at 8',
    'every quarter on the 1st at 9',
    'every day at 9 until friday at 17:00',
  ])('loses nothing of “%s” when it is sent as it is shown', (line) => {
    const made = splitWhen(line, frame)?.when
    if (made === undefined) throw new Error(line)
    for (const locale of ['en', 'zh']) {
      const shown = ruleInWords({ when: made, place: { timeZone } }, { locale })
      for (const ending of ['', locale === 'en' ? '.' : '。'])
        expect(splitWhen(shown + ending, frame)).toMatchObject({ when: made, rest: '' })
    }
  })
})

describe('rules in words (F35, C314)', () => {
  const inWords = (expression: string, locale: string) =>
    ruleInWords({ when: { kind: 'cron', expression, times: -1 }, place: { timeZone } }, { locale })

  it.each([
    ['0 9 * * 1-4', 'every Monday, Tuesday, Wednesday and Thursday at 09:00'],
    ['0 9,18 * * *', 'every day at 09:00 and 18:00'],
    ['30 9 * * * | 0 17 * * *', 'every day at 09:30 and 17:00'],
    ['*/15 9-16 * * 1-5', 'every 15 minutes from 09:00 to 17:00 on every weekday'],
    ['0 17 LW * *', 'on the last weekday of every month at 17:00'],
    ['0 9 1,15 * *', 'on the 1st and 15th of every month at 09:00'],
    ['0 9 1 1,4,7,10 *', 'every year on the 1st of January, April, July and October at 09:00'],
    ['0 9 */2 * 1', /^on the 1st, 3rd, .* and also every Monday at 09:00$/],
  ])('says %s as %s', (expression, words) => {
    expect(inWords(expression, 'en')).toMatch(words)
    expect(inWords(expression, 'zh')).not.toMatch(/cron|\d-\d/)
  })
})

it.each([
  ['每周五下午4点提醒大家交周报', '大家交周报'],
  ['提醒大家明天9点交周报', '大家交周报'],
  ['明天9点提醒一下所有人打卡', '所有人打卡'],
  ['明天9点提醒我和小王开会', '我和小王开会'],
  ['明天9点提醒@小王 打卡', '@小王 打卡'],
  ['明天9点提醒我们开会', '开会'],
  ['every friday at 4pm remind everybody to hand in the report', 'everybody: hand in the report'],
  ['remind the team tomorrow at 9 to hand in the report', 'the team: hand in the report'],
  ['tomorrow at 9 remind me and Bob to call Ann', 'me and Bob: call Ann'],
  ['every monday at 9 remind @ana and @ben to post', '@ana and @ben: post'],
  ['tomorrow at 9 remind <@U123> to pay', '<@U123>: pay'],
  ['tomorrow at 9 remind us to pay', 'pay'],
])('%s says whom it reminds (C621)', (line, title) => expect(read(line).title).toBe(title))

it.each([
  ['can you remind me at 4 to call Bob?', 'call Bob'],
  ['hey, pls remind me tomorrow 9am to call Bob', 'call Bob'],
  ['set a reminder for tomorrow 9am to call Bob', 'call Bob'],
  ['set a reminder to call Bob tomorrow at 9am', 'call Bob'],
  ['reminder: call Bob at 3pm', 'call Bob'],
  ['remind me in 2 hours about the oven', 'the oven'],
  ['帮我设个提醒，明天9点开会', '开会'],
  ['帮我提醒大家明天9点开会', '大家开会'],
])('“%s” asks for a reminder (C137)', (line, title) => {
  const reading = readCommand(scheduleTable, `add ${line}`, frame)
  expect(reading).toMatchObject({ ok: true, request: { title, fields: { work: 'note' } } })
})
