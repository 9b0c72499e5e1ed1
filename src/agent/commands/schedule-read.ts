import { texts } from '../../locales/texts.ts'
import type { When } from '../domain/schedule.ts'
import { baseOf, slotAfter } from '../schedules/recurrence.ts'
import {
  allow,
  change,
  here,
  id,
  interval,
  length,
  longestTitle,
  mode,
  note,
  plan,
  quiet,
  type Reminder,
  remind,
  remindStart,
  type ScheduleFields,
  type ScheduleRequest,
  strategy,
  times,
  zone,
} from './schedule-options.ts'
import type { Frame, Line, Wrong } from './table.ts'
import { tomorrowAt } from './values.ts'
import { splitWhen } from './when.ts'
import { oneLine } from './words.ts'

/* What an `add` or `update` of a schedule says as a whole: options that only go together, times that are over. */

export function readAdd(line: Line): ScheduleRequest | Wrong {
  const frame = inZone(line)
  const { when: said, rest: title } = line.get(plan, frame) ?? line.need(plan)
  const when = withRepeats(said, line)
  if ('wrong' in when) return when
  const fields = fieldsOf(line, when, frame)
  if ('wrong' in fields) return fields
  if (title === '') return { wrong: 'no_title', words: `${line.words} ${texts(frame.locale).schedule.exampleTitle}` }
  if (title.length > longestTitle)
    return { wrong: 'too_long', typed: String(longestTitle), words: `${line.words.slice(0, -title.length)}…` }
  if (isOver(when, frame)) return { wrong: 'past_time', words: `${tomorrowAt(frame, 9)} ${title}` }
  return { kind: 'add', when, title, fields }
}

export function readUpdate(line: Line): ScheduleRequest | Wrong {
  const frame = inZone(line)
  const number = line.need(id)
  const words = line.get(change) ?? ''
  const split = words === '' ? null : splitWhen(words, frame)
  const title = split?.rest ?? words
  const tomorrow = tomorrowAt(frame, 9)
  if (title.length > longestTitle)
    return { wrong: 'too_long', typed: String(longestTitle), words: `${number} ${title.slice(0, 60)}…` }
  if (split === null && (line.get(interval) !== undefined || line.get(times) !== undefined))
    return { wrong: 'no_time', typed: words, words: oneLine(`${number} ${tomorrow} ${words}`) }
  const when = split === null ? null : withRepeats(split.when, line)
  if (when !== null && 'wrong' in when) return when
  const fields = fieldsOf(line, when, frame)
  if ('wrong' in fields) return fields
  if (when === null && title === '' && Object.values(fields).every((value) => value === undefined))
    return { wrong: 'nothing_to_change', words: `${number} ${tomorrow}` }
  if (when !== null && isOver(when, frame))
    return { wrong: 'past_time', words: oneLine(`${number} ${tomorrow} ${title}`) }
  return { kind: 'update', id: number, when, title: title === '' ? null : title, fields }
}

const inZone = ({ frame, get }: Line): Frame => ({ ...frame, timeZone: get(zone) ?? frame.timeZone })

/** A time that is over starts nothing. */
export const isOver = (when: When, { now, timeZone }: Frame): boolean =>
  slotAfter({ when, repeats: true, place: { timeZone } }, now) === null

/** F9: `--interval` and `--times` make a repeat of a time. */
function withRepeats(when: When, { get }: Line): When | Wrong {
  const [minutes, many = -1] = [get(interval), get(times)]
  if (minutes === undefined) {
    if (get(times) === undefined) return when
    if (when.kind === 'once') return { wrong: 'times_needs_interval', options: { interval: '1440' } }
    if (when.kind === 'every' && many === 1) return { wrong: 'bad_number', typed: '1', options: { times: '5' } }
    return { ...when, times: many }
  }
  if (when.kind !== 'once') return { wrong: 'interval_twice', options: { interval: null } }
  if (many === 1) return { wrong: 'once_needs_no_interval', options: { interval: null, times: null } }
  return { kind: 'every', start: when.at, minutes, times: many }
}

function fieldsOf(line: Line, when: When | null, frame: Frame): ScheduleFields | Wrong {
  const { get } = line
  // A model's line may not allow a schedule anything (S4): that is people's.
  if (frame.allowable === null && get(allow) !== undefined)
    return { wrong: 'allow_by_people', options: { allow: null } }
  if (frame.allowable === null && (get(mode) ?? 'safe') !== 'safe')
    return { wrong: 'allow_by_people', options: { mode: null } }
  const reminders = remindersOf(line, when, frame)
  if ('wrong' in reminders) return reminders
  const isNote = get(note)
  return {
    durationMinutes: get(length),
    timeZone: get(zone),
    allow: get(allow),
    mode: get(mode),
    strategy: get(strategy),
    here: get(here),
    work: isNote === undefined ? undefined : isNote ? 'note' : 'run',
    quiet: get(quiet),
    ...reminders,
  }
}

/** F9, F12: `--remind` is a time before the start, or so long before it; `--remind-start` the same for the repeats. */
function remindersOf(
  { get }: Line,
  when: When | null,
  frame: Frame,
): Pick<ScheduleFields, 'remindBase' | 'remindRepeat'> | Wrong {
  const [first, repeat] = [get(remind, frame), get(remindStart, frame)]
  if (repeat !== undefined && when !== null && when.kind !== 'every') {
    const better = when.kind === 'once' ? { interval: '1440' } : { 'remind-start': null, remind: '30m' }
    return { wrong: 'remind_start_needs_interval', options: better }
  }
  const base = beforeStart(first, when, 'remind')
  const later = beforeStart(repeat, when, 'remind-start')
  if (typeof base === 'object' && base !== null) return base
  if (typeof later === 'object' && later !== null) return later
  return { remindBase: base === undefined ? later : base, remindRepeat: later === undefined ? base : later }
}

function beforeStart(given: Reminder | undefined, when: When | null, name: string): number | null | undefined | Wrong {
  if (given === undefined || 'before' in given) return given?.before
  const start = when === null ? null : baseOf(when)
  if (start === null) return { wrong: 'remind_needs_minutes', options: { [name]: '30m' } }
  return given.at > start ? { wrong: 'remind_after_start', options: { [name]: '30m' } } : start - given.at
}
