import { useState } from 'preact/hooks'
import type { ProgressView } from '../../../agent/domain/progress.ts'
import { nameWithin, waitsOf } from '../names.ts'
import type { RunView } from '../views.ts'
import { type Page, usePage } from './context.ts'
import { Button, IconButton, Sure } from './controls.tsx'
import { again, cross, down, list, tick } from './icons.tsx'
import { MessageFrame } from './message.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { RunHistoryView } from './run-history.tsx'
import { isLive, type State } from './state.ts'

/** A run with its plan: steps done, current and left, with the last change and its reason. */
export function Plan({ run, isLast }: { run: RunView; isLast: boolean }) {
  const { client, state, words } = usePage()
  const [opened, setOpened] = useState<boolean | null>(null)
  const [history, setHistory] = useState(false)
  const [edited, setEdited] = useState(false)
  const progress = state.live[run.id] ?? run.progress ?? null
  const status = state.live[run.id]?.status ?? run.status
  const items = progress?.items ?? []
  const live = isLive(status)
  const left = live ? progress?.left : undefined
  const open = opened ?? (live || isLast)
  const done = items.filter((item) => item.done).length
  const isOver = (!live || status === 'paused') && state.pressed[run.id] === undefined
  const begin = isOver ? (step: number) => client.beginAgain(run.id, step) : null
  const isPartly = status === 'succeeded' && done < items.length
  const retryable = isLast && ['failed', 'canceled', 'given_up'].includes(status)
  return (
    <MessageFrame
      name={words.clew}
      author={null}
      at={run.createdAt}
      label={words.plan.label(run.title)}
      data-run={run.id}
      data-status={status}
    >
      <section class="card plan">
        <button
          type="button"
          class="wide head"
          aria-expanded={open}
          onClick={() => setOpened(!open)}
        >
          <span>
            {run.title}
            <span class="row small">
              <span class="dot" data-status={isPartly ? 'partly' : status} />
              {isPartly ? words.plan.ended(done, items.length) : words.statuses[status]}
              {run.parentRunId !== null &&
                ` · ${run.from === undefined ? words.plan.retryOf : words.plan.from(run.from.step, nameWithin(run.from.by, state.person.id, words), wasDone(run, state))}`}
            </span>
          </span>
          {status !== 'succeeded' && items.length > 0 && (
            <span class="count" role="img" aria-label={words.plan.progress(done, items.length)}>
              {done}/{items.length}
            </span>
          )}
          <span class="hidden">{open ? words.plan.hide : words.plan.show}</span>
          {down}
        </button>
        {items.length > 0 && (
          <progress class="hidden" max={items.length} value={done}>
            {words.plan.progress(done, items.length)}
          </progress>
        )}
        {progress?.forecast !== undefined && (
          <p class="hint small">{words.plan.forecast(progress.forecast)}</p>
        )}
        {open && progress !== null && items.length > 0 && (
          <Items progress={progress} status={status} beginAgain={begin} />
        )}
        {open && items.length === 0 && live && (
          <p class="small">{nowLine(progress, status, { state, words })}</p>
        )}
        {open && progress !== null && <Change progress={progress} />}
        <footer class="row">
          {retryable && (
            <Button
              disabled={state.pressed[run.id] !== undefined}
              onClick={() => client.control(run.id, 'retry')}
              icon={again}
              label={words.actions.retry}
            />
          )}
          {left !== undefined && (
            <Button
              class="quiet"
              aria-expanded={edited}
              onClick={() => setEdited(!edited)}
              icon={list}
              label={words.planEditor.open}
            />
          )}
          <Button
            class="quiet"
            aria-expanded={history}
            onClick={() => setHistory(!history)}
            label={history ? words.history.hide : words.history.show}
          />
        </footer>
        {edited && <PlanEditor runId={run.id} left={left ?? null} close={() => setEdited(false)} />}
        {history && (
          <RunHistoryView runId={run.id} tick={progress} isOver={!live} isEarly={isPartly} />
        )}
      </section>
    </MessageFrame>
  )
}

/** True if the step at which a run began again was done in the run before it. */
function wasDone({ parentRunId, from }: RunView, { view }: State): boolean {
  const parent = view?.runs.find(({ id }) => id === parentRunId)
  return parent?.progress?.items[(from?.step ?? 0) - 1]?.done !== false
}

/**
 * Steps of a plan.
 *
 * @param beginAgain restarts the run at the step with this number (C251); null while it goes on or
 * waits.
 */
function Items(props: {
  progress: ProgressView
  status: RunView['status']
  beginAgain: ((step: number) => void) | null
}) {
  const { progress, status, beginAgain } = props
  const { state, words } = usePage()
  const [asked, ask] = useState<number | null>(null)
  const live = isLive(status)
  const { because = null, by, added: news = [] } = progress.lastChange ?? {}
  const added = because === null && by === undefined ? [] : news
  return (
    <ol class="items">
      {progress.items.map((item, place) => {
        const current = live && place === progress.index && !item.done
        const kind = current ? 'current' : kindOf(item.done, !live)
        return (
          <li
            key={`${place} ${item.text}`}
            class={kind}
            aria-current={current ? 'step' : undefined}
          >
            <span class="badge" aria-hidden>
              {item.done && tick}
            </span>
            <span class="what" dir="auto">
              {item.text}
              {added.includes(item.text) && <small class="tag">{words.plan.added}</small>}
              <span class="hidden">({words.plan[kind]})</span>
              {item.parts && <Parts parts={item.parts} skipped={!live} />}
              {current && (
                <small class="small">{nowLine(progress, status, { state, words })}</small>
              )}
            </span>
            {beginAgain !== null && asked === place && (
              <Sure
                text={words.plan.sureAgain(place + 1, item.done)}
                act={() => beginAgain(place + 1)}
                close={() => ask(null)}
              />
            )}
            {beginAgain !== null && asked !== place && place <= progress.index && (
              <IconButton
                icon={again}
                label={words.plan.beginAgain(place + 1, item.done)}
                press={() => ask(place)}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** State of a step that is not the current one. */
function kindOf(done: boolean, skipped: boolean): 'done' | 'skipped' | 'open' {
  if (done) return 'done'
  return skipped ? 'skipped' : 'open'
}

/** Sub-steps of a step (C127). */
function Parts({
  parts,
  skipped,
}: {
  parts: NonNullable<ProgressView['items'][number]['parts']>
  skipped: boolean
}) {
  const { words } = usePage()
  return (
    <ol class="parts">
      {parts.map(({ text, done }) => {
        const kind = kindOf(done, skipped)
        return (
          <li key={text} class={kind} dir="auto">
            <span aria-hidden>{done ? '✓ ' : '○ '}</span>
            {text}
            <span class="hidden">({words.plan[kind]})</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Last change of the plan with its reason, until something newer happens to the plan. */
function Change({ progress }: { progress: ProgressView }) {
  const { state, words } = usePage()
  const { view, person } = state
  const change = progress.lastChange
  if (change === null) return null
  const { because, by } = change
  const isNamed = because !== null || by !== undefined
  if (!isNamed && change.added.length + change.dropped.length === 0) return null
  const chosen = view?.answered.some(
    ({ answer, choices }) => answer === because?.text && choices.includes(answer),
  )
  const reason = chosen ? words.plan.becauseChosen : words.plan.because
  const byHand = by === undefined ? '' : words.plan.by(nameWithin(by, person.id, words))
  const why =
    because === null
      ? byHand
      : reason(nameWithin(because.author, person.id, words), shorten(because.text))
  return (
    <div class="notice small">
      <p>
        <strong>{words.plan.changed}</strong>
        {why}
        {words.colon}
        {words.plan.change(change.added.length, change.dropped.length)}
      </p>
      {change.dropped.length > 0 && (
        <ul aria-label={words.plan.droppedLabel}>
          {change.dropped.map((text) => (
            <li class="row" key={text}>
              <span aria-hidden>{cross}</span>
              <del dir="auto">{text}</del>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Current activity of a run, in one line. */
export function nowLine(
  progress: ProgressView | null,
  status: RunView['status'],
  { state, words }: Pick<Page, 'state' | 'words'>,
): string {
  const { plan } = words
  if (status === 'queued') return plan.queued
  if (status === 'awaiting_clarification') return waitsOf(state.view?.question ?? null, words)
  if (status === 'paused') return plan.paused
  if (progress?.now.kind === 'acting') {
    const input = shorten(progress.now.input)
    return input === ''
      ? plan.acting(progress.now.tool)
      : `${plan.acting(progress.now.tool)}: ${input}`
  }
  if (progress === null || progress.items.length === 0) return plan.planning
  return progress.lastResult?.ok === false ? plan.failed : plan.thinking
}

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 90 ? line : `${line.slice(0, 89).trimEnd()}…`
}
