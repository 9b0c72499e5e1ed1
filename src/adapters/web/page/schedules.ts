import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { ScheduleView } from '../render-schedules.ts'
import { useClient } from './context.ts'
import { back } from './icons.ts'
import { ScheduleCard } from './schedule-card.ts'
import { typedIn } from './settings.ts'
import { useWords } from './words.ts'
import { useGesture, useListed, withoutCommand } from './work.ts'

/** Everything that starts by itself: what comes next, what became of it, and a line to add more. */
export function Schedules(): VNode {
  const words = useWords()
  const { value, problem, refresh } = useListed<{ schedules: ScheduleView[] }>('/api/schedules')
  const schedules = value?.schedules ?? null
  return html`<section class="thread work" aria-label=${words.schedules.title}>
    <header class="bar"><a class="nav-link square only-small" href="#/" aria-label=${words.back}>${back()}</a><h1>${words.schedules.title}</h1></header>
    <div class="scroll"><div class="sheet">
      <${Add} added=${refresh} />
      ${schedules === null && html`<p class="hint center">${problem ?? words.loading}</p>`}
      ${schedules?.length === 0 && html`<p class="hint center">${words.schedules.none}</p>`}
      <ul class="stack">${schedules?.map((schedule) => html`<${ScheduleCard} key=${schedule.id} schedule=${schedule} changed=${refresh} />`)}</ul>
      ${[...new Set(schedules?.map(({ clockRule }) => clockRule))].map((rule) => html`<p class="hint" key=${rule}>${rule}</p>`)}
    </div></div>
  </section>`
}

interface Added {
  schedule: ScheduleView
}

/** When in words or cron, and what; the answer says what was understood. */
function Add({ added }: { added: () => Promise<void> }): VNode {
  const { state } = useClient()
  const words = useWords()
  const [when, setWhen] = useState('')
  const [title, setTitle] = useState('')
  const { busy, failed, send } = useGesture(added)
  const [understood, setUnderstood] = useState<ScheduleView | null>(null)

  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    const text = [when, title].map((part) => part.trim()).filter((part) => part !== '')
    if (text.length === 0 || busy) return
    const body = text.length === 2 ? { when: when.trim(), title: title.trim() } : { text: text[0] }
    const answer = await send<Added>('POST', '/api/schedules', body)
    setUnderstood(answer?.schedule ?? null)
    if (answer === null) return
    // What was typed meanwhile stays.
    setWhen((now) => (now === when ? '' : now))
    setTitle((now) => (now === title ? '' : now))
  }
  return html`<form class="card add stack" onSubmit=${add}>
    <div class="fields">
      <label><span class="small">${words.schedules.when}</span>
        <input value=${when} placeholder=${words.schedules.whenExample} onInput=${(event: InputEvent) => setWhen(typedIn(event))} /></label>
      <label><span class="small">${words.schedules.what}</span>
        <input value=${title} placeholder=${words.schedules.whatExample} onInput=${(event: InputEvent) => setTitle(typedIn(event))} /></label>
      <button class="primary" disabled=${busy || `${when}${title}`.trim() === ''}>${words.schedules.add}</button>
    </div>
    <p class=${failed === null ? 'hint' : 'hint problem'} role="status">${
      failed !== null
        ? withoutCommand(failed)
        : understood === null
          ? words.schedules.hint
          : words.schedules.understood(understood.rule, nextOf(understood, state.language))
    }</p>
  </form>`
}

const nextOf = ({ next, timeZone }: ScheduleView, language: string): string =>
  next[0] === undefined
    ? ''
    : new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(next[0])
