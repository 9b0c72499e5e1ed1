import { texts } from '../../locales/texts.ts'
import type { Command } from './command.ts'
import { createScheduleCommand, type ScheduleDeps } from './schedule.ts'
import { rangeOf } from './schedule-grammar.ts'
import { answer, type TodoDeps } from './todo.ts'
import { readViewName } from './todo-grammar.ts'
import { readTodo } from './todo-read.ts'
import { renderProblem } from './todo-render.ts'

const spanIn = (args: string) => rangeOf(args.trim().split(/\s/, 1)[0] ?? '')

/**
 * `/view list`, `/view <name> [--tag]` (F8): what `/todo view` does, under its own name; and `/view day|week|month [date]`
 * (F10): what `/schedule view` does.
 */
export function createViewCommand(deps: TodoDeps, schedules: ScheduleDeps | null = null): Command {
  return {
    name: 'view',
    aliases: ['views', '视图'],
    summary: (locale) => texts(locale).todo.viewSummary,
    usage: (locale) => [...texts(locale).todo.viewUsage],
    recognises: (args) => /^(?:list|列表)?$/i.test(args.trim()) || readViewName(args.trim()) !== null,
    async run(args, context) {
      if (schedules !== null && spanIn(args) !== null && readViewName(args.trim()) === null)
        return await createScheduleCommand(schedules).run(`view ${args}`, context)
      const reading = readTodo(`view ${args}`, context)
      if (reading.ok) return await answer(reading.request, context, deps)
      const example = reading.problem.example.replace(/^\/todo view/, '/view')
      return { ok: false, text: renderProblem({ ...reading.problem, example }, context.locale) }
    },
  }
}
