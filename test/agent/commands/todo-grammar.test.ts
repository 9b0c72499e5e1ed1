import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine } from '../../../src/agent/commands/command-line.ts'
import type { Frame } from '../../../src/agent/commands/grammar.ts'
import { readCommand } from '../../../src/agent/commands/reader.ts'
import { formatTodo, type TodoFields } from '../../../src/agent/commands/todo.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import { instantOf } from '../../../src/agent/domain/zone.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'
import { now } from './context.ts'

const readTodo = (args: string, at: Frame) => readCommand(todoTable, args, at)
const frame = { now, timeZone: 'Asia/Shanghai', locale: 'en' }
const at = (day: number, hour: number, minute = 0) =>
  instantOf('Asia/Shanghai', { year: 2026, month: 3, day, hour, minute })
const request = (args: string) => {
  const reading = readTodo(args, frame)
  return reading.ok ? reading.request : reading.problem
}

describe('/todo reads', () => {
  const cases: [string, object][] = [
    ['add Call Ana', { kind: 'add', text: 'Call Ana', fields: {} }],
    [
      'add Call Ana --tag "#Big Things"',
      { kind: 'add', text: 'Call Ana', fields: { tag: 'big-things' } },
    ],
    ['add --priority 2 Call Ana', { kind: 'add', text: 'Call Ana', fields: { priority: 2 } }],
    ['add Call Ana --priority ２', { kind: 'add', text: 'Call Ana', fields: { priority: 2 } }],
    [
      'add Call --due 2026-03-08 18:00 Ana',
      { kind: 'add', text: 'Call Ana', fields: { dueAt: at(8, 18), dueDay: null } },
    ],
    [
      'add Call --due tomorrow 9am Ana',
      { kind: 'add', text: 'Call Ana', fields: { dueAt: at(5, 9), dueDay: null } },
    ],
    [
      'add Call Ana --due next friday at 9am',
      { kind: 'add', text: 'Call Ana', fields: { dueAt: at(13, 9), dueDay: null } },
    ],
    [
      'add Call Ana --due 2026-03-08',
      { kind: 'add', text: 'Call Ana', fields: { dueAt: at(8, 23, 59), dueDay: '2026-03-08' } },
    ],
    [
      'add Call Ana --due friday --remind friday',
      {
        kind: 'add',
        text: 'Call Ana',
        fields: { dueAt: at(6, 23, 59), dueDay: '2026-03-06', remindAt: at(6, 9) },
      },
    ],
    // C137: a time, or so long before, as for schedules.
    [
      'add Call Ana --due tomorrow 9am --remind 30 minutes before',
      {
        kind: 'add',
        text: 'Call Ana',
        fields: { dueAt: at(5, 9), dueDay: null, remindAt: at(5, 8, 30) },
      },
    ],
    [
      'add 买牛奶 --截止 明天下午3点 --提醒 提前1小时',
      {
        kind: 'add',
        text: '买牛奶',
        fields: { dueAt: at(5, 15), dueDay: null, remindAt: at(5, 14) },
      },
    ],
    [
      'update 3 --remind 30m',
      { kind: 'update', ids: [3], text: null, fields: { remindBefore: 1_800_000 } },
    ],
    [
      '添加 买牛奶 --截止明天下午3点 ——提醒 明天上午9点 --标签：家',
      {
        kind: 'add',
        text: '买牛奶',
        fields: { tag: '家', dueAt: at(5, 15), dueDay: null, remindAt: at(5, 9) },
      },
    ],
    ['', { kind: 'list', tag: null, view: 'all' }],
    ['list', { kind: 'list', tag: null, view: 'all' }],
    ['LIST Work', { kind: 'list', tag: 'work', view: 'all' }],
    ['list --tag work --view today', { kind: 'list', tag: 'work', view: 'today' }],
    ['list today', { kind: 'list', tag: 'today', view: 'all' }],
    ['列表 --视图 今天', { kind: 'list', tag: null, view: 'today' }],
    ['search call ana --tag work', { kind: 'search', keyword: 'call ana', tag: 'work' }],
    ['get 3', { kind: 'get', id: 3 }],
    ['done #3', { kind: 'done', id: [3] }],
    ['完成 ３', { kind: 'done', id: [3] }],
    ['delete 3', { kind: 'delete', id: [3] }],
    ['rm 3', { kind: 'delete', id: [3] }],
    ['update 3 Call Bo', { kind: 'update', ids: [3], text: 'Call Bo', fields: {} }],
    ['update 3 --priority 0', { kind: 'update', ids: [3], text: null, fields: { priority: 0 } }],
    [
      'update --tag work 3 Call Bo',
      { kind: 'update', ids: [3], text: 'Call Bo', fields: { tag: 'work' } },
    ],
    [
      'update 3 --due none',
      {
        kind: 'update',
        ids: [3],
        text: null,
        fields: { dueAt: null, dueDay: null, remindAt: null },
      },
    ],
    ['update 3 --remind 无', { kind: 'update', ids: [3], text: null, fields: { remindAt: null } }],
    ['view', { kind: 'views' }],
    ['view list', { kind: 'views' }],
    ['view overdue --tag work', { kind: 'list', tag: 'work', view: 'overdue' }],
    ['view 收件箱', { kind: 'list', tag: null, view: 'inbox' }],
  ]
  it.each(cases)('%s (F6, F7, F8)', (args, expected) => {
    expect(request(args)).toEqual(expected)
  })
})

describe('/todo shows the nearest right form of', () => {
  const tomorrow = '2026-03-05'
  it.each([
    ['add', 'no_text', '/todo add Call Ana'],
    ['add --tag work', 'no_text', '/todo add Call Ana --tag work'],
    ['add x --prioritty 3', 'unknown_option', '/todo add x --priority 3'],
    ['add x --prioritty=3', 'unknown_option', '/todo add x --priority=3'],
    ['add "x --ta" --ta y', 'unknown_option', '/todo add "x --ta" --tag y'],
    ['add x --color red', 'unknown_option', '/todo add x red'],
    ['add x --priority high', 'bad_priority', '/todo add x --priority 1'],
    ['add x --priority -3', 'bad_priority', '/todo add x --priority 1'],
    ['add x --tag ##', 'bad_tag', '/todo add x --tag work'],
    ['add x --due', 'no_value', `/todo add x --due ${tomorrow} 18:00`],
    ['add x --due soonish', 'bad_time', `/todo add x --due ${tomorrow} 18:00`],
    [
      'add x --due 2026-02-30 --priority 2',
      'bad_time',
      `/todo add x --priority 2 --due ${tomorrow} 18:00`,
    ],
    [
      'add x --remind friday',
      'remind_needs_due',
      `/todo add x --due ${tomorrow} 18:00 --remind friday`,
    ],
    ['add x --tag a --tag b', 'twice', '/todo add x --tag a'],
    ['add x --view today', 'option_not_here', '/todo add x'],
    ['list big things', 'extra_words', '/todo list --tag big-things'],
    ['list ana --tag work', 'extra_words', '/todo search ana --tag work'],
    ['list --view inboxx', 'unknown_view', '/todo list --view inbox'],
    ['view tody --tag work', 'unknown_view', '/todo view today --tag work'],
    ['search', 'no_text', '/todo search Ana'],
    ['get', 'no_id', '/todo get 1'],
    ['done milk', 'bad_id', '/todo done 1'],
    ['done no.7', 'bad_id', '/todo done 7'],
    ['done 0', 'bad_id', '/todo done 1'],
    ['done 1-99', 'bad_id', '/todo done 1'],
    ['update 2,4 Call Bo', 'one_text_each', `/todo update 2,4 --due ${tomorrow} 18:00`],
    ['done 1 --tag x', 'option_not_here', '/todo done 1'],
    ['update', 'no_id', '/todo update 1 --priority 0'],
    ['update milk', 'bad_id', '/todo update 1 milk'],
    ['update 3', 'nothing_to_change', `/todo update 3 --due ${tomorrow} 18:00`],
    [
      'update 3 --due none --remind friday',
      'remind_needs_due',
      `/todo update 3 --due ${tomorrow} 18:00 --remind friday`,
    ],
    ['lst', 'unknown_action', '/todo list'],
    ['dne 3', 'unknown_action', '/todo done 3'],
    ['删掉 3', 'unknown_action', '/todo delete 3'],
    ['buy milk --tag home', 'unknown_action', '/todo add buy milk --tag home'],
    ['3', 'unknown_action', '/todo get 3'],
    ['today', 'unknown_action', '/todo view today'],
  ])('%s', (args, kind, example) => {
    expect(request(args)).toMatchObject({ kind, example })
  })

  it('a text that is too long, in short', () => {
    for (const args of [
      `add ${'x'.repeat(501)}`,
      `add ${'x '.repeat(5000)}`,
      `search ${'x'.repeat(501)}`,
    ]) {
      const problem = request(args)
      expect(problem).toMatchObject({ kind: 'too_long', typed: '500' })
      expect(JSON.stringify(problem).length).toBeLessThan(250)
    }
  })
})

const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe')
const text = anyText(60)
  .map(oneLine)
  .filter((line) => line !== '')
/** Words behind a number which are no numbers themselves. */
const newText = text.filter((line) => !/^[#\d]/.test(line))
const tag = fc.constantFrom('default', 'work', '家', 'big-things', 'a"b', '-x', "it's", '--tag')
const instant = fc
  .integer({ min: 31_536_000 / 60, max: 4_102_444_800 / 60 })
  .map((minute) => minute * 60_000)
const fields: fc.Arbitrary<TodoFields> = fc
  .record(
    { tag, priority: fc.nat(999_999), dueAt: instant, remindAt: fc.option(instant) },
    { requiredKeys: ['dueAt'] },
  )
  .filter(({ dueAt, remindAt }) => dueAt !== undefined || remindAt === undefined)
const id = fc.integer({ min: 1, max: 999_999_999 })
const anyRequest = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), text, fields }),
  fc.record({ kind: fc.constant('update' as const), id, text: fc.option(newText), fields }),
)

describe('the grammar', () => {
  it('reads back whatever it writes, also where the clock is turned', () => {
    fc.assert(
      fc.property(anyRequest, zone, (asked, timeZone) => {
        const line = formatTodo(asked, timeZone).replace(/^\/todo /, '')
        const { id, ...same } = { id: null, ...asked }
        const request = id === null ? same : { ...same, ids: [id] }
        expect(readTodo(line, { ...frame, timeZone })).toMatchObject({ ok: true, request })
      }),
      { numRuns: Math.max(200, runs()) },
    )
  })

  it('reads the second pass of a repeated hour back as itself', () => {
    const dueAt = Date.UTC(2026, 10, 1, 6, 30)
    const line = formatTodo({ kind: 'add', text: 'x', fields: { dueAt } }, 'America/New_York')
    expect(line).toBe('/todo add x --due 2026-11-01 01:30-05:00')
    const reading = readTodo(line.replace('/todo ', ''), { ...frame, timeZone: 'America/New_York' })
    expect(reading).toMatchObject({ ok: true, request: { fields: { dueAt } } })
  })

  it('shows examples that are right themselves, for any text and in any language', () => {
    const piece = fc.constantFrom(
      ...todoTable.subcommands.map(({ name }) => name),
      '--tag',
      '--due',
      '--remind',
      '--priority',
      '--view',
      '--ta',
      '--x',
      '——',
      '"',
      '#3',
      'x',
      'today',
      'tomorrow 9am',
      '明天',
      '0',
      'none',
    )
    const line = fc.oneof(
      anyText(80),
      fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(' ')),
    )
    fc.assert(
      fc.property(line, fc.constantFrom('en', 'zh'), (args, locale) => {
        const reading = readTodo(args, { ...frame, locale })
        if (reading.ok) return
        const { example } = reading.problem
        expect(example.startsWith('/todo ')).toBe(true)
        expect(readTodo(example.slice('/todo '.length), { ...frame, locale })).toMatchObject({
          ok: true,
        })
      }),
      { numRuns: Math.max(200, runs()) },
    )
  })
})

describe('several at once (C373)', () => {
  it.each([
    ['done 3,5,7-9', [3, 5, 7, 8, 9]],
    ['done 3 5 7-9', [3, 5, 7, 8, 9]],
    ['done #3 and #5', [3, 5]],
    ['done 3, 5 , 9-7', [3, 5, 7, 8, 9]],
    ['done 3 or 5', null],
    ['完成 3、5、7到9', [3, 5, 7, 8, 9]],
    ['delete 3 – 5', [3, 4, 5]],
    ['reopen 2 2', [2]],
    ['删除 #3 和 #5', [3, 5]],
    ['完成 12，14-16', [12, 14, 15, 16]],
    ['done 4、6', [4, 6]],
    ['delete 10-12 and 20', [10, 11, 12, 20]],
    ['done 1-99999', null],
  ])('%s', (args, id) => {
    if (id === null) expect(request(args)).toMatchObject({ kind: 'bad_id' })
    else expect(request(args)).toMatchObject({ id })
  })

  it.each([
    'update 2,4 --due friday',
    'update 2, 4 --due friday',
    'update --due friday #2、#4',
    '更新 2、4 --截止 周五',
    'update 4 and 2 --d fri',
    'update #4 & #2 --due friday',
    '更新 2 和 4 --截止 周五',
    'update 2-4 --due friday',
    'update 4 2 --due friday',
    'update #2 #4 --due friday',
    'update --due friday 2 #4',
    '更新 2 4 --截止 周五',
  ])('%s', (args) => {
    const ids = args.includes('2-4') ? [2, 3, 4] : [2, 4]
    const made = request(args) as { ids: number[] }
    expect({ ...made, ids: made.ids.toSorted((a, b) => a - b) }).toEqual({
      kind: 'update',
      ids,
      text: null,
      fields: { dueAt: at(6, 23, 59), dueDay: '2026-03-06' },
    })
  })

  it.each(['and cream', 'and 2nd call', '和面', '20 bottles of water'])(
    'a text may begin like a list: %s',
    (text) => {
      expect(request(`update 4 ${text}`)).toMatchObject({ ids: [4], text })
    },
  )

  it('are at most 50 (C373, S11)', () => {
    const add = (count: number) => `add ${'buy milk\n'.repeat(count)}`
    expect(request(add(50))).toMatchObject({ kind: 'add' })
    expect(request(add(51))).toMatchObject({ kind: 'too_many_lines', typed: '50' })
  })

  const three = [
    { kind: 'add', text: 'Buy milk', fields: {} },
    { kind: 'add', text: 'Call Ana', fields: { tag: 'work' } },
    { kind: 'add', text: 'Book a room', fields: {} },
  ]
  it.each([
    'Buy milk\nCall Ana --tag work\nBook a room',
    '\n- Buy milk\n- Call Ana\n  --tag work\n\n- [ ] Book a room',
    '1. Buy milk\n2) Call Ana --tag work\n3、 Book a room',
    'Buy milk\n/todo add Call Ana --tag work\n/todo add Book a room',
    'Buy milk\nadd Call Ana --tag work\nadd Book a room',
    'Buy milk\r\n\r\n• Call Ana ——标签 work\r\n[x] Book a room',
  ])('adds each line of %j', (args) => {
    const [first, ...more] = three
    expect(request(`add ${args}`)).toEqual({ ...first, more })
  })

  it.each([
    '买牛奶\n给安娜打电话\n订会议室',
    '- 买牛奶\n- 给安娜打电话\n- 订会议室',
    '1、 买牛奶\n2、 给安娜打电话\n3、 订会议室',
    '买牛奶\n/待办 添加 给安娜打电话\n/待办 添加 订会议室',
    '\n* [ ] 买牛奶\n\n* [ ] 给安娜打电话\n* [ ] 订会议室\n',
  ])('adds each line of %j', (args) => {
    const { text, more } = request(`添加 ${args}`) as { text: string; more: { text: string }[] }
    expect([text, ...more.map((one) => one.text)]).toEqual(['买牛奶', '给安娜打电话', '订会议室'])
  })

  it('adds none where one line cannot be read, and one text in quotes as one', () => {
    expect(request('add Buy milk\nCall Ana --due nevermore')).toMatchObject({ kind: 'bad_time' })
    expect(request('add "Buy milk\nand eggs"')).toMatchObject({ text: 'Buy milk and eggs' })
  })
})

it.each([
  ['add x --tag none', { tag: 'default' }],
  ['update 3 --tag 无', { tag: 'default' }],
  ['add x --t 无', { tag: 'default' }],
  ['update 3 --标签 none', { tag: 'default' }],
  ['更新 3 --tag 无', { tag: 'default' }],
  ['update 3 --due none', { dueAt: null, dueDay: null, remindAt: null }],
  ['update 3 --d never', { dueAt: null, dueDay: null, remindAt: null }],
  ['更新 3 --截止 无', { dueAt: null, dueDay: null, remindAt: null }],
  ['update 3 --due 取消', { dueAt: null, dueDay: null, remindAt: null }],
  ['update 3 --到期 无', { dueAt: null, dueDay: null, remindAt: null }],
  ['add x --owner @Ana', { owner: { name: 'Ana' } }],
  ['add x --owner "Ana Lima"', { owner: { name: 'Ana Lima' } }],
  ['add x --for <@U123>', { owner: { name: 'U123' } }],
  ['update 3 --owner me', { owner: 'me' }],
  ['update 3 --负责人 我', { owner: 'me' }],
  ['update 3 --owner none', { owner: null }],
  ['添加 写周报 --负责人 李雷', { owner: { name: '李雷' } }],
  ['更新 3 --归属 无', { owner: null }],
])('%s gives, or clears (C374)', (args, fields) => {
  expect(request(args)).toMatchObject({ fields })
})

/** Asked on Wednesday, 4 March 2026, for an hour that is due on the 20th at 15:00. */
it.each([
  ['an hour before', 60],
  ['half an hour before', 30],
  ['an hour and a half before', 90],
  ['2 hours in advance', 120],
  ['a quarter of an hour before', 15],
  ['the day before', 1440],
  ['a week before', 10_080],
  ['提前一小时', 60],
  ['提前半小时', 30],
  ['提前一个半小时', 90],
  ['一刻钟前', 15],
  ['前一天', 1440],
  ['提前两天', 2880],
  ['提前一周', 10_080],
])('reminds %s (C622)', (typed, minutes) => {
  const remindAt = at(20, 15) - minutes * 60_000
  for (const said of [typed, `"${typed}"`])
    expect(request(`add x --due "2026-03-20 15:00" --remind ${said}`)).toMatchObject({
      fields: { remindAt },
    })
})

it.each(['the evening before', 'a month before', '前一个月'])(
  'reminds at no time that is not clear: %s (C622)',
  (typed) => {
    const line = `add x --due 2026-03-20 --remind "${typed}"`
    expect(request(line)).toMatchObject({ kind: 'bad_time', typed })
  },
)

it('reminds at nine, days before a day alone (C622)', () => {
  const line = 'add x --due 2026-03-20 --remind "the day before"'
  expect(request(line)).toMatchObject({ fields: { remindAt: at(19, 9) } })
})

it.each([
  ['end of the month', 31],
  ['by the end of the month', 31],
  ['by month-end', 31],
  ['this month', 31],
  ['within a week', 11],
  ['within 3 days', 7],
  ['no later than Friday', 6],
  ['by Monday at the latest', 9],
  ['mid-month', 15],
  ['this week', 6],
  ['end of next week', 13],
  ['月底前', 31],
  ['本月底之前', 31],
  ['3月底前', 31],
  ['周五前', 6],
  ['3月12号之前', 12],
  ['明天之前', 5],
  ['三天内', 7],
  ['一周内', 11],
  ['本周内', 6],
  ['月中', 15],
])('is due %s: on the %ith (C622)', (typed, day) => {
  const dueDay = `2026-03-${String(day).padStart(2, '0')}`
  expect(request(`add x --due "${typed}"`)).toMatchObject({ fields: { dueDay } })
})

it.each(['3天前', '3个月前', 'before Christmas', 'end of the quarter'])(
  'is due at no time that is over or not clear: %s (C622)',
  (typed) => expect(request(`add x --due "${typed}"`)).toMatchObject({ kind: 'bad_time' }),
)

it('is due at six where the working day ends (C622)', () => {
  for (const typed of ['周五下班前', 'by end of day friday'])
    expect(request(`add x --due "${typed}"`)).toMatchObject({ fields: { dueAt: at(6, 18) } })
})
