import type { CommandTable } from './grammar.ts'
import { helpTable } from './help.ts'
import { memoryTable } from './memory-table.ts'
import { privacyTable } from './privacy.ts'
import { scheduleTable } from './schedule-table.ts'
import { strategyTable } from './strategy.ts'
import { taskTable } from './task.ts'
import { todoTable } from './todo-table.ts'
import { viewTable } from './view.ts'

/** Every command of ours, by its table: for platforms with forms of their own, and for docs/commands.md. */
export const commandTables: readonly CommandTable[] = [
  todoTable,
  scheduleTable,
  memoryTable,
  taskTable,
  strategyTable,
  viewTable,
  privacyTable,
  helpTable,
]
