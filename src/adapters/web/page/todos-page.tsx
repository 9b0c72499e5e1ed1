import { useRef, useState } from 'preact/hooks'
import type { ScheduleView, TodoView } from '../views.ts'
import { type Send, useList, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Choice, IconButton, Time } from './controls.tsx'
import { bell, bin, tick } from './icons.tsx'
import { AddForm, EditForm, ListPage, Refusal } from './list-page.tsx'
import { dateTime, wallTime } from './time.ts'

const views = ['all', 'due', 'mine', 'today', 'overdue', 'upcoming', 'inbox'] as const
type View = (typeof views)[number]

/** Page of the to-dos by view, with a form to add one and the coming reminders. */
export function Todos() {
  const { state, words } = usePage()
  const [view, setView] = useState<View>('all')
  const [owner, setOwner] = useState('')
  const author = encodeURIComponent(state.person.id)
  const { value, problem, refresh } = useList<{ todos: TodoView[] }>(
    `/api/todos?view=${view}&author=${author}`,
  )
  // Reminders are shown of all to-dos, whatever view is chosen.
  const all = useList<{ todos: TodoView[] }>('/api/todos?view=all')
  const changed = async (): Promise<void> => void (await Promise.all([refresh(), all.refresh()]))
  const isLeaving = ({ id }: TodoView) =>
    state.leaving.some(({ path }) => path === `/api/todos/${id}`)
  const owners = new Map(
    all.value?.todos.flatMap(({ owner }) => (owner ? [[owner.id, owner.name]] : [])),
  )
  const isShown = (todo: TodoView) =>
    !isLeaving(todo) && (!owners.has(owner) || todo.owner?.id === owner)
  const todos = value?.todos.filter(isShown) ?? null
  const { todos: text } = words
  const form = (
    <AddForm
      path="/api/todos"
      button={text.add}
      hint={text.hint}
      added={changed}
      fields={[
        { label: text.what, example: text.example },
        { label: text.dueLabel, example: text.dueExample },
        { label: text.remindLabel, example: text.remindExample },
      ]}
      isReady={([what = '']) => what.trim() !== ''}
      body={([what = '', due = '', remind = '']) => ({
        text: [what, ...option('due', due), ...option('remind', remind)].join(' '),
      })}
    />
  )
  const tabs = (
    <Choice
      isQuiet
      legend={text.views.label}
      values={views}
      labels={text.views}
      chosen={view}
      choose={setView}
    />
  )
  const whose = owners.size > 0 && (
    <Choice
      isQuiet
      legend={text.owners}
      values={['', ...owners.keys()]}
      labels={{ '': text.everyone, ...Object.fromEntries(owners) }}
      chosen={owners.has(owner) ? owner : ''}
      choose={setOwner}
    />
  )
  return (
    <ListPage
      title={text.title}
      none={text.none}
      count={todos?.length ?? null}
      problem={problem}
      form={[form, tabs, whose]}
    >
      {groupsOf(todos ?? [], Date.now()).map(([group, some], _, { length }) => (
        <section key={group} aria-label={text.groups[group]}>
          {length > 1 && <h2 class="small group">{text.groups[group]}</h2>}
          <ul>
            {some.map((todo) => (
              <Row key={todo.id} todo={todo} changed={changed} />
            ))}
          </ul>
        </section>
      ))}
      <Reminders todos={all.value?.todos ?? null} />
    </ListPage>
  )
}

const groups = ['overdue', 'today', 'later', 'someday', 'done'] as const
type Group = (typeof groups)[number]

/** To-dos by when they are due on this device's clock (C534), without empty groups. */
function groupsOf(todos: readonly TodoView[], now: number): [Group, TodoView[]][] {
  const tomorrow = new Date(now).setHours(24, 0, 0, 0)
  const groupOf = ({ doneAt, dueAt }: TodoView): Group => {
    if (doneAt !== null) return 'done'
    if (dueAt === null) return 'someday'
    if (dueAt < now) return 'overdue'
    return dueAt < tomorrow ? 'today' : 'later'
  }
  const filled = groups.map((group): [Group, TodoView[]] => [
    group,
    todos.filter((todo) => groupOf(todo) === group),
  ])
  return filled.filter(([, some]) => some.length > 0)
}

/** Option of the command for a field of its own. Other grammar goes into the text. */
const option = (name: string, value: string): string[] =>
  value.trim() === '' ? [] : [`--${name} "${value.trim().replaceAll('"', '')}"`]

function Row({ todo, changed }: { todo: TodoView; changed: () => Promise<void> }) {
  const { client, words } = usePage()
  const { busy, failed, send } = useRequest(changed)
  const [edited, setEdited] = useState<TodoView | null>(null)
  const what = useRef<HTMLButtonElement>(null)
  const { id, text, doneAt } = todo
  const path = `/api/todos/${id}`
  const close = (): void => {
    setEdited(null)
    // The text is drawn again only after this.
    setTimeout(() => what.current?.focus())
  }
  return (
    <li data-todo={id} class={doneAt === null ? 'entry' : 'entry done'}>
      <button
        type="button"
        class="check square"
        disabled={busy}
        aria-pressed={doneAt !== null}
        aria-label={words.todos.finish(text)}
        onClick={() => send('PATCH', path, { done: doneAt === null })}
      >
        {doneAt !== null && tick()}
      </button>
      <div class="body">
        {edited !== null ? (
          <EditTodo todo={edited} send={send} close={close} />
        ) : (
          <button
            type="button"
            class="quiet wide what"
            dir="auto"
            ref={what}
            aria-label={words.todos.edit(text)}
            onClick={() => setEdited(todo)}
          >
            {text}
          </button>
        )}
        <Facts todo={todo} />
        <Refusal text={failed} />
      </div>
      <IconButton
        icon={bin()}
        style="quiet"
        label={words.todos.remove(text)}
        disabled={busy}
        press={() =>
          client.removals.remove({ path, text: words.todos.removed(text), done: changed })
        }
      />
    </li>
  )
}

/** Facts about a to-do: its number, due day, reminder and labels. */
function Facts({ todo }: { todo: TodoView }) {
  const { state, words } = usePage()
  const { id, tag, priority, dueAt, doneAt, remindAt, reminded, owner } = todo
  const time = dateTime(state.language)
  const late = dueAt !== null && doneAt === null && dueAt < Date.now()
  return (
    <p class="row tight hint">
      <span>#{id}</span>
      {dueAt !== null && (
        <span class={late ? 'problem' : ''}>
          {late ? words.todos.overdue(time.format(dueAt)) : words.todos.due(time.format(dueAt))}
        </span>
      )}
      {remindAt !== null && doneAt === null && (
        <span class="reminder">
          {bell()}
          {reminded ? words.todos.reminded(time.format(remindAt)) : time.format(remindAt)}
        </span>
      )}
      {owner != null && <span>{words.todos.owner(owner.name)}</span>}
      {tag !== 'default' && <span class="tag">{tag}</span>}
      {priority > 0 && <span>{words.todos.priority(priority)}</span>}
    </p>
  )
}

const dueIn = ({ dueAt }: TodoView): string => (dueAt === null ? '' : wallTime(dueAt))

/** Change of a to-do to these words, which may hold whatever `/todo update` takes. */
function changeOf(todo: TodoView, [text = '', due = '']: readonly string[]) {
  const line = [
    ...(text === todo.text ? [] : [text]),
    ...(due === dueIn(todo) ? [] : option('due', due || 'none')),
  ]
  return { text: line.join(' '), seen: { text: todo.text, dueAt: todo.dueAt } }
}

/** Form that edits text and due day of a to-do. What was saved can be undone for a while (C565). */
function EditTodo(props: { todo: TodoView; send: Send; close: () => void }) {
  const { todo, send, close } = props
  const { client, words } = usePage()
  const path = `/api/todos/${todo.id}`
  const save = async (typed: readonly string[]): Promise<TodoView | null> => {
    const now = await send<TodoView>('PATCH', path, changeOf(todo, typed))
    if (now === null) return null
    client.removals.remove({
      path: `changed ${path}`,
      text: words.todos.changed(now.text),
      undo: () => send('PATCH', path, changeOf(now, [todo.text, dueIn(todo)])),
      done: async () => {},
    })
    return now
  }
  const fields = [
    { label: words.todos.what, value: todo.text },
    { label: words.todos.dueLabel, value: dueIn(todo), example: words.todos.dueExample },
  ]
  return <EditForm fields={fields} save={save} close={close} />
}

/** Coming reminders of to-dos and schedules, the next first. */
function Reminders({ todos }: { todos: readonly TodoView[] | null }) {
  const { state, words } = usePage()
  const { value } = useList<{ schedules: ScheduleView[] }>('/api/schedules')
  const coming = [
    ...(todos ?? []).flatMap(({ id, text, remindAt, doneAt, reminded }) =>
      remindAt === null || doneAt !== null || reminded
        ? []
        : [{ key: `t${id}`, at: remindAt, text }],
    ),
    ...(value?.schedules ?? []).flatMap(({ id, title, remindAt }) =>
      remindAt === null ? [] : [{ key: `s${id}`, at: remindAt, text: title }],
    ),
  ].sort((a, b) => a.at - b.at)
  if (coming.length === 0) return null
  const time = dateTime(state.language)
  return (
    <section class="reminders" aria-label={words.todos.reminders}>
      <h2>{words.todos.reminders}</h2>
      <ul class="stack">
        {coming.map(({ key, at, text }) => (
          <li key={key} class="row">
            {bell()}
            <Time at={at}>{time.format(at)}</Time>
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
