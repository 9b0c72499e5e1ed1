import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { ScheduleView, TodoView } from '../render-schedules.ts'
import { useClient } from './context.ts'
import { back, bell, bin, tick } from './icons.ts'
import { typedIn } from './settings.ts'
import { useWords } from './words.ts'
import { useGesture, useListed, withoutCommand } from './work.ts'

const views = ['all', 'today', 'overdue', 'upcoming', 'inbox'] as const
type View = (typeof views)[number]

/** The to-dos by view, a line to add one, and the reminders that are to come. */
export function Todos(): VNode {
  const words = useWords()
  const [view, setView] = useState<View>('all')
  const { value, problem, refresh } = useListed<{ todos: TodoView[] }>(`/api/todos?view=${view}`)
  // Reminders are of all of them, whatever view is looked at.
  const all = useListed<{ todos: TodoView[] }>('/api/todos?view=all')
  const changed = async (): Promise<void> => void (await Promise.all([refresh(), all.refresh()]))
  const todos = value?.todos ?? null
  return html`<section class="thread work" aria-label=${words.todos.title}>
    <header class="bar"><a class="nav-link square only-small" href="#/" aria-label=${words.back}>${back()}</a><h1>${words.todos.title}</h1></header>
    <div class="scroll"><div class="sheet">
      <${Add} added=${changed} />
      <div class="row tight" role="group" aria-label=${words.todos.views.label}>${views.map(
        (name) =>
          html`<button type="button" key=${name} class="quiet" aria-pressed=${name === view} onClick=${() => setView(name)}>${words.todos.views[name]}</button>`,
      )}</div>
      ${todos === null && html`<p class="hint center">${problem ?? words.loading}</p>`}
      ${todos?.length === 0 && html`<p class="hint center">${words.todos.none}</p>`}
      <ul>${todos?.map((todo) => html`<${Row} key=${todo.id} todo=${todo} changed=${changed} />`)}</ul>
      <${Reminders} todos=${all.value?.todos ?? null} />
    </div></div>
  </section>`
}

/** What, and if it has a date, until when and when to be reminded; the rest of the grammar goes into the text. */
function Add({ added }: { added: () => Promise<void> }): VNode {
  const words = useWords()
  const [text, setText] = useState('')
  const [due, setDue] = useState('')
  const [remind, setRemind] = useState('')
  const { busy, failed, send } = useGesture(added)
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '' || busy) return
    const line = [text.trim(), ...option('due', due), ...option('remind', remind)].join(' ')
    if ((await send('POST', '/api/todos', { text: line })) === null) return
    // What was typed meanwhile stays.
    setText((now) => (now === text ? '' : now))
    setDue((now) => (now === due ? '' : now))
    setRemind((now) => (now === remind ? '' : now))
  }
  return html`<form class="card add stack" onSubmit=${add}>
    <div class="fields">
      <label><span class="small">${words.todos.what}</span>
        <input value=${text} placeholder=${words.todos.example} onInput=${(event: InputEvent) => setText(typedIn(event))} /></label>
      <label><span class="small">${words.todos.dueLabel}</span>
        <input value=${due} placeholder=${words.todos.dueExample} onInput=${(event: InputEvent) => setDue(typedIn(event))} /></label>
      <label><span class="small">${words.todos.remindLabel}</span>
        <input value=${remind} placeholder=${words.todos.remindExample} onInput=${(event: InputEvent) => setRemind(typedIn(event))} /></label>
      <button class="primary" disabled=${busy || text.trim() === ''}>${words.todos.add}</button>
    </div>
    <p class=${failed === null ? 'hint' : 'hint problem'} role="status">${failed === null ? words.todos.hint : withoutCommand(failed)}</p>
  </form>`
}

const option = (name: string, value: string): string[] =>
  value.trim() === '' ? [] : [`--${name} "${value.trim().replaceAll('"', '')}"`]

function Row({ todo, changed }: { todo: TodoView; changed: () => Promise<void> }): VNode {
  const { state } = useClient()
  const words = useWords()
  const { busy, failed, send } = useGesture(changed)
  const { id, text, tag, priority, dueAt, doneAt, remindAt, reminded } = todo
  const time = timesOf(state.language)
  const late = dueAt !== null && doneAt === null && dueAt < Date.now()
  return html`<li data-todo=${id} class=${doneAt === null ? 'entry' : 'entry done'}>
    <button type="button" class="check square" disabled=${busy || doneAt !== null} aria-pressed=${doneAt !== null} aria-label=${words.todos.finish(text)} onClick=${() => send('PATCH', `/api/todos/${id}`, { done: true })}>${doneAt !== null && tick()}</button>
    <div class="body"><p class="what" dir="auto">${text}</p>
      <p class="row tight hint"><span>#${id}</span>
        ${dueAt !== null && html`<span class=${late ? 'problem' : ''}>${late ? words.todos.overdue(time.format(dueAt)) : words.todos.due(time.format(dueAt))}</span>`}
        ${remindAt !== null && doneAt === null && html`<span class="reminder">${bell()}${reminded ? words.todos.reminded(time.format(remindAt)) : time.format(remindAt)}</span>`}
        ${tag !== 'default' && html`<span class="tag">${tag}</span>`}
        ${priority > 0 && html`<span>${words.todos.priority(priority)}</span>`}
      </p>
      ${failed !== null && html`<p class="hint problem" role="alert">${failed}</p>`}
    </div>
    <button type="button" class="quiet" disabled=${busy} aria-label=${words.todos.remove(text)} title=${words.todos.remove(text)} onClick=${() => confirm(words.todos.sure(text)) && send('DELETE', `/api/todos/${id}`)}>${bin()}</button>
  </li>`
}

/** What will be said by itself, the next first: of to-dos and of schedules. */
function Reminders({ todos }: { todos: readonly TodoView[] | null }): VNode | null {
  const { state } = useClient()
  const words = useWords()
  const { value } = useListed<{ schedules: ScheduleView[] }>('/api/schedules')
  const coming = [
    ...(todos ?? []).flatMap(({ id, text, remindAt, doneAt, reminded }) =>
      remindAt === null || doneAt !== null || reminded ? [] : [{ key: `t${id}`, at: remindAt, text }],
    ),
    ...(value?.schedules ?? []).flatMap(({ id, title, remindAt }) =>
      remindAt === null ? [] : [{ key: `s${id}`, at: remindAt, text: title }],
    ),
  ].sort((a, b) => a.at - b.at)
  if (coming.length === 0) return null
  const time = timesOf(state.language)
  return html`<section class="reminders" aria-label=${words.todos.reminders}><h2>${words.todos.reminders}</h2>
    <ul class="stack">${coming.map(({ key, at, text }) => html`<li key=${key} class="row">${bell()}<time datetime=${new Date(at).toISOString()}>${time.format(at)}</time><span dir="auto">${text}</span></li>`)}</ul>
  </section>`
}

const timesOf = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
