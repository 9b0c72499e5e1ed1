import { html } from 'htm/preact'
import type { ConversationView } from '../views.ts'
import { usePage } from './context.ts'
import { go, stop } from './icons.ts'
import { Dot } from './line.ts'
import { isLive, nowLine } from './plan.ts'

/** Above the box, always in sight while a run lives: how far it is, and the buttons to stop or continue it. */
export function Dock({ view }: { view: ConversationView }) {
  const { client, state, words } = usePage()
  const run = view.run
  if (run === null) return null
  const progress = state.live[run.id] ?? run.progress ?? null
  const status = state.live[run.id]?.status ?? run.status
  if (!isLive(status)) return null

  const items = progress?.items ?? []
  const current = items[progress?.index ?? 0]
  const pressed = state.pressed[run.id]
  const line = lineOf()
  function lineOf(): string {
    if (status === 'running' && current !== undefined) return current.text
    return status === 'paused' ? words.statuses.paused : nowLine(progress, status, words)
  }
  return html`<div class="dock small" data-status=${status}>
    <${Dot} status=${status} />
    <p class="one-line">${items.length > 0 && html`<strong>${words.plan.step(Math.min((progress?.index ?? 0) + 1, items.length), items.length)}</strong>`}<span dir="auto">${line}</span></p>
    ${
      status === 'paused' &&
      html`<button type="button" class="primary" disabled=${pressed !== undefined} onClick=${() => client.control(run.id, 'continue')}>${go()}${words.actions.continue}</button>`
    }
    <button type="button" class="stop" disabled=${pressed !== undefined} onClick=${() => client.control(run.id, 'cancel')}>${stop()}<span>${pressed === 'cancel' ? words.actions.stopping : words.actions.stop}</span></button>
  </div>`
}
