/*
 * What can stand in a time, piece by piece, in plain English (plain.ts). A piece says what its named groups are called, in words;
 * what is said twice is not understood.
 */

/** Names of parts of patterns: a name and its pattern a line, made of those above. */
const names = String.raw`
PART dawn|daybreak|morning|forenoon|lunchtime|afternoon|evening|night
DAY (?:sun|mon|tues?|wed(?:nes)?|weds|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?
DAYS (?:DAYs?|weekends?(?: days?)?|weekdays)\b(?!['’-])
AND (?: ?, ?(?:and )?| and | ?& ?)
LIST DAYS(?:(?:AND| ?/ ?)(?:on )?DAYS){0,6}
RANGE DAYs?(?: ?- ?| (?:to|through|thru|till|until) )DAYs?\b(?!['’])
MONTH (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b
UNIT (?:(?:min(?:ute)?|hour|hr|day|week|month|quarter|year|weekday)s?|[mh])\b
SPAN \d{1,5}(?:\.\d{1,2})? ?UNIT
SPANS SPAN(?:(?: ?,)?(?: and)? SPAN)?
ORD \d{1,2}(?:st|nd|rd|th)\b
HALF (?: ?(?:am|pm)\b)
BARE (?:[01]?\d|2[0-3])(?![\d:/a-z]|[.-]\d)
CLOCK (?:[01]?\d|2[0-3])(?::(?:[0-5]\d|-15)(?!\d)(?::\d\d)?HALF?|HALF)
ANY (?:CLOCK|BARE)
NEXT (?:CLOCK|BARE(?= ?(?:[,;:)]|$|and \d|on\b|every\b))|(?:1[3-9]|2[0-3])(?![\d:/a-z]|[.-]\d))
CLOCKS (?:CLOCK|(?<=(?:at|by|around|about) )BARE)(?:AND(?:at )?NEXT){0,11}
YEAR (?:(?: ?,)? \d{4}\b)?
DATE (?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.]\d{1,2}(?!\d)|year@\d-\d{1,4}-\d{1,4}|MONTH\.? \d{1,2}(?:st|nd|rd|th)?\b(?![:.]\d|HALF)YEAR|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:MONTH)YEAR|\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\d{1,2}\.\d{1,2}\.(?:\d{4}\b)?|(?:today|tomorrow|yesterday|day after tomorrow)\b|(?:this coming|coming|this|next|last) DAY\b|DAY,?(?: of)? next week\b|(?:(?:this|next) )?weekend\b|(?:next|last) (?:week|year)\b|(?:this|next|last) month\b|end of (?:(?:the|this|next) )?month\b|\d{1,4} (?:day|week|month|year)s? ago\b)(?!['’])
SOMEDAY (?:the )?(?:DATE|DAY\b|ORD)(?:,? ?(?:at )?CLOCK)?
OFMONTH of (?:every|each|the|1) month\b
EACH (?:every|each)
`

/** Pieces of a time, longer ones before what they begin with. */
const pieces = String.raw`
(?<date>\d{4}-\d{1,2}-\d{1,2})[ t](?<clocks>CLOCK) ?(?<zone>[\x2b-]\d\d:?\d\d)
(?<nth>(?:EACH )?(?:ORD|last) (?:DAY|weekdays?|days?)\b(?! after\b|')(?: OFMONTH)?)
(?<days>EACH weekday\b)
(?<every>(?:EACH (?:single )?|once (?:per |EACH )?)(?:\d{1,4}(?:\.\d{1,4})? )?UNIT)
(?:(?<=^ ?)|(?=\S{1,20}(?: ?[,;:]| ?$| (?:at|on|night|from|until|for|starting|between) )))(?<every>(?:daily|hourly|weekly|fortnightly|monthly|quarterly|yearly)\b)
(?<every>EACH )(?=(?:PART)\b|MONTH \d|\d{1,4}(?:st|nd|rd|th)?(?: of)? MONTH)
(?<every>EACH )(?<dates>ORD(?:AND(?:on )?(?:the )?ORD){0,6})(?: OFMONTH)?
(?<every>OFMONTH)
(?:except|excluding|other than|but not|not)(?: on| for)? (?<except>LIST)
(?<days>(?:EACH |from )?RANGE)
(?<date>DAY,?(?: of)? next week\b)
(?<days>DAY) (?<after>week)\b(?! ?(?:of|-))
(?<days>EACH LIST|(?!weekend\b(?! days| and|,))LIST)
(?:in|after) (?<delay>SPANS)
(?<delay>SPANS) (?:from now|later|hence)\b
(?<after>SPAN) (?:from|after) (?=the day|DATE|DAY\b)
for (?:the )?(?:next )?(?<lasts>SPAN)
(?:for )?(?<times>\d{1,4}) times\b(?! an?\b| per\b| 1\b| EACH\b)
(?:from|between) (?<from>ANY) ?(?:to|until|till|and|-) ?(?<to>ANY)
(?<from>CLOCK) ?(?:to|-) ?(?<to>ANY)
(?:starting|beginning|as of|from)(?: on| from)? (?<starting>SOMEDAY)(?: on(?:wards?)?\b| ?(?:开始|起)(?![床来草飞诉]))?
(?<starting>SOMEDAY) ?(?:开始|起)(?= ?(?:[,;]|$|every|weekdays))
(?:until|till|til|through|thru|up to|to|ending)(?: on)? (?<until>SOMEDAY)
(?:in|during|of|EACH) (?<months>(?:MONTH|m\d{1,4}\b)(?:AND(?:MONTH)){0,6})(?! \d| ?, \d)
(?:(?:of )?the |of (?=next month|this month))?(?<date>DATE)
days? (?<dates>\d{1,2}(?:AND\d{1,2}){0,6})
(?<dates>ORD(?:AND(?:on )?(?:the )?ORD){0,6})
(?<clocks>CLOCKS)
(?:in the )?(?<part>PART)s?\b(?!['’])
\(?(?:in )?(?<zone>(?:utc|gmt) ?[\x2b-] ?\d{1,2}(?::?\d\d)?\b|[\x2b-]\d\d:?\d\d\b|[a-z]{1,20}/[a-z_]{1,20}(?:/[a-z_]{1,20})?|(?:[a-z]{1,20} ){1,2}time\b|\p{Script=Han}{2,3}时间|[a-z]{1,8}\b)\)?
(?:sharp|exactly)\b
`

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const named = linesOf(names).reduce((known, line) => {
  const [name = '', ...pattern] = line.split(' ')
  return known.set(name, expand(pattern.join(' '), known))
}, new Map<string, string>())

/** A pattern with the names in it as what they stand for. */
function expand(pattern: string, known: ReadonlyMap<string, string>): string {
  return pattern.replace(/[A-Z]{2,}/g, (name) => known.get(name) ?? name)
}
/** Builds a pattern of these names. */
export const patternOf = (pattern: string, flags: string): RegExp =>
  new RegExp(expand(pattern, named), flags)

const patterns = linesOf(pieces).map((piece) => patternOf(piece, 'uy'))
const link = /[\s,(]{0,3}(?:(?:and|on|at|the|by|around|about)\b ?|t(?=\d)){0,3}/y

/** All that a time says, before it is decided what it comes to: words by what they say. */
export type Said = Readonly<Record<string, string>>

/** A time as it stands at the beginning of a text; `bad` is where a piece stands that says something again. */
export interface Run {
  said: Said
  /** Where each was said. */
  places: Readonly<Record<string, [number, number]>>
  end: number
  bad: [number, number] | null
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Reads pieces as long as there are any. @param isZone true for words that name a zone */
export function readRun(
  text: string,
  isZone: (name: string, at: number) => boolean,
  given: Said = {},
): Run {
  const run: Run = { said: given, places: {}, end: 0, bad: null }
  for (;;) {
    const at = run.end + (match(link, text, run.end)?.[0].length ?? 0)
    const found = pieceAt(text, at, isZone)
    if (found === null) return run
    const place: [number, number] = [at, at + found[0].length]
    const said = Object.entries(found.groups ?? {}).filter(([, words]) => words !== undefined)
    if (said.some(([slot]) => slot in run.said)) return { ...run, bad: place }
    run.said = { ...run.said, ...Object.fromEntries(said) }
    run.places = { ...run.places, ...Object.fromEntries(said.map(([slot]) => [slot, place])) }
    run.end = place[1]
  }
}

function pieceAt(
  text: string,
  at: number,
  isZone: (name: string, at: number) => boolean,
): RegExpExecArray | null {
  for (const pattern of patterns) {
    const found = match(pattern, text, at)
    const zone = found?.groups?.zone
    if (found !== null && found[0] !== '' && (zone === undefined || isZone(zone, at))) return found
  }
  return null
}
