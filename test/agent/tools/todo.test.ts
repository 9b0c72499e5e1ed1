import { describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { memoryTable } from '../../../src/agent/commands/memory-table.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import { runStrategies } from '../../../src/agent/domain/schedule.ts'
import { createCommandTool } from '../../../src/agent/tools/command-tool.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { createFakeTodos } from '../../fakes/todos.ts'
import { contextOf, now } from '../commands/context.ts'
import { toolContext } from './context.ts'

function setUp() {
  const todos = createFakeTodos()
  const deps = { todos, scopeOf: scopeBy('channel') }
  return {
    todos,
    deps,
    command: commandFrom(todoTable, deps),
    tool: createCommandTool('todo', todoTable, deps),
  }
}

describe('the tool todo', () => {
  it('takes the command’s own lines, with or without its name (F6)', async () => {
    const { command, tool } = setUp()
    const lines = [
      'add Call Ana',
      '/todo add Call Ana',
      'todo add Call Ana',
      '!todo: add Call Ana',
      ' /TODO  add Call Ana',
    ]
    for (const [index, line] of lines.entries()) {
      const result = await tool.run(line, toolContext({ effectId: `x_${index}` }))
      expect(result.text).toContain(`Added **#${index + 1}** Call Ana`)
    }
    const { ok, text } = await command.run('', contextOf())
    expect(await tool.run('/todo', toolContext())).toEqual({ ok, text })
    expect(
      (await tool.run('add todo list for Ana', toolContext({ effectId: 'x_last' }))).text,
    ).toContain('todo list for Ana')
    expect(await tool.run('todolist', toolContext())).toMatchObject({ ok: false })
  })

  it('answers as the command does, also when the line is wrong (F5)', async () => {
    const { command, tool } = setUp()
    for (const line of ['add x --prioritty 3', 'done 9', 'list', 'view list', 'nonsense']) {
      const effectId = `x_${line}`
      const { ok, text } = await command.run(line, contextOf({ effectId }))
      expect(await tool.run(line, toolContext({ effectId }))).toEqual({ ok, text })
    }
  })

  it('has a receipt where it did all that was asked, and none where it only looked, failed or did a part (C579)', async () => {
    const { tool } = setUp()
    const told = async (line: string) =>
      (await tool.run(line, toolContext({ effectId: `x_${line}` }))).receipt?.text ?? null
    expect(await told('add Milk')).toMatch(/^Added \*\*#1\*\* Milk/)
    expect(await told('add Bread')).toMatch(/^Added/)
    expect(await told('done 1')).toMatch(/^Done/)
    for (const line of ['list', 'view due', 'get 1', 'done 1 2 9', 'done 9', 'nonsense'])
      expect(await told(line), line).toBeNull()
  })

  it('does each effect once (P1)', async () => {
    const { todos, tool } = setUp()
    expect(tool.effect).toBe('keyed')
    const first = await tool.run('add Call Ana --due tomorrow 9am', toolContext())
    const again = await tool.run(
      'add Call Ana --due tomorrow 9am',
      toolContext({ now: now + 86_400_000 }),
    )
    expect(again).toEqual(first)
    expect(todos.rows('web:local', 'channel:general')).toHaveLength(1)
  })

  it('writes times as the platform shows them, and says once on whose clock they were read (C194)', async () => {
    const told = new Set<string>()
    const notes = {
      claim: async (_: string, key: string) => !told.has(key) && told.add(key) !== undefined,
    }
    const shown = { traitsIn: () => ({ times: 'zoned' as const, setsZone: '/timezone' }), notes }
    const { deps, tool: named } = setUp()
    const tool = createCommandTool('todo', todoTable, deps, shown)
    const unset = (effectId: string) => toolContext({ effectId, timeZone: 'UTC', zoneUnset: true })
    expect(await tool.run('add Call Ben', unset('a'))).not.toHaveProperty('note')
    expect(await tool.run('update 1 --due 2026-03-05', unset('d'))).not.toHaveProperty('note')
    expect(await tool.run('add Call Ana --due "2026-03-05 18:00"', unset('b'))).toMatchObject({
      ok: true,
      text: 'Added **#2** Call Ana · due 2026-03-05T18:00:00+00:00',
      note: {
        text: 'I took 18:00 as UTC time, because I don’t know your time zone. Set it with `/timezone`.',
        offers: [],
      },
    })
    expect(await tool.run('update 2 --due "2026-03-05 19:00"', unset('c'))).not.toHaveProperty(
      'note',
    )
    expect((await named.run('get 2', toolContext())).text).toContain(
      'due 2026-03-06 03:00 (Asia/Shanghai)',
    )
  })

  it('teaches its grammar in a few lines', () => {
    const { tool } = setUp()
    const options = todoTable.subcommands
      .flatMap((one) => one.options ?? [])
      .map(({ name }) => `--${name}`)
    for (const word of [...todoTable.subcommands.map(({ name }) => name), ...options])
      expect(tool.description).toContain(word)
    expect(tool.description.length).toBeLessThan(800)
  })

  it('stays within what every model takes as a description, like the other commands', () => {
    const deps = {
      schedules: createFakeSchedules(),
      runs: { state: async () => null },
      scopeOf: scopeBy('channel'),
    }
    const schedules = { ...deps, allowable: ['todo'], ways: runStrategies }
    const schedule = createCommandTool('schedule', scheduleTable, schedules)
    const none = async () => {
      throw new Error('not asked')
    }
    const memories = { read: none, history: none, change: none, owners: none, overdue: none }
    const facts = { memories, proposalMs: 1 }
    const memory = createCommandTool('memory', memoryTable, facts)
    for (const { description, readOnly } of [schedule, memory]) {
      expect(description.length).toBeLessThanOrEqual(1024)
      expect(description).not.toMatch(/--allow|--mode|accept|forget/)
      expect(readOnly?.description).not.toMatch(/\b(?:add|propose|update|delete)\b/)
    }
  })
})
