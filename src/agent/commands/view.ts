import type { Command } from './command.ts'
import { createScheduleCommand, type ScheduleDeps } from './schedule.ts'
import { rangeOf, type ScheduleRequest } from './schedule-options.ts'
import { scheduleTable, spanSubcommand } from './schedule-table.ts'
import type { CommandTable } from './table.ts'
import { commandFrom } from './table-command.ts'
import { answerTodo, type TodoDeps } from './todo.ts'
import { readViewName, type TodoRequest, todoTable, viewSubcommand } from './todo-table.ts'

const own = { name: 'view', aliases: ['views', '视图'], about: 'view' } as const
export const viewTable: CommandTable<TodoRequest> = {
  ...todoTable,
  ...own,
  subcommands: [{ ...viewSubcommand, name: '' }],
}
const spanTable: CommandTable<ScheduleRequest> = {
  ...scheduleTable,
  ...own,
  subcommands: [{ ...spanSubcommand, name: '' }],
}

/**
 * `/view list`, `/view <name> [--tag]` (F8): what `/todo view` does, under its own name; and `/view day|week|month [date]`
 * (F10): what `/schedule view` does.
 */
export function createViewCommand(deps: TodoDeps, schedules: ScheduleDeps | null = null): Command {
  const todos = commandFrom(viewTable, {
    summary: ({ todo }) => todo.viewSummary,
    notes: ({ todo }) => todo.usageNotes,
    answer: (request, context) => answerTodo(request, context, deps),
  })
  const spans = schedules === null ? null : createScheduleCommand(schedules, 'person', spanTable)
  const isSpan = (args: string) =>
    rangeOf(args.trim().split(/\s/, 1)[0] ?? '') !== null && readViewName(args.trim()) === null
  return {
    ...todos,
    usage: (locale) => [...todos.usage(locale), ...(spans?.usage(locale) ?? [])],
    recognises: (args) => /^(?:list|列表)?$/i.test(args.trim()) || readViewName(args.trim()) !== null,
    run: (args, context) => (spans !== null && isSpan(args) ? spans : todos).run(args, context),
  }
}
