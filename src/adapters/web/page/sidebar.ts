import { html } from 'htm/preact'
import type { ConversationLine } from '../views.ts'
import { usePage } from './context.ts'
import { clew, clock, list, mark, person, plus } from './icons.ts'
import { hashOf } from './route.ts'
import { shortTime } from './time.ts'

/** All threads, newest first, and who sits here. */
export function Sidebar({ openSettings }: { openSettings: () => void }) {
  const { state, words } = usePage()
  const { conversations, route } = state
  return html`<aside class="sidebar">
    <header>
      <a class="brand" href="#/" aria-label="Clew">${clew(30)}<span>Clew</span></a>
      <${Rehearsal} />
      <a class="button new" href="#/new" aria-current=${route.view === 'new' || route.view === 'list' ? 'page' : undefined}>${plus()}<span>${words.newThread}</span></a>
    </header>
    <${Places} />
    <nav aria-label=${words.threads}>
      ${conversations === null && html`<p class="hint">${words.loading}</p>`}
      ${conversations?.length === 0 && html`<p class="hint">${words.noThreads}</p>`}
      <ul>${conversations?.map((line) => html`<${Line} key=${line.id} line=${line} />`)}</ul>
    </nav>
    <footer><button type="button" class="quiet who" onClick=${openSettings} title=${words.actions.settings}>
      ${person()}<span>${state.person.name || words.you}</span><small>${words.languageName}</small>
    </button></footer>
  </aside>`
}

/** The lists beside the threads. */
export function Places() {
  const { state, words } = usePage()
  const lists = [
    { view: 'schedules', icon: clock() },
    { view: 'todos', icon: list() },
    { view: 'memory', icon: mark() },
  ] as const
  return html`<ul class="lists row small">${lists.map(
    ({ view, icon }) => html`<li key=${view}>
      <a class="nav-link" href=${hashOf({ view })} aria-current=${state.route.view === view ? 'page' : undefined}>${icon}<span>${words[view].title}</span></a></li>`,
  )}</ul>`
}

function Line({ line }: { line: ConversationLine }) {
  const { state, words } = usePage()
  const here = state.route.view === 'thread' && state.route.id === line.id
  // Whoever looks at a thread has read it; the server hears of it a moment later.
  const unread = line.unread && !here
  return html`<li><a href=${hashOf({ view: 'thread', id: line.id })} class=${unread ? 'nav-link line unread' : 'nav-link line'} aria-current=${here ? 'page' : undefined}>
    <span class="title one-line">${line.title || words.untitled}</span>
    <time datetime=${new Date(line.updatedAt).toISOString()}>${shortTime(line.updatedAt, Date.now(), state.language)}</time>
    <span class="last one-line small">${line.status !== null && html`<${Dot} status=${line.status} />`}${line.lastLine}</span>
    ${unread && html`<span class="dot mark"><span class="hidden">${words.unread}</span></span>`}
  </a></li>`
}

/** A run's state as a dot; its name is there for those who do not see colours. */
export function Dot({ status }: { status: ConversationLine['status'] }) {
  const { words } = usePage()
  if (status === null) return null
  return html`<span class="dot" data-status=${status} title=${words.statuses[status]}><span class="hidden">${words.statuses[status]}</span></span>`
}

/** Says that no model is connected, and how to connect one. */
function Rehearsal() {
  const { state, words } = usePage()
  if (state.health?.model.rehearsal !== true) return null
  return html`<details class="rehearsal"><summary class="tag waiting">${words.rehearsal.badge}</summary>
    <div class="card stack small"><p>${words.rehearsal.text}</p><p>${words.rehearsal.how}</p></div></details>`
}
