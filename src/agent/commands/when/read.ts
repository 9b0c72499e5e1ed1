import { withoutEnding } from '../../../locales/sentence-end.ts'
import { isCron, tidyCron } from '../../schedules/cron.ts'
import { longestLine, wordsOf } from '../command-line.ts'
import { nearest } from '../nearest.ts'
import { type Decided, decide, type TimeFrame } from './decide.ts'
import { readRun } from './grammar.ts'
import { plainLine } from './plain.ts'
import { adjoins, precedes } from './seam.ts'
import { spanOf } from './words.ts'
import { isZone } from './zones.ts'

export type { ClockTime, TimeFrame } from './decide.ts'

/** What an hour-less day means: a to-do is due until the day is over, a reminder or a rule is for its morning. */
export const dueClock = { hour: 23, minute: 59 }
export const remindClock = { hour: 9, minute: 0 }

/** A part of a line that says when, and the rest of it. */
export interface SplitLine extends Decided {
  rest: string
}
/** Words of a time that were not understood, as they were typed; `zone`: an abbreviation of several places. */
export interface Unread {
  unread: string
  zone?: string
}
type Frame = Pick<TimeFrame, 'now' | 'timeZone'>

const cronWords = /^(?:@[a-z]+|\S+(?:\s+\S+){4})(?=[\s,]|$)/i

/** A cron pattern at the beginning of a line, or nothing of it. */
function cronAt(line: string): string {
  const found = cronWords.exec(line.slice(0, 100))?.[0] ?? ''
  return isCron(tidyCron(found)) ? found : ''
}

/** Reads a line from its beginning; `isClear`: it says at which hour. Null: no time stands there. */
function fromFront(
  line: string,
  frame: TimeFrame,
): (SplitLine & { isClear: boolean }) | Unread | null {
  const cron = cronAt(line)
  const behind = line.slice(cron.length)
  const plain = plainLine(behind)
  const typed = (from: number, to = 0) => behind.slice(plain.from[from], plain.to[to - 1]).trim()
  const isNamed = (name: string, at: number) => isZone(name, typed(at))
  const { said, places, end, bad } = readRun(
    plain.text,
    isNamed,
    cron === '' ? {} : { cron: tidyCron(cron) },
  )
  if (bad !== null) return { unread: typed(...bad) }
  if (end === 0 && cron === '') return null
  const decided = decide(said, frame)
  if (typeof decided === 'string') {
    const unread = typed(...(places[decided] ?? [0, end]))
    return decided === 'zone' ? { unread, zone: said.zone ?? '' } : { unread }
  }
  const rest = behind.slice(end === 0 ? 0 : plain.to[end - 1]).trim()
  // “every Friday at nine weekly report”: a rule comes as often as it says already.
  const isAdjective = decided.when.kind !== 'once' && adverb.test(rest)
  const seam = isAdjective ? 0 : adjoins(plain.text, end, rest)
  if (seam > 0) return { unread: typed(end, end + seam) }
  const isClear =
    /cron|clocks|part|delay|from/.test(Object.keys(said).join()) || spanOf(said.every).minutes > 0
  return { ...decided, rest: bare(rest), isClear }
}

const adverb = /^(?:daily|weekly|monthly|quarterly|yearly|annual)\b/i

const bare = (text: string): string =>
  text
    .replace(/^[\s,，:：;；、-]+/u, '')
    .replace(/^(?:to|please)\s+/i, '')
    .trim()

/**
 * Takes the words that say when off the front of a line, or off its end: “post the report every weekday at nine”. Null: there
 * are none.
 */
export function readLine(line: string, frame: Frame): SplitLine | Unread | null {
  if (line.length > longestLine) return null
  const full = { ...frame, clock: remindClock }
  const text = line.trim().replace(/^(?:please\s+|请|麻烦)/iu, '')
  const [first] = wordsOf(text.slice(0, longestLine))
  if (first?.quoted) {
    const quoted = fromFront(first.value, full)
    if (quoted === null || 'unread' in quoted) return quoted
    return quoted.rest === '' ? { ...quoted, rest: bare(text.slice(first.raw.length)) } : null
  }
  const front = fromFront(text, full)
  if (front === null) return fromEnd(text, full) ?? unreadFront(text)
  if ('unread' in front || front.isClear) return front
  // “tomorrow call Bob at three”: both are said, so neither is the time.
  const end = fromEnd(front.rest, full)
  if (end === null) return front
  return adverb.test(text)
    ? fromEnd(text, full)
    : { unread: 'unread' in end ? end.unread : end.said }
}

/** A line that begins like a time and has none. */
function unreadFront(text: string): Unread | null {
  const length = adjoins(plainLine(text).text, 0, text)
  return length === 0 ? null : { unread: text.slice(0, length).trim() }
}

/** So many words can say when. */
const wordsMost = 20

/** A bare day at the end (“what is due today”) belongs to the words before it. */
function fromEnd(text: string, frame: TimeFrame): (SplitLine & { said: string }) | Unread | null {
  const words = wordsOf(text)
  for (let from = Math.max(1, words.length - wordsMost); from < words.length; from += 1) {
    const start = words[from]?.start ?? 0
    const said = withoutEnding(text.slice(start), '.。')
    const found = /^[\s,，(]*(?:and|or|the|of)\b/i.test(said) ? null : fromFront(said, frame)
    if (found === null || 'unread' in found || found.rest !== '') continue
    if (found.when.kind === 'once' && !found.isClear) continue
    const before = text.slice(0, start)
    if (precedes(before)) return { unread: `${words[from - 1]?.raw ?? ''} ${said}` }
    const rest = withoutEnding(before, ',，').replace(/(?<=[\s,，])(?:on|at)$/iu, '')
    return { ...found, rest: withoutEnding(rest, ',，').trim(), said }
  }
  return null
}

/** The same, where it does not matter what was not understood. */
export function splitWhen(line: string, frame: Frame): SplitLine | null {
  const found = readLine(line, frame)
  return found === null || 'unread' in found ? null : found
}

/**
 * Reads a time that a person or a model wrote: `2026-03-08 18:00`, `2026-03-08`, `tomorrow 9am`, `明天上午9点` (C46).
 * It is read on the clock of `timeZone`, as `instantOf` says where that clock is turned; the machine's own zone has no
 * part in it. The whole text has to be a time.
 *
 * @returns the instant in milliseconds since the epoch, at a full minute; null when it is not a time.
 */
export function readTime(text: string, frame: TimeFrame): number | null {
  const line = withoutEnding(text.trim().replace(/^(?:due|before)\s/i, ''), ',，。.')
  if (line.length > longestTime) return null
  const found = fromFront(line, frame) ?? fromFront(`in ${line}`, frame)
  if (found === null || 'unread' in found || found.rest !== '') return null
  return found.when.kind === 'once' ? found.when.at : null
}
/** Longer is no time. */
const longestTime = 80

/** Words of rules that are mistyped more often than not. */
const vocabulary =
  'every daily weekday weekdays weekend monday tuesday wednesday thursday friday saturday sunday tomorrow morning evening hours minutes weeks months month week hourly monthly weekly'.split(
    ' ',
  )

/** The line with the words of its rule spelled right; null when that does not make it one. */
export function corrected(text: string, frame: Frame): string | null {
  const words = text.split(' ')
  const spelled = words.slice(0, 8).map((word) => {
    const [, letters = '', rest = ''] = /^([a-z]+)([,:;]?)$/i.exec(word) ?? []
    const isRight = letters.length < 4 || vocabulary.includes(letters.toLowerCase())
    const meant = isRight ? null : nearest(letters, vocabulary)
    return meant === null ? word : meant + rest
  })
  // Only the words up to the rule are looked at: what is to be done stays as it was written.
  for (let count = spelled.length; count > 0; count -= 1) {
    const line = [...spelled.slice(0, count), ...words.slice(count)].join(' ')
    if (line !== text && splitWhen(line, frame) !== null) return line
  }
  return null
}
