import { withoutEnding } from '../../../locales/sentence-end.ts'
import { longestLine, wordsOf } from '../command-line.ts'
import { type Decided, decide, type TimeFrame } from './decide.ts'
import { readRun, type Said } from './grammar.ts'
import { plainLine } from './plain.ts'
import { adjoins, before } from './seam.ts'
import { isZone } from './zones.ts'

/** A to-do is due until its day is over. */
export const dueClock = 1439

/** A part of a line that says when, and the rest of it. */
export interface SplitLine extends Decided {
  rest: string
}
/** The same with its words by what they say. */
interface ReadLine extends SplitLine {
  said: Said
  /** A colon ends a time. */
  isEnded: boolean
}
/** Words of a time that were not understood, as they were typed; `zone`: an abbreviation of several places. */
export interface Unread {
  unread: string
  zone?: string | undefined
}

const clear = /"(?:cron|clocks|part|delay|from)"|"every":"[^"]{0,30}(?:\b[mh]\b|min|hour|hr)/

/** True if it says at which hour. */
const isClear = (said: Said): boolean => clear.test(JSON.stringify(said))

/** Reads a line from its beginning. Null: no time stands there. */
function fromFront(line: string, frame: TimeFrame): ReadLine | Unread | null {
  const { text, typed, after } = plainLine(line)
  const { said, places, end } = readRun(text, (name, at) => isZone(name, typed(at)))
  if (end === 0) return null
  const decided = decide(said, frame)
  if (typeof decided === 'string') {
    const unread = typed(...(places[decided] ?? [0, end]))
    return { unread, zone: decided === 'zone' ? said.zone : undefined }
  }
  const rest = after(end)
  const seam = adjoins(text, end, rest)
  if (seam > 0) return { unread: typed(end, end + seam) }
  return { ...decided, rest: bare(rest), said, isEnded: /^[:：]/.test(rest) }
}

const bare = (text: string): string =>
  text
    .replace(/^(?:[\s,，:：;；、。-]|\.(?=\s)){1,20}/u, '')
    .replace(/^(?:to|please)\s+/i, '')
    .trim()

/**
 * Takes the words that say when off the front of a line, or off its end: “post the report every weekday at nine”. Null: there
 * are none.
 */
export function readLine(line: string, frame: TimeFrame): SplitLine | Unread | null {
  if (line.length > longestLine) return null
  const said = line.trim().replace(/^(?:please\s+|请|麻烦)/iu, '')
  const [first] = wordsOf(said)
  const text = first?.quoted ? `${first.value}: ${said.slice(first.raw.length)}` : said
  const front = fromFront(text, frame)
  if (front === null) {
    // A line may begin like a time and have none.
    const { text: plain, typed } = plainLine(text)
    const length = adjoins(plain, 0, text)
    return fromEnd(text, frame) ?? (length > 0 ? { unread: typed(0, length) } : null)
  }
  if ('unread' in front || front.isEnded) return front
  const unread = tailOf(front, frame)
  return unread === undefined ? front : { unread }
}

const hanTime = /(?:每[天日周月年]|[\d一二三四五六七八九十](?:点|:\d\d)).*/

/**
 * A time at the end, where that at the front leaves open the hour; or words there that would go with it: “every day at 9 post it
 * until friday” (C480).
 */
function tailOf({ rest, said }: ReadLine, frame: TimeFrame): string | undefined {
  // “tomorrow call Bob at three”, “明天叫小王三点开会”: both are said, so neither is the time.
  const isOpen = !isClear(said) || Object.keys(said).join() === 'clocks'
  const [both] = (isOpen && hanTime.exec(rest)) || []
  if (both) return both
  const { text, typed } = plainLine(withoutEnding(rest, '.。'))
  const found = Array.from(text.matchAll(/(?<=[ ,])[^ ,]/g)).find(({ index }) => {
    const tail = readRun(text.slice(index), (name, at) => isZone(name, typed(index + at)))
    const end = index + tail.end
    if (tail.end === 0 || end + adjoins(text, end, '') < text.trimEnd().length) return false
    if (isOpen && isClear(tail.said)) return true
    const isTwice = Object.keys(tail.said).some((slot) => slot in said)
    return !isTwice && typeof decide({ ...said, ...tail.said }, frame) !== 'string'
  })
  return found && typed(found.index)
}

/** A bare day at the end (“what is due today”) belongs to the words before it. */
function fromEnd(text: string, frame: TimeFrame): SplitLine | Unread | null {
  let unread: Unread | undefined
  // So many words can say when.
  for (const { start } of wordsOf(text).slice(1).slice(-20)) {
    const said = withoutEnding(text.slice(start), '.。')
    const title = text.slice(0, start)
    const found = /^[\s,，(]*(?:and|or|of)\b/i.test(said) ? null : fromFront(said, frame)
    if (found && 'unread' in found) unread ??= found
    if (!found || 'unread' in found || found.rest !== '') continue
    if (found.when.kind === 'once' && !isClear(found.said)) continue
    const word = before.exec(title.slice(-20))
    if (word) return { unread: word[0] + said }
    const rest = /[\s,，:]{1,9}(?:(?:on|at)[\s,，]{1,9})?$/i
    return unread ?? { ...found, rest: title.replace(rest, '').trim() }
  }
  return unread ?? null
}

/** The same, where it does not matter what was not understood. */
export function splitWhen(line: string, frame: TimeFrame): SplitLine | null {
  const found = readLine(line, frame)
  return found && 'when' in found ? found : null
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
  // Longer is no time.
  if (line.length > 80) return null
  for (const words of [line, `in ${line}`]) {
    const found = fromFront(words, frame)
    if (found && 'when' in found && found.rest === '' && found.when.kind === 'once')
      return found.when.at
  }
  return null
}
