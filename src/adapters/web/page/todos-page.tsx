import { useState } from 'preact/hooks'
import { present } from '../../../agent/domain/present.ts'
import type { ScheduleView, TodoView } from '../views.ts'
import { useList } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Choice, Time } from './controls.tsx'
import { bell } from './icons.tsx'
import { AddForm, ListPage, Refusal } from './list-page.tsx'
import { askedBy } from './route.ts'
import {
  bySoonest,
  dueOf,
  dueText,
  type Group,
  groupOf,
  groups,
  isInView,
  type View,
  views,
} from './todo-days.ts'
import { option, TodoRow } from './todo-row.tsx'

/** Page of the to-dos by view, with a form to add one and the coming reminders. */
export function Todos() {
  const { state, words } = usePage()
  const { todos: text } = words
  const { route } = state
  const sought = route.view === 'todos' ? route.todo : null
  const [view, setView] = useState<View>('all')
  const [owner, setOwner] = useState('')
  // Rows that were ticked here stay where they are, whatever the view (C620).
  const [held, hold] = useState<ReadonlyMap<number, Group>>(new Map())
  const [added, setAdded] = useState<number | null>(null)
  const { value, problem, refresh } = useList<{ todos: TodoView[] }>(
    askedBy('/api/todos?view=all', state.person),
  )
  const all = value?.todos ?? null
  const owners = new Map(all?.flatMap((one) => (one.owner ? [[one.owner.id, one.owner.name]] : [])))
  const now = Date.now()
  const placeOf = (todo: TodoView): Group => held.get(todo.id) ?? groupOf(todo, now)
  const isShown = (todo: TodoView) =>
    (!owners.has(owner) || todo.owner?.id === owner) &&
    (held.has(todo.id) || isInView(view, todo, placeOf(todo), state.person.id))
  const shown = all?.filter(isShown).toSorted(bySoonest) ?? null
  const show = (next: View) => {
    setView(next)
    hold(new Map())
  }
  const form = (
    <Add
      added={async (todo) => {
        await refresh()
        if (todo === null) return
        show('all')
        setOwner('')
        setAdded(todo.id)
      }}
    />
  )
  const tabs = (
    <Choice
      isQuiet
      legend={text.views.label}
      values={views}
      labels={text.views}
      chosen={view}
      choose={show}
    />
  )
  const whose = owners.size > 1 && (
    <Choice
      isQuiet
      legend={text.owners}
      values={['', ...owners.keys()]}
      labels={{ '': text.everyone, ...Object.fromEntries(owners), [state.person.id]: text.mine }}
      chosen={owners.has(owner) ? owner : ''}
      choose={setOwner}
    />
  )
  const filled = groups
    .map((group): [Group, TodoView[]] => [
      group,
      (shown ?? []).filter((todo) => placeOf(todo) === group),
    ])
    .filter(([, some]) => some.length > 0)
  return (
    <ListPage
      title={text.title}
      none={text.none}
      count={shown?.length ?? null}
      problem={problem}
      form={[form, tabs, whose]}
    >
      {all?.some(({ id }) => id === sought) === false && sought !== null && (
        <Refusal text={words.errors.unknown_todo} />
      )}
      {filled.map(([group, some], _, { length }) => (
        <section key={group} aria-label={text.groups[group]}>
          {(length > 1 || view === 'all') && <h2 class="small group">{text.groups[group]}</h2>}
          <ul>
            {some.map((todo) => (
              <TodoRow
                key={todo.id}
                todo={todo}
                isNew={todo.id === added}
                isSought={todo.id === sought}
                isHeld={held.has(todo.id)}
                hold={() => hold(new Map(held).set(todo.id, group))}
                changed={refresh}
              />
            ))}
          </ul>
        </section>
      ))}
      <Reminders todos={all} />
    </ListPage>
  )
}

/** Form for a new to-do, which belongs to the person who adds it (C620). */
function Add({ added }: { added: (todo: TodoView | null) => Promise<void> }) {
  const { state, words } = usePage()
  const { todos: text } = words
  return (
    <AddForm
      path="/api/todos"
      button={text.add}
      hint={text.hint}
      fields={[
        { label: text.what, example: text.example },
        { label: text.dueLabel, example: text.dueExample, isTime: 'once' },
        { label: text.remindLabel, example: text.remindExample, isTime: 'once' },
      ]}
      isReady={([what = '']) => what.trim() !== ''}
      body={([what = '', due = '', remind = '']) => ({
        text: present([
          ...option('due', due),
          ...option('remind', remind),
          !/(?:^| )--(?:owner|o|for|who)\b/.test(what) && '--owner me',
          what,
        ]).join(' '),
      })}
      confirm={({ todo }: { todo: TodoView }) =>
        text.added(todo.text, dueOf(todo) === null ? null : dueText(todo, state.language))
      }
      added={(answer: { todo: TodoView } | null) => added(answer?.todo ?? null)}
    />
  )
}

/** Coming reminders of to-dos and schedules, the next first. */
function Reminders({ todos }: { todos: readonly TodoView[] | null }) {
  const { words } = usePage()
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
  return (
    <section class="reminders" aria-label={words.todos.reminders}>
      <h2>{words.todos.reminders}</h2>
      <ul class="stack">
        {coming.map(({ key, at, text }) => (
          <li key={key} class="row">
            {bell}
            <Time at={at} />
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
