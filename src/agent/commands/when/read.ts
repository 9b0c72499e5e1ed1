import { withoutEnding } from '../../../locales/sentence-end.ts'
import { longestLine, wordsOf } from '../command-line.ts'
import { beside, type Decided, decide, type TimeFrame } from './decide.ts'
import { patternOf, type TimeWords } from './grammar.ts'
import { plainLine } from './plain.ts'

/*
 * Words beside a time that could belong to it. They are not what is to be done: a time that they
 * adjoin is not understood (C312).
 */

const after = patternOf(
  String.raw`(?:(?<=\b(?:at|by|about|around) \d{1,2}) [0-5]\d\b|[\s,;(&/-]{0,4}(?:BESIDE))[\w:.'’-]{0,20}(?: [\w:.'’-]{1,20}){0,2}`,
  'y',
)

/** A zone that is none known here. */
const foreignZone = /^[\s,(]*(?:[A-Z][A-Za-z]+ ){1,2}[Tt]ime\b/

/**
 * Returns how many characters behind `end` could belong to the time that ends there; 0: none. A
 * colon ends every time.
 */
function adjoins(plain: string, end: number, typed: string): number {
  after.lastIndex = end
  return (after.exec(plain) ?? foreignZone.exec(typed))?.[0].length ?? 0
}

/** Words before a time that could belong to it. */
const before = patternOf(
  String.raw`(?:\b(?:and|or|not|but|except|excluding|unless|until|till|before|after|from|between|to|than|past|half|quarter|twice|thrice|every|each|other|next|last|unless [^,]{1,40}|(?:except|excluding|but not|not|until|till|during|within)(?: on| for| the){0,2} (?:NEAR)s?)|\bat \d[\d:]{0,4}(?: ?[ap]\.?m\.?)?|[前半和到至除]|节假日[^，]{0,4}|除非[^，]{1,10}|除了?[^，]{1,10}外)[\s,，]*$`,
  'i',
)

const zoneBefore = /\b(?:[BCEIJKMP][SD]T|A[CE][SD]T|[CE]ES?T|GMT|HKT|MSK|SGT|UTC)[ ,]{0,3}$/

/** A to-do is due until its day is over. */
export const dueClock = 1439

/** A part of a line that says when, and the rest of it. */
export interface SplitLine extends Decided {
  rest: string
}
/** The same with its words by what they say. */
interface ReadLine extends SplitLine {
  said: TimeWords
  /** A colon ends a time. */
  isEnded: boolean
}
/**
 * Words of a time that were not understood, as they were typed; `zone`: an abbreviation of several
 * places.
 */
export interface Unread {
  unread: string
  zone?: string | undefined
}

/** True if it says at which hour. */
const isClear = (said: TimeWords) =>
  /"(?:cron|clocks|part|from)"|"(?:every|delay)":"[^"]{0,30}(?:\b[mh]\b|min|hour|hr)/.test(
    JSON.stringify(said),
  )

/** True if it says an hour and nothing of the day. */
const isDayless = (said: TimeWords) => !beside(said, 'clocks part zone')

/** Reads a line from its beginning. Null: no time stands there. */
function fromFront(line: string, frame: TimeFrame): ReadLine | Unread | null {
  const { text, typed, after, run } = plainLine(line)
  const { said, places, end } = run()
  if (end === 0) return null
  const decided = decide(said, frame)
  if (typeof decided === 'string') {
    const unread = typed(...(places[decided] ?? [0, end]))
    return { unread, zone: decided === 'zone' ? said.zone : undefined }
  }
  const rest = after(end)
  const seam = adjoins(text, end, rest)
  if (seam) return { unread: typed(end, end + seam) }
  const title = rest
    .replace(/^(?:[\s,，:：;；、。-]|\.(?=\s|$)){1,20}/u, '')
    .replace(/^(?:to|please)\s+/i, '')
  return { ...decided, rest: title.trim(), said, isEnded: /^[:：]/.test(rest) }
}

/**
 * Takes the words that say when off the front of a line, or off its end: “post the report every
 * weekday at nine”. Null: there are none.
 */
export function readLine(line: string, frame: TimeFrame): SplitLine | Unread | null {
  if (line.length > longestLine) return null
  const said = line.trim().replace(/^(?:please\s+|请|麻烦)/iu, '')
  const [first] = wordsOf(said)
  const text = first?.quoted ? `${first.value}: ${said.slice(first.raw.length)}` : said
  const front = fromFront(text, frame)
  if (!front) {
    // A line may begin like a time and have none.
    const { text: plain, typed } = plainLine(text)
    const length = adjoins(plain, 0, text)
    return fromEnd(text, frame) ?? (length ? { unread: typed(0, length) } : null)
  }
  if ('unread' in front || front.isEnded) return front
  // “明天8点的会议纪要”: the time is one of the thing.
  if (/^的(?![确士])/.test(front.rest))
    return { unread: text.slice(0, text.length - front.rest.length + 1) }
  const unread = tailOf(front, frame)
  return unread ? { unread } : front
}

const laterTime = patternOf(
  String.raw`(?:^(?:daily|hourly|weekly|fortnightly|monthly|quarterly|yearly)\b|LATER|\bevery (?:CALENDAR|DAYS)|每[天日周月年]|[\d一二三四五六七八九十]{1,3}(?:点|:\d\d)).*`,
  'i',
)
/** A clock in words as well: “at half past eight”, “at eight with Ana”. */
const laterClock = patternOf('LATER', '')

/** Words of a line from a time on that stands inside of it. */
function laterOf(line: string): string | undefined {
  const { text, typed } = plainLine(line)
  const clock = laterClock.exec(text)
  return laterTime.exec(line)?.[0] ?? (clock ? typed(clock.index) : undefined)
}

/**
 * A time at the end, where that at the front leaves open the hour; or words there that would go
 * with it: “every day at 9 post it until friday” (C480).
 */
function tailOf({ rest, said }: ReadLine, frame: TimeFrame) {
  // “tomorrow call Bob at three”, “明天叫小王三点开会”: both are said, so neither is the time.
  const isOpen = !isClear(said) || isDayless(said)
  const { text, typed, run } = plainLine(withoutEnding(rest, '.。'))
  const found = Array.from(text.matchAll(/(?<=[ ,])[^ ,]/g)).find(({ index }) => {
    const tail = run(index)
    const end = index + tail.end
    if (tail.end === 0 || end + adjoins(text, end, '') < text.trimEnd().length) return false
    if (isOpen && isClear(tail.said)) return true
    const isTwice = Object.keys(tail.said).some((slot) => slot in said)
    return !isTwice && typeof decide({ ...said, ...tail.said }, frame) !== 'string'
  })
  return found ? typed(found.index) : isOpen && laterOf(rest)
}

const dayWords = patternOf(
  String.raw`\b(?:today|tomorrow|tonight|every (?:CALENDAR)|in \w{1,6} CALENDAR|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|MONTH \d{1,2}|\d{1,2} (?:MONTH))\b`,
  'i',
)

/** A bare day at the end (“what is due today”) belongs to the words before it. */
function fromEnd(text: string, frame: TimeFrame): SplitLine | Unread | null {
  let unread: Unread | undefined
  // So many words can say when.
  for (const { start } of wordsOf(text).slice(1).slice(-30)) {
    const said = withoutEnding(text.slice(start), '.。')
    const title = text.slice(0, start)
    const found = /^[\s,，(]*(?:and|or|of)\b/i.test(said) ? null : fromFront(said, frame)
    if (found && 'unread' in found) unread ??= found
    if (!found || 'unread' in found || found.rest) continue
    if (found.when.kind === 'once' && !found.said.delay && !isClear(found.said)) continue
    const word = before.exec(title.slice(-60)) ?? zoneBefore.exec(title)
    if (word) return { unread: word[0] + said }
    if (isClear(found.said) ? isDayless(found.said) && dayWords.test(title) : laterOf(title))
      return { unread: said }
    const rest = title.replace(/[\s,，:]{1,9}(?:(?:on|at)[\s,，]{1,9})?$/i, '').trim()
    return unread ?? { ...found, rest }
  }
  return unread ?? null
}

/** The same, where it does not matter what was not understood. */
export function splitWhen(line: string, frame: TimeFrame): SplitLine | null {
  const found = readLine(line, frame)
  return found && 'when' in found ? found : null
}

/**
 * Reads a time that a person or a model wrote: `2026-03-08 18:00`, `2026-03-08`, `tomorrow 9am`,
 * `明天上午9点` (C46). It is read on the clock of `timeZone`, as `instantOf` says where that clock is
 * turned; the machine's own zone has no part in it. The whole text has to be a time.
 *
 * @returns the instant in milliseconds since the epoch, at a full minute; null when it is not a
 *   time.
 */
export function readTime(text: string, frame: TimeFrame): number | null {
  const line = withoutEnding(text.trim().replace(/^(?:due|before)\s/i, ''), ',，。.')
  // Longer is no time.
  const found = line.length > 80 ? null : fromFront(line, frame)
  const when = found && 'when' in found && !found.rest ? found.when : null
  return when?.kind === 'once' ? when.at : null
}
