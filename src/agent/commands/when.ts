import { withoutEnding } from '../../locales/sentence-end.ts'
import { assertNever } from '../domain/assert.ts'
import type { When } from '../domain/schedule.ts'
import { addDays, instantOf, wallClockIn, weekdayOf } from '../domain/zone.ts'
import { isCron, tidyCron } from '../schedules/cron.ts'
import { longestLine, narrow, wordsOf } from './command-line.ts'
import { nearest } from './nearest.ts'
import { readRule, type WrittenRule } from './recurrence-words.ts'
import { plainClock, readTime, remindClock, type TimeFrame } from './times.ts'

type Frame = Pick<TimeFrame, 'now' | 'timeZone'>

/** Part of a line that says when, and the rest of it. */
export interface SplitLine {
  when: When
  rest: string
}

/** Nothing longer says when. */
const longestWhen = 200

/**
 * Reads when a schedule is due: an instant (`2026-03-08 09:00`, `tomorrow 9am`), a cron pattern (`0 9 * * 1-5`, `@daily`)
 * or a rule in words (`every weekday at nine`, `每个工作日九点`), on the clock of `timeZone`. The whole text has to be one.
 */
function readWhen(text: string, frame: Frame): When | null {
  if (text.length > longestWhen) return null
  const given = tidyCron(text)
  if (isCron(given)) return { kind: 'cron', expression: given, times: -1 }
  const plain = narrow(withoutEnding(given, ',，。.'))
  const rule = readRule(plain)
  if (rule !== null) return ruleOf(rule, frame)
  const at =
    readTime(plain, { ...frame, clock: remindClock }) ??
    readTime(plainClock(plain), { ...frame, clock: remindClock })
  return at === null ? null : { kind: 'once', at }
}

const minuteMs = 60_000

function ruleOf(rule: WrittenRule, frame: Frame): When | null {
  switch (rule.kind) {
    case 'cron':
      return isCron(rule.expression) ? { ...rule, times: -1 } : null
    case 'minutes': {
      const start = Math.ceil(frame.now / minuteMs) * minuteMs + rule.minutes * minuteMs
      return { kind: 'every', start, minutes: rule.minutes, times: -1 }
    }
    case 'days':
      return { kind: 'every', start: firstOf(rule, frame), minutes: rule.days * 1440, times: -1 }
    default:
      return assertNever(rule)
  }
}

/** The next such clock, on the weekday if one is named. */
function firstOf(
  { weekday, clock }: Extract<WrittenRule, { kind: 'days' }>,
  { now, timeZone }: Frame,
): number {
  const today = wallClockIn(timeZone, now)
  for (let days = 0; ; days += 1) {
    const day = addDays(today, days)
    const at = instantOf(timeZone, { ...day, ...clock })
    if (at > now && (weekday === null || weekdayOf(day) % 7 === weekday)) return at
  }
}

/** So many words can say when. */
const wordsMost = 14
const hanMost = 24

/** Takes the words that say when off the front of a line, or a rule off its end. The longest reading counts. */
export function splitWhen(line: string, frame: Frame): SplitLine | null {
  if (line.length > longestLine) return null
  const text = line.trim().replace(/^(?:please\s+|请在?|麻烦在?|在)/iu, '')
  return fromFront(text, frame) ?? fromEnd(text, frame)
}

const bare = (text: string): string =>
  text
    .replace(/^[\s,，:：;；、-]+/u, '')
    .replace(/^(?:to|please)\s+/i, '')
    .trim()

/** Where the words that say when may end, the longest first: after a word, or in Chinese, which has no blanks, after a letter. */
function endsIn(text: string): number[] {
  const words = wordsOf(text)
    .slice(0, wordsMost)
    .map(({ start, raw }) => start + raw.length)
  const isHan = /\p{Script=Han}/u.test(text.slice(0, hanMost))
  const letters = isHan ? Array.from(text.slice(0, 2 * hanMost)).slice(0, hanMost) : []
  const ends = letters.map((_, index) => letters.slice(0, index + 1).join('').length)
  return [...words.reverse(), ...ends.slice(1).reverse()]
}

function fromFront(text: string, frame: Frame): SplitLine | null {
  const [first] = wordsOf(text)
  for (const end of endsIn(text)) {
    const said = first?.quoted && end === first.raw.length ? first.value : text.slice(0, end)
    const when = readWhen(said.replace(/[,，:：;；]$/u, ''), frame)
    const rest = text.slice(end)
    if (when !== null && !goesOn.test(rest)) return { when, rest: bare(rest) }
  }
  return null
}

const dayWord = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:days?)?\\b'
const unitWord = '(?:day|week|month|year|hour|minute|morning|evening|night)'

/** Words that belong to when, not to what: a rule that is understood only in part is not understood. */
const goesOn = new RegExp(
  `^[\\s,]{0,9}(?:${[
    `(?:through|thru|until|till|to|and|or|but|not|on)\\s{1,9}(?:on\\s{1,9})?(?:the\\s{1,9})?${dayWord}`,
    'except\\b',
    '(?:at|and|or)\\s{1,9}\\d',
    `(?:and\\s{1,9})?(?:every|each)\\s{1,9}(?:\\d|${unitWord}|${dayWord})`,
    'daily\\b',
    // A number that is no hour of the day: 每天25点.
    '\\d{1,9}[点點时時:：]',
    '每(?:天|日|周|星期|礼拜|月|年|个?小时|个?工作日)',
    '[到至][周週星礼禮]',
    '除了?(?:周|星期|礼拜|工作日)',
  ].join('|')})`,
  'i',
)

/** “post the report every weekday at nine”; a bare day at the end (“what is due today”) belongs to the words before it. */
function fromEnd(text: string, frame: Frame): SplitLine | null {
  const words = wordsOf(text)
  for (let from = Math.max(1, words.length - wordsMost); from < words.length; from += 1) {
    const start = words[from]?.start ?? 0
    const said = text.slice(start)
    const when = readWhen(said, frame)
    if (when === null || (when.kind === 'once' && !/\d|\bat\b|noon|midnight/i.test(said))) continue
    const before = withoutEnding(text.slice(0, start), ',，').replace(
      /(?<=[\s,，])(?:on|at)$/iu,
      '',
    )
    return { when, rest: withoutEnding(before, ',，').trim() }
  }
  return null
}

/** Words of rules that are mistyped more often than not. */
const vocabulary =
  'every daily weekday weekdays weekend monday tuesday wednesday thursday friday saturday sunday tomorrow morning evening hours minutes weeks months month week hourly monthly weekly'.split(
    ' ',
  )

/** The line with the words of its rule spelled right; null when that does not make it one. */
export function corrected(text: string, frame: Frame): string | null {
  const words = text.split(' ').map((word) => {
    const [, letters = '', rest = ''] = /^([a-z]+)([,:;]?)$/i.exec(word) ?? []
    const meant =
      letters.length < 4 || vocabulary.includes(letters.toLowerCase())
        ? null
        : nearest(letters, vocabulary)
    return meant === null ? word : meant + rest
  })
  // Only the words up to the rule are looked at: what is to be done stays as it was written.
  for (let count = Math.min(words.length, 8); count > 0; count -= 1) {
    const line = [...words.slice(0, count), ...text.split(' ').slice(count)].join(' ')
    if (line !== text && splitWhen(line, frame) !== null) return line
  }
  return null
}
