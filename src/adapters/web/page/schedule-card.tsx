import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Slot } from '../../../agent/domain/schedule.ts'
import type { ScheduleView } from '../views.ts'
import { type Request, type Send, useFetched, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, IconButton, Time } from './controls.tsx'
import { bell, bin, go, pause, pen } from './icons.tsx'
import type { Words } from './language.ts'
import { EditForm, Refusal } from './list-page.tsx'
import { hashOf } from './route.ts'
import { dateTime, wallTime } from './time.ts'

/** Card of a schedule: its rule, the next three times, past outcomes and actions. */
export function ScheduleCard({
  schedule,
  changed,
}: {
  schedule: ScheduleView
  changed: () => Promise<void>
}) {
  const { client, state, words } = usePage()
  const [open, setOpen] = useState(false)
  const [edited, setEdited] = useState<ScheduleView | null>(null)
  const request = useRequest(changed)
  const { busy, send } = request
  const { id, title, next, paused } = schedule
  const to = (action: string) => `/api/schedules/${id}${action}`
  if (state.leaving.some(({ path }) => path === to(''))) return null
  return (
    <li class={paused ? 'card schedule stack paused' : 'card schedule stack'} data-schedule={id}>
      <header>
        {edited !== null ? (
          <EditSchedule schedule={edited} send={send} close={() => setEdited(null)} />
        ) : (
          <h2 dir="auto">{title}</h2>
        )}
        {paused && <span class="tag waiting">{words.schedules.paused}</span>}
      </header>
      <Rule schedule={schedule} />
      <ScheduleActions
        request={request}
        to={to}
        paused={paused}
        isOver={!paused && next.length === 0}
      >
        <Button
          class="quiet"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          label={open ? words.schedules.hidePast : words.schedules.past}
        />
        <IconButton
          icon={pen()}
          style="quiet end"
          label={words.todos.edit(title)}
          disabled={busy}
          press={() => setEdited(edited === null ? schedule : null)}
        />
        <IconButton
          icon={bin()}
          label={words.schedules.remove(title)}
          disabled={busy}
          press={() =>
            client.removals.remove({
              path: to(''),
              text: words.schedules.removed(title),
              done: changed,
            })
          }
        />
      </ScheduleActions>
      {open && <Past schedule={schedule} />}
    </li>
  )
}

/** Actions of a schedule with their results; `to` returns the path of an action. */
export function ScheduleActions(props: {
  request: Request
  to: (action: string) => string
  paused: boolean
  isOver?: boolean
  children?: ComponentChildren
}) {
  const { request, to, paused, isOver = false, children } = props
  const { busy, failed, send } = request
  const { schedules: words } = usePage().words
  const [note, setNote] = useState<string | null>(null)
  const act = async (action: 'run' | 'dry'): Promise<void> => {
    const answer = await send<{ text: string }>('POST', to(`/${action}`))
    // Answer of a command without its Markdown.
    setNote(
      answer === null
        ? null
        : action === 'run'
          ? words.started
          : answer.text.replaceAll(/\*\*|`/g, ''),
    )
  }
  return (
    <>
      {note !== null && (
        <p class="notice small" role="status">
          {note}
        </p>
      )}
      <Refusal text={failed} />
      <footer class="row">
        {!isOver && (
          <Button
            disabled={busy}
            onClick={() => send('PATCH', to(''), { paused: !paused })}
            icon={paused ? go() : pause()}
            label={paused ? words.resume : words.pause}
          />
        )}
        <Button disabled={busy} onClick={() => act('run')} label={words.runNow} />
        <Button class="quiet" disabled={busy} onClick={() => act('dry')} label={words.dryRun} />
        {children}
      </footer>
    </>
  )
}

/** Rule of a schedule with its next times and notes. */
function Rule({ schedule }: { schedule: ScheduleView }) {
  const { state, words } = usePage()
  const { when, rule, next, timeZone, remindAt, conversationId, createdBy } = schedule
  const time = dateTime(state.language, timeZone)
  return (
    <>
      <p class="rule">
        {rule} <small>{timeZone}</small>
        {createdBy !== null && <small> · {words.schedules.from(createdBy.name)}</small>}
      </p>
      {next.length === 0 && when.kind !== 'event' && <p class="hint">{words.schedules.over}</p>}
      {next.length > 0 && (
        <ol class="times row" aria-label={words.schedules.next}>
          {next.map((at) => (
            <li key={at}>
              <Time at={at}>{time.format(at)}</Time>
            </li>
          ))}
        </ol>
      )}
      {hintsOf(schedule, words).map((hint) => (
        <p class="hint" key={hint}>
          {hint}
        </p>
      ))}
      {conversationId !== null && (
        <p class="hint">
          <a href={hashOf({ view: 'thread', id: conversationId })}>{words.schedules.inThread}</a>
        </p>
      )}
      {remindAt !== null && (
        <p class="reminder small">
          {bell()}
          {words.schedules.reminder(time.format(remindAt))}
        </p>
      )}
    </>
  )
}

/**
 * Form that edits title and time of a schedule, in its own time zone. An unchanged time is not
 * sent.
 */
function EditSchedule(props: { schedule: ScheduleView; send: Send; close: () => void }) {
  const { id, title, rule, when, timeZone } = props.schedule
  const { schedules: words } = usePage().words
  // A cron rule is shown behind the word "cron".
  const time = when.kind === 'once' ? wallTime(when.at, timeZone) : rule.replace(/^cron /, '')
  const fields = [
    { label: words.what, value: title },
    { label: words.when, value: time, example: words.whenExample },
  ]
  const save = ([what = '', due = '']: readonly string[]) =>
    props.send('PATCH', `/api/schedules/${id}`, {
      ...(what === title ? {} : { title: what }),
      ...(due === time || due === '' ? {} : { when: due }),
      seen: { title, when },
    })
  return <EditForm name={`/api/schedules/${id}`} fields={fields} save={save} close={props.close} />
}

/** Hints on how it differs from an ordinary schedule, a line each. */
function hintsOf(
  { work, quiet, allow, mode, strategy }: ScheduleView,
  { schedules }: Words,
): string[] {
  return [
    ...(work === 'note' ? [schedules.onlyNote] : []),
    ...(quiet ? [schedules.quiet] : []),
    ...(allow.length > 0 ? [schedules.allowed(allow.join(', '))] : []),
    ...(mode !== 'safe' ? [schedules.modes[mode]] : []),
    ...(strategy !== null ? [schedules.way(strategy)] : []),
  ]
}

/** Outcomes of past times, newest first, each with its reason. */
function Past({ schedule }: { schedule: ScheduleView }) {
  const { state, words } = usePage()
  const { id, next, fired } = schedule
  const slots = useFetched<{ slots: Slot[] }>(`/api/schedules/${id}/slots?limit=30`, [
    next[0],
    fired,
  ]).value?.slots
  const time = dateTime(state.language, schedule.timeZone)
  if (slots === undefined) return <p class="hint">{words.loading}</p>
  if (slots.length === 0) return <p class="hint">{words.schedules.noPast}</p>
  return (
    <ul class="slots stack" aria-label={words.schedules.past}>
      {slots.map((slot) => (
        <li class="columns" key={`${slot.at} ${slot.decidedAt}`} data-outcome={slot.outcome}>
          <Time at={slot.at}>
            {time.format(slot.at)}
            {slot.until !== undefined && ` – ${time.format(slot.until)}`}
          </Time>
          <span class="outcome small">
            {words.schedules.outcomes[slot.outcome]}
            {slot.count != null && ` ×${slot.count}`}
          </span>
          {slot.reason !== null && <small>{words.schedules.reasons[slot.reason]}</small>}
        </li>
      ))}
    </ul>
  )
}
