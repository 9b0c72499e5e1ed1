import { describe, expect, it } from 'vitest'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { createTodoCommand } from '../../../src/agent/commands/todo.ts'
import { actions, optionNames } from '../../../src/agent/commands/todo-grammar.ts'
import { createTodoTool } from '../../../src/agent/tools/todo.ts'
import { createFakeTodos } from '../../fakes/todos.ts'
import { contextOf, now } from '../commands/context.ts'
import { toolContext } from './context.ts'

function setUp() {
  const todos = createFakeTodos()
  const command = createTodoCommand({ todos, scopeOf: scopeBy('channel') })
  return { todos, command, tool: createTodoTool(command) }
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
      expect(result).toEqual({ ok: true, text: `Added **#${index + 1}** Call Ana` })
    }
    expect(await tool.run('/todo', toolContext())).toEqual(await command.run('', contextOf()))
    expect((await tool.run('add todo list for Ana', toolContext({ effectId: 'x_last' }))).text).toContain(
      'todo list for Ana',
    )
    expect(await tool.run('todolist', toolContext())).toMatchObject({ ok: false })
  })

  it('answers as the command does, also when the line is wrong (F5)', async () => {
    const { command, tool } = setUp()
    for (const line of ['add x --prioritty 3', 'done 9', 'list', 'view list', 'nonsense']) {
      const effectId = `x_${line}`
      expect(await tool.run(line, toolContext({ effectId }))).toEqual(await command.run(line, contextOf({ effectId })))
    }
  })

  it('does each effect once (P1)', async () => {
    const { todos, tool } = setUp()
    expect(tool.effect).toBe('keyed')
    const first = await tool.run('add Call Ana --due tomorrow 9am', toolContext())
    const again = await tool.run('add Call Ana --due tomorrow 9am', toolContext({ now: now + 86_400_000 }))
    expect(again).toEqual(first)
    expect(todos.rows('web:local', 'channel:general')).toHaveLength(1)
  })

  it('teaches its grammar in a few lines', () => {
    const { tool } = setUp()
    for (const word of [...actions.filter((action) => action !== 'view'), ...optionNames.map((name) => `--${name}`)])
      expect(tool.description).toContain(word)
    expect(tool.description.length).toBeLessThan(800)
  })
})
