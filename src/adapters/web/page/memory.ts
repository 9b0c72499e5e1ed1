import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { MemoryView } from '../routes/memory.ts'
import { useClient } from './context.ts'
import { back } from './icons.ts'
import { hashOf } from './route.ts'
import { typedIn } from './settings.ts'
import { fullTime } from './time.ts'
import { useWords } from './words.ts'
import { useGesture, useListed } from './work.ts'

/** Everything that is remembered: what waits to be decided, what holds, and what was taken back. */
export function Memory(): VNode {
  const words = useWords()
  const { state } = useClient()
  const path = `/api/memory?author=${encodeURIComponent(state.person.id)}`
  const { value, problem, refresh } = useListed<{ memory: MemoryView[] }>(path)
  const all = value?.memory ?? null
  const parts = {
    pending: all?.filter(({ status }) => status === 'pending') ?? [],
    active: all?.filter(({ status }) => status === 'active') ?? [],
    gone: all?.filter(({ status }) => status === 'revoked' || status === 'archived') ?? [],
  }
  return html`<section class="thread work" aria-label=${words.memory.title}>
    <header class="bar"><a class="nav-link square only-small" href="#/" aria-label=${words.back}>${back()}</a><h1>${words.memory.title}</h1></header>
    <div class="scroll"><div class="sheet">
      <${Add} added=${refresh} />
      ${all === null && html`<p class="hint center">${problem ?? words.loading}</p>`}
      ${all?.length === 0 && html`<p class="hint center">${words.memory.none}</p>`}
      ${(['pending', 'active', 'gone'] as const).map(
        (name) =>
          parts[name].length > 0 &&
          html`<section key=${name} data-part=${name} aria-label=${words.memory.parts[name]}><h2>${words.memory.parts[name]}</h2>
            <ul>${parts[name].map((one) => html`<${Row} key=${`${one.conversationId} ${one.name}`} one=${one} changed=${refresh} />`)}</ul></section>`,
      )}
    </div></div>
  </section>`
}

function Add({ added }: { added: () => Promise<void> }): VNode {
  const words = useWords()
  const [text, setText] = useState('')
  const { busy, failed, send } = useGesture(added)
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '' || busy) return
    const line = / --scope\b/.test(text) ? text.trim() : `${text.trim()} --scope team`
    if ((await send('POST', '/api/memory', { text: line })) !== null) setText('')
  }
  return html`<form class="card add stack" onSubmit=${add}>
    <div class="fields">
      <label><span class="small">${words.memory.what}</span>
        <input value=${text} placeholder=${words.memory.example} onInput=${(event: InputEvent) => setText(typedIn(event))} /></label>
      <button class="primary" disabled=${busy || text.trim() === ''}>${words.memory.add}</button>
    </div>
    <p class=${failed === null ? 'hint' : 'hint problem'} role="status">${failed ?? words.memory.hint}</p>
  </form>`
}

const verbs = {
  pending: ['accept', 'reject'],
  active: ['forget'],
  revoked: ['restore'],
  archived: ['restore'],
} as const

function Row({ one, changed }: { one: MemoryView; changed: () => Promise<void> }): VNode {
  const { state } = useClient()
  const words = useWords()
  const { busy, failed, send } = useGesture(changed)
  const { name, scope, key, text, status, conversationId, thread, at, by, sourceId } = one
  const open = status in verbs ? verbs[status as keyof typeof verbs] : []
  const press = (verb: string) =>
    send('POST', `/api/memory/${name}/${verb}`, conversationId === null ? {} : { conversationId })
  return html`<li data-memory=${name} class="entry">
    <div class="body"><p class="what" dir="auto">${key !== null && html`<strong>${key}</strong>${words.colon}`}${text}</p>
      <p class="row tight hint"><span>${name}</span>
        <span>${scope === 'thread' && thread !== null ? words.memory.inThread(thread || words.untitled) : words.memory.scopes[scope]}</span>
        <time datetime=${new Date(at).toISOString()}>${by === null ? '' : `${by} · `}${fullTime(at, state.language)}</time>
        ${sourceId !== null && html`<a href=${hashOf({ view: 'thread', id: sourceId })}>${words.memory.source}</a>`}
      </p>
      ${failed !== null && html`<p class="hint problem" role="alert">${failed}</p>`}
    </div>
    <div class="row">${open.map(
      (verb) =>
        html`<button type="button" key=${verb} class=${verb === 'accept' ? 'primary' : 'quiet'} disabled=${busy} aria-label=${words.memory.press[verb](text)} onClick=${() => press(verb)}>${words.memory.verbs[verb]}</button>`,
    )}</div>
  </li>`
}
