import { texts } from '../../locales/texts.ts'
import type { When } from '../domain/schedule.ts'
import { baseOf, slotAfter } from '../schedules/recurrence.ts'
import { oneLine } from './command-line.ts'
import type { Frame, Line, Wrong } from './grammar.ts'
import { change, id, longestTitle, options, plan, unreadPlan } from './schedule-options.ts'
import {
  limited,
  type NewSchedule,
  type ScheduleChange,
  type ScheduleFields,
} from './schedule-write.ts'
import { type Reminder, tomorrowAt } from './value-kinds.ts'
import { type SplitLine, splitWhen } from './when/read.ts'

/* What an `add` or `update` of a schedule says as a whole: options that only go together, times that are over. */

export function readAdd(line: Line): NewSchedule | Wrong {
  const asked = inFrame(line)
  if ('wrong' in asked) return asked
  const split = line.get(plan, asked) ?? line.need(plan)
  const { rest: title, reminds } = split
  const frame = { ...asked, timeZone: split.timeZone ?? asked.timeZone }
  if (isTwoZones(line, split)) return zoneTwice
  const when = withRepeats(split.when, line, frame)
  if ('wrong' in when) return when
  const fields = readFields(line, frame, { when, title })
  if ('wrong' in fields) return fields
  if (title === '')
    return {
      wrong: 'no_title',
      words: `${line.words} ${texts(frame.locale).schedule.exampleTitle}`,
    }
  return {
    when,
    title,
    fields: { ...(reminds ? { work: 'note' as const } : {}), ...fields, ...zoneOf(split) },
  }
}

/** C318: the zone that a rule names is that of the schedule. */
const zoneOf = (split: SplitLine | null): Pick<ScheduleFields, 'timeZone'> =>
  split?.timeZone === undefined ? {} : { timeZone: split.timeZone }
const isTwoZones = ({ get }: Line, { timeZone }: SplitLine) =>
  timeZone !== undefined && (get(options.timeZone) ?? timeZone) !== timeZone
const zoneTwice: Wrong = { wrong: 'twice', typed: '--zone', options: { zone: null } }

export function readUpdate(line: Line): ScheduleChange | Wrong {
  const asked = inFrame(line)
  if ('wrong' in asked) return asked
  const number = line.need(id)
  const typed = line.get(change) ?? ''
  const shift = asked.given === undefined ? relative.exec(typed) : null
  if (shift)
    return {
      wrong: 'unread_time',
      typed: shift[0].trim(),
      words: oneLine(`${number} ${tomorrowAt(asked, 9)}`),
    }
  const words = meantBy(typed, asked)
  const given = asked.given && { ...asked.given, rest: words }
  const isRead = words === '' || given !== undefined
  const unread = isRead ? null : unreadPlan(words, asked)
  if (unread !== null) return { ...unread, words: oneLine(`${number} ${unread.words}`) }
  const split = given ?? (isRead ? null : splitWhen(words, asked))
  if (split !== null && isTwoZones(line, split)) return zoneTwice
  const frame = { ...asked, timeZone: split?.timeZone ?? asked.timeZone }
  const title = split?.rest ?? words
  const tomorrow = tomorrowAt(frame, 9)
  if (
    split === null &&
    (line.get(options.interval) !== undefined || line.get(options.times) !== undefined)
  )
    return { wrong: 'no_time', typed: words, words: oneLine(`${number} ${tomorrow} ${words}`) }
  const when = split && withRepeats(split.when, line, frame)
  if (when !== null && 'wrong' in when) return when
  const read = readFields(line, frame, { when, title, number })
  if ('wrong' in read) return read
  const own = when === null ? line.given({ starting: options.starting, until: options.until }) : {}
  const fields = { ...read, ...zoneOf(split), ...own }
  if (when === null && title === '' && Object.keys(fields).length === 0)
    return { wrong: 'nothing_to_change', words: `${number} ${tomorrow}` }
  return { id: number, when, title: title === '' ? null : title, fields }
}

/** Changes that count from the time that a schedule has (C988): “an hour later”, “also on Fridays”. */
const relative =
  /^(?:also|except|excluding|without|skip|not|only) (?:on |for |at |in )?(?:\d|today|tomorrow|(?:mon|tues?|wednes|thu(?:rs)?|fri|satur|sun|week)(?:day|end)?s?\b)|^(?:postpone|push|delay|bring|snooze|shift|move)\b.{0,40}\b(?:by|back|forward|up) .{0,9}\d|\b(?:hours?|h|minutes?|mins?|days?|weeks?|months?) (?:later|earlier|sooner)$|^(?:postpone|push|delay|shift|move) (?:it )?(?:by )?(?:an?|one|half an) (?:hour|day|week)|^(?:推迟|延后|延迟|提前|往[前后])(?!到)|^[晚早](?:[一两三半]|\d{1,3})/iu

/** “Make it every Monday instead”, “to 10am”: the time alone, if nothing else is said. */
function meantBy(typed: string, frame: Frame): string {
  const bare = typed
    .replace(/^(?:(?:make|move|change|set|postpone|push|shift) (?:it )?(?:to )?|to )/i, '')
    .replace(/ instead(?: of .{1,40})?$/i, '')
  return bare !== typed && splitWhen(bare, frame)?.rest === '' ? bare : typed
}

const inZone = ({ frame, get }: Line): Frame => ({
  ...frame,
  timeZone: get(options.timeZone) ?? frame.timeZone,
})

/** Options about times, which a rule of events does not have. */
const timed = ['interval', 'times', 'starting', 'until', 'remind', 'remindStart'] as const

/** C640: an event takes the place of a time; all words are then what is to be done. */
export function eventFrame(
  frame: Frame,
  typed: (option: { name: string }) => string | undefined,
): Frame {
  const { event, match } = options
  const name = typed(event)
  if (name === undefined) return frame
  const source = event.kind.read(name, frame) ?? ''
  const conditions = match.kind.read(typed(match) ?? 'none', frame) ?? []
  return { ...frame, given: { when: { kind: 'event', source, match: conditions } } }
}

/**
 * The frame in the zone that is named; an option that does not go with an event, or only with one,
 * is wrong.
 */
function inFrame(line: Line): Frame | Wrong {
  const frame = inZone(line)
  if (line.get(options.event) === undefined)
    return line.get(options.match) === undefined
      ? frame
      : { wrong: 'match_needs_event', options: { event: frame.sources?.[0] ?? null } }
  const named = timed.filter((name) => line.get<unknown>(options[name], frame) !== undefined)
  return named.length === 0
    ? frame
    : {
        wrong: 'event_has_no_time',
        options: Object.fromEntries(named.map((name) => [options[name].name, null])),
      }
}

/** A time that is over starts nothing. */
export const isOver = (when: When, { now, timeZone }: Frame) =>
  when.kind !== 'event' && slotAfter({ when, repeats: true, place: { timeZone } }, now) === null

/**
 * F9, C315: `--interval` and `--times` make a repeat of a time, `--starting` and `--until` limit
 * what repeats.
 */
function withRepeats(when: When, line: Line, frame: Frame): When | Wrong {
  const repeated = repeatedBy(when, line)
  const [starting, until] = [line.get(options.starting, frame), line.get(options.until, frame)]
  if ('wrong' in repeated || (starting == null && until == null)) return repeated
  if (!('times' in repeated))
    return { wrong: 'limits_need_rule', options: { starting: null, until: null } }
  return limited(repeated, { starting, until })
}

function repeatedBy(when: When, { get }: Line): When | Wrong {
  const [minutes, many = -1] = [get(options.interval), get(options.times)]
  if (minutes === undefined) {
    if (get(options.times) === undefined) return when
    if (!('times' in when)) return { wrong: 'times_needs_interval', options: { interval: '1440' } }
    if (when.kind === 'every' && many === 1)
      return { wrong: 'bad_number', typed: '1', options: { times: '5' } }
    return { ...when, times: many }
  }
  if (when.kind !== 'once') return { wrong: 'interval_twice', options: { interval: null } }
  if (many === 1)
    return { wrong: 'once_needs_no_interval', options: { interval: null, times: null } }
  return { kind: 'every', start: when.at, minutes, times: many }
}

/** The options, if they, the title and the time are right. */
function readFields(
  line: Line,
  frame: Frame,
  { when, title, number = '' }: { when: When | null; title: string; number?: number | '' },
): ScheduleFields | Wrong {
  if (title.length > longestTitle)
    return {
      wrong: 'too_long',
      typed: String(longestTitle),
      words: `${line.words.slice(0, -title.length)}…`,
    }
  // A model's line may not allow a schedule anything (S4): that is people's.
  if (frame.allowable === null && line.get(options.allow) !== undefined)
    return { wrong: 'allow_by_people', options: { allow: null } }
  if (frame.allowable === null && (line.get(options.mode) ?? 'safe') !== 'safe')
    return { wrong: 'allow_by_people', options: { mode: null } }
  const reminders = remindersOf(line, when, frame)
  if ('wrong' in reminders) return reminders
  if (when !== null && isOver(when, frame))
    return { wrong: 'past_time', words: oneLine(`${number} ${tomorrowAt(frame, 9)} ${title}`) }
  const { durationMinutes, timeZone, allow, mode, strategy, here, quiet, ping } = options
  const isNote = line.get(options.note)
  return {
    ...line.given({ durationMinutes, timeZone, allow, mode, strategy, here, quiet, ping }),
    ...(isNote === undefined ? {} : { work: isNote ? 'note' : 'run' }),
    ...reminders,
  }
}

/**
 * F9, F12: `--remind` is a time before the start, or so long before it; `--remind-start` the same
 * for the repeats.
 */
function remindersOf(
  { get }: Line,
  when: When | null,
  frame: Frame,
): Pick<ScheduleFields, 'remindBase' | 'remindRepeat'> | Wrong {
  const [first, repeat] = [get(options.remind, frame), get(options.remindStart, frame)]
  if (repeat !== undefined && when !== null && when.kind !== 'every') {
    const better: Wrong['options'] =
      when.kind === 'once' ? { interval: '1440' } : { 'remind-start': null, remind: '30m' }
    return { wrong: 'remind_start_needs_interval', options: better }
  }
  const base = beforeStart(first ?? repeat, when, first === undefined ? 'remind-start' : 'remind')
  const later = beforeStart(repeat ?? first, when, repeat === undefined ? 'remind' : 'remind-start')
  if (base === undefined || later === undefined) return {}
  if (typeof base === 'object' && base !== null) return base
  if (typeof later === 'object' && later !== null) return later
  // C169: nobody is reminded of what is over; of a rule the next times come.
  if (base !== null && when?.kind === 'once' && (baseOf(when) ?? 0) - base <= frame.now)
    return { wrong: 'past_reminder', options: { remind: null } }
  return { remindBase: base, remindRepeat: later }
}

function beforeStart(
  given: Reminder | undefined,
  when: When | null,
  name: string,
): number | null | undefined | Wrong {
  if (given === undefined || 'before' in given) return given?.before
  const start = when === null ? null : baseOf(when)
  if (start === null) return { wrong: 'remind_needs_minutes', options: { [name]: '30m' } }
  return given.at > start
    ? { wrong: 'remind_after_start', options: { [name]: '30m' } }
    : start - given.at
}
