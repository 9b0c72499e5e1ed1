import { memoryTable } from './memory-table.ts'
import { date, ranges } from './schedule-options.ts'
import { scheduleTable } from './schedule-table.ts'
import { strategyTable } from './strategy.ts'
import { argument, type CommandTable } from './table.ts'
import { taskTable } from './task.ts'
import { todoTable } from './todo-table.ts'
import { viewNames } from './todo-views.ts'
import { choice, text } from './values.ts'
import { viewTable } from './view.ts'

const anyView = choice([...viewNames, ...ranges], {}, 'unknown_view', 'today')
const topic = argument('topic', 'topic', text(100), 'topic', false)
const [view] = viewTable.subcommands
const nothing = { example: () => '', request: () => ({}) }

/** Every command as platforms with forms of their own show it; where a text says two things, one form does. */
export const nativeTables: readonly CommandTable<unknown>[] = [
  todoTable,
  scheduleTable,
  memoryTable,
  taskTable,
  strategyTable,
  {
    ...viewTable,
    subcommands: [
      {
        ...nothing,
        name: '',
        aliases: [],
        about: 'view',
        takes: [argument('name', 'name', anyView, 'viewName'), date],
        options: view?.options ?? [],
      },
    ],
  },
  {
    name: 'help',
    aliases: [],
    about: 'help',
    errors: () => ({}),
    subcommands: [{ ...nothing, name: '', aliases: [], about: 'help', takes: [topic] }],
  },
]
