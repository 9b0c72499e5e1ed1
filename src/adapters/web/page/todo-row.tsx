import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { present } from '../../../agent/domain/present.ts'
import type { TodoView } from '../views.ts'
import { type Send, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, IconButton } from './controls.tsx'
import { bell, bin, tick } from './icons.tsx'
import { keeper } from './kept.ts'
import { EditForm, focusNext, Refusal } from './list-page.tsx'
import { dateTime, typedTime } from './time.ts'
import { dueOf, dueText, dueTyped } from './todo-days.ts'

/** Option of the command for a field of its own. Other grammar goes into the text. */
export const option = (name: string, value: string): string[] =>
  value.trim() === '' ? [] : [`--${name} "${value.trim().replaceAll('"', '')}"`]

const useEdited = keeper<TodoView | null>()

interface RowProps {
  todo: TodoView
  /** It was added here just now. */
  isNew: boolean
  /** The address names it. */
  isSought: boolean
  /** It was ticked here, and stays in its place. */
  isHeld: boolean
  hold: () => void
  changed: () => Promise<void>
}

export function TodoRow({ todo, isNew, isSought, isHeld, hold, changed }: RowProps) {
  const { client, state, words } = usePage()
  const { failed, send, forget } = useRequest(changed)
  const { id, text, doneAt } = todo
  const path = `/api/todos/${id}`
  const { value: edited, keep, drop } = useEdited(path, null)
  const row = useRef<HTMLLIElement>(null)
  const what = useRef<HTMLButtonElement>(null)
  const isEdited = edited !== null
  const wasEdited = useRef(isEdited)
  useLayoutEffect(() => {
    if (wasEdited.current && !isEdited) what.current?.focus()
    wasEdited.current = isEdited
  }, [isEdited])
  useEffect(() => {
    if (isNew) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])
  useEffect(() => {
    if (isSought) what.current?.focus()
  }, [isSought])
  const isDone = doneAt !== null
  const isLeaving = state.leaving.some((one) => one.path === path)
  const mark = ({ detail }: MouseEvent) => {
    // The second press of a double tap is no change of mind.
    if (detail > 1) return
    hold()
    void send('PATCH', path, { done: !isDone })
  }
  const close = () => {
    drop()
    forget()
  }
  const looks = present([
    'entry',
    isDone && 'done',
    isLeaving && 'leaving',
    (isNew || isSought) && 'new',
  ])
  return (
    <li ref={row} data-todo={id} class={looks.join(' ')} inert={isLeaving} aria-hidden={isLeaving}>
      <button
        type="button"
        class="check square"
        aria-pressed={isDone}
        aria-label={words.todos.finish(text)}
        onClick={mark}
      >
        {isDone && tick}
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
            onClick={() => keep(() => todo)}
          >
            {text}
          </button>
        )}
        <Facts todo={todo} />
        <Refusal text={failed} />
      </div>
      {isHeld && isDone && <Button class="quiet" onClick={mark} label={words.undo} />}
      <IconButton
        icon={bin}
        style="quiet square remove"
        label={words.todos.remove(text)}
        onClick={({ currentTarget }) => {
          focusNext(currentTarget, 'remove')
          client.removals.remove({ path, text: words.todos.removed(text), done: changed })
        }}
      />
    </li>
  )
}

/** Facts about a to-do: its number, due day, reminder and labels. */
function Facts({ todo }: { todo: TodoView }) {
  const { state, words } = usePage()
  const { id, tag, priority, doneAt, remindAt, reminded, owner } = todo
  const due = dueOf(todo)
  const shown = dueText(todo, state.language)
  const late = due !== null && doneAt === null && due < Date.now()
  return (
    <p class="row tight hint">
      <span>#{id}</span>
      {due !== null && (
        <span class={late ? 'problem' : ''}>
          {late ? words.todos.overdue(shown) : words.todos.due(shown)}
        </span>
      )}
      {remindAt !== null && doneAt === null && (
        <span class="reminder">
          {bell}
          {reminded
            ? words.todos.reminded(dateTime(remindAt, state.language))
            : dateTime(remindAt, state.language)}
        </span>
      )}
      {owner != null && (
        <span>
          {owner.id === state.person.id ? words.todos.mine : words.todos.owner(owner.name)}
        </span>
      )}
      {tag !== 'default' && <span class="tag">{tag}</span>}
      {priority > 0 && <span>{words.todos.priority(priority)}</span>}
    </p>
  )
}

const remindTyped = ({ remindAt }: TodoView, language: string) =>
  remindAt === null ? '' : typedTime(remindAt, language)

/** Change of a to-do to these words, which may hold whatever `/todo update` takes. */
function changeOf(todo: TodoView, typed: readonly string[], before: readonly string[]) {
  const [text = '', ...values] = typed
  const names = ['due', 'remind', 'owner']
  const line = present([
    text !== todo.text && text,
    ...names.flatMap((name, place) => {
      const value = values[place] ?? ''
      return value === before[place + 1] ? [] : option(name, value || 'none')
    }),
  ])
  return { text: line.join(' '), seen: { text: todo.text, dueAt: todo.dueAt } }
}

/** Form that edits a to-do. What was saved can be undone for a while (C565). */
function EditTodo(props: { todo: TodoView; send: Send; close: () => void }) {
  const { todo, send, close } = props
  const { client, state, words } = usePage()
  const { todos: text } = words
  const path = `/api/todos/${todo.id}`
  const typedOf = (one: TodoView): string[] => [
    one.text,
    dueTyped(one, state.language),
    remindTyped(one, state.language),
    one.owner?.id === state.person.id ? text.me : (one.owner?.name ?? ''),
  ]
  const save = async (typed: readonly string[]) => {
    const now = await send<TodoView>('PATCH', path, changeOf(todo, typed, typedOf(todo)))
    if (now === null) return null
    client.removals.remove({
      path: `changed ${path}`,
      text: text.changed(now.text),
      undo: () => send('PATCH', path, changeOf(now, typedOf(todo), typedOf(now))),
      done: async () => {},
    })
    return now
  }
  const [what = '', due = '', remind = '', owner = ''] = typedOf(todo)
  const fields = [
    { label: text.what, value: what },
    { label: text.dueLabel, value: due, example: text.dueExample, isTime: 'once' as const },
    {
      label: text.remindLabel,
      value: remind,
      example: text.remindExample,
      isTime: 'once' as const,
    },
    { label: text.ownerLabel, value: owner, example: text.me },
  ]
  return <EditForm name={path} fields={fields} save={save} close={close} />
}
