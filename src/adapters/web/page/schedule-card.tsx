import { useState } from 'preact/hooks'
import { present } from '../../../agent/domain/present.ts'
import type { Slot } from '../../../agent/domain/schedule.ts'
import { isUnnamed } from '../names.ts'
import type { ScheduleView } from '../views.ts'
import { type Request, type Send, useFetched, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, IconButton, Time } from './controls.tsx'
import { useMenu } from './effects.ts'
import { bell, bin, dots, pen } from './icons.tsx'
import { keeper } from './kept.ts'
import type { Words } from './language.ts'
import { EditForm, focusNext, Refusal } from './list-page.tsx'
import { hashOf } from './route.ts'
import { dateTime, ownClocks, ownZone, typedTime } from './time.ts'

const useEdited = keeper<ScheduleView | null>()

/**
 * Row of a schedule: what and when, its next time, who made it, its last outcome and actions
 * (C623).
 */
export function ScheduleRow({
  schedule,
  changed,
}: {
  schedule: ScheduleView
  changed: () => Promise<void>
}) {
  const { client, state, words: all } = usePage()
  const { schedules: words } = all
  const [open, setOpen] = useState(false)
  const { id, title, next, when, paused, createdBy } = schedule
  const to = (action: string) => `/api/schedules/${id}${action}`
  const { value: edited, keep, drop } = useEdited(to(''), null)
  const request = useRequest(changed)
  const isOver = !paused && next.length === 0 && when.kind !== 'event'
  const actions = useActions({ request, to, paused, isOver })
  const menu = useMenu()
  const isLeaving = state.leaving.some(({ path }) => path === to(''))
  const looks = present([paused && 'paused', isLeaving && 'leaving']).join(' ')
  const isOwn = createdBy?.id === state.person.id
  const close = () => {
    drop()
    request.forget()
  }
  return (
    <li class={`entry schedule ${looks}`} data-schedule={id} inert={isLeaving}>
      <div class="body">
        {edited !== null ? (
          <EditSchedule schedule={edited} send={request.send} close={close} />
        ) : (
          <h2>
            <button
              type="button"
              class="quiet wide what"
              dir="auto"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {title}
            </button>
          </h2>
        )}
        <Rule schedule={schedule} />
      </div>
      <Next schedule={schedule} />
      <p class="hint owner" dir="auto">
        {isOwn && all.todos.mine}
        {!isOwn && createdBy !== null && !isUnnamed(createdBy.name) && words.from(createdBy.name)}
      </p>
      <Last schedule={schedule} />
      <div class="row tight actions">
        <details class="menu" ref={menu.ref}>
          <summary class="nav-link" aria-label={words.menu(title)} title={words.menu(title)}>
            {dots}
          </summary>
          <ul class="card small">
            {actions.all.map(({ label, press }) => (
              <li key={label}>
                <Button
                  class="quiet wide"
                  disabled={request.busy}
                  onClick={() => {
                    menu.close()
                    press()
                  }}
                  label={label}
                />
              </li>
            ))}
            <li>
              <Button
                class="quiet wide"
                onClick={() => {
                  menu.close()
                  setOpen(!open)
                }}
                label={open ? words.hidePast : words.past}
              />
            </li>
          </ul>
        </details>
        <IconButton
          icon={pen}
          label={all.todos.edit(title)}
          press={() => (edited === null ? keep(() => schedule) : drop())}
        />
        <IconButton
          icon={bin}
          style="quiet square remove"
          label={words.remove(title)}
          onClick={({ currentTarget }) => {
            focusNext(currentTarget, 'remove')
            client.removals.remove({ path: to(''), text: words.removed(title), done: changed })
          }}
        />
      </div>
      <Said note={actions.note} failed={request.failed} />
      {open && <More schedule={schedule} />}
    </li>
  )
}

/** Actions of a schedule, and the answer to the last one; `to` returns the path of an action. */
function useActions(props: {
  request: Request
  to: (action: string) => string
  paused: boolean
  isOver?: boolean
}) {
  const { request, to, paused, isOver = false } = props
  const { send } = request
  const { state, words: all } = usePage()
  const { schedules: words } = all
  const [note, setNote] = useState<string | null>(null)
  const act = async (action: 'run' | 'dry') => {
    const answer = await send<{ text: string }>('POST', to(`/${action}`))
    // Answer of a command without its Markdown.
    const said =
      action === 'run'
        ? words.started
        : ownClocks(answer?.text.replaceAll(/\*\*|`/g, '') ?? '', state.language)
    setNote(answer === null ? null : (said ?? null))
  }
  const halt = {
    label: paused ? words.resume : words.pause,
    press: () => void send('PATCH', to(''), { paused: !paused }),
  }
  const actions = [
    { label: words.runNow, press: () => void act('run') },
    { label: words.dryRun, press: () => void act('dry') },
  ]
  return { note, all: isOver ? actions : [halt, ...actions] }
}

function Said({ note, failed }: { note: string | null; failed: string | null }) {
  return (
    <>
      {note !== null && (
        <p class="notice small" role="status">
          {note}
        </p>
      )}
      <Refusal text={failed} />
    </>
  )
}

/** Actions of a schedule as buttons, with their results. */
export function ScheduleActions(props: {
  request: Request
  to: (action: string) => string
  paused: boolean
}) {
  const { note, all } = useActions(props)
  const { busy, failed } = props.request
  return (
    <>
      <Said note={note} failed={failed} />
      <footer class="row">
        {all.map(({ label, press }) => (
          <Button key={label} disabled={busy} onClick={press} label={label} />
        ))}
      </footer>
    </>
  )
}

/** Rule of a schedule, and its zone where that is another one. */
function Rule({ schedule: { rule, timeZone, work } }: { schedule: ScheduleView }) {
  const {
    state,
    words: { schedules: words },
  } = usePage()
  return (
    <p class="hint">
      {ownClocks(rule, state.language)}
      {timeZone !== ownZone() && ` (${words.zone(timeZone)})`}
      {work === 'note' && ` · ${words.onlyNote}`}
    </p>
  )
}

function Next({ schedule }: { schedule: ScheduleView }) {
  const { state, words } = usePage()
  const { next, when, paused, remindAt, timeZone } = schedule
  const [first] = next
  if (paused) return <p class="next small">{words.schedules.paused}</p>
  return (
    <p class="next small">
      {first !== undefined && (
        <Time at={first}>
          {words.schedules.nextAt(dateTime(first, state.language))}
          {timeZone !== ownZone() && words.schedules.yours}
        </Time>
      )}
      {first === undefined && when.kind !== 'event' && words.schedules.over}
      {remindAt !== null && (
        <span class="reminder">
          {bell}
          {dateTime(remindAt, state.language)}
        </span>
      )}
    </p>
  )
}

const useSlots = ({ id, next, fired }: ScheduleView, limit: number) =>
  useFetched<{ slots: Slot[] }>(`/api/schedules/${id}/slots?limit=${limit}`, [next[0], fired]).value
    ?.slots

/** Outcome of the last time that is over. */
function Last({ schedule }: { schedule: ScheduleView }) {
  const { words } = usePage()
  const [slot] = useSlots(schedule, 1) ?? []
  return (
    <p class="hint last" data-outcome={slot?.outcome}>
      {slot !== undefined && (
        <>
          <span class="outcome">{words.schedules.outcomes[slot.outcome]}</span>{' '}
          <Time at={slot.at} />
        </>
      )}
    </p>
  )
}

/** Next times of a schedule, how it differs from others, and its past. */
function More({ schedule }: { schedule: ScheduleView }) {
  const { state, words } = usePage()
  const { next, paused, timeZone, conversationId, clockRule } = schedule
  const { took } = schedule
  return (
    <div class="more stack">
      {took !== null && <p class="hint">{took}</p>}
      {next.length > 0 && !paused && (
        <ol class="times row" aria-label={words.schedules.next}>
          {next.map((at) => (
            <li key={at}>
              <Time at={at} />
            </li>
          ))}
        </ol>
      )}
      {present([...hintsOf(schedule, words), timeZone === ownZone() && clockRule]).map((hint) => (
        <p class="hint" key={hint}>
          {ownClocks(hint, state.language)}
        </p>
      ))}
      {conversationId !== null && (
        <p class="hint">
          <a href={hashOf({ view: 'thread', id: conversationId })}>{words.schedules.inThread}</a>
        </p>
      )}
      <Past schedule={schedule} />
    </div>
  )
}

/**
 * Form that edits title and time of a schedule, in its own time zone. An unchanged time is not
 * sent.
 */
function EditSchedule(props: { schedule: ScheduleView; send: Send; close: () => void }) {
  const { id, title } = props.schedule
  const { client, state, words: all } = usePage()
  const { schedules: words } = all
  // A cron rule is shown behind the word "cron".
  const timeOf = ({ when: one, rule, timeZone }: ScheduleView) =>
    one.kind === 'once'
      ? typedTime(one.at, state.language, timeZone)
      : ownClocks(rule.replace(/^cron /, ''), state.language)
  const time = timeOf(props.schedule)
  const fields = [
    { label: words.what, value: title },
    { label: words.when, value: time, example: words.whenExample, isTime: 'rule' as const },
  ]
  const path = `/api/schedules/${id}`
  const change = (from: ScheduleView, what: string, due: string) =>
    props.send<ScheduleView>('PATCH', path, {
      title: what === from.title ? undefined : what,
      when: due === timeOf(from) || due === '' ? undefined : due,
      seen: { title: from.title, when: from.when },
    })
  const save = async ([what = '', due = '']: readonly string[]) => {
    const now = await change(props.schedule, what, due)
    if (now === null) return null
    client.removals.remove({
      path: `changed ${path}`,
      text: all.todos.changed(now.title),
      undo: () => change(now, title, time),
      done: async () => {},
    })
    return now
  }
  return <EditForm name={path} fields={fields} save={save} close={props.close} />
}

/** Hints on how it differs from an ordinary schedule, a line each. */
function hintsOf({ quiet, allow, mode, strategy }: ScheduleView, { schedules }: Words): string[] {
  return present([
    quiet && schedules.quiet,
    allow.length > 0 && schedules.allowed(allow.join(', ')),
    mode !== 'safe' && schedules.modes[mode],
    strategy !== null && schedules.way(strategy),
  ])
}

/** Outcomes of past times, newest first, each with its reason. */
function Past({ schedule }: { schedule: ScheduleView }) {
  const { state, words } = usePage()
  const slots = useSlots(schedule, 30)
  if (slots === undefined) return <p class="hint">{words.loading}</p>
  if (slots.length === 0) return <p class="hint">{words.schedules.noPast}</p>
  return (
    <ul class="slots stack" aria-label={words.schedules.past}>
      {slots.map((slot) => (
        <li class="columns" key={`${slot.at} ${slot.decidedAt}`} data-outcome={slot.outcome}>
          <Time at={slot.at}>
            {dateTime(slot.at, state.language)}
            {slot.until !== undefined && ` – ${dateTime(slot.until, state.language)}`}
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
