import { ScheduleMode, type When } from '../domain/schedule.ts'
import { isTimeZone } from '../domain/zone.ts'
import { baseOf } from '../schedules/recurrence.ts'
import { nearest } from './nearest.ts'
import {
  longestDuration,
  longestInterval,
  minuteMs,
  type ScheduleFields,
  type ScheduleFrame,
  type ScheduleOption,
  type ScheduleProblemKind,
} from './schedule-grammar.ts'
import { readTime, remindClock } from './times.ts'
import { narrow } from './words.ts'

export type Options = ReadonlyMap<ScheduleOption, string>

/** What was wrong and a value that would not be. */
export interface Wrong {
  wrong: ScheduleProblemKind
  typed: string
  /** Options with their corrected values; null leaves the option out. */
  instead?: Partial<Record<ScheduleOption, string | null>>
}
export const isWrong = (value: object): value is Wrong => 'wrong' in value

const none: readonly string[] = ['none', 'never', 'off', '无', '不', '取消']

/** The options of `add` and `update` that do not depend on when. */
export function readPlainFields(options: Options, frame: ScheduleFrame): ScheduleFields | Wrong {
  const fields: ScheduleFields = {}
  const duration = options.get('duration')
  if (duration !== undefined) {
    const minutes = minutesIn(duration)
    if (minutes === null || minutes > longestDuration)
      return { wrong: 'bad_number', typed: duration, instead: { duration: '60' } }
    fields.durationMinutes = minutes
  }
  const zone = options.get('zone')
  if (zone !== undefined) {
    if (!isTimeZone(zone)) return { wrong: 'bad_zone', typed: zone, instead: { zone: frame.timeZone } }
    fields.timeZone = zone
  }
  const allow = options.get('allow')
  if (allow !== undefined) {
    const tools = readTools(allow, frame)
    if (isWrong(tools)) return tools
    fields.allow = tools
  }
  const mode = options.get('mode')
  if (mode !== undefined) {
    const meant = ScheduleMode.safeParse(narrow(mode)).data
    if (meant === undefined) return { wrong: 'bad_mode', typed: mode, instead: { mode: 'ask' } }
    if (meant !== 'safe' && frame.allowable === null)
      return { wrong: 'allow_by_people', typed: mode, instead: { mode: null } }
    fields.mode = meant
  }
  const strategy = options.get('strategy')
  if (strategy !== undefined) {
    const meant = frame.ways.find((way) => way === narrow(strategy))
    if (meant === undefined && !isDefault(strategy))
      return { wrong: 'bad_strategy', typed: strategy, instead: { strategy: nearest(narrow(strategy), frame.ways) } }
    fields.strategy = meant ?? null
  }
  return { ...fields, ...readSwitches(options) }
}

const isDefault = (typed: string): boolean => [...none, 'default', 'auto', '默认'].includes(narrow(typed))

/** Each of them has an opposite, so that an update can take it back. */
function readSwitches(options: Options): Pick<ScheduleFields, 'here' | 'work' | 'quiet'> {
  const said = (name: 'here' | 'note' | 'quiet') =>
    options.has(name) ? true : options.has(`no-${name}`) ? false : undefined
  const [here, note, quiet] = [said('here'), said('note'), said('quiet')]
  return {
    ...(here === undefined ? {} : { here }),
    ...(note === undefined ? {} : { work: note ? ('note' as const) : ('run' as const) }),
    ...(quiet === undefined ? {} : { quiet }),
  }
}

function readTools(typed: string, { allowable }: ScheduleFrame): string[] | Wrong {
  if (allowable === null) return { wrong: 'allow_by_people', typed, instead: { allow: null } }
  if (none.includes(narrow(typed))) return []
  const names = narrow(typed)
    .split(/[\s,，、]+/)
    .filter((name) => name !== '')
  const unknown = names.find((name) => !allowable.includes(name))
  if (unknown === undefined) return [...new Set(names)]
  return { wrong: 'bad_tool', typed: unknown, instead: { allow: allowable[0] ?? null } }
}

/** `90`, `90m`, `1h30m`, `2 hours`, `2小时`. */
function minutesIn(typed: string): number | null {
  const text = narrow(typed).replace(/\s+/g, '')
  if (/^\d{1,7}$/.test(text)) return Number(text) > 0 ? Number(text) : null
  const match =
    /^(?:(\d{1,4})(?:d|days?|天))?(?:(\d{1,5})(?:h|hours?|hrs?|个?小时))?(?:(\d{1,6})(?:m|mins?|minutes?|分钟?))?$/.exec(
      text,
    )
  if (match === null) return null
  const [days, hours, minutes] = match.slice(1).map((part) => Number(part ?? 0))
  const whole = (days ?? 0) * 1440 + (hours ?? 0) * 60 + (minutes ?? 0)
  return whole > 0 ? whole : null
}

/** F9: `--interval` and `--times` make a repeat of a time. */
export function withRepeats(when: When, options: Options): When | Wrong {
  const interval = options.get('interval')
  const times = options.get('times')
  const count = times === undefined ? -1 : readTimes(times)
  if (interval === undefined) {
    if (times === undefined) return when
    if (when.kind === 'once')
      return {
        wrong: 'times_needs_interval',
        typed: times,
        instead: { interval: '1440', times: count === null ? null : times },
      }
    if (count === null || (when.kind === 'every' && count === 1))
      return { wrong: 'bad_number', typed: times, instead: { times: '5' } }
    return { ...when, times: count }
  }
  const minutes = minutesIn(interval)
  if (minutes === null || minutes > longestInterval)
    return { wrong: 'bad_number', typed: interval, instead: { interval: '1440' } }
  if (when.kind !== 'once') return { wrong: 'interval_twice', typed: interval, instead: { interval: null } }
  if (count === 1) return { wrong: 'once_needs_no_interval', typed: '1', instead: { interval: null, times: null } }
  if (count === null) return { wrong: 'bad_number', typed: times ?? '', instead: { times: '5' } }
  return { kind: 'every', start: when.at, minutes, times: count }
}

/** -1 or a positive number; null for anything else. */
function readTimes(typed: string): number | null {
  const text = narrow(typed)
  if (text === '-1' || ['endless', 'forever', '无限'].includes(text)) return -1
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}

/** F9, F12: `--remind` is a time before the start, or so long before it; `--remind-start` the same for the repeats. */
export function readReminders(
  when: When | null,
  options: Options,
  frame: ScheduleFrame,
): Pick<ScheduleFields, 'remindBase' | 'remindRepeat'> | Wrong {
  const fields: Pick<ScheduleFields, 'remindBase' | 'remindRepeat'> = {}
  const remind = options.get('remind')
  const repeat = options.get('remind-start')
  if (repeat !== undefined && when !== null && when.kind !== 'every')
    return {
      wrong: 'remind_start_needs_interval',
      typed: repeat,
      instead: when.kind === 'once' ? { interval: '1440' } : { 'remind-start': null, remind: remind ?? '30m' },
    }
  if (remind !== undefined) {
    const before = beforeStart(remind, when, frame, 'remind')
    if (typeof before === 'object' && before !== null) return before
    fields.remindBase = before
    fields.remindRepeat = before
  }
  if (repeat !== undefined) {
    const before = beforeStart(repeat, when, frame, 'remind-start')
    if (typeof before === 'object' && before !== null) return before
    fields.remindRepeat = before
    if (remind === undefined) fields.remindBase = before
  }
  return fields
}

function beforeStart(
  typed: string,
  when: When | null,
  frame: ScheduleFrame,
  option: 'remind' | 'remind-start',
): number | null | Wrong {
  if (none.includes(narrow(typed))) return null
  const minutes = minutesIn(
    narrow(typed)
      .replace(/\s*(?:before|earlier|提前|之前|前)$/u, '')
      .replace(/^提前/u, ''),
  )
  if (minutes !== null) return minutes * minuteMs
  const at = readTime(typed, { ...frame, clock: remindClock })
  if (at === null) return { wrong: 'bad_time', typed, instead: { [option]: '30m' } }
  const start = when === null ? null : baseOf(when)
  if (start === null) return { wrong: 'remind_needs_minutes', typed, instead: { [option]: '30m' } }
  if (at > start) return { wrong: 'remind_after_start', typed, instead: { [option]: '30m' } }
  return start - at
}
