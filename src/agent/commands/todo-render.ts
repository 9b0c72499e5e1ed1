import { givenName, texts } from '../../locales/texts.ts'
import type { Author } from '../domain/message.ts'
import { present } from '../domain/present.ts'
import { dueDayOf, dueFor, type Todo } from '../domain/todo.ts'
import { showInstant, wallClockIn } from '../domain/zone.ts'
import type { Reader } from './command.ts'
import { inlineCode, plainText } from './command-line.ts'
import { inOrder, inView, type Viewer, type ViewName, viewNames } from './todo-views.ts'

/** A thread is no place for more; the rest is counted. */
const longestList = 50

/**
 * Shows a to-do on one line: number, text, times in the person's zone (C46), tag and priority
 * unless they are the default.
 */
export function renderTodo(todo: Todo, reader: Reader & Partial<Viewer>): string {
  const { locale, timeZone, times = 'wall', now } = reader
  const words = texts(locale).todo
  const time = (at: number) => showInstant(times, timeZone, at)
  const text = plainText(todo.text)
  const due = dueFor(todo, timeZone)
  const day = dueDayOf(todo, timeZone)
  const isThisYear = day?.startsWith(`${wallClockIn(timeZone, todo.createdAt).year}`) === true
  const dueAt = due === null ? null : time(due)
  const shown = day === null ? dueAt : words.day(day, isThisYear)
  const late = due !== null && todo.doneAt === null && due < now
  const parts = present([
    todo.doneAt === null ? text : `~~${text}~~`,
    shown && (late ? words.overdue(shown) : words.due(shown)),
    todo.remindAt !== null && todo.doneAt === null && words.remind(time(todo.remindAt)),
    todo.doneAt !== null && words.finished(time(todo.doneAt)),
    todo.owner != null && words.owner(ownerIn(todo.owner, reader)),
    todo.tag !== 'default' && inlineCode(todo.tag),
    todo.priority !== 0 && words.priority(todo.priority),
  ])
  return `**#${todo.id}** ${parts.join(' · ')}`
}

/** Name of an owner; to themselves, somebody of the page without a name is “you”. */
function ownerIn({ id, name }: Author, { locale, person }: Reader & Partial<Viewer>): string {
  return givenName(name) === null && id === person?.id
    ? texts(locale).page.youWithin
    : plainText(name)
}

/**
 * The answer to a write: what the row says and nothing that changes with time, so that the same
 * write answers the same whenever it is tried again.
 */
export function renderReceipt(todo: Todo, reader: Reader): string {
  return renderTodo(todo, { ...reader, now: 0 })
}

/** With what the line leaves out. */
export function renderDetails(todo: Todo, reader: Reader): string {
  const words = texts(reader.locale).todo
  return `${renderTodo(todo, reader)}\n${words.created(showInstant(reader.times ?? 'wall', reader.timeZone, todo.createdAt))}`
}

/** @param todos in any order; they are shown by priority, then age (F7). */
export function renderList(title: string, todos: readonly Todo[], reader: Reader): string {
  const words = texts(reader.locale).todo
  const done = todos.filter((todo) => todo.doneAt !== null).length
  const shown = inOrder(todos).slice(0, longestList)
  const rest = todos.length - shown.length
  return present([
    `**${title}** · ${words.counts(todos.length - done, done)}`,
    ...shown.map((todo) => `- ${renderTodo(todo, reader)}`),
    rest !== 0 && words.more(rest),
  ]).join('\n')
}

/** `/view list`: what each view is and how many it holds. */
export function renderViews(todos: readonly Todo[], viewer: Reader & Viewer): string {
  const words = texts(viewer.locale).todo
  const count = (view: ViewName) => todos.filter((todo) => inView(view, todo, viewer)).length
  const lines = viewNames.map(
    (view) => `- \`/view ${view}\` · ${words.views[view].about} · ${count(view)}`,
  )
  return [`**${words.viewsTitle}**`, ...lines].join('\n')
}

/** A list that would be empty says what is there instead, or what to do next. */
export function renderEmpty(
  asked: { view: ViewName; tag: string | null },
  known: readonly string[],
  locale: string,
) {
  const words = texts(locale).todo
  if (known.length === 0) return words.emptyView.all
  if (asked.tag === null || known.includes(asked.tag)) return words.emptyView[asked.view]
  const tags = words.emptyTag(inlineCode(asked.tag), known.slice(0, 20).map(inlineCode).join(' '))
  const view = viewNames.find((name) => name === asked.tag)
  return view === undefined ? tags : `${tags}\n${words.meantView(view)}`
}
