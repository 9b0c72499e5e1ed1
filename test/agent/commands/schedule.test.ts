import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CommandContext } from '../../../src/agent/commands/command.ts'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { readCommand } from '../../../src/agent/commands/reader.ts'
import type { ScheduleDeps } from '../../../src/agent/commands/schedule.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { runStrategies, type Schedule } from '../../../src/agent/domain/schedule.ts'
import { createCommandTool } from '../../../src/agent/tools/command-tool.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { runs } from '../../support/runs.ts'
import { toolContext } from '../tools/context.ts'
import { contextOf, now } from './context.ts'

let fake: ReturnType<typeof createFakeSchedules>
let deps: ScheduleDeps
beforeEach(() => {
  fake = createFakeSchedules()
  deps = {
    schedules: fake,
    runs: { state: async () => null },
    scopeOf: scopeBy('channel'),
    allowable: ['todo'],
    ways: runStrategies,
  }
})
let effects = 0
const run = async (line: string, patch: Partial<CommandContext> = {}) =>
  await commandFrom(scheduleTable, deps).run(
    line,
    contextOf({ effectId: `e_${++effects}`, ...patch }),
  )
const rows = async (): Promise<Schedule[]> => await fake.list('web:local', 'channel:general')
const only = async () => {
  const [row, ...others] = await rows()
  if (row === undefined || others.length > 0) throw new Error('not one schedule')
  return row
}
const hour = 3_600_000
// In Shanghai it is Wednesday 4 March 2026, ten in the morning.
const tomorrowNine = Date.parse('2026-03-05T09:00+08:00')

describe('/schedule add (F9, R43)', () => {
  it('takes a time, a title and its defaults: an hour, no repeat, no reminder', async () => {
    const { ok, text } = await run('add 2026-03-05 09:00 Team meeting')
    expect(ok).toBe(true)
    expect(text).toContain('Scheduled **#1** Team meeting · once, 2026-03-05 09:00')
    expect(await only()).toMatchObject({
      title: 'Team meeting',
      when: { kind: 'once', at: tomorrowNine },
      durationMinutes: 60,
      remind: { base: null, repeat: null },
      work: 'run',
      place: { channel: 'general', conversationId: null, timeZone: 'Asia/Shanghai' },
      askedIn: 'c_1',
      nextAt: tomorrowNine,
      allow: [],
    })
  })

  it.each([
    ['add remind me tomorrow at 9 to call Bob', 'call Bob', 'en'],
    ['add remind me to call Bob tomorrow at 9', 'call Bob', 'en'],
    ['remind me tomorrow at 9 to call Bob', 'call Bob', 'en'],
    ['add tomorrow at 9 please remind me to call Bob', 'call Bob', 'en'],
    ['add 明天上午9点提醒我给 Bob 打电话', '给 Bob 打电话', 'zh'],
    ['add 提醒我明天上午9点给 Bob 打电话', '给 Bob 打电话', 'zh'],
  ])('reads “%s” as a reminder and says when it reminds (C137)', async (line, title, locale) => {
    const { text } = await run(line, { locale })
    if (line.startsWith('remind')) return expect(text).toContain(`/schedule add ${line}`)
    expect(text).toContain(
      locale === 'en'
        ? 'I’ll remind you: **#1** call Bob · once, 2026-03-05 09:00\n'
        : '到时候提醒你',
    )
    expect(await only()).toMatchObject({
      title,
      work: 'note',
      when: { kind: 'once', at: tomorrowNine },
    })
  })

  it('says of one time when its reminder comes, as a to-do does (C137)', async () => {
    const { text } = await run('add tomorrow at 9 Team meeting --remind 30 minutes before')
    expect(text).toContain('Team meeting · once, 2026-03-05 09:00 · reminder 2026-03-05 08:30')
  })

  it('refuses a reminder whose time is over before it is set (C169)', async () => {
    for (const remind of ['30m', '2026-03-04 09:59']) {
      const { ok, text } = await run(`add 2026-03-04 10:05 Team meeting --remind "${remind}"`)
      expect({ ok, text }).toEqual({
        ok: false,
        text: expect.stringContaining('reminder’s time has already passed'),
      })
      expect(text).toContain('Try: ')
    }
    expect(await rows()).toEqual([])
    expect((await run('add 2026-03-04 10:05 Team meeting --remind "1 minute before"')).ok).toBe(
      true,
    )
  })

  it.each([
    [
      'tomorrow 9am Team meeting --duration 90',
      { when: { kind: 'once', at: tomorrowNine }, durationMinutes: 90 },
    ],
    [
      '2026-03-05 09:00 x --interval 30',
      { when: { kind: 'every', start: tomorrowNine, minutes: 30, times: -1 } },
    ],
    ['2026-03-05 09:00 x --interval 1440 --times 5', { when: { minutes: 1440, times: 5 } }],
    ['2026-03-05 09:00 x --interval 1d --times -1', { when: { minutes: 1440, times: -1 } }],
    [
      '2026-03-05 09:00 x --remind 2026-03-05 08:30',
      { remind: { base: hour / 2, repeat: hour / 2 } },
    ],
    ['2026-03-05 09:00 x --remind 30m', { remind: { base: hour / 2, repeat: hour / 2 } }],
    [
      '2026-03-05 09:00 x --interval 1440 --remind 30m --remind-start 2026-03-05 08:00',
      { remind: { base: hour / 2, repeat: hour } },
    ],
    [
      'every weekday at nine, post what is due today',
      { when: { kind: 'cron', expression: '0 9 * * 1-5' } },
    ],
    ['"0 9 * * 1-5" post what is due --times 3', { when: { expression: '0 9 * * 1-5', times: 3 } }],
    [
      '0 9 * * 1-5 post what is due',
      { when: { expression: '0 9 * * 1-5' }, title: 'post what is due' },
    ],
    [
      '每个工作日九点发一下今天到期的事项',
      { when: { expression: '0 9 * * 1-5' }, title: '发一下今天到期的事项' },
    ],
    [
      '明天上午9点 发周报 --时长 90',
      { when: { at: tomorrowNine }, title: '发周报', durationMinutes: 90 },
    ],
    ['every day at 9 x --zone Europe/Lisbon', { place: { timeZone: 'Europe/Lisbon' } }],
    ['every day at 9 x --here', { place: { conversationId: 'c_1' } }],
    ['every day at 9 x --note', { work: 'note' }],
    ['every day at 9 x --allow todo', { allow: ['todo'] }],
  ])('%s', async (line, expected) => {
    expect(await run(`add ${line}`)).toMatchObject({ ok: true })
    expect(await only()).toMatchObject(expected)
  })

  it.each([
    ['每星期天九点 发周报', '0 9 * * 0', '发周报'],
    ['每周六、天九点 发周报', '0 9 * * 0,6', '发周报'],
    ['every night at midnight post x', '0 0 * * *', 'post x'],
    ['every night at 12 post x', '0 0 * * *', 'post x'],
    ['every night at 3am post x', '0 3 * * *', 'post x'],
    ['every night at 00:30 post x', '30 0 * * *', 'post x'],
    ['every evening at 6pm post x', '0 18 * * *', 'post x'],
    ['every evening at 6 post x', '0 18 * * *', 'post x'],
    ['every weekend day at 18:00 water plants', '0 18 * * 0,6', 'water plants'],
    ['every monday through friday at 18:00 x', '0 18 * * 1-5', 'x'],
    ['friday to sunday at 10 x', '0 10 * * 0,5,6', 'x'],
    ['每星期一到星期五18点 发', '0 18 * * 1-5', '发'],
    ['monthly on the last day at 18:00 x', '0 18 L * *', 'x'],
    ['monthly on the last friday at 18:00 x', '0 18 * * 5#L', 'x'],
    ['every first monday of the month at 9 x', '0 9 * * 1#1', 'x'],
    ['每月最后一个星期五18点 复盘', '0 18 * * 5#L', '复盘'],
    ['每天到公司签到', '0 9 * * *', '到公司签到'],
    ['每天点外卖', '0 9 * * *', '点外卖'],
    ['每周六除草', '0 9 * * 6', '除草'],
    ['every day: post x', '0 9 * * *', 'post x'],
    ['every day on-call handover', '0 9 * * *', 'on-call handover'],
    ['every monday at 9 to call Bob', '0 9 * * 1', 'call Bob'],
    ['every day except sunday at 9 x', '0 9 * * 1,2,3,4,5,6', 'x'],
    ['每天除周日九点 发', '0 9 * * 1,2,3,4,5,6', '发'],
    ['every day at 7pm and 8pm check mail', '0 19,20 * * *', 'check mail'],
    ['at midnight every sunday, clean up', '0 0 * * 0', 'clean up'],
  ])('%s is %s', async (line, expression, title) => {
    expect(await run(`add ${line}`)).toMatchObject({ ok: true })
    expect(await only()).toMatchObject({ when: { expression }, title })
  })

  it('says the first Monday of a month in words', async () => {
    expect((await run('add every first monday of the month at 9 x')).text).toContain(
      'on the first Monday of every month',
    )
    expect((await run('add 每月最后一个星期五18点 复盘', { locale: 'zh' })).text).toContain(
      '每月最后一个周五',
    )
  })

  it.each([
    'every monday at 9 and friday at 10 x',
    'every weekday at 25:00 x',
    '每天25点 x',
    'every monday at 9 and every tuesday at 10 x',
    'tomorrow at 9 every 2 weeks x',
    'every 10 seconds x',
  ])('does not take a rule that it understands only in part: %s', async (line) => {
    expect(await run(`add ${line}`)).toMatchObject({ ok: false })
    expect(await rows()).toEqual([])
  })

  it('names the next three times and what happens when the clocks are turned (C46)', async () => {
    const { text } = await run('add every day at 02:30 tidy up', { timeZone: 'Europe/Lisbon' })
    expect(text).toContain(
      'Next: Wed 2026-03-04 02:30 · Thu 2026-03-05 02:30 · Fri 2026-03-06 02:30',
    )
    expect(text).toContain('02:30 becomes 03:30')
    expect((await run('add every day at 02:30 tidy up')).text).toContain('Shanghai time.')
  })

  it('answers the same for the same effect and adds nothing (P1)', async () => {
    const first = await run('add every day at 9 x', { effectId: 'same' })
    expect(await run('add every day at 9 x', { effectId: 'same' })).toEqual(first)
    expect(await rows()).toHaveLength(1)
  })

  it('counts its numbers per scope (C45)', async () => {
    await run('add every day at 9 x')
    await run('add every day at 9 x', { channel: 'other' })
    expect((await fake.list('web:local', 'channel:other')).map(({ id }) => id)).toEqual([1])
  })
})

describe('what its runs may do and how they work (F24, S4)', () => {
  it('is said when it is made, shown, and taken back', async () => {
    const { text } = await run(
      'add every day at 9 tidy up --mode ask --strategy batch --quiet --here',
    )
    expect(text).toContain('asks before it changes anything · way of working: batch')
    expect(await only()).toMatchObject({
      mode: 'ask',
      strategy: 'batch',
      quiet: true,
      place: { conversationId: 'c_1' },
    })
    expect((await run('dry 1')).text).toContain('I’d ask in its thread')
    await run('update 1 --mode auto --strategy default --no-quiet --no-here')
    const row = await only()
    expect(row).toMatchObject({ mode: 'auto', quiet: false, place: { conversationId: null } })
    expect(row.strategy).toBeUndefined()
    expect((await run('update 1 --mode safe')).text).not.toContain('unasked')
    expect((await run('dry 1')).text).toContain('change nothing')
  })

  describe('what a person allowed for its words (S48)', () => {
    const ben = { id: 'ben', name: 'Ben' }
    const model = { whose: { way: 'model', by: 'member' } } as const
    const granted = 'add every day at 9 tidy up --mode auto --allow todo'

    it.each([
      ['other words by a model', 'update 1 - delete everything', model],
      ['another time by a model', 'update 1 every minute', model],
      ['other words by another person', 'update 1 - delete everything', { person: ben }],
    ])('is taken back by %s, and said', async (_, line, patch) => {
      await run(granted)
      const { text } = await run(line, patch)
      expect(text).toContain('I have to ask again before I change anything')
      expect(await only()).toMatchObject({ allow: [] })
      expect((await only()).mode).toBeUndefined()
    })

    it.each([
      ['the words of who gave it', 'update 1 - tidy up all', {}],
      ['a pause', 'pause 1', { person: ben }],
    ])('stays with %s', async (_, line, patch) => {
      await run(granted)
      await run(line, patch)
      expect(await only()).toMatchObject({ allow: ['todo'], mode: 'auto' })
    })

    it('belongs to another person who allows it anew', async () => {
      await run(granted)
      await run('update 1 - tidy up all --mode auto', { person: ben })
      expect(await only()).toMatchObject({ mode: 'auto', allow: [], grantedBy: ben })
      await run('update 1 - tidy up more')
      expect((await only()).mode).toBeUndefined()
    })
  })

  it('is handed to the coding agent, and changed there, by people alone (S49)', async () => {
    const model = { whose: { way: 'model', by: 'member' } } as const
    expect((await run('add every day at 9 fix it --strategy coding', model)).ok).toBe(false)
    expect((await run('add every day at 9 fix it --strategy coding')).ok).toBe(true)
    expect((await run('update 1 - drop all tests', model)).text).toContain('Only people')
    expect(await only()).toMatchObject({ title: 'fix it', strategy: 'coding' })
  })

  describe('a start by somebody else (S52)', () => {
    const ben = { id: 'ben', name: 'Ben' }
    const model = { whose: { way: 'model', by: 'member' } } as const
    const granted = 'add every day at 9 tidy up --mode auto --allow todo'

    it.each([
      ['pause 1', 'resume 1', model],
      ['pause 1', 'resume 1', { person: ben }],
      ['repeat 1 off', 'repeat 1 on', model],
    ])('after `%s`, `%s` leaves nothing of what was allowed', async (rest, line, patch) => {
      await run(granted)
      await run(rest)
      expect((await run(line, patch)).text).toContain(
        'I have to ask again before I change anything',
      )
      expect(await only()).toMatchObject({ allow: [] })
      expect((await only()).mode).toBeUndefined()
    })

    it.each([
      ['a model', model, true],
      ['another person', { person: ben }, true],
      ['who allowed it', {}, undefined],
    ])('now, by %s, asks before each change where it is not theirs', async (_, patch, asks) => {
      await run(granted)
      await run('run 1', patch)
      expect((await only()).asked?.asks).toBe(asks)
    })

    it.each(['run 1', 'resume 1', 'repeat 1 on'])(
      'is no model’s where the coding agent works: %s',
      async (line) => {
        await run('add every day at 9 fix it --strategy coding')
        expect((await run(line, model)).text).toContain('Only people')
      },
    )

    it('is no model’s where it starts no tasks, but for a note', async () => {
      deps = { ...deps, startsTasks: false }
      expect((await run('add every day at 9 tidy up', model)).text).toContain(
        'I can’t schedule things for myself',
      )
      expect((await run('add every day at 9 stand-up --note', model)).ok).toBe(true)
      expect((await run('add every day at 9 tidy up')).ok).toBe(true)
    })
  })

  it('lets a note become work again', async () => {
    await run('add every day at 9 stand-up --note')
    await run('update 1 --no-note')
    expect((await only()).work).toBe('run')
  })

  it('takes it from no model, and from no words but those typed here or in a form (C283), and offers no coding agent where there is none', async () => {
    const lines = ['--mode ask', '--mode auto', '--allow todo']
    const ways = ['model', 'edited', 'pressed', 'handed_over', 'quoted', 'read'] as const
    for (const [way, line] of ways.flatMap((way) => lines.map((line) => [way, line] as const))) {
      const { ok, text } = await run(`add every day at 9 x ${line}`, {
        whose: { way, by: 'member' },
      })
      expect(ok).toBe(false)
      expect(text).toContain('Only people')
    }
    deps = { ...deps, ways: ['step', 'batch', 'free'] }
    expect((await run('add every day at 9 x --strategy coding')).text).toContain(
      'don’t have a way of working called `coding`',
    )
    expect(await rows()).toEqual([])
  })
})

describe('usage errors show the nearest right form (F9)', () => {
  it.each([
    ['add 2026-03-05 09:00 x --times 5', 'needs `--interval`', '--interval 1440'],
    [
      'add 2026-03-05 09:00 x --interval 30 --times 1',
      'doesn’t repeat',
      '/schedule add 2026-03-05 09:00 x',
    ],
    [
      'add 2026-03-05 09:00 x --remind-start 2026-03-05 08:00',
      'needs `--interval`',
      '--interval 1440',
    ],
    [
      'add every day at 9 x --interval 30',
      'already said how often',
      '/schedule add every day at 9 x',
    ],
    ['add 2026-03-01 09:00 x', 'passed', '2026-03-05 09:00 x'],
    ['add tidy up', 'When?', '2026-03-05 09:00 tidy up'],
    [
      'add every wrkday at nine post it',
      'don’t understand `every wrkday at`',
      '/schedule add every weekday at 9 post what is due today',
    ],
    [
      'add every day at 25:00 x',
      'don’t understand `at 25:00 x`',
      '/schedule add every weekday at 9 post what is due today',
    ],
    ['add 0 9 31 2 * x', 'doesn’t exist', '2026-03-05 09:00 x'],
    ['view day 2026-13-01', 'can’t read', '/schedule view day 2026-03-04'],
    [
      'add every day at 9',
      'What should I do at that time',
      'every day at 9 post what is due today',
    ],
    ['add 2026-03-05 09:00 x --remind 2026-03-06 09:00', 'before the start', '--remind 30m'],
    ['add every day at 9 x --remind 2026-03-05 08:00', 'say how long before', '--remind 30m'],
    ['add every day at 9 x --zone Mars/Base', 'no time zone', '--zone Asia/Shanghai'],
    ['add every day at 9 x --allow everything', 'can’t get permission', '--allow todo'],
    ['add every day at 9 x --mode careful', 'The modes are safe, ask and auto', '--mode ask'],
    [
      'add every day at 9 x --strategy bach',
      'don’t have a way of working called',
      '--strategy batch',
    ],
    ['add every day at 9 x --duration soon', 'isn’t a number', '--duration 60'],
    ['add every day at 9 x --durration 30', 'no option', '--duration 30'],
    ['adde every day at 9 x', 'doesn’t know', '/schedule add every day at 9 x'],
    ['every day at 9 x', 'doesn’t know', '/schedule add every day at 9 x'],
    ['week', 'doesn’t know', '/schedule view week'],
    ['ad every day at 9 write it', 'doesn’t know', '/schedule add every day at 9 write it'],
    ['mon 9am write it', 'doesn’t know', '/schedule add mon 9am write it'],
    ['view fortnight', 'no view', '/schedule view'],
    ['repeat 1 maybe', 'Write `on` to repeat it', '/schedule repeat 1 off'],
    ['get one', 'isn’t the number', '/schedule get 1'],
    ['pause', 'number is missing', '/schedule pause 1'],
  ])('%s', async (line, why, example) => {
    const { ok, text } = await run(line)
    expect(ok).toBe(false)
    expect(text).toContain(why)
    expect(text.split('\n').at(-1)).toContain(example)
  })

  it('never shows an example that is wrong itself, whatever is typed', () => {
    const frame = {
      now,
      timeZone: 'Asia/Shanghai',
      locale: 'en',
      allowable: ['todo'],
      ways: runStrategies,
    }
    const word = fc.constantFrom(
      ...'add update view repeat pause every day at 9 tomorrow 2026-03-05 09:00 --interval --times 5 -1 --remind 30m x 一 明天 --zone # "0 9 * * *" --allow todo --mode ask auto --strategy batch coding --quiet --no-quiet'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(word, { maxLength: 10 }).map((all) => all.join(' ')),
          fc.string(),
        ),
        (line) => {
          const reading = readCommand(scheduleTable, line, frame)
          if (reading.ok) return
          expect(
            readCommand(scheduleTable, reading.problem.example.slice('/schedule '.length), frame),
          ).toMatchObject({
            ok: true,
          })
        },
      ),
      { numRuns: runs() },
    )
  })
})

describe('/schedule update, repeat and the rest (F10)', () => {
  beforeEach(async () => {
    await run('add 2026-03-05 09:00 Team meeting --duration 30 --interval 1440 --times 5')
  })

  it('removes the repeat rule when the new time has none, and keeps the duration', async () => {
    await run('update 1 2026-03-06 10:00 Board meeting')
    expect(await only()).toMatchObject({
      title: 'Board meeting',
      when: { kind: 'once', at: Date.parse('2026-03-06T10:00+08:00') },
      durationMinutes: 30,
      nextAt: Date.parse('2026-03-06T10:00+08:00'),
    })
  })

  it('keeps what is not named', async () => {
    await run('update 1 --duration 45')
    expect(await only()).toMatchObject({
      title: 'Team meeting',
      when: { minutes: 1440 },
      durationMinutes: 45,
    })
    await run('update 1 Stand-up')
    expect(await only()).toMatchObject({
      title: 'Stand-up',
      when: { minutes: 1440 },
      durationMinutes: 45,
    })
  })

  it('hides repeats and keeps the base, and shows them again', async () => {
    expect((await run('repeat 1 off')).text).toContain('repeats off')
    expect((await run('view month 2026-03')).text.match(/Team meeting/g)).toHaveLength(1)
    await run('repeat 1 on')
    expect((await run('view month 2026-03')).text.match(/Team meeting/g)).toHaveLength(5)
  })

  it('says of a time that comes once that it has no repeats, whichever way they are turned', async () => {
    await run('add 2026-03-05 09:00 Call')
    for (const way of ['on', 'off'])
      expect((await run(`repeat 2 ${way}`)).text).toMatch(/^This one doesn’t repeat: \*\*#2/)
  })

  it('pauses, goes on, runs now and says what a run would do', async () => {
    expect((await run('pause 1')).text).toContain('**paused**')
    expect(await only()).toMatchObject({ paused: true })
    expect((await run('dry 1')).text).toContain('it’s paused')
    await run('resume 1')
    const dry = await run('dry 1')
    expect(dry.text).toContain('I haven’t started anything')
    expect(dry.text).toContain('change nothing')
    expect(await only()).toMatchObject({ paused: false, asked: null })
    await run('run 1', { effectId: 'press' })
    expect((await only()).asked?.at).toBe(now)
  })

  it('lists 31 days from two days ago, and counts the rest', async () => {
    await run('add 2026-06-01 09:00 Summer party')
    const { text } = await run('list')
    expect(text).toContain('Team meeting')
    expect(text).not.toContain('Summer party')
    expect(text).toContain('One more schedule has nothing planned in these 31 days.')
  })

  it('shows a day, a week from Monday and a month around a day', async () => {
    expect((await run('view day 2026-03-05')).text).toContain('- 09:00 Team meeting (#1)')
    const week = (await run('view week 2026-03-08')).text
    expect(week).toContain('The week of 2026-03-02')
    expect(week.match(/Team meeting/g)).toHaveLength(4)
    expect((await run('view day 2026-03-04')).text).toContain('Nothing is planned.')
    // A rule names last week too, but it was not there then.
    await run('add every day at 8 Report')
    expect((await run('view week 2026-02-25')).text).toContain('Nothing is planned.')
  })

  it('shows the first 200 times of a view and says that there are more (C58)', async () => {
    for (let n = 0; n < 8; n += 1) await run('add "0 * * * *" Hourly')
    const month = (await run('view month 2026-03')).text
    expect(month.match(/^- /gm)).toHaveLength(200)
    expect(month).toContain('These are the first 200.')
    expect((await run('view day 2026-03-05')).text).not.toContain('Only the first')
    await run('add "* * * * *" Tick')
    expect((await run('view day 2026-03-06')).text.match(/Tick/g)).toHaveLength(24)
  })

  it('says so when a number is not there', async () => {
    for (const line of [
      'get 9',
      'update 9 x',
      'delete 9',
      'pause 9',
      'run 9',
      'slots 9',
      'repeat 9 off',
    ])
      expect(await run(line)).toMatchObject({ ok: false, text: expect.stringContaining('**#9**') })
  })

  it('deletes', async () => {
    expect((await run('delete 1')).text).toContain('Deleted **#1** Team meeting')
    expect(await rows()).toEqual([])
  })

  it('warns of overlaps, repeats within 31 days included, and names the first five (F11)', async () => {
    const { text } = await run('add 2026-03-07 09:15 Dentist')
    expect(text).toContain('At the same time:')
    expect(text).toContain('**#1** Team meeting')
    expect((await run('add 2026-03-07 10:30 Free')).text).not.toContain('At the same time')
    for (let n = 0; n < 6; n += 1) await run('add 2026-03-20 09:00 Many')
    expect((await run('add 2026-03-20 09:30 One more')).text.split('\n- **#')).toHaveLength(6)
  })
})

describe('the tool schedule (R30, C54, S4)', () => {
  const tool = () => createCommandTool('schedule', scheduleTable, deps)

  it('takes the command’s own lines, with or without its name', async () => {
    expect(
      await tool().run('/schedule add every day at 9 x', toolContext({ effectId: 'a' })),
    ).toMatchObject({
      ok: true,
    })
    expect(await tool().run('add every day at 9 x', toolContext({ effectId: 'b' }))).toMatchObject({
      ok: true,
    })
    expect(await rows()).toHaveLength(2)
  })

  it('lets no model allow a schedule anything', async () => {
    const result = await tool().run('add every day at 9 x --allow todo', toolContext())
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('Only people') })
    expect(await rows()).toEqual([])
  })

  it('has a half that only looks, for work that nobody watches (F13)', async () => {
    await run('add every day at 9 x')
    const looking = tool().readOnly
    expect(looking?.effect).toBe('none')
    expect(await looking?.run('list', toolContext())).toMatchObject({ ok: true })
    for (const line of ['add every day at 9 y', 'delete 1', 'run 1', 'pause 1', 'update 1 y'])
      expect(await looking?.run(line, toolContext({ effectId: line }))).toMatchObject({ ok: false })
    expect(await only()).toMatchObject({ title: 'x', paused: false, asked: null })
  })
})
