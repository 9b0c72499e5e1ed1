import type { FailedView } from '../failed-deliveries.ts'
import type { HealthLine } from '../health-words.ts'
import { platformOf } from '../names.ts'
import { useList, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, PlatformLink, Time } from './controls.tsx'
import { useInterval } from './effects.ts'
import { Loading, Refusal } from './list-page.tsx'
import { hashOf, queryOf, routeTo } from './route.ts'
import { fullTime, shortTime } from './time.ts'

/** Colours with the same meaning as elsewhere; the word beside them says it too. */
const toneOf = { well: 'succeeded', look: 'awaiting_clarification', trouble: 'failed' } as const
const toneOfDelivery = {
  failed: 'failed',
  waiting: 'running',
  sent: 'succeeded',
  over: 'succeeded',
} as const
/** Time after which a resent delivery is looked up, in ms. */
const soonMs = 1_500

/** C229, C230: state of each part with advice, and failed deliveries. */
export function Health() {
  const { costs: words } = usePage().words
  const { value, problem, refresh } = useList<{ lines: HealthLine[]; failed: FailedView[] }>(
    '/api/health',
  )
  const isSending = value?.failed.some(({ state }) => state === 'waiting') ?? false
  useInterval(refresh, isSending ? soonMs : null)
  return (
    <>
      <section class="stack" aria-label={words.health}>
        <div class="row">
          <h2>{words.health}</h2>
          <Button class="quiet small end" onClick={() => void refresh()} label={words.lookAgain} />
        </div>
        {value === null && <Loading problem={problem} />}
        <ul class="health">
          {value?.lines.map((line) => (
            <Part key={line.name + line.text} line={line} />
          ))}
        </ul>
      </section>
      {value !== null && (
        <section class="stack" aria-label={words.failed.title}>
          <h2>{words.failed.title}</h2>
          {value.failed.length === 0 && <p class="hint">{words.failed.none}</p>}
          <ul class="stack">
            {value.failed.map((failed) => (
              <Failed key={`${failed.workspace} ${failed.id}`} failed={failed} changed={refresh} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Part({ line }: { line: HealthLine }) {
  const { costs: words } = usePage().words
  const { name, level, text, mend, detail } = line
  return (
    <li class="columns" data-status={toneOf[level]}>
      <h3 class="small">{name}</h3>
      <p class="level small">{words.levels[level]}</p>
      <div>
        <p>{text}</p>
        {mend !== null && <p class="small">{mend}</p>}
        {detail !== null && <code lang="en">{detail}</code>}
      </div>
    </li>
  )
}

function Failed({ failed, changed }: { failed: FailedView; changed: () => Promise<void> }) {
  const { state, words } = usePage()
  const { failed: own } = words.costs
  const { busy, failed: refused, send } = useRequest(changed)
  const { id, workspace, conversationId, title, link, at, kind, text, why, problem } = failed
  const name = title || words.untitled
  return (
    <li class="card failed stack" data-delivery={id} data-status={toneOfDelivery[failed.state]}>
      <p class="row tight hint">
        <strong>{own.kinds[kind]}</strong>
        <span>{platformOf(workspace, words)}</span>
        <span class="level" role="status">
          {own.states[failed.state]}
        </span>
        <Time class="end" at={at} title={fullTime(at, state.language)}>
          {shortTime(at, Date.now(), state.language)}
        </Time>
      </p>
      {conversationId === null ? (
        <p class="hint">{own.gone}</p>
      ) : (
        <a class="one-line" dir="auto" href={hashOf(routeTo(workspace, conversationId))}>
          {name}
        </a>
      )}
      {text !== null && (
        <p class="small" dir="auto">
          {text}
        </p>
      )}
      {failed.state === 'failed' && (
        <>
          <p>{own.why[why]}</p>
          <code lang="en">{problem}</code>
        </>
      )}
      <div class="row">
        {failed.state === 'failed' && conversationId !== null && (
          <Button
            class="primary"
            disabled={busy}
            aria-label={`${own.again}${words.colon}${name}`}
            onClick={() => void send('POST', `/api/deliveries/${id}/again${queryOf(workspace)}`)}
            label={own.again}
          />
        )}
        <PlatformLink link={link} />
      </div>
      <Refusal text={refused} />
    </li>
  )
}
