import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { type ScopeSetting, scopeBy } from '../../../src/agent/commands/scope.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import { dueDayOf } from '../../../src/agent/domain/todo.ts'
import { createFakeTodos } from '../../fakes/todos.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'
import { contextOf, conversationWith, now } from './context.ts'

const setUp = (setting: ScopeSetting = 'channel') => {
  const todos = createFakeTodos()
  const people = async () => [
    { id: 'U1', name: 'Bo Chen' },
    { id: 'U2', name: 'Bo Diaz' },
    { id: 'U3', name: '李雷' },
  ]
  const command = commandFrom(todoTable, { todos, scopeOf: scopeBy(setting), people })
  return { todos, command, ...conversationWith(command) }
}
let { todos, command, run, say } = setUp()
beforeEach(() => {
  ;({ todos, command, run, say } = setUp())
})
const rows = () => todos.rows('web:local', 'channel:general')
const zh = { locale: 'zh-CN' }

describe('add', () => {
  it('refuses a reminder whose time is over, here and in an update (C169)', async () => {
    expect(await run('add x --due "2026-03-04 10:05" --remind "2026-03-04 09:59"')).toMatchObject({
      ok: false,
      text: 'That reminder’s time has already passed.',
    })
    await say('add x --due tomorrow --remind "2026-03-04 10:05"')
    expect(await run('update 1 --remind "2026-03-03 10:00"')).toMatchObject({ ok: false })
    expect(rows()).toMatchObject([{ remindAt: now + 5 * 60_000 }])
  })

  it('takes the defaults: tag default, priority 0, no times (F6)', async () => {
    const { text, data } = await run('add Call Ana')
    expect(text).toBe('Added **#1** Call Ana')
    expect(rows()).toEqual([data])
    expect(rows()).toEqual([
      {
        version: 1,
        id: 1,
        by: { id: 'ana', name: 'Ana' },
        text: 'Call Ana',
        tag: 'default',
        priority: 0,
        dueAt: null,
        remindAt: null,
        doneAt: null,
        createdAt: now,
      },
    ])
  })

  it('shows times in the zone of the person and stores them in UTC (C46)', async () => {
    const line = 'add Call Ana --due tomorrow 9am --remind 2026-03-05 08:30 --tag Work --priority 2'
    expect(await say(line)).toBe(
      'Added **#1** Call Ana · due 2026-03-05 09:00 · reminder 2026-03-05 08:30 · `work` · priority 2',
    )
    expect(rows()[0]).toMatchObject({
      dueAt: Date.UTC(2026, 2, 5, 1),
      remindAt: Date.UTC(2026, 2, 5, 0, 30),
    })
    expect(await say('get 1', { timeZone: 'America/New_York' })).toBe(
      '**#1** Call Ana · due 2026-03-04 20:00 · reminder 2026-03-04 19:30 · `work` · priority 2\ncreated 2026-03-03 21:00',
    )
  })

  it('speaks Chinese (F6)', async () => {
    expect(await say('add 买牛奶 ——due 明天上午9点 ——tag 家', zh)).toBe(
      '已添加 **#1** 买牛奶 · 截止 2026-03-05 09:00 · `家`',
    )
    const unnamed = { id: 'p1', name: '本页的一位同事' }
    const own = { ...zh, person: unnamed }
    expect(await say('add 写周报 --due 2026-03-06 --owner me', own)).toContain(
      '写周报 · 截止 3月6日周五 · 负责人 你',
    )
  })

  it('keeps stars, brackets and mentions as they were written (S1)', async () => {
    expect(await say('add *ping* <@U1> [x](y)')).toBe(
      'Added **#1** \\*ping\\* \\<@U1\\> \\[x\\](y)',
    )
    expect(rows()[0]?.text).toBe('*ping* <@U1> [x](y)')
  })
})

describe('list', () => {
  it('says what to do when there is nothing yet', async () => {
    expect(await run('list')).toEqual({
      ok: true,
      data: [],
      text: 'No to-dos here yet. Add one: `/todo add Call Ana --due tomorrow 9am`',
    })
    expect(await say('', zh)).toBe(
      '这里还没有待办。添加一项：`/todo add 给小王打电话 --due 明天上午 9 点`',
    )
  })

  it('orders by priority, then id, and marks what is done and what is late (F7)', async () => {
    await run('add third --priority 2')
    await run('add first')
    await run('add second --due 2026-03-04 09:00 --tag work')
    await run('add fourth --priority 2')
    await run('done 2')
    expect(await say('list')).toBe(
      [
        '**To-dos** · 3 open, 1 done',
        '- **#2** ~~first~~ · done 2026-03-04 10:00',
        '- **#3** second · **overdue** since 2026-03-04 09:00 · `work`',
        '- **#1** third · priority 2',
        '- **#4** fourth · priority 2',
      ].join('\n'),
    )
    expect(await say('list work', zh)).toBe(
      [
        '**待办 · 标签 `work`** · 1 项未完成',
        '- **#3** second · **已逾期**，截止 2026-03-04 09:00 · `work`',
      ].join('\n'),
    )
  })

  it('takes one bare word as a tag, and points to the view of that name (F7)', async () => {
    await run('add x --tag work')
    expect(await say('list today')).toBe(
      'No to-dos tagged `today`. Tags here: `work`\nTo see a view: `/todo list --view today`',
    )
    expect(await say('list nope', zh)).toBe('没有带 `nope` 标签的待办。已有的标签：`work`')
  })

  it('shows fifty and counts the rest', async () => {
    for (let count = 0; count < 53; count += 1) await run(`add number ${count}`)
    const lines = (await say('list')).split('\n')
    expect(lines).toHaveLength(52)
    expect(lines.at(-1)).toContain('and 3 more')
  })
})

describe('a day alone', () => {
  it.each([
    ['2026-03-08', '2026-03-08'],
    ['tomorrow', '2026-03-05'],
    ['3月10日', '2026-03-10'],
    ['in 3 days', '2026-03-07'],
  ])('%s is the same day for readers in every zone (C616)', async (typed, day) => {
    await say(`add x --due ${typed}`)
    for (const timeZone of ['Asia/Shanghai', 'America/Los_Angeles', 'Pacific/Kiritimati'])
      expect(await say('list', { timeZone })).toContain(`x · due ${day}`)
    expect(rows()).toMatchObject([{ dueDay: day }])
  })

  it('ends where the reader’s day does (C616)', async () => {
    await say('add x --due today')
    const noon = { timeZone: 'Pacific/Kiritimati' }
    const later = { ...noon, now: Date.UTC(2026, 2, 4, 10, 1) }
    expect(await say('view overdue', { ...noon, now })).not.toContain('x')
    expect(await say('view overdue', later)).toContain('**overdue** since 2026-03-04')
  })

  it('gives way to an hour, and comes back by the line that puts it back (C616)', async () => {
    await say('add x --due 2026-03-08')
    await say('update 1 --due 2026-03-08 23:59')
    expect(rows()).toMatchObject([{ dueDay: null }])
    await say('update 1 --due 2026-03-09')
    const { offers } = await run('delete 1')
    expect(offers?.[0]?.command).toContain('--due 2026-03-09')
    expect(offers?.[0]?.command).not.toContain('23:59')
  })

  it('is read from rows of older versions by the last minute of a day (C616)', async () => {
    const old = { dueAt: Date.UTC(2026, 11, 1, 23, 59) }
    expect(dueDayOf(old, 'Asia/Shanghai')).toBe('2026-12-01')
    expect(dueDayOf({ dueAt: Date.UTC(2026, 11, 1, 15, 59) }, 'Asia/Shanghai')).toBe('2026-12-01')
    expect(dueDayOf({ dueAt: Date.UTC(2026, 11, 1, 18) }, 'Asia/Shanghai')).toBeNull()
  })
})

describe('views', () => {
  /** Wednesday the 4th, 10:00; one to-do for each side of each border. */
  const dues = [
    'none',
    '2026-03-03 23:59',
    '2026-03-04 00:00',
    '2026-03-04 09:59',
    '2026-03-04 10:00',
    '2026-03-04 23:59',
    '2026-03-05 00:00',
    '2026-03-11 10:00',
    '2026-03-11 10:01',
  ]
  it.each([
    ['all', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['due', [2, 3, 4, 5, 6]],
    ['today', [3, 4, 5, 6]],
    ['overdue', [2, 3, 4]],
    ['upcoming', [7, 8]],
    ['inbox', [1]],
  ])('%s holds what it says (F8)', async (view, ids) => {
    for (const due of dues) await run(`add x --due ${due}`)
    await run('add finished --due 2026-03-04 12:00')
    await run('done 10')
    const shown = await say(`list --view ${view}`)
    expect([...shown.matchAll(/\*\*#(\d+)\*\*/g)].map(([, id]) => Number(id))).toEqual(ids)
    expect(await say(`view ${view}`)).toBe(shown)
  })

  const holds = [
    ...['today', 'overdue', 'upcoming'].map((what) => `${what} mine --owner me`),
    ...['today Bo’s --owner U1', 'done mine --owner me', 'inbox mine --owner me', 'inbox'],
  ]
  const dueOf: Record<string, string> = {
    today: ' --due 2026-03-04 18:00',
    overdue: ' --due 2026-03-03 18:00',
    upcoming: ' --due 2026-03-06 18:00',
    done: ' --due 2026-03-03 12:00',
  }
  it.each([
    ['view due', [1, 2, 4]],
    ['view due and overdue', [1, 2, 4]],
    ['list --view "overdue and today"', [1, 2, 4]],
    ['list --view due --owner me', [1, 2]],
    ['view due --owner U1', [4]],
    ['视图 到期', [1, 2, 4]],
    ['view 到期和逾期', [1, 2, 4]],
    ['列表 --视图 逾期和今天', [1, 2, 4]],
    ['视图 待处理 --负责人 我', [1, 2]],
    ['列表 --视图 该做的 --owner 李雷', []],
    ['view mine', [1, 2, 3, 6]],
    ['view my todos', [1, 2, 3, 6]],
    ['VIEW ME', [1, 2, 3, 6]],
    ['list --view my', [1, 2, 3, 6]],
    ['list --owner mine', [1, 2, 3, 5, 6]],
    ['视图 我的', [1, 2, 3, 6]],
    ['view 我的待办', [1, 2, 3, 6]],
    ['列表 --视图 我', [1, 2, 3, 6]],
    ['列出 --视图 我的 --tag none', [1, 2, 3, 6]],
    ['列表 --负责人 自己', [1, 2, 3, 5, 6]],
  ])('%s holds what is due and late together, or one’s own (F8, C374, C376)', async (line, ids) => {
    for (const one of holds) await run(`add ${one}${dueOf[one.split(' ')[0] ?? ''] ?? ''}`)
    await run('done 5')
    const shown = await say(line)
    expect([...shown.matchAll(/\*\*#(\d+)\*\*/g)].map(([, id]) => Number(id))).toEqual(ids)
  })

  it('ends a day of 23 hours when the person’s day ends (F8, C46)', async () => {
    const place = { timeZone: 'America/New_York', now: Date.UTC(2026, 2, 8, 16) }
    await run('add late --due 2026-03-08 23:30', place)
    await run('add early --due 2026-03-09 00:00', place)
    expect(await say('view today', place)).toContain('late')
    expect(await say('view today', place)).not.toContain('early')
    expect(await say('view upcoming', place)).toContain('early')
  })

  it('say what is in them, and what to do when nothing is (F8)', async () => {
    await run('add x --tag work')
    expect(await say('view list')).toBe(
      [
        '**Views**',
        '- `/view all` · everything, done ones too · 1',
        '- `/view due` · open and due by the end of today · 0',
        '- `/view mine` · open and for you · 0',
        '- `/view today` · open and due today · 0',
        '- `/view overdue` · open and past their due date · 0',
        '- `/view upcoming` · open and due after today, within seven days · 0',
        '- `/view inbox` · open and without a due date · 1',
      ].join('\n'),
    )
    expect(await say('view overdue')).toBe('Nothing is overdue.')
    expect(await say('view today --tag work', zh)).toBe(
      '今天没有到期的待办。用 `/view upcoming` 查看接下来的。',
    )
  })
})

describe('search', () => {
  it('finds every word in text and tag, in any case (F7)', async () => {
    await run('add Call Ana about Lisbon --tag travel')
    await run('add Call Bo')
    await run('add 给安娜打电话')
    expect(await say('search LISBON call')).toContain('#1')
    expect(await say('search travel')).toContain('#1')
    expect(await say('search call')).toContain('**To-dos with “call”** · 2 open')
    expect(await say('search call --tag travel')).not.toContain('#2')
    expect(await say('search 安娜', zh)).toContain('**#3** 给安娜打电话')
    expect(await run('search zebra')).toEqual({
      ok: true,
      data: [],
      text: 'No to-do contains “zebra”. `/todo list` shows them all.',
    })
    expect(await say('search call zebra okapi')).toBe(
      'No to-do contains “call” and “zebra” and “okapi”. No to-do here has “zebra” or “okapi”. `/todo list` shows them all.',
    )
  })
})

describe('a to-do that was done', () => {
  it('is open again, without a reminder whose time is over (C253)', async () => {
    await run('add Call Ana --due 2026-03-04 18:00 --remind 2026-03-04 12:00')
    await run('done 1')
    expect(await say('reopen 1')).toMatch(/^Updated \*\*#1\*\* Call Ana/)
    expect(rows()[0]).toMatchObject({ doneAt: null, remindAt: expect.any(Number) })
    await run('done 1')
    await run('undone 1', { now: now + 5 * 3_600_000 })
    expect(rows()[0]).toMatchObject({ doneAt: null, remindAt: null })
    expect(await say('reopen 9')).toContain('#9')
  })
})

describe('get, done, delete, update', () => {
  it('keep the time when it was done first (F7)', async () => {
    await run('add Call Ana')
    expect(await say('done 1')).toBe('Done: **#1** ~~Call Ana~~ · done 2026-03-04 10:00')
    expect(await say('done 1', { now: now + 3_600_000 })).toBe(
      'Done: **#1** ~~Call Ana~~ · done 2026-03-04 10:00',
    )
    expect(rows()[0]?.doneAt).toBe(now)
  })

  it('change only what is named (F7)', async () => {
    await run('add Call Ana --tag work --priority 2 --due tomorrow 9am --remind tomorrow 8am')
    expect(await say('update 1 Call Bo')).toBe(
      'Updated **#1** Call Bo · due 2026-03-05 09:00 · reminder 2026-03-05 08:00 · `work` · priority 2',
    )
    expect(await say('update 1 --priority 0')).toBe(
      'Updated **#1** Call Bo · due 2026-03-05 09:00 · reminder 2026-03-05 08:00 · `work`',
    )
    expect(await say('update 1 --due none --tag home', zh)).toBe('已更新 **#1** Call Bo · `home`')
  })

  it('remind so long before the due date that it has (C137)', async () => {
    await run('add Call Ana --due tomorrow 9am')
    expect(await say('update 1 --remind 30m')).toContain('reminder 2026-03-05 08:30')
    await run('add Call Bo')
    expect(await say('update 2 --remind 30m')).toContain('--due 2026-03-05 18:00 --remind 30m`')
    expect((await run('update 1 --remind 3 days')).ok).toBe(false)
    expect((await run('update 1 --remind none')).ok).toBe(true)
  })

  it('move a reminder with the due date, unless it has reminded already or one of its own is given (C195)', async () => {
    await run('add Call Ana --due tomorrow 9am --remind 1h')
    const place = rows()[0]?.place
    expect(
      await say('update 1 --due 2026-03-09 12:00', { channel: 'general', conversationId: 'c_2' }),
    ).toBe('Updated **#1** Call Ana · due 2026-03-09 12:00 · reminder 2026-03-09 11:00')
    expect(rows()[0]?.place).toEqual(place)
    expect(await run('update 1 --due "2026-03-04 10:30"')).toEqual({
      ok: false,
      text: [
        'I didn’t change it, because its reminder would move to 2026-03-04 09:30, which has passed. Add a new reminder time as well.',
        'Try: `/todo update 1 --due 2026-03-04 10:30 --remind none`',
      ].join('\n'),
    })
    expect(await say('update 1 --due tomorrow 9am --remind 30m')).toContain(
      'reminder 2026-03-05 08:30',
    )
    const after = { now: now + 24 * 3_600_000 }
    expect(await say('update 1 --due 2026-03-05 10:20', after)).toContain(
      'reminder 2026-03-05 08:30',
    )
    expect(await say('update 1 --due 2026-03-06 10:20', after)).toContain(
      'reminder 2026-03-06 08:30',
    )
  })

  it('hang a reminder on a due date only (F6)', async () => {
    await run('add Call Ana')
    expect(await run('update 1 Call Bo --remind tomorrow 8am')).toEqual({
      ok: false,
      text: [
        'To-do **#1** has no due date, and a reminder needs one.',
        'Try: `/todo update 1 Call Bo --due 2026-03-05 18:00 --remind 2026-03-05 08:00`',
      ].join('\n'),
    })
    expect(rows()[0]).toMatchObject({ text: 'Call Ana', remindAt: null })
    await run('update 1 --due tomorrow 9am')
    expect((await run('update 1 --remind tomorrow 8am')).ok).toBe(true)
  })

  it('offer the line that puts back what was deleted', async () => {
    await say('add Call Ana --tag sales --priority 1 --due 2030-01-01 09:00')
    const { offers } = await run('delete 1')
    expect(offers).toEqual([
      {
        label: 'Reopen',
        command: '/todo add Call Ana --tag sales --priority 1 --due 2030-01-01 09:00',
      },
    ])
  })

  it('say what was deleted, and give no number twice (F7)', async () => {
    await run('add Call Ana')
    expect(await say('delete 1')).toBe('Deleted **#1** Call Ana')
    expect(await say('add Call Bo')).toBe('Added **#2** Call Bo')
  })

  it.each(['get 9', 'done 9', 'delete 9', 'update 9 x', 'update 9 --remind tomorrow 8am'])(
    'are not ok when there is no such to-do: %s (F5)',
    async (line) => {
      expect(await run(line)).toEqual({
        ok: false,
        text: 'There is no to-do **#9** here. `/todo list` shows them all.',
      })
      expect(await say(line, zh)).toBe('这里没有待办 **#9**，用 `/todo list` 看看有哪些。')
    },
  )
})

describe('usage errors', () => {
  it('are not ok, say what was wrong and show a line that works (F5)', async () => {
    expect(await run('add Call Ana --prioritty 3')).toEqual({
      ok: false,
      text: 'There is no option `--prioritty` here.\nTry: `/todo add Call Ana --priority 3`',
    })
    expect(await run('add 买牛奶 --due 后后天', zh)).toEqual({
      ok: false,
      text: '看不懂时间 `后后天`，可以写“明天下午 3 点”这样。\n可以这样写：`/todo add 买牛奶 --due 2026-03-05 18:00`',
    })
    expect(rows()).toEqual([])
  })

  it('say which to-do-less words are missing, in Chinese too', async () => {
    expect(await say('add', zh)).toBe('内容还没写。\n可以这样写：`/todo add 给小王打电话`')
    expect(await say('done', zh)).toBe('哪项待办？请写上编号。\n可以这样写：`/todo done 1`')
  })
})

describe('scopes', () => {
  it('count ids for each channel, person or workspace, by setting (C45)', async () => {
    const say = async (setting: ScopeSetting) => {
      const { run } = setUp(setting)
      const bo = { id: 'bo', name: 'Bo' }
      const places = [
        {},
        { channel: 'random' },
        { person: bo },
        { workspace: 'web:other' },
        { person: null },
      ]
      const answers = []
      for (const place of places) answers.push((await run('add x', place)).text.split(/[#*]+/)[1])
      return answers
    }
    expect(await say('channel')).toEqual(['1', '1', '2', '1', '3'])
    expect(await say('user')).toEqual(['1', '2', '1', '1', '1'])
    expect(await say('workspace')).toEqual(['1', '2', '3', '1', '4'])
  })

  it('are named by the place and never by the words (S5)', async () => {
    await run('add secret', { channel: 'board' })
    const attempts = [
      'list --tag channel:board',
      'get channel:board',
      'get 1',
      'search secret',
      'list',
      'delete 1',
    ]
    for (const line of attempts) expect(await say(line)).not.toMatch(/#1\*\* secret/)
    expect(todos.rows('web:local', 'channel:board')).toHaveLength(1)
  })

  it('are never mixed up by odd names of channels and people (S5)', () => {
    const name = fc.string({ maxLength: 12 })
    fc.assert(
      fc.property(name, name, (channel, id) => {
        const person = { id, name: '' }
        const scopes = [scopeBy('channel'), scopeBy('user'), scopeBy('workspace')].map((of) =>
          of({ workspace: 'slack:T1', channel, person }),
        )
        expect(new Set(scopes).size).toBe(3)
      }),
      { numRuns: runs() },
    )
  })
})

describe('the same effect again', () => {
  it.each([
    'add Call Bo --due tomorrow 9am',
    'update 1 Call Bo',
    'done 1',
    'delete 1',
    'done 9',
    'update 9 x',
  ])('changes nothing and answers the same, however late: %s (P1)', async (line) => {
    await run('add Call Ana')
    const first = await command.run(line, contextOf({ effectId: 'x_same' }))
    const before = rows()
    await command.run('add in between', contextOf({ effectId: 'x_other', channel: 'random' }))
    const later = contextOf({ effectId: 'x_same', now: now + 90 * 86_400_000 })
    expect(await command.run(line, later)).toEqual(first)
    expect(rows()).toEqual(before)
  })
})

it('answers any text with words, and never throws', async () => {
  const piece = fc.constantFrom(
    'add',
    'list',
    'update',
    'done',
    '--due',
    '--tag',
    '--remind',
    '——',
    '"',
    '#1',
    '1',
    '明天',
    '\n',
    '`',
  )
  const line = fc.oneof(
    anyText(200),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
  )
  const effect = fc.uuid()
  await fc.assert(
    fc.asyncProperty(
      line,
      effect,
      fc.constantFrom('en', 'zh-CN', 'xx'),
      async (args, effectId, locale) => {
        const result = await command.run(args, contextOf({ effectId, locale }))
        expect(result.text.trim()).not.toBe('')
        expect(result.text).not.toMatch(/undefined|null|NaN|\[object/)
      },
    ),
    { numRuns: Math.max(200, runs()) },
  )
})

describe('several to-dos', () => {
  it('are done, changed and deleted by one command, each once, and what is not there is named (C373)', async () => {
    await run('add a\nb\nc --tag work')
    expect(rows().map(({ text, tag }) => [text, tag])).toEqual([
      ['a', 'default'],
      ['b', 'default'],
      ['c', 'work'],
    ])
    const { text, data } = await run('done 1,3-4')
    expect(text).toBe(
      'Changed 2 of 3 to-dos:\n- Done: **#1** ~~a~~ · done 2026-03-04 10:00\n- Done: **#3** ~~c~~ · done 2026-03-04 10:00 · `work`\n- There is no to-do **#4** here. `/todo list` shows them all.',
    )
    expect(data).toMatchObject([{ id: 1 }, { id: 3 }])
    await run('update 1,2 --due friday --tag none')
    expect(rows().map(({ dueAt }) => dueAt !== null)).toEqual([true, true, false])
    expect(await run('delete 1-3')).toMatchObject({ ok: true, offers: [{}, {}, {}] })
    expect(rows()).toEqual([])
    expect(await run('done 8 9')).toMatchObject({ ok: false })
  })

  it('are added once where the command is tried again (P1)', async () => {
    const first = await command.run('add a\nb', contextOf({ effectId: 'x_same' }))
    expect(await command.run('add a\nb', contextOf({ effectId: 'x_same' }))).toEqual(first)
    expect(rows()).toHaveLength(2)
  })
})

describe('an owner', () => {
  it('is a person of the place, is shown, and filters (C374)', async () => {
    expect(await say('add Call --owner me')).toBe('Added **#1** Call · for Ana')
    expect(await say('add Write --owner @chen')).toBe('Added **#2** Write · for Bo Chen')
    expect(await say('add 订房 --负责人 李雷', zh)).toBe('已添加 **#3** 订房 · 负责人 李雷')
    await run('add Nobody')
    const shown = async (args: string, more = {}) =>
      [...(await say(args, more)).matchAll(/^- \*\*#(\d)/gm)].map(([, id]) => id)
    expect(await shown('list --owner me')).toEqual(['1'])
    expect(await shown('list --view mine')).toEqual(['1'])
    expect(await shown('view mine', { person: { id: 'U3', name: '李雷' } })).toEqual(['3'])
    expect(await shown('list --owner U1')).toEqual(['2'])
    expect(await shown('list --owner none')).toEqual(['4'])
    expect(await say('update 2 --owner none')).toBe('Updated **#2** Write')
    expect(await say('list --owner U1')).toBe('Bo Chen has no to-dos here.')
  })

  it.each([
    [
      'bo',
      'Several people are called `bo`: Bo Chen (`U1`), Bo Diaz (`U2`). Use the id to say which one.',
    ],
    [
      'Zoe',
      /^Nobody here is called `Zoe`\. .*for anybody else, put the name in the to-do itself\.$/,
    ],
    ['hanmeimei', /^Nobody here is called `hanmeimei`\./],
  ])('that is not one person is refused: %s (C374)', async (name, text) => {
    expect(await run(`add x --owner ${name}`)).toMatchObject({
      ok: false,
      text: typeof text === 'string' ? text : expect.stringMatching(text),
    })
    expect(rows()).toEqual([])
  })

  it('comes back with what was deleted (C374)', async () => {
    await run('add x --owner U2')
    const { offers } = await run('delete 1')
    expect(offers).toMatchObject([{ command: expect.stringContaining('--owner "U2"') }])
  })
})

it.each([
  ['Call Ana', 'call  ana.'],
  ['买牛奶', '买牛奶。'],
  ['Book the room!', 'ＢＯＯＫ the room'],
  ['给妈妈打电话', '给妈妈打电话！'],
  ['Pay  the   rent', 'pay the RENT'],
])('a twin is named when it is added, and added: %s, %s (C375)', async (first, second) => {
  await run(`add ${first}`)
  expect(await say(`add ${second}`)).toMatch(
    /^Added \*\*#2\*\* .*\nIt’s the same as \*\*#1\*\*, which is still open\.$/,
  )
  await run('done 1-2')
  expect(await say(`add ${second}`)).not.toContain('says the same')
})

it.each([
  ['search ana call', ['1'], '“ana” and “call”'],
  ['search LISBON, travel  ana', ['1'], '“lisbon” and “travel” and “ana”'],
  ['search 电话 安娜', ['3'], '“电话” and “安娜”'],
  ['search lisbon zebra', [], '“lisbon” and “zebra”. No to-do here has “zebra”.'],
  ['find about  CALL', ['1'], '“about” and “call”'],
  ['搜索 安娜 打电话', ['3'], '“安娜” and “打电话”'],
  ['search call', ['1', '2'], '“call”'],
])('%s finds words in any order, and says which (C376)', async (args, ids, said) => {
  await run('add Call Ana about Lisbon --tag travel\nCall Bo\n给安娜打电话')
  const text = await say(args)
  expect([...text.matchAll(/^- \*\*#(\d)/gm)].map(([, id]) => id)).toEqual(ids)
  expect(text).toContain(said)
})
