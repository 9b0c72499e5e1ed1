import { formatInstant } from '../domain/zone.ts'
import type { TodoFields, TodoRequest } from './todo-grammar.ts'
import { quoteIfNeeded } from './words.ts'

/** The command line that `readTodo` reads as this request. */
export function formatTodo(request: TodoRequest, timeZone: string): string {
  const tag = (name: string | null) => (name === null ? [] : ['--tag', quoteIfNeeded(name)])
  switch (request.kind) {
    case 'add':
      return ['/todo add', quoteIfNeeded(request.text), ...formatFields(request.fields, timeZone)].join(' ')
    case 'update': {
      const text = request.text === null ? [] : [quoteIfNeeded(request.text)]
      return [`/todo update ${request.id}`, ...text, ...formatFields(request.fields, timeZone)].join(' ')
    }
    case 'list':
      return ['/todo list', ...tag(request.tag), ...(request.view === 'all' ? [] : ['--view', request.view])].join(' ')
    case 'views':
      return '/todo view list'
    case 'search':
      return ['/todo search', quoteIfNeeded(request.keyword), ...tag(request.tag)].join(' ')
    case 'get':
    case 'done':
    case 'delete':
      return `/todo ${request.kind} ${request.id}`
  }
}

function formatFields({ tag, priority, dueAt, remindAt }: TodoFields, timeZone: string): string[] {
  const time = (at: number | null) => (at === null ? 'none' : formatInstant(timeZone, at))
  return [
    ...(tag === undefined ? [] : ['--tag', quoteIfNeeded(tag)]),
    ...(priority === undefined ? [] : ['--priority', String(priority)]),
    ...(dueAt === undefined ? [] : ['--due', time(dueAt)]),
    ...(remindAt === undefined ? [] : ['--remind', time(remindAt)]),
  ]
}
