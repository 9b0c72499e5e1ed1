import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { TraceEntry, TraceEvent } from '../../../agent/domain/trace.ts'
import { usePage } from './context.ts'
import type { Words } from './language.ts'
import { queryOf } from './route.ts'
import { fullTime } from './time.ts'

/** What happened in a run, in order. Fetched when it is opened and whenever the plan moves on. */
export function Activity({ runId, tick }: { runId: string; tick: unknown }) {
  const { client, state, words } = usePage()
  const { route } = state
  const query = queryOf(route.view === 'thread' ? route.workspace : undefined)
  const [trace, setTrace] = useState<readonly TraceEntry[] | null>(null)
  useEffect(() => {
    const timer = setTimeout(async () => {
      const answer = await client.api.ask<{ trace: TraceEntry[] }>('GET', `/api/runs/${runId}/trace${query}`)
      if (answer.kind === 'ok') setTrace(answer.value.trace)
    }, 150)
    return () => clearTimeout(timer)
  }, [runId, tick])

  const time = new Intl.DateTimeFormat(state.language, { timeStyle: 'medium' })
  if (trace === null) return html`<p class="hint">${words.loading}</p>`
  if (trace.length === 0) return html`<p class="hint">${words.activity.none}</p>`
  return html`<ol class="activity small" tabindex="0" aria-label=${words.activity.show}>${trace.map(
    ({ at, what }, place) => html`<li key=${place} class=${isProblem(what) ? 'problem' : ''}>
      <time title=${fullTime(at, state.language)}>${time.format(at)}</time><span>${lineOf(what, words)}</span></li>`,
  )}</ol>`
}

function callLine(call: Extract<TraceEvent, { kind: 'model_call' }>, activity: Words['activity']): string {
  const tokens = call.promptTokens + call.completionTokens
  const cost = (call.cost ?? 0) / 1_000_000
  const notes = [
    ...(call.model === undefined ? [] : [call.model]),
    ...(tokens > 0 ? [activity.tokens(tokens)] : []),
    ...(cost > 0 ? [cost.toPrecision(2)] : []),
    ...(call.ok ? [] : [activity.callFailed]),
  ]
  return [activity.call(call.contract), `${call.ms} ms`, ...notes].join(' · ')
}

/** In words; nothing where there are none for it (C193). */
function reasonIn(reason: string | null, { reasons }: Words['activity']): string {
  if (reason === null) return ''
  const words = /_(?:day|month)$/.test(reason)
    ? reasons.allowance
    : Object.entries(reasons).find(([name]) => name === reason)?.[1]
  return words === undefined ? '' : ` (${words})`
}

const isProblem = (what: TraceEvent): boolean => (what.kind === 'model_call' || what.kind === 'acted') && !what.ok

function lineOf(what: TraceEvent, { activity, statuses }: Words): string {
  switch (what.kind) {
    case 'decided':
      return activity.decided
    case 'created':
      return what.parentRunId === null ? activity.created : activity.retried
    case 'strategy':
      return Object.entries(activity.strategy).find(([name]) => name === what.strategy)?.[1] ?? what.strategy
    case 'status':
      return activity.status(statuses[what.status]) + reasonIn(what.reason, activity)
    case 'model_call':
      return callLine(what, activity)
    case 'planned':
      return activity.planned(what.items.length)
    case 'replanned':
      return activity.replanned(what.items.length)
    case 'thought':
      return activity.thought[what.decision]
    case 'evaluated':
      return activity.evaluated[what.decision]
    case 'task_done':
      return activity.taskDone
    case 'round':
      return activity.round(what.round)
    case 'acting':
      return activity.acting(what.tool)
    case 'acted':
      return `${activity.acted(what.tool, what.ok)} · ${what.ms} ms`
    case 'asked':
      return activity.asked
    case 'approval':
      return activity.approval(what.tool, what.granted)
    case 'heard':
      return activity.heard[what.as]
    case 'said':
      return activity.said
    case 'set_aside':
      return activity.setAside
    default:
      // A page that is older than its server has no words for it, and goes on.
      what satisfies never
      return ''
  }
}
