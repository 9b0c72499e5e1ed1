import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { readCommand } from '../../../src/agent/commands/reader.ts'
import { ruleInWords } from '../../../src/agent/commands/rule-words.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import type { NewSchedule } from '../../../src/agent/commands/schedule-write.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
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

/** What a line comes to, as the fixture writes it, or the sentence that refuses it. */
function read(line: string, zone = timeZone): { got: string; title: string } {
  const reading = readCommand(scheduleTable, `add ${line}`, { ...frame, timeZone: zone })
  if (!reading.ok)
    return { got: 'NOT READ', title: `${reading.problem.kind} ${reading.problem.typed}` }
  const { when, title, fields } = reading.request as NewSchedule
  const limits =
    when.kind === 'once'
      ? ''
      : [
          when.starting === undefined ? '' : ` starting ${formatInstant(zone, when.starting)}`,
          when.until === undefined ? '' : ` until ${formatInstant(zone, when.until)}`,
        ].join('')
  if (when.kind === 'once') return { got: formatInstant(zone, when.at), title }
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

describe('zones that are said (C318, C319)', () => {
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

describe('rules in words (F35, C314)', () => {
  const inWords = (expression: string, locale: string) =>
    ruleInWords({ when: { kind: 'cron', expression, times: -1 }, place: { timeZone } }, { locale })

  it.each([
    ['0 9 * * 1-4', 'every Monday and Tuesday and Wednesday and Thursday at 09:00'],
    ['0 9,18 * * *', 'every day at 09:00 and 18:00'],
    ['30 9 * * * | 0 17 * * *', 'every day at 09:30 and 17:00'],
    ['*/15 9-16 * * 1-5', 'every 15 minutes from 09:00 to 17:00 on every weekday'],
    ['0 17 LW * *', 'on the last weekday of every month at 17:00'],
    ['0 9 1,15 * *', 'on days 1 and 15 of every month at 09:00'],
    ['0 9 1 1,4,7,10 *', 'every year on day 1 of January and April and July and October at 09:00'],
    ['0 9 */2 * 1', /^on days 1 and 3 and .* and also every Monday at 09:00$/],
  ])('says %s as %s', (expression, words) => {
    expect(inWords(expression, 'en')).toMatch(words)
    expect(inWords(expression, 'zh')).not.toMatch(/cron|\d-\d/)
  })
})
