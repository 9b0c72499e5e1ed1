import { nameOf } from '../names.ts'
import type { FeedbackView } from '../views.ts'
import { useList } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Time } from './controls.tsx'
import { Loading } from './list-page.tsx'

/** C738: how often the forecasts of tasks held. */
export function Forecasts() {
  const { costs: words } = usePage().words
  const { value } = useList<{ forecasts: number; inside: number }>('/api/forecasts')
  if (value === null) return null
  const { forecasts, inside } = value
  return (
    <section class="stack" aria-label={words.forecasts.title}>
      <h2>{words.forecasts.title}</h2>
      <p class="hint">
        {forecasts === 0
          ? words.forecasts.none
          : words.forecasts.held(inside, forecasts, Math.round((100 * inside) / forecasts))}
      </p>
    </section>
  )
}

/** C731: what people think of reports, newest first, with their reasons. */
export function Votes() {
  const { state, words } = usePage()
  const { opinion } = words
  const { value, problem } = useList<{ feedback: FeedbackView[] }>('/api/feedback')
  return (
    <section class="stack" aria-label={opinion.votes}>
      <h2>{opinion.votes}</h2>
      {value === null && <Loading problem={problem} />}
      {value?.feedback.length === 0 && <p class="hint">{opinion.noVotes}</p>}
      <ul class="stack">
        {value?.feedback.map(({ runId, title, author, good, reason, words: own, at }) => (
          <li key={`${runId} ${author.id}`} dir="auto">
            {good ? '👍' : '👎'} <strong>{title}</strong>
            <span class="small">
              {[reason === undefined ? '' : opinion.reasons[reason], own ?? '']
                .filter((text) => text !== '')
                .map((text) => ` · ${text}`)}
            </span>
            <p class="hint">
              {nameOf(author, state.person.id, words)} · <Time at={at} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
