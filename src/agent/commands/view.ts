import {
  argument,
  type CommandTable,
  type Line,
  subcommand,
  type ValueKind,
  wrong,
} from './grammar.ts'
import { type ScheduleDeps, viewSchedules } from './schedule.ts'
import { date, type Range, rangeOf, ranges } from './schedule-options.ts'
import type { TodoDeps } from './todo.ts'
import { owner, readView, showView, tag, viewOrList } from './todo-table.ts'
import { type ViewName, viewNames } from './todo-views.ts'
import { choice } from './value-kinds.ts'

type ViewDeps = TodoDeps & Pick<ScheduleDeps, 'schedules'>

/** A view of the to-dos, a span of what is planned, or a word for both. */
const nameKind: ValueKind<{ view: ViewName | 'list' | undefined; range: Range | null }> = {
  ...choice([...viewNames, ...ranges], {}, 'unknown_span', 'today'),
  read(typed) {
    const [view, range] = [viewOrList.read(typed), rangeOf(typed)]
    return view === undefined && range === null ? undefined : { view, range }
  },
}
const name = argument('name', 'name', nameKind, 'viewName', false)

/**
 * `/view list`, `/view <name> [--tag]` (F8): what `/todo view` does, under its own name; and
 * `/view day|week|month [date]` (F10): what `/schedule view` does. `today` with a date is that day.
 */
export const viewTable: CommandTable<ViewDeps> = {
  name: 'view',
  aliases: ['views', '视图'],
  about: 'view',
  words: ({ todo }) => ({ ...todo, summary: todo.viewSummary }),
  subcommands: [
    subcommand('', 'view', [], {
      takes: [name, date],
      options: [tag, owner],
      looks: true,
      example: () => 'today',
      request: readRequest,
      answer: (asked, context, deps) =>
        asked.kind === 'span'
          ? viewSchedules(asked, context, deps)
          : showView(asked, context, deps),
    }),
  ],
}

function readRequest(line: Line) {
  const { view, range = null } = line.get(name) ?? {}
  const day = line.get(date)
  if (day === undefined && (view !== undefined || range === null)) return readView(line, view)
  if (range === null)
    return wrong('extra_words', { typed: line.words.replace(/^\S+ /, ''), words: view ?? '' })
  if (line.get(tag) !== undefined)
    return wrong('option_not_here', { typed: '--tag', options: { tag: null } })
  return { kind: 'span' as const, range, anchor: day ?? line.frame.now }
}
