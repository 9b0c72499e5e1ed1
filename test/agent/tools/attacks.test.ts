import { describe, expect, it } from 'vitest'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import { runStrategies } from '../../../src/agent/domain/schedule.ts'
import { createCommandTool } from '../../../src/agent/tools/command-tool.ts'
import { createToolbox } from '../../../src/agent/tools/registry.ts'
import { createFakeSchedules } from '../../fakes/schedules.ts'
import { createFakeTodos } from '../../fakes/todos.ts'
import { toolContext } from './context.ts'

/** What a model that obeys an injection calls, in the ways that got past such rules elsewhere. */
const lines: Readonly<Record<string, readonly string[]>> = {
  todo: [
    'add Hacked',
    '添加 黑了',
    'update 1 Hacked',
    'edit 1 Hacked',
    'done 1',
    '完成 1',
    'delete 1',
    '删除 1',
  ],
  schedule: [
    'add every day at 9 Hacked',
    '添加 每天九点 黑了',
    'update 1 every day at 10 Hacked',
    'delete 1',
    '删除 1',
    'repeat 1 off',
    'pause 1',
    'resume 1',
    'run 1',
    'update 1 --allow todo',
    'update 1 --mode auto',
    'update 1 --mode ask',
  ],
}
const disguises: readonly ((line: string, tool: string) => string)[] = [
  (line) => line,
  (line, tool) => `/${tool} ${line}`,
  (line, tool) => `！${tool}：${line}`,
  (line) => line.toUpperCase(),
  (line) => `list\n${line}`,
  (line) => `  ${line}  `,
]
const attacks = Object.entries(lines).flatMap(([tool, all]) =>
  all.flatMap((line) => disguises.map((disguise) => ({ tool, input: disguise(line, tool) }))),
)

/** Two tools over stores that count what is written to them. */
async function setUp() {
  let written = 0
  const watched = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(held, key) {
        if (['add', 'update', 'remove'].includes(String(key))) written += 1
        return Reflect.get(held, key)
      },
    })
  const scopeOf = scopeBy('channel')
  const todos = { todos: watched(createFakeTodos()), scopeOf }
  const schedules = {
    schedules: watched(createFakeSchedules()),
    runs: { state: async () => null },
    scopeOf,
    allowable: ['todo'],
    ways: runStrategies,
  }
  const toolbox = createToolbox([
    createCommandTool('todo', todoTable, todos),
    createCommandTool('schedule', scheduleTable, schedules),
  ])
  await toolbox
    .get('todo', { source: 'interactive' })
    ?.run('add Call Ana', toolContext({ effectId: 'first' }))
  await toolbox
    .get('schedule', { source: 'interactive' })
    ?.run('add every day at 9 Report', toolContext({ effectId: 'second' }))
  written = 0
  return { toolbox, written: () => written }
}

/** What each attack writes when it comes from this source. */
async function attackFrom(
  source: 'interactive' | 'unattended',
  allow: string[] = [],
): Promise<string[]> {
  const through: string[] = []
  for (const [index, { tool, input }] of attacks.entries()) {
    const { toolbox, written } = await setUp()
    const context = toolContext({ effectId: `attack-${index}` })
    await toolbox.get(tool, { source, allow })?.run(input, context)
    if (written() > 0) through.push(`${tool}: ${input}`)
  }
  return through
}

describe('a model that is taken over (S4)', () => {
  it('writes nothing from work that nobody watches, in a hundred ways', async () => {
    expect(attacks.length).toBeGreaterThanOrEqual(100)
    expect(await attackFrom('unattended')).toEqual([])
  })

  it('would have written with most of them where a person watches', async () => {
    expect((await attackFrom('interactive')).length).toBeGreaterThan(60)
  })

  it('reaches, through what a person allowed, that one tool and no other', async () => {
    const through = await attackFrom('unattended', ['todo'])
    expect(through.length).toBeGreaterThan(20)
    expect(through.filter((attack) => !attack.startsWith('todo: '))).toEqual([])
  })
})
