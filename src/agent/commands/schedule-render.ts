import { texts, worded } from '../../locales/texts.ts'
import { sourceParts } from '../domain/event-source.ts'
import { rangesIn, spanOf } from '../domain/forecast.ts'
import { present } from '../domain/present.ts'
import type { Schedule, Slot } from '../domain/schedule.ts'
import { formatWall, offsetAt, showInstant, wallClockIn } from '../domain/zone.ts'
import { nextSlots } from '../schedules/recurrence.ts'
import type { Reader } from './command.ts'
import { inlineCode, plainText } from './command-line.ts'
import { inUnits, ruleInWords, type TimeDisplay, units } from './rule-words.ts'

/** Number of coming times that are listed. */
const nextShown = 3
const dryShown = 5

/** An instant with its weekday, in a zone. */
export function dayAndTime(
  at: number,
  timeZone: string,
  { locale, times = 'wall' }: TimeDisplay,
): string {
  // A channel that shows instants in each reader's own time names the weekday by itself.
  if (times === 'zoned') return showInstant(times, timeZone, at)
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone }).format(at)
  return `${day} ${showInstant(times, timeZone, at)}`
}

/** Shows a schedule on one line. */
export function renderSchedule(schedule: Schedule, reader: TimeDisplay): string {
  const words = texts(reader.locale).schedule
  const { remind, when } = schedule
  const offset = remind.base ?? remind.repeat
  const parts = present([
    plainText(schedule.title),
    ruleInWords(schedule, reader),
    schedule.durationMinutes !== 60 && words.duration(schedule.durationMinutes),
    offset !== null && remindInWords(schedule, offset, reader),
    schedule.work === 'note' && words.onlyNote,
    schedule.quiet && words.quiet,
    schedule.ping && words.ping,
    schedule.place.conversationId !== null && words.here,
    schedule.allow.length > 0 && words.allowed(schedule.allow.map(inlineCode)),
    schedule.mode !== undefined && schedule.mode !== 'safe' && words.modes[schedule.mode],
    schedule.strategy !== undefined && words.way(schedule.strategy),
    !schedule.repeats && 'times' in when && words.repeatsHidden,
    pastInWords(schedule, reader.locale),
    schedule.paused && `**${words.isPaused}**`,
  ])
  return `**#${schedule.id}** ${parts.join(' · ')}`
}

/** C735: what the newest runs of a schedule took; null: none is known. */
export function pastInWords({ past = [] }: Schedule, locale: string): string | null {
  const took = spanOf(past)
  return took === null
    ? null
    : texts(locale).core.forecast.past(past.length, rangesIn(took, locale))
}

/**
 * C137: shows a single time's reminder as a time, like a to-do's; for a repeating schedule, as an
 * offset.
 */
function remindInWords(
  { when, place }: Schedule,
  offset: number,
  { locale, times = 'wall' }: TimeDisplay,
): string {
  const words = texts(locale).schedule
  if (when.kind === 'once')
    return texts(locale).todo.remind(showInstant(times, place.timeZone, when.at - offset))
  return offset === 0
    ? words.remindAtStart
    : words.remind(words.span(...inUnits(Math.round(offset / 60_000), units.slice(1))))
}

/** Zones that never turn their clocks need no rule for it. */
export function clockRule(timeZone: string, now: number, locale: string): string {
  const words = texts(locale).schedule
  const { year } = wallClockIn(timeZone, now)
  const turned =
    offsetAt(timeZone, Date.UTC(year, 0, 1)) !== offsetAt(timeZone, Date.UTC(year, 6, 1))
  return turned ? words.clockRule(timeZone) : words.zoneNote(timeZone)
}

/** Shows the outcomes of due slots, newest first. */
export function renderSlots(
  slots: readonly Slot[],
  schedule: Schedule,
  { locale, times = 'wall' }: TimeDisplay,
): string {
  const words = texts(locale).schedule
  const { timeZone } = schedule.place
  const time = (at: number) => showInstant(times, timeZone, at)
  const rows = slots.map(({ at, until, count, outcome, reason }) => {
    const when =
      until === undefined ? time(at) : words.slotMany(time(at), time(until), count ?? null)
    return words.slotRow(
      when,
      words.outcomes[outcome],
      reason === null ? null : words.reasons[reason],
    )
  })
  return [
    `**${words.slotsTitle(`#${schedule.id}`)}**`,
    ...(rows.length === 0 ? [words.noSlots] : rows),
  ].join('\n')
}

/** The next three times and what happens when the clocks are turned; what is paused says so. */
export function renderUpcoming(schedule: Schedule, reader: Reader, count = nextShown): string {
  const words = texts(reader.locale).schedule
  if (schedule.paused) return words.nextPaused
  if (schedule.when.kind === 'event') {
    const { kind, name } = sourceParts(schedule.when.source)
    return worded(words.eventNext[kind], name)
  }
  const { timeZone } = schedule.place
  const after = Math.max(reader.now, schedule.lastAt ?? 0)
  const slots = nextSlots(schedule, after, count)
  const times = slots.map((at) => dayAndTime(at, timeZone, reader))
  if (times.length === 0) return words.noNext
  // Clocks are turned at night.
  const isAtNight = slots.some((at) => [1, 2, 3].includes(wallClockIn(timeZone, at).hour))
  const note = isAtNight ? clockRule(timeZone, after, reader.locale) : words.zoneNote(timeZone)
  return `${words.next(times.join(' · '))}\n${note}`
}

/** A thread is no place for more; the rest is counted. */
const longestList = 50

/** @param outside how many more there are that are not due in the time that is shown. */
export function renderList(inside: readonly Schedule[], outside: number, reader: Reader): string {
  const words = texts(reader.locale).schedule
  if (inside.length + outside === 0)
    return words.emptyList(inlineCode(`/schedule add ${words.exampleRule} ${words.exampleTitle}`))
  const lines = inside.slice(0, longestList).map((schedule) => {
    const { paused, nextAt, place } = schedule
    const next =
      paused || nextAt === null
        ? ''
        : ` · ${words.next(dayAndTime(nextAt, place.timeZone, reader))}`
    return `- ${renderSchedule(schedule, reader)}${next}`
  })
  const more = inside.length - lines.length
  return present([
    `**${words.listTitle}**`,
    ...lines,
    more > 0 && words.more(more),
    outside > 0 && words.outside(outside),
  ]).join('\n')
}

/** Shows what a start would do, and why it would not begin. */
export function renderDryRun(schedule: Schedule, held: Held, reader: Reader): string {
  const words = texts(reader.locale).schedule
  const { id, title, work, place, quiet, allow, mode = 'safe', strategy } = schedule
  const tools = allow.length === 0 ? [] : [words.dryTools(allow.map(inlineCode))]
  const run = present([
    strategy !== undefined && words.dryWay(strategy),
    ...tools,
    mode === 'safe' && tools.length > 0 ? null : words.dryMode[mode],
  ])
  return present([
    words.dryTitle(`**#${id}**`),
    work === 'note' ? words.dryNote(plainText(title)) : words.dryRun(plainText(title)),
    place.conversationId === null ? words.dryNewThread : words.dryHere,
    words.drySeen,
    quiet && words.dryQuiet,
    ...(work === 'note' ? [] : run),
    held !== null && words.dryHeld[held],
    renderUpcoming(schedule, reader, dryShown),
    words.dryNothing,
  ]).join('\n')
}
type Held = 'paused' | 'still_running' | 'still_asking' | null

/** The clock on the wall of an instant, for lists of one day. */
export const clockOf = (at: number, timeZone: string) =>
  formatWall(wallClockIn(timeZone, at)).slice(11)
