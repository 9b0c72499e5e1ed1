import { useEffect, useRef, useState } from 'preact/hooks'
import type { CalendarRow, CalendarView, TodoView } from '../views.ts'
import { useList } from './api-hooks.ts'
import { Day, type OnDay, Turn } from './calendar-day.tsx'
import {
  dayOf,
  type Entry,
  entriesByDay,
  firstDayOf,
  isBand,
  isReminder,
  signs,
  turnsOn,
  weeksOf,
} from './calendar-entries.ts'
import { usePage } from './context.ts'
import { Button, IconButton } from './controls.tsx'
import { useInterval } from './effects.ts'
import { back } from './icons.tsx'
import { ListPage } from './list-page.tsx'
import { useMedia } from './media.ts'
import { clockTime, longDay, ownZone } from './time.ts'

/** Pages of the API that are fetched by default; further ones on request. */
const pagesAtOnce = 5
const everyMs = 15_000
/** Lines of a day that the month shows. */
const shown = 3

/** Below this a day of the grid has no room for words. */
const narrow = '(max-width: 1000px)'

/**
 * C236, C237: a month as a grid, and on a narrow screen as a list of its days and of the week
 * behind it (C624).
 */
export function Calendar() {
  const { state, words: all } = usePage()
  const { calendar: words } = all
  const [day, setDay] = useState(() => startOf(new Date()))
  const isNarrow = useMedia(narrow)
  const language = navigator.language.startsWith(state.language)
    ? navigator.language
    : state.language
  const month = weeksOf(day.getFullYear(), day.getMonth(), firstDayOf(language))
  const weeks = isNarrow ? [...month, weekAfter(month)] : month
  const { found, problem, more, refresh } = useMonth(weeks)
  const todos = useList<{ todos: TodoView[] }>(
    `/api/todos?view=all&author=${encodeURIComponent(state.person.id)}`,
  )
  const byDay = entriesByDay(found?.rows ?? [], todos.value?.todos)
  const on = (one: Date): OnDay => ({
    entries: byDay.get(dayOf(one)) ?? [],
    turns: turnsOn(found?.turns ?? [], dayOf(one)),
  })
  const first = new Date(day.getFullYear(), day.getMonth(), 1)
  const listed = weeks.flat().filter((one) => one >= first)
  const busy = listed.filter((one) => on(one).entries.length + on(one).turns.length > 0)
  useEffect(() => {
    // The list begins with days that are over.
    if (isNarrow && found !== null)
      document.querySelector('.agenda[data-coming]')?.scrollIntoView({ block: 'start' })
  }, [isNarrow, found === null])
  const dayCard = (one: Date) => <Day key={dayOf(one)} day={one} {...on(one)} changed={refresh} />
  return (
    <ListPage
      title={words.title}
      none=""
      count={found && 1}
      problem={problem}
      form={<Months day={day} go={setDay} />}
    >
      {found !== null && listed.every((one) => on(one).entries.length === 0) && (
        <p class="hint center">{words.none}</p>
      )}
      {isNarrow ? busy.map(dayCard) : <Month weeks={weeks} day={day} on={on} go={setDay} />}
      {!isNarrow && dayCard(day)}
      {more !== null && <Button class="quiet" onClick={more} label={words.loadMore} />}
      <div class="hint">
        <p>{words.zone(ownZone())}</p>
        <p>{words.kept}</p>
      </div>
    </ListPage>
  )
}

/** The week behind these, so that the list goes on where the month ends. */
const weekAfter = (weeks: readonly Date[][]): Date[] =>
  (weeks.at(-1) ?? []).map((one) => inDays(one, 7))

const startOf = (at: Date): Date => new Date(at.getFullYear(), at.getMonth(), at.getDate())
/** Same day of another month, or that month's last day. */
const inMonth = (day: Date, by: number): Date => {
  const last = new Date(day.getFullYear(), day.getMonth() + by + 1, 0).getDate()
  return new Date(day.getFullYear(), day.getMonth() + by, Math.min(day.getDate(), last))
}

/** Entries of these weeks, page by page. `more` fetches further pages. */
function useMonth(weeks: readonly Date[][]) {
  const { client, state } = usePage()
  const [found, setFound] = useState<CalendarView | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [pages, setPages] = useState(pagesAtOnce)
  const [from, to] = [
    weeks[0]?.[0]?.getTime() ?? 0,
    inDays(weeks.at(-1)?.[6] ?? new Date(), 1).getTime(),
  ]
  const asked = useRef('')
  const refresh = async () => {
    const query = new URLSearchParams({
      from: `${from}`,
      to: `${to}`,
      timeZone: ownZone(),
      author: state.person.id,
    })
    asked.current = `${query}`
    const rows: CalendarRow[] = []
    const turns: CalendarView['turns'] = []
    let next: string | null = null
    for (let page = 0; page < pages; page += 1) {
      const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`
      const answer = await client.api.ask<CalendarView>('GET', `/api/calendar?${query}${after}`)
      // By now another month is shown.
      if (asked.current !== `${query}`) return
      setProblem(answer.kind === 'refused' ? answer.message : null)
      if (answer.kind !== 'ok') return
      rows.push(...answer.value.rows)
      turns.push(...answer.value.turns)
      next = answer.value.next
      if (next === null) break
    }
    setFound({ rows, turns, next })
  }
  useInterval(refresh, everyMs)
  useEffect(() => {
    void refresh()
  }, [from, to, pages, state.language, state.conversations])
  return {
    found,
    problem,
    refresh,
    more: found?.next == null ? null : () => setPages(pages + pagesAtOnce),
  }
}

const inDays = (day: Date, by: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + by)

function Months({ day, go }: { day: Date; go: (day: Date) => void }) {
  const {
    state,
    words: { calendar: words },
  } = usePage()
  const name = new Intl.DateTimeFormat(state.language, { month: 'long', year: 'numeric' }).format(
    day,
  )
  return (
    <div class="row months" role="group" aria-label={words.month}>
      <IconButton icon={back} label={words.before} press={() => go(inMonth(day, -1))} />
      <h2 aria-live="polite">{name}</h2>
      <IconButton
        icon={back}
        style="quiet square forward"
        label={words.after}
        press={() => go(inMonth(day, 1))}
      />
      <Button class="end" onClick={() => go(startOf(new Date()))} label={words.today} />
    </div>
  )
}

interface MonthProps {
  weeks: readonly Date[][]
  day: Date
  on: (day: Date) => OnDay
  go: (day: Date) => void
}

/**
 * Month with one day in the tab order. Arrows move to the others, Page Up and Page Down to another
 * month.
 */
function Month({ weeks, day, on, go }: MonthProps) {
  const { state } = usePage()
  const table = useRef<HTMLTableElement>(null)
  const weekday = (style: 'short' | 'long') =>
    new Intl.DateTimeFormat(state.language, { weekday: style })
  const move = (event: KeyboardEvent) => {
    const moved = moves[event.key]
    if (moved === undefined) return
    event.preventDefault()
    go(moved(day))
    // The day may be in another month, which has to be drawn first.
    setTimeout(() => table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus())
  }
  return (
    <table class="month" ref={table} onKeyDown={move}>
      <thead>
        <tr>
          {weeks[0]?.map((one) => (
            <th key={one.getDay()} scope="col" abbr={weekday('long').format(one)}>
              {weekday('short').format(one)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={dayOf(week[0] ?? day)}>
            {week.map((one) => (
              <Cell key={dayOf(one)} {...{ one, day, go }} {...on(one)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const moves: Readonly<Record<string, (day: Date) => Date>> = {
  ArrowLeft: (day) => inDays(day, -1),
  ArrowRight: (day) => inDays(day, 1),
  ArrowUp: (day) => inDays(day, -7),
  ArrowDown: (day) => inDays(day, 7),
  PageUp: (day) => inMonth(day, -1),
  PageDown: (day) => inMonth(day, 1),
}

function Cell(props: { one: Date; day: Date; go: (day: Date) => void } & OnDay) {
  const { one, day, entries, turns, go } = props
  const {
    state,
    words: { calendar: words },
  } = usePage()
  const name = longDay(one.getTime(), state.language)
  const isChosen = dayOf(one) === dayOf(day)
  const headOf = (entry: Entry) => {
    if (isBand(entry)) return words.many(entry.count ?? null)
    return entry.isDay ? '' : clockTime(entry.at, state.language)
  }
  return (
    <td
      class={one.getMonth() === day.getMonth() ? '' : 'outside'}
      aria-current={dayOf(one) === dayOf(new Date()) ? 'date' : undefined}
    >
      <button
        type="button"
        class="cell"
        tabIndex={isChosen ? 0 : -1}
        aria-pressed={isChosen}
        onClick={() => go(one)}
      >
        <span class="hidden">{`${name}, ${words.entries(entries.length)}. `}</span>
        <span class="number" aria-hidden>
          {one.getDate()}
        </span>
        {turns.map((turn) => (
          <Turn key={turn.timeZone} turn={turn} />
        ))}
        {entries.slice(0, shown).map((entry) => (
          <span
            key={entry.key}
            class={isBand(entry) ? 'mini one-line band' : 'mini one-line'}
            data-state={entry.state}
          >
            <span class="sign">{isReminder(entry) ? '⏰' : signs[entry.state]}</span>
            {headOf(entry)} {entry.row.title}
          </span>
        ))}
        {entries.length > shown && (
          <span class="mini small">{words.more(entries.length - shown)}</span>
        )}
      </button>
    </td>
  )
}
