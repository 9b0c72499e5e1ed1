import { useState } from 'preact/hooks'
import type { CalendarRow, CalendarView } from '../views.ts'
import { useRequest } from './api-hooks.ts'
import { type Entry, isBand, isReminder, lastOf, odd, signs, statesIn } from './calendar-entries.ts'
import { usePage } from './context.ts'
import { Time } from './controls.tsx'
import { bell } from './icons.tsx'
import { hashOf, routeTo } from './route.ts'
import { ScheduleActions } from './schedule-card.tsx'
import { clockTime, dateTime, longDay, ownClocks, ownZone } from './time.ts'
import { dueText } from './todo-days.ts'

export interface OnDay {
  entries: readonly Entry[]
  turns: CalendarView['turns']
}

/** Everything on one day, with its actions. */
export function Day(props: { day: Date; changed: () => Promise<void> } & OnDay) {
  const { day, entries, turns, changed } = props
  const { state, words } = usePage()
  const name = longDay(day.getTime(), state.language)
  return (
    <section
      class="card agenda"
      aria-label={name}
      data-coming={day.getTime() >= new Date().setHours(0, 0, 0, 0) ? '' : undefined}
    >
      <h2>{name}</h2>
      {turns.map((turn) => (
        <Turn key={turn.timeZone} turn={turn} />
      ))}
      {entries.length === 0 && turns.length === 0 && (
        <p class="hint">{words.calendar.entries(0)}</p>
      )}
      <ul>
        {entries.map((entry) => (
          <Line key={entry.key} entry={entry} changed={changed} />
        ))}
      </ul>
    </section>
  )
}

export function Turn({ turn: { minutes, timeZone } }: { turn: CalendarView['turns'][number] }) {
  const { state, words } = usePage()
  const hours = (Math.abs(minutes) / 60).toLocaleString(state.language)
  return <p class="turn small">{words.calendar.turn(hours, minutes > 0, timeZone)}</p>
}

function Line({ entry, changed }: { entry: Entry; changed: () => Promise<void> }) {
  const [open, setOpen] = useState(false)
  const { row, parts = [] } = entry
  return (
    <li class="slot columns" data-state={entry.state}>
      <Times entry={entry} />
      <div class="stack">
        {row.kind === 'todo' ? (
          <a class="nav-link what" dir="auto" href={hashOf({ view: 'todos', todo: row.id })}>
            {row.title}
          </a>
        ) : (
          <button
            type="button"
            class="quiet wide what"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <span dir="auto">{row.title}</span>
          </button>
        )}
        <State entry={entry} />
        {parts
          .filter(({ state }) => open || odd.includes(state))
          .map((part) => (
            <div key={part.key} class="columns of-band" data-state={part.state}>
              <Times entry={part} />
              <State entry={part} />
            </div>
          ))}
        {open && <About row={row} changed={changed} />}
      </div>
    </li>
  )
}

function Times({ entry }: { entry: Entry }) {
  const { language } = usePage().state
  const time = (one: number) => clockTime(one, language)
  return (
    <p class="hint">
      {entry.isDay !== true && <Time at={entry.at}>{time(entry.at)}</Time>}
      {isBand(entry) && ` – ${lastOf(entry, time)}`}
    </p>
  )
}

/** State of an entry in words, with its reason and its thread; of a band, its parts' states. */
function State({ entry }: { entry: Entry }) {
  const { state, words: all } = usePage()
  const { calendar: words, schedules } = all
  const { row, at, count = null, reason, conversationId, parts } = entry
  const isElsewhere = row.timeZone !== ownZone()
  const states = statesIn(parts ?? [])
  const sum = states.map(([one, times]) => words.times(words.states[one], words.many(times)))
  return (
    <p class="row tight hint">
      <strong>
        <span aria-hidden>{signs[entry.state]} </span>
        {states.length > 1 ? words.list(sum) : words.states[entry.state]}
      </strong>
      {isReminder(entry) && (
        <span class="reminder">
          {bell}
          {words.reminder}
        </span>
      )}
      {reason !== null && <span>{schedules.reasons[reason]}</span>}
      {isBand(entry) && (
        <span>{words.list([ownClocks(row.rule ?? '', state.language), words.many(count)])}</span>
      )}
      {row.dueAt !== null && <span>{words.due(dueText(row, state.language))}</span>}
      {isElsewhere && (
        <span>{`${dateTime(at, state.language, row.timeZone)} (${schedules.zone(row.timeZone)})`}</span>
      )}
      {entry.isGone && <span>{words.gone}</span>}
      {parts === undefined && conversationId !== null && (
        <a href={hashOf(routeTo(row.workspace, conversationId))}>{words.toThread}</a>
      )}
    </p>
  )
}

/** Description of a schedule, with its actions. */
function About({ row, changed }: { row: CalendarRow; changed: () => Promise<void> }) {
  const { state, words: all } = usePage()
  const request = useRequest(changed)
  const place = new URLSearchParams({
    workspace: row.workspace,
    channel: row.scope.replace(/^channel:/, ''),
  })
  const to = (action: string) => `/api/schedules/${row.id}${action}?${place}`
  return (
    <div class="stack" role="group" aria-label={all.calendar.chosen(row.title)}>
      <p class="hint">
        {ownClocks(row.rule ?? '', state.language)} ({all.schedules.zone(row.timeZone)})
      </p>
      <ScheduleActions request={request} to={to} paused={row.paused} />
    </div>
  )
}
