import { html } from 'htm/preact'
import type { ConversationLine } from '../views.ts'
import { usePage } from './context.ts'
import { clew, clock, list, mark, person, plus } from './icons.ts'
import { Needs } from './needs.ts'
import { hashOf, routeTo } from './route.ts'
import { shortTime } from './time.ts'

/** All threads, newest first, and who sits here. */
export function Sidebar({ openSettings }: { openSettings: () => void }) {
  const { client, state, words } = usePage()
  const { conversations, route } = state
  return html`<aside class="sidebar">
    <header>
      <a class="brand" href="#/" aria-label="Clew">${clew(30)}<span>Clew</span></a>
      <${Rehearsal} />
      <a class="button new" href="#/new" onClick=${writeHere} aria-current=${route.view === 'new' || route.view === 'list' ? 'page' : undefined}>${plus()}<span>${words.newThread}</span></a>
    </header>
    <${Places} />
    <nav aria-label=${words.threads}>
      <${Needs} />
      ${conversations === null && html`<p class="hint">${words.loading}</p>`}
      ${conversations?.length === 0 && html`<p class="hint">${words.noThreads}</p>`}
      ${(['needs_you', 'working', 'done'] as const).map((group) => html`<${Group} key=${group} group=${group} />`)}
      ${state.hasOlder && html`<button type="button" class="quiet" onClick=${client.older}>${words.olderThreads}</button>`}
    </nav>
    <footer><button type="button" class="quiet who" onClick=${openSettings} title=${words.actions.settings}>
      ${person()}<span>${state.person.name || words.you}</span><small>${words.languageName}</small>
    </button></footer>
  </aside>`
}

/** The address may be there already; then nothing else moves the focus (C193). */
const writeHere = (): void => void setTimeout(() => document.querySelector<HTMLElement>('.start textarea')?.focus(), 50)

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

/** The threads of one group (C192); its name is said where there are others. */
function Group({ group }: { group: ConversationLine['group'] }) {
  const { state, words } = usePage()
  const lines = state.conversations?.filter((line) => line.group === group) ?? []
  if (lines.length === 0) return null
  const isOnly = lines.length === state.conversations?.length
  return html`<section data-group=${group} aria-label=${words.groups[group]}>${!isOnly && html`<h2 class="small group">${words.groups[group]}</h2>`}
    <ul>${lines.map((line) => html`<${Line} key=${line.id} line=${line} />`)}</ul></section>`
}

function Line({ line }: { line: ConversationLine }) {
  const { state, words } = usePage()
  const here = state.route.view === 'thread' && state.route.id === line.id
  const [platform = ''] = line.workspace.split(':')
  // A thread that somebody looks at is read; the server hears of it a moment later.
  const unread = line.unread && !here
  return html`<li><a href=${hashOf(routeTo(line.workspace, line.id))} class=${unread ? 'nav-link line unread' : 'nav-link line'} aria-current=${here ? 'page' : undefined}>
    <span class="title one-line">${line.title || words.untitled}</span>
    <time datetime=${new Date(line.updatedAt).toISOString()}>${shortTime(line.updatedAt, Date.now(), state.language)}</time>
    <span class="last one-line small">${line.status !== null && html`<${Dot} status=${line.status} />`}${platform !== 'web' && html`<span class="platform">${platform}</span> · `}${line.lastLine}</span>
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
