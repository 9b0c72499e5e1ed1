import { ruleInWords } from '../../agent/commands/schedule-render.ts'
import type { PastSlot, CalendarRow as Row } from '../../agent/ports/calendar.ts'
import { type Folded, folded, timesAhead } from '../../agent/schedules/days.ts'
import { threadOfNote } from '../../agent/schedules/reminders.ts'
import type { CalendarRow } from './views.ts'

interface Frame {
  workspace: string
  /** The midnights between which something is shown. */
  days: readonly number[]
  now: number
  timeZone: string
  locale: string
}

/** What one schedule or to-do has there; null: nothing. `work` counts the times that were worked out. */
export function calendarRow(row: Row, frame: Frame): { view: CalendarRow | null; work: number } {
  const { days, workspace } = frame
  const isWithin = (at: number) => at >= (days[0] ?? 0) && at < (days.at(-1) ?? 0)
  const { scope } = row
  if (row.kind === 'todo') {
    const { id, text, remindAt, doneAt, reminded, dueAt, place } = row.todo
    if (remindAt === null || !isWithin(remindAt)) return { view: null, work: 1 }
    const own = { ...{ kind: 'todo' as const, workspace, scope, id, title: text, dueAt }, isDone: doneAt !== null }
    const shown = { work: 'note' as const, rule: null, timeZone: place?.timeZone ?? frame.timeZone, paused: false }
    const reminders = [{ at: remindAt, isPast: reminded === remindAt }]
    return {
      view: { ...own, ...shown, conversationId: place?.conversationId ?? null, next: [], past: [], reminders },
      work: 1,
    }
  }
  const { schedule, slots } = row
  const { id, title, work: kind, paused, place } = schedule
  const ahead = timesAhead(schedule, days, frame)
  const past = pastOf(row, frame)
  if (ahead.slots.length + ahead.reminders.length + past.length === 0) return { view: null, work: ahead.work }
  const view: CalendarRow = {
    ...{ kind: 'schedule', workspace, scope, id, title, work: kind, paused, dueAt: null, isDone: false },
    rule: ruleInWords(schedule, { locale: frame.locale }),
    timeZone: place.timeZone,
    conversationId: place.conversationId,
    next: ahead.slots,
    past,
    reminders: ahead.reminders.map((one) => ({ ...one, isPast: false })),
  }
  return { view, work: ahead.work + slots.length / 10 }
}

/** What came of the past times, newest first; many of one day that came to the same are one. */
function pastOf(row: Extract<Row, { kind: 'schedule' }>, { workspace, days }: Frame): CalendarRow['past'] {
  const dayOf = (at: number) => days.findLastIndex((start) => start <= at)
  const alike = Map.groupBy(row.slots, ({ at, until, outcome, reason, run }) =>
    until === undefined ? `${dayOf(at)} ${outcome} ${reason} ${run?.status}` : `${at} ${until}`,
  )
  return [...alike.values()].flatMap((slots) => {
    const [only] = slots
    const many = folded(slots.map(({ at }) => at).reverse())
    const shown = slots.length === 1 && only?.until !== undefined ? [foldedSlot(only)] : many
    return shown.flatMap((one) => {
      const slot = slots.find(({ at }) => at === one.at)
      if (slot === undefined) return []
      const thread = one.until === undefined ? threadOf(row, slot, workspace) : null
      return [
        {
          ...one,
          outcome: slot.outcome,
          reason: slot.reason,
          status: slot.run?.status ?? null,
          conversationId: thread,
          isGone: slot.isGone && !row.schedule.quiet,
        },
      ]
    })
  })
}

/** Of a long time away there is one row. */
const foldedSlot = ({ at, until = at, count = null }: PastSlot): Folded => ({ at, until, count })

function threadOf(
  { scope, schedule }: Extract<Row, { kind: 'schedule' }>,
  slot: PastSlot,
  workspace: string,
): string | null {
  if (slot.outcome !== 'fired' && slot.outcome !== 'late') return null
  if (schedule.work === 'run') return slot.run?.conversationId ?? null
  // What was posted by hand has its thread by another key.
  return slot.reason === 'by_hand' ? schedule.place.conversationId : threadOfNote(workspace, scope, schedule, slot.at)
}
