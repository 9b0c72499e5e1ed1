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
const foreignZone = /^[\s,(]*(?:(?:[A-Z][A-Za-z'’]+ ){1,2}|(?:east|west) coast )[Tt]ime\b/

/**
 * Returns how many characters behind `end` could belong to the time that ends there; 0: none. A
 * colon ends every time.
 */
function adjoins(plain: string, end: number, typed: string): number {
  after.lastIndex = end
  const zone = foreignZone.exec(typed)
  return after.exec(plain)?.[0].length ?? (zone ? zone[0].length + 1 : 0)
}

/** Words before a time that could belong to it. */
const before = patternOf(
  String.raw`(?:\b(?:and|or|not|but|except|excluding|unless|until|till|before|after|from|between|to|than|past|half|quarter|twice|thrice|every|each|other|next|last|unless [^,]{1,40}|(?:except|excluding|but not|not|until|till|during|within)(?: on| for| the){0,2} (?:NEAR)s?)|(?:\d|ONES) times|alternate|regularly|periodically|now and then|from time to time|\d ?x ?(?:\/|an?|per) ?CALENDAR|days a week|in a row|(?:bi|half|semi)-?(?:month|annual|year)ly|semi-?weekly|(?:every|each)(?: (?:few|other|so|often|couple(?: of)?|alternate|sprint|am|pm|or|ONES|\d{1,3}|CALENDAR)){1,4}|(?:start|beginning|middle|end|week) of(?: the)?|week \d\d?|kw ?\d\d?|\bat \d[\d:]{0,4}(?: ?[ap]\.?m\.?)?|[前半和到至除]|节假日[^，]{0,4}|除非[^，]{1,10}|除了?[^，]{1,10}外)[\s,，]*$`,
  'i',
)

/** Both sides of a seam, `|`, that belong to each other: “in 2:30”, “1 | dec 26”, “easter | monday”. */
const joint = patternOf(
  String.raw`\bin\|(?=\d)|\d[.,]?(?: of)?\|(?=MONTH)|\b(?:ash|black|boxing|cyber|easter|giving|good|holy|palm|whit)\|(?=DAY)`,
  'i',
)

const zoneBefore = /\b(?:[BCEIJKMP][SD]T|A[CE][SD]T|[CE]ES?T|GMT|HKT|MSK|SGT|UTC)[ ,，]{0,3}$/

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

/** A number behind a day alone, which may be its hour: “friday 3 dentist” (C987). */
const openClock =
  /^\s{0,3}(?:(?:[1-9]|1\d|2[0-4])(?:[ ;]?[0-5]\d)?(?: ?h(?:rs)?)?|(?:0\d|1[0-8]|2[1-3])[0-5]\d(?: ?h(?:rs)?)?)(?=[\s,]|$)/i

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
  const isOpen = !said.clocks && (said.part !== undefined || !isClear(said))
  const number = isOpen && decided.when.kind === 'once' ? openClock.exec(rest) : null
  if (number) return { unread: number[0].trim() }
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

/** An exception or an end behind the title: “每天9点发日报，周五不发”. */
const exception =
  /[，,、 （(](?:周|星期|礼拜|工作日|节假日)[^，,]{0,5}(?:除外|不[^，,]{0,3}|(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点半?)[)）]?$|直到[^，,]{1,10}$|(?<!之)前(?:(?:\d{1,3}|[一二两三四五十半]{1,3})个?(?:分钟|小时|天))?再?(?:提醒|叫|通知)(?:我|大家)?$/u

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
  const line = withoutEnding(rest, '.。')
  const limit = exception.exec(line)
  if (limit) return limit[0].trim()
  const { text, typed, run } = plainLine(line)
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

/** Days and repetitions in other words and languages, which a title says and nothing here reads (C987). */
const otherDays = new RegExp(
  [
    String.raw`\bon (?:the )?(?:[\w'’-]{1,12} ){0,3}(?:days?|eve|(?:odd|even) weeks)(?![\w'’])`,
    String.raw`\b(?:weeknights|(?:next|other|following|same|last) day|in (?:early|mid|late|q[1-4])\b|m ?- ?f|mwf|t\/?th|(?:on|this|next) (?:[\w'’]{1,12} )?(?:christmas|easter|thanksgiving|halloween|hanukkah|diwali|payday|birthday)(?= ?$)|(?:christmas|xmas|thanksgiving|halloween)(?= ?$))\b`,
    String.raw`\b20\d{6}\b|\b\d{1,2}-[a-z]{3}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d`,
    String.raw`(?<!\p{L})(?:morgen|übermorgen|heute|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|täglich|wöchentlich|werktags|jede[nrs]?|nächsten?|am \d{1,2}\.(?= )|le \d{1,2}|januar|februar|märz|oktober|dezember|demain|aujourd['’]hui|(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?|chaque|tous les|ce soir|janvier|février|décembre|mañana|hoy|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|cada|todos l?os|esta noche|enero|diciembre|amanhã|hoje|segunda|terça|quarta|quinta|sexta|tod[oa] (?:o )?(?:dia|semana)|dezembro|(?:dopo)?domani|oggi|lunedì|martedì|mercoledì|giovedì|venerdì|vandaag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(?!\p{L})`,
    '明[後后]日|毎[日週月朝晩]|再?来[週月]|今[週夜晩朝]|平日|週末|[月火水木金土日]曜|あした|あす|あさって|きょう|元旦|春节|中秋|国庆|圣诞|除夕|端午|清明|元宵',
    '(?:после)?завтра|сегодня|кажд|понедельник|вторник|сред[ау]|четверг|пятниц|суббот|воскресен|내일|모레|오늘|매[일주]|[월화수목금토일]요일',
  ].join('|'),
  'iu',
)
const namesDay = (title: string) => dayWords.test(title) || otherDays.test(title)

/** Conditions and spans that a clock at the end of the title does not fulfil (C987). */
const conditions = patternOf(
  String.raw`^(?:when|once|if|as soon as|unless)\b|\b(?:CALENDAR|half an hour) (?:before|after|prior to)\b|^(?:do not|don['’]t|never|stop) (?!forget|miss|be\b|let\b)`,
  'i',
)

/** A bare day at the end (“what is due today”) belongs to the words before it. */
function fromEnd(text: string, frame: TimeFrame): SplitLine | Unread | null {
  let unread: Unread | undefined
  for (const start of startsIn(text)) {
    const said = withoutEnding(text.slice(start), '.。')
    const title = text.slice(0, start)
    const found = /^[\s,，(]*(?:and|or|of)\b/i.test(said) ? null : fromFront(said, frame)
    if (found && 'unread' in found) unread ??= found
    if (!found || 'unread' in found || found.rest) continue
    if (found.when.kind === 'once' && !found.said.delay && !isClear(found.said)) continue
    // “Workout 45 minutes” says how long.
    if (found.said.delay === plainLine(said).text.trim()) continue
    const problem = problemBefore(title, said, found.said)
    if (problem !== null) return problem
    const rest = title.replace(/[\s,，:]{1,9}(?:(?:on|at)[\s,，]{1,9})?$/i, '').trim()
    return unread ?? { ...found, rest }
  }
  return unread ?? null
}

/** Places in a text at which its words for a time may begin: so many words can say when. */
function startsIn(text: string): number[] {
  const starts = wordsOf(text)
    .slice(1)
    .slice(-30)
    .map(({ start }) => start)
  // A Chinese comma has no blank behind it.
  const behind = Array.from(text.matchAll(/，(?=\S)/g), ({ index }) => index + 1).slice(-30)
  return [...starts, ...behind].toSorted((one, other) => one - other)
}

/** Words before a time that belong to it and are not understood: a condition, a zone, a day. */
function problemBefore(title: string, said: string, words: TimeWords): Unread | null {
  if (conditions.test(title)) return { unread: title.trim() }
  const seam = `${title.trimEnd().slice(-20)}|${said.slice(0, 20)}`
  const word = before.exec(title.slice(-60)) ?? zoneBefore.exec(title) ?? joint.exec(seam)
  if (word) return { unread: word[0].replace('|', ' ') + said }
  const isApart = isClear(words) ? isDayless(words) && namesDay(title) : laterOf(title)
  return isApart ? { unread: said } : null
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
