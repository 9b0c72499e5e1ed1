import { texts } from '../../locales/texts.ts'
import { sourceNamed } from '../domain/event-source.ts'
import { type RunStrategy, runStrategies, ScheduleMode } from '../domain/schedule.ts'
import { formatDay, wallClockIn } from '../domain/zone.ts'
import { longestInterval } from '../schedules/typed-rule.ts'
import { askedReminder, saidTo } from './asked-reminder.ts'
import { narrow, oneLine } from './command-line.ts'
import { conditions } from './condition.ts'
import { anyFrame, argument, type Frame, option, type ValueKind, type Wrong } from './grammar.ts'
import { nearest } from './nearest.ts'
import {
  choice,
  count,
  dueTime,
  duration,
  flag,
  id as idKind,
  isNone,
  list,
  remind,
  reminder,
  startTime,
  text,
  tomorrowAt,
  unclearZone,
  zone as zoneKind,
} from './value-kinds.ts'
import { readLine, readTime, type SplitLine, splitWhen } from './when/read.ts'
import { placesOf } from './when/zones.ts'

/* The arguments and options that `/schedule` takes. */

export const ranges = ['day', 'week', 'month'] as const
export type Range = (typeof ranges)[number]

export const longestTitle = 2_000
const longestDuration = 31 * 1440

const otherRanges = {
  day: ['today', 'd', '日', '天', '今天', '今日'],
  week: ['w', '周', '星期', '本周', '这周'],
  month: ['m', '月', '本月', '这个月'],
}
const rangeKind = choice(ranges, otherRanges, 'bad_range', 'week')
export const rangeOf = (typed: string): Range | null => rangeKind.read(typed, anyFrame) ?? null

const switchWords = {
  on: ['yes', 'true', '1', '开', '打开', '是'],
  off: ['no', 'false', '0', '关', '关闭', '否'],
}
const onOff = {
  ...choice(['on', 'off'], switchWords, 'bad_switch', 'off'),
  missing: 'bad_switch' as const,
}

/** A way of working that there is here; null: as the settings say. */
const strategyKind: ValueKind<RunStrategy | null> = {
  label: 'name',
  form: { kind: 'choice', choices: runStrategies },
  error: 'bad_strategy',
  read: (typed, frame) =>
    isNone(typed) || ['default', 'auto', '默认'].includes(narrow(typed))
      ? null
      : (frame.ways ?? runStrategies).find((way) => way === narrow(typed)),
  example: (frame, typed) =>
    nearest(narrow(typed), frame.ways ?? runStrategies) ?? (typed === '' ? 'batch' : null),
}

/** A day; a month (`2026-03`) is meant by its first. */
const day: ValueKind<number> = {
  label: 'date',
  form: { kind: 'text' },
  error: 'bad_time',
  rest: true,
  read(typed, frame) {
    const at = { ...frame, clock: 0 }
    return readTime(/^\d{4}-\d\d?$/.test(typed) ? `${typed}-01` : typed, at) ?? undefined
  },
  example: ({ timeZone, now }) => formatDay(wallClockIn(timeZone, now)),
}

/** C137: “remind me tomorrow at 9 to call Bob” asks for a reminder, wherever its time stands. */
function readPlan(typed: string, frame: Frame): Plan | undefined {
  if (frame.given !== undefined) return { ...frame.given, rest: typed, reminds: false }
  const asked = askedReminder(typed)
  const split = readLine(asked?.rest ?? typed, frame)
  if (split === null || 'unread' in split) return undefined
  const later = askedReminder(split.rest)
  const rest = later?.rest ?? split.rest
  // “tomorrow remind me at three”: the second time belongs to the first.
  if (later !== null && splitWhen(rest, frame)?.rest === '') return undefined
  const what = asked === null ? rest : rest.replace(/^(?:about|that) /i, '')
  const title = saidTo(later?.who ?? asked?.who ?? '', what)
  return { ...split, rest: title, reminds: (asked ?? later) !== null }
}

/** C312: the part of it that is not understood, and a time or rule like it that would be. */
export function unreadPlan(typed: string, frame: Frame): Wrong | null {
  const found = readLine(askedReminder(typed)?.rest ?? typed, frame)
  if (found === null || !('unread' in found)) return null
  const { unread, zone } = found
  const unclear = zone === undefined ? null : unclearZone(zone.toUpperCase())
  const place = zone === undefined ? undefined : placesOf(zone)?.[0]
  if (unclear !== null && place !== undefined)
    return { ...unclear, words: oneLine(typed.replace(unread, '')), options: { zone: place } }
  return { wrong: 'unread_time', typed: unread, words: planLike(typed, unread, frame) }
}

const repeats =
  /\b(?:every|each|daily|weekly|hourly|\w*monthly|quarterly|yearly|nightly|annual|twice|times|starting|\w+days|mon|tue|wed|thu|fri|sat|sun|weekdays?)\b|[每隔次]|工作日|[单双]周|开始/i
const hours = /\bhours?\b|between|during|\d ?(?:-|to) ?\d|小时|点/i
const limits = /until|till|for\b|start|begin|end|from|except|unless|直到|开始|为止|除/i

function planLike(typed: string, unread: string, frame: Frame): string {
  const words = texts(frame.locale).schedule
  if (!repeats.test(typed)) return `${tomorrowAt(frame, 9)} ${words.exampleTitle}`
  const byHours = hours.test(unread) ? words.exampleHours : words.exampleRule
  return `${limits.test(unread) ? words.exampleLimits : byHours} ${words.exampleTitle}`
}

/** A time or a rule, and what is to be done then; or only said. */
interface Plan extends SplitLine {
  reminds: boolean
}

const planKind: ValueKind<Plan> = {
  label: 'when',
  form: { kind: 'text' },
  error: 'no_time',
  missing: 'no_time',
  rest: true,
  read: readPlan,
  why: unreadPlan,
  example(frame, typed) {
    const { exampleRule, exampleTitle } = texts(frame.locale).schedule
    const once = `${tomorrowAt(frame, 9)} ${typed}`
    // Words of a rule that are no rule are not what is to be done.
    const isTitle = typed !== '' && !repeats.test(typed) && splitWhen(once, frame) !== null
    return isTitle ? once : `${exampleRule} ${exampleTitle}`
  },
}

export const plan = argument('when', 'when', planKind, 'when')
export const what = argument('what', 'what', text(longestTitle), 'text')
export const change = argument(
  'when',
  'when',
  { ...text(6_000), label: 'when' as const },
  'when',
  false,
)
export const newWhat = argument('what', 'what', text(longestTitle), 'text', false)
export const id = argument('id', 'id', idKind, 'id')
export const range = argument('period', 'name', rangeKind, 'period', false)
export const date = argument('date', 'date', day, 'date', false)
export const state = argument('state', 'name', onOff, 'state')

/** Source of events that may start work here. */
const source: ValueKind<string> = {
  label: 'name',
  form: { kind: 'text' },
  error: 'bad_event',
  read: (typed, { sources = [] }) => sourceNamed(typed, sources),
  example: ({ sources = [] }, typed) => nearest(narrow(typed), sources) ?? sources[0] ?? null,
}

/** S4: only people may say what its runs may do. */
const forPeople = { by: 'people' } as const
const allowed = list(({ allowable }) => allowable ?? null, 'bad_tool')
/** Flags have an opposite, so that an update can take them back. */
export const options = {
  durationMinutes: option('duration', duration(longestDuration, '60'), 'duration', [
    'length',
    '时长',
  ]),
  remind,
  interval: option('interval', duration(longestInterval, '1440'), 'interval', ['every', '间隔']),
  times: option('times', count, 'times', ['count', '次数']),
  remindStart: option('remind-start', reminder, 'remindStart', ['remindstart', '重复提醒']),
  starting: option('starting', startTime, 'starting', ['from', '开始']),
  until: option('until', dueTime, 'until', ['till', '截至', '直到']),
  timeZone: option('zone', zoneKind, 'zone', ['tz', 'timezone', 'time-zone', '时区']),
  here: { ...option('here', flag, 'here', ['在这里', '这里']), negated: ['nohere', '新会话'] },
  note: { ...option('note', flag, 'note', ['只提示', '便签']), negated: ['nonote', '要做'] },
  quiet: {
    ...option('quiet', flag, 'quiet', ['silent', '有事才说', '安静']),
    negated: ['noquiet', 'loud', '总是说'],
  },
  ping: { ...option('ping', flag, 'ping', ['mention', '提及']), negated: ['noping'] },
  event: { ...option('event', source, 'event', ['on', '事件']), ...forPeople },
  match: { ...option('match', conditions, 'match', ['if', '条件']), ...forPeople },
  strategy: option('strategy', strategyKind, 'strategy', ['way', '方式']),
  mode: {
    ...option('mode', choice(ScheduleMode.options, {}, 'bad_mode', 'ask'), 'mode', ['模式']),
    ...forPeople,
  },
  allow: { ...option('allow', allowed, 'allow', ['tools', '允许']), ...forPeople },
}
