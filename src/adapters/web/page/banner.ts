import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { cross } from './icons.ts'

/** Says that Clew or its store is away, once that has lasted long enough to matter, and goes by itself. */
export function Banner() {
  const { state, words } = usePage()
  const { connection } = state
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (connection === 'ok') return setLasting(false)
    const timer = setTimeout(() => setLasting(true), 1_200)
    return () => clearTimeout(timer)
  }, [connection])
  const shown = lasting && connection !== 'ok'
  return html`<div role="status" class="banner-place">${
    shown &&
    html`<p class="center waiting small">${connection === 'store' ? words.banner.store : words.banner.offline}</p>`
  }</div>`
}

/** Lines for this person only. */
export function Notes() {
  const { client, state, words } = usePage()
  return html`<div class="notes stack" role="status">${state.notes.map(
    (note) => html`<div class="card" key=${note.id}>
      <small>${words.onlyYou}</small>
      <p>${note.text}</p>
      <button type="button" class="quiet square" onClick=${() => client.dismiss(note.id)} aria-label=${words.actions.close}>${cross()}</button>
    </div>`,
  )}</div>`
}
