import { type Texts, texts } from '../../locales/texts.ts'
import { present } from '../domain/present.ts'
import { addDays, formatWall, wallClockIn } from '../domain/zone.ts'
import { narrow, quoteIfNeeded } from './command-line.ts'
import {
  type Frame,
  longestName,
  option,
  type UsageErrorKind,
  type ValueKind,
  type Wrong,
} from './grammar.ts'
import { nearest } from './nearest.ts'
import { deadline } from './when/deadline.ts'
import { remindClock } from './when/decide.ts'
import { patternOf } from './when/grammar.ts'
import { plainLine } from './when/plain.ts'
import { dueClock, readTime } from './when/read.ts'
import { spanOf } from './when/words.ts'
import { isPlace, placesOf } from './when/zones.ts'

/* The kinds of values that commands take. */

const minuteMs = 60_000
const textForm = { kind: 'text' } as const
/** Values that mean "none of it". */
const noneWords: readonly string[] = ['none', 'never', 'off', '无', '不', '取消']
export const isNone = (typed: string) => noneWords.includes(narrow(typed))

/** A clock on the day after, for examples. */
export const tomorrowAt = ({ now, timeZone }: Frame, hour: number) =>
  formatWall({ ...addDays(wallClockIn(timeZone, now), 1), hour, minute: 0 })

type Placeholder = keyof Texts['commands']['placeholders']

/**
 * Words, up to so many characters; they need no quotes.
 *
 * @param usual what stands for them where none were typed.
 */
export const text = (limit: number, usual: Placeholder = 'text'): ValueKind<string> => ({
  label: 'text',
  form: textForm,
  error: 'too_long',
  missing: 'no_text',
  limit,
  rest: true,
  read: (typed) => (typed.length <= limit ? typed : undefined),
  example: ({ locale }, typed) =>
    typed === ''
      ? texts(locale).commands.placeholders[usual]
      : quoteIfNeeded(`${Array.from(typed).slice(0, 60).join('').trimEnd()}…`),
})

/** `3`, `#3`, `３`. */
export const id: ValueKind<number> = {
  label: 'id',
  form: { kind: 'text', complete: true },
  error: 'bad_id',
  missing: 'no_id',
  read: (typed) => Number(/^#?0*([1-9]\d{0,8})$/.exec(narrow(typed))?.[1] ?? 0) || undefined,
  // Words without a number in them are what was to be done with it.
  example: (_, typed) => /[1-9]\d{0,8}/.exec(narrow(typed))?.[0] ?? `1 ${typed}`.trim(),
}

/** A whole number; `p2` is one too where `p` stands before it. */
export const number = (form: { min: number }, error: UsageErrorKind): ValueKind<number> => ({
  label: 'number',
  form: { kind: 'number', ...form },
  error,
  read: (typed) => {
    const digits = /^p?(\d{1,6})$/.exec(narrow(typed))?.[1]
    return digits === undefined || Number(digits) < form.min ? undefined : Number(digits)
  },
  example: () => '1',
})

/** Number of times; -1 is endless. */
export const count: ValueKind<number> = {
  ...number({ min: 2 }, 'bad_number'),
  read: (typed) => {
    const plain = narrow(typed)
    if (plain === '-1' || ['endless', 'forever', '无限'].includes(plain)) return -1
    return /^[1-9]\d{0,5}$/.test(plain) ? Number(plain) : undefined
  },
  example: () => '5',
}

/** `90`, `90m`, `1h30m`, `2 hours`, `2小时`, in minutes. */
function minutesIn(typed: string): number | undefined {
  const plain = narrow(typed).replace(/\s+/g, '')
  const span =
    /^(?:(\d{1,4})(?:d|days?|天))?(?:(\d{1,5})(?:h|hours?|hrs?|个?小时))?(?:(\d{1,7})(?:m|mins?|minutes?|分钟?)?)?$/
  const [days, hours, minutes] = (span.exec(plain) ?? []).slice(1).map((part) => Number(part ?? 0))
  return (days ?? 0) * 1440 + (hours ?? 0) * 60 + (minutes ?? 0) || undefined
}

/** Words around a span that say that it is counted back. */
const beforeWords =
  /^(?:提前|提早|前)|(?:[之以]?前|提前|\s?\b(?:before(?:hand| it(?: is due| starts)?| the (?:deadline|due date|start))?|earlier|ahead|prior|in advance))$/gu
const wholeSpan = patternOf('^SPANS$', 'u')

/** `an hour`, `half a day`, `一个半小时`, in minutes; months are of no fixed length. */
function minutesSaid(typed: string): number | undefined {
  const text = plainLine(typed.replace(/^the /, 'a ')).text.trim()
  if (!wholeSpan.test(text)) return undefined
  const { minutes, days, months, work } = spanOf(text)
  return months + work > 0 ? undefined : minutes + days * 1440 || undefined
}

/** A time, or so long before what it reminds of, in milliseconds; null: none. */
export type Reminder = { at: number } | { before: number | null }

/**
 * C137: when to remind, of a to-do as of a schedule: at a time, from the morning on where only a
 * day is named, or so long before.
 */
export const reminder: ValueKind<Reminder> = {
  label: 'remind',
  form: textForm,
  error: 'bad_time',
  read(typed, frame) {
    if (isNone(typed)) return { before: null }
    const before = spanBefore(typed)
    if (before !== undefined) return { before }
    const at = readTime(typed, { ...frame, clock: remindClock })
    return at === null ? undefined : { at }
  },
  example: () => '30m',
  width: (following, frame) => Math.max(timeWords(following, frame), spanWords(following)),
}

function spanBefore(typed: string): number | undefined {
  const said = narrow(typed).replaceAll(beforeWords, '').trim()
  const minutes = minutesIn(said) ?? minutesSaid(said)
  return minutes === undefined ? undefined : minutes * minuteMs
}

/** `30 minutes before` is three words, `30m` one. */
function spanWords(following: readonly string[]): number {
  const isSpan = (many: number) =>
    /\p{L}$/u.test(following[many - 1] ?? '') &&
    spanBefore(following.slice(0, many).join(' ')) !== undefined
  return [6, 5, 4, 3, 2].find((many) => many <= following.length && isSpan(many)) ?? 1
}

export const remind = option('remind', reminder, 'remind', ['r', 'reminder', '提醒'])

export const duration = (most: number, example: string): ValueKind<number> => ({
  label: 'minutes',
  form: { kind: 'number', min: 1 },
  error: 'bad_number',
  read: (typed) => {
    const minutes = minutesIn(typed)
    return minutes !== undefined && minutes <= most ? minutes : undefined
  },
  example: () => example,
})

/** So many words from the front are a time. */
function timeWords(following: readonly string[], frame: Frame): number {
  const lengths = [6, 5, 4, 3, 2].filter((length) => length <= following.length)
  return (
    lengths.find((many) =>
      readTime(following.slice(0, many).join(' '), { ...frame, clock: dueClock }),
    ) ?? 0
  )
}

/** A time or none; of a day alone it is that clock. */
const timeAt = (clock: number): ValueKind<number | null> => ({
  label: 'time',
  form: textForm,
  error: 'bad_time',
  read: (typed, frame) =>
    isNone(typed)
      ? null
      : (readTime(clock === dueClock ? deadline(typed) : typed, { ...frame, clock }) ?? undefined),
  example: (frame) => tomorrowAt(frame, 18),
  width: timeWords,
})
/** A day alone is meant until its end, or from its beginning. */
export const dueTime = timeAt(dueClock)
export const startTime = timeAt(0)

/** Reads one of these names; `otherNames` are accepted as well. */
export const choice = <T extends string>(
  names: readonly T[],
  otherNames: Partial<Record<T, readonly string[]>>,
  error: UsageErrorKind,
  usual: T,
): ValueKind<T> => ({
  label: 'name',
  form: { kind: 'choice', choices: names },
  error,
  missing: 'no_choice',
  read(typed) {
    const meant = typed.length > longestName ? '' : narrow(typed)
    return names.find((name) => name === meant || otherNames[name]?.includes(meant))
  },
  example: (_, typed) => nearest(narrow(typed), names) ?? usual,
})

/** True when it is there, false when it is taken back. */
export const flag: ValueKind<boolean> = {
  label: 'name',
  form: { kind: 'flag' },
  error: 'no_value',
  read: (typed) => typed !== 'no',
  example: () => '',
}

const longestTag = 40

/** F6: lower case, no leading `#`, blanks as `-`. Empty when nothing is left. */
function readTag(typed: string): string {
  const tag = narrow(typed)
    .replace(/^[\s#]+/, '')
    .trim()
  return Array.from(tag.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, '-'))
    .slice(0, longestTag)
    .join('')
}

export const tag: ValueKind<string> = {
  label: 'tag',
  form: { kind: 'text', complete: true },
  error: 'bad_tag',
  read: (typed) => readTag(typed) || undefined,
  example: ({ locale }) => texts(locale).commands.placeholders.tag,
}

/** C319: an abbreviation of several places, with those that may be meant; null: it is none. */
export function unclearZone(typed: string): Wrong | null {
  const places = placesOf(typed)
  if (places === null) return null
  const named = present([typed, places.length > 0 && `(${places.join(', ')})`]).join(' ')
  return { wrong: 'unclear_zone', typed: named }
}

/** An IANA time zone. */
export const zone: ValueKind<string> = {
  label: 'zone',
  form: { kind: 'text', complete: true },
  error: 'bad_zone',
  read: (typed) => (isPlace(typed) ? typed : undefined),
  why: (typed) => unclearZone(typed),
  example: ({ timeZone }, typed) => placesOf(typed)?.[0] ?? timeZone,
}

/** A list of what the frame allows; `none` is none of it. */
export const list = (
  of: (frame: Frame) => readonly string[] | null,
  error: UsageErrorKind,
): ValueKind<string[]> => {
  const namesIn = (typed: string) =>
    [...new Set(narrow(typed).split(/[\s,，、]/u))].filter((name) => name !== '')
  const unknownIn = (typed: string, frame: Frame) =>
    namesIn(typed).find((name) => of(frame)?.includes(name) === false)
  return {
    label: 'tools',
    form: textForm,
    error,
    read(typed, frame) {
      if (isNone(typed)) return []
      return unknownIn(typed, frame) === undefined ? namesIn(typed) : undefined
    },
    example: (frame) => of(frame)?.[0] ?? null,
  }
}

/** Reads a key of words of letters and digits: `Offsite city` and `offsite-city` are the same. */
export const key = (limit: number): ValueKind<string> => ({
  label: 'key',
  form: textForm,
  error: 'bad_key',
  read: (typed) => {
    const words = narrow(typed).replace(/[\s_]+/gu, '-')
    const made = words.replace(/[^\p{L}\p{N}-]/gu, '').replace(/^-+|(?<!-)-+$/g, '')
    return made === '' || made.length > limit ? undefined : made
  },
  example: () => null,
})
