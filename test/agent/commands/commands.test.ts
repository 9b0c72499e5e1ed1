import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandManual } from '../../../scripts/commands.ts'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { nearest } from '../../../src/agent/commands/nearest.ts'
import { commandTables } from '../../../src/agent/commands/own-commands.ts'
import { type Commands, createCommands } from '../../../src/agent/commands/registry.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import { usageOf } from '../../../src/agent/commands/usage.ts'
import { viewTable } from '../../../src/agent/commands/view.ts'
import { languages, texts } from '../../../src/locales/texts.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { createFakeTodos } from '../../fakes/todos.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'
import { contextOf } from './context.ts'

function setUp(): Commands {
  const deps = {
    todos: createFakeTodos(),
    schedules: createFakeSchedules(),
    scopeOf: scopeBy('channel'),
  }
  return createCommands([commandFrom(todoTable, deps), commandFrom(viewTable, deps)])
}
const commands = setUp()
const run = async (text: string, locale = 'en') =>
  await commands.parse(text)?.run(contextOf({ locale }))

describe('what is a command', () => {
  it.each([
    ['/todo list', 'todo'],
    ['  /TODO list', 'todo'],
    ['/todo', 'todo'],
    ['/todos', 'todo'],
    ['／todo list', 'todo'],
    ['/ todo list', 'todo'],
    ['!todo list', 'todo'],
    ['！todo list', 'todo'],
    ['/待办 列表', 'todo'],
    ['/todo：添加 买牛奶', 'todo'],
    ['/view today', 'view'],
    ['/help', 'help'],
    ['/', 'help'],
    ['/帮助', 'help'],
    ['/tood list', null],
    ['/usr/bin/env: no such file', null],
    ['!tood list', null],
  ])('%s (R1, C44)', (text, name) => {
    expect(commands.parse(text)).toMatchObject({ name })
  })

  it.each([
    'todo list',
    'help',
    '!important: read this',
    '!',
    'what does /todo do?',
    '',
    '   ',
    '- /todo',
  ])('%s is none (R1)', (text) => {
    expect(commands.parse(text)).toBeNull()
  })

  it.each([
    ['todo list', 'todo'],
    ['todo', 'todo'],
    ['Todo: add milk', 'todo'],
    ['待办 添加 买牛奶', 'todo'],
    ['view today', 'view'],
    ['help', 'help'],
    ['help todo', 'help'],
    ['todo help', 'todo'],
    ['view help', 'view'],
    ['help me with the offsite', null],
    ['todo the venues by friday', null],
    ['view the report and compare', null],
    ['view all the venues', null],
    ['compare three venues', null],
  ])('%s, addressed to Clew (C44)', (text, name) => {
    expect(commands.parse(text, { addressed: true })?.name ?? null).toBe(name)
  })
})

describe('a command that there is not', () => {
  it('is answered with the one that was most likely meant', async () => {
    expect(await run('/tood add Buy milk')).toEqual({
      ok: false,
      text: [
        'There is no command `/tood`.',
        'Try: `/todo add Buy milk`',
        'The commands are `/todo`, `/view`, `/help`; `/help` explains them.',
      ].join('\n'),
    })
    expect((await run('/vew today', 'zh'))?.text).toContain(
      '没有 `/vew` 这个命令。\n可以这样写：`/view today`',
    )
  })

  it('is answered with all there are when none is near', async () => {
    expect((await run('/frobnicate now'))?.text).toBe(
      'There is no command `/frobnicate`.\nThe commands are `/todo`, `/view`, `/help`; `/help` explains them.',
    )
  })
})

describe('/help', () => {
  it.each(['en', 'zh'])('says in one sentence how one talks to Clew (C77): %s', async (locale) => {
    const help = await createCommands([]).parse('/help')?.run(contextOf({ locale }))
    expect(help?.text).toContain(texts(locale).help.addressing)
  })

  it.each(languages)(
    'names every command in %s, and closes with a paragraph of its own (C114)',
    async (locale) => {
      const result = await run('/help', locale)
      expect(result?.ok).toBe(true)
      for (const command of commands.all)
        expect(result?.text).toContain(`- \`/${command.name}\` · ${command.summary(locale)}`)
      // What closes it is a paragraph of its own, and no part of the last command.
      expect(result?.text).toMatch(/^- .*\n\n[^-\n]/m)
    },
  )

  it.each(languages)('explains each of them in %s', async (locale) => {
    for (const command of commands.all) {
      const result = await run(`/help /${command.name}`, locale)
      expect(result?.ok).toBe(true)
      for (const line of command.usage(locale)) expect(result?.text).toContain(line)
    }
  })

  it.each(['todo', 'view', 'help'])('is what /%s help answers, too (C168)', async (name) => {
    const command = commands.all.find((one) => one.name === name)
    for (const words of ['help', 'HELP', '帮助']) {
      const result = await run(`/${name} ${words}`)
      expect(result?.ok).toBe(true)
      for (const line of command?.usage('en') ?? []) expect(result?.text).toContain(line)
    }
  })

  it('says how commands are given where it is asked (C168)', async () => {
    const intro = async (way?: 'mention' | 'forms') => {
      const { parse } = createCommands([], {
        traitsIn: () => (way === undefined ? {} : { commands: way }),
      })
      return (await parse('/help')?.run(contextOf()))?.text ?? ''
    }
    expect(await intro()).not.toContain('@Clew')
    expect(await intro('mention')).toContain(
      'In a thread, where slash commands don’t work, write `@Clew /todo …`',
    )
    expect(await intro('forms')).toContain('type `/` and choose one')
  })

  it('says so when there is no such command', async () => {
    expect(await run('/help tood')).toMatchObject({ ok: false })
  })
})

describe('the command table', () => {
  it('is the manual', () => {
    expect(readFileSync('docs/commands.md', 'utf8')).toBe(commandManual('en'))
    expect(readFileSync('docs/zh/commands.md', 'utf8')).toBe(commandManual('zh'))
  })

  it('puts every subcommand and option that people have into the usage lines', () => {
    for (const table of commandTables) {
      const lines = usageOf(table, 'en')
      for (const { name, by, options = [] } of table.subcommands) {
        if (by === 'model') continue
        expect(
          lines.some((line) => (line.split(' ')[1] ?? '').split('|').includes(name)) || name === '',
        ).toBe(true)
        for (const option of options) expect(lines.join('\n')).toContain(`[--${option.name}`)
      }
    }
  })

  it.each(languages)('has words for everything in %s', (locale) => {
    const { about } = texts(locale).commands
    for (const table of commandTables)
      for (const { about: own, options = [], takes = [] } of table.subcommands)
        for (const word of [table.about, own, ...[...options, ...takes].map((one) => one.about)])
          expect(about[word].length).toBeGreaterThan(0)
  })
})

describe('/view', () => {
  it('says its own name in examples (F8)', async () => {
    expect(await run('/view tody --tag work')).toEqual({
      ok: false,
      text: 'There is no view `tody`. The views are all, due, mine, today, overdue, upcoming, inbox, day, week and month.\nTry: `/view today --tag work`',
    })
  })

  it('shows the same to-dos as /todo does (F8)', async () => {
    await run('/todo add Call Ana --due today 18:00')
    expect(await run('/view today')).toEqual(await run('/todo list --view today'))
    expect(await run('/view')).toEqual(await run('/view list'))
  })
})

it('refuses two commands of one name', () => {
  const deps = {
    todos: createFakeTodos(),
    schedules: createFakeSchedules(),
    scopeOf: scopeBy('channel'),
  }
  expect(() =>
    createCommands([commandFrom(todoTable, deps), commandFrom(todoTable, deps)]),
  ).toThrow('todo')
})

it.each([
  ['lst', 'list'],
  ['lsit', 'list'],
  ['lists', 'list'],
  ['udpate', 'update'],
  ['delet', 'delete'],
  ['xyz', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('nearest(%s)', (typed, expected) => {
  expect(nearest(typed, ['list', 'update', 'delete'])).toBe(expected)
})

it('answers any text that begins with a slash, and never throws (R1)', async () => {
  const text = anyText(120).map((rest) => `/${rest}`)
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.uuid(),
      fc.constantFrom('en', 'zh'),
      async (line, effectId, locale) => {
        const result = await commands.parse(line)?.run(contextOf({ effectId, locale }))
        expect(result?.text.trim()).not.toBe('')
        expect(result).toBeDefined()
      },
    ),
    { numRuns: runs() },
  )
  await fc.assert(
    fc.asyncProperty(anyText(), fc.boolean(), async (line, addressed) => {
      commands.parse(line, { addressed })
    }),
    { numRuns: runs() },
  )
})
