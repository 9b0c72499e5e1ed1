import { isCron } from '../../schedules/cron.ts'
import { linesOf, patternOf } from './names.ts'

/** Pieces of a time in plain English, longer ones before what they begin with. Their groups are the slots that they fill. */
const pieces = linesOf(String.raw`
^ ?(?<cron>@[a-z]{1,20}|\S{1,60}(?: \S{1,60}){3} \S{0,60}[^\s,:])(?=[\s,:]|$)
(?<starting>SOMEDAY) ?(?:开始|起)(?= ?(?:[,;]|$|every|weekdays))
(?<date>\d{4}-\d{1,2}-\d{1,2})[ t](?<clocks>CLOCK) ?(?<zone>[\x2b-]\d\d:?\d\d)
(?<!(?:the|on|month|monthly|MONTH),? )(?<date>last DAY\b)(?! (?:of|in|every|each)\b)
(?<nth>(?:EACH )?(?<which>\d{1,2}(?=st|nd|rd|th)|last)(?:st|nd|rd|th)? (?<unit>DAY|weekdays?|days?)\b(?! after\b|')(?: OFMONTH)?)
(?<days>EACH weekday\b(?:AND(?:LIST))?)
(?<every>(?:EACH (?:single )?|once (?:per |EACH )?)(?:\d{1,4}(?:\.\d{1,4})? ?)?(?!weekday)UNIT)
(?:(?<=^ ?)(?!.* (?:every|each|weekdays|on (?:DAYS))\b)|(?=\S{1,20}(?: ?[,;:]| ?$| (?:at|on|night|from|until|for|starting|between) )))(?<every>(?:daily|hourly|weekly|fortnightly|monthly|quarterly|yearly)\b)
(?<every>EACH )(?=(?:PART)\b|MONTH \d|\d{1,4}(?:st|nd|rd|th)?(?: of)? MONTH)
(?<every>EACH )(?<dates>ORD(?:AND(?:on )?(?:the )?ORD){0,6})(?: OFMONTH)?
(?<every>OFMONTH)
(?:except|excluding|other than|apart from|aside from|but(?: not)?|not)(?: on| for)? (?<except>LIST)
(?<days>(?:EACH |from )?RANGE(?:AND(?:LIST))?)
(?<date>DAY,?(?: of)? next week\b)
(?<days>DAY) (?<after>week)\b(?! ?(?:of|-))
(?<days>EACH LIST|(?!weekend\b(?! days| and|,))LIST)
(?<date>today|tomorrow) (?<after>week)\b(?! ?(?:of|-))
(?<date>in 2 days)\b(?! ?(?:,|and)? ?\d)
(?:in|after) (?<delay>SPANS)
(?<delay>SPANS) (?:from now|later|hence)\b
(?<after>SPAN) (?:from|after) (?=the day|DATE|DAY\b)
for (?:the )?(?:next )?(?<lasts>SPAN)
(?:for |(?<=(?:\d|\d ?[ap]m) ?,? ?))(?<times>\d{1,4}) times\b(?! an?\b| per\b| 1\b| EACH\b)
(?:from|between) (?<from>ANY) ?(?:to|until|till|and|-) ?(?<to>ANY)
(?<from>CLOCK) ?(?:to|-) ?(?<to>ANY)
(?:starting|beginning|as of|from)(?: on| from)? (?<starting>SOMEDAY)(?: on(?:wards?)?\b| ?(?:开始|起)(?![床来草飞诉]))?
(?<!EACH )(?<starting>SOMEDAY)(?= ?(?:-|to|until|till|through|thru) ?SOMEDAY)
(?:until|till|til|through|thru|up to|to|ending|-)(?: on)? ?(?<until>SOMEDAY)
(?:in |during |of |(?=EACH))(?<months>(?:EACH )?(?:MONTH|m\d{1,4}\b)(?:AND(?:MONTH)){0,6})(?! \d| ?, \d)
(?:(?:of )?the |of (?=next month|this month))?(?<date>DATE)
days? (?<dates>\d{1,2}(?:AND\d{1,2}){0,6})(?![/.:\d])
(?<dates>ORD(?:AND(?:on )?(?:the )?ORD){0,6})
(?<clocks>CLOCKS)
(?:in the )?(?<part>PART)s?\b(?!['’])
\(?(?:in )?(?<zone>(?:utc|gmt) ?[\x2b-] ?\d{1,2}(?::?\d\d)?\b|[\x2b-]\d\d:?\d\d\b|[a-z]{1,20}/[a-z_]{1,20}(?:/[a-z_]{1,20})?|(?:[a-z]{1,20} ){1,2}time\b|\p{Script=Han}{2,3}时间|(?:utc|gmt|z)\b)\)?
(?<!^ ?)\(?(?:in )?(?<zone>[a-z]{3,20} [a-z]{3,20}\b)\)?
(?<!^ ?)\(?(?:in )?(?<zone>(?!(?:wake|easter|center|canary|midway|troll|oral)\b)[a-z]{2,20}\b)\)?
(?:sharp|exactly)\b
`).map((piece) => patternOf(piece, 'uy'))
const link = /[\s,(]{0,3}(?:(?:and|on|at|the|by|around|about)\b ?|t(?=\d)){0,3}/y

/** All that a time says, before it is decided what it comes to: words by what they say. `twice`: a piece says something again. */
export type Said = Readonly<Record<string, string | undefined>>

/** Reads pieces as long as there are any. @param isZone true for words that name a zone */
export function readRun(text: string, isZone: (name: string, at: number) => boolean) {
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const pieceAt = (at: number) => {
    for (const piece of pieces) {
      const found = match(piece, at)
      const { zone, cron } = found?.groups ?? {}
      if (found?.[0] && (cron ? isCron(cron) : zone === undefined || isZone(zone, at))) return found
    }
    return null
  }
  const said: Record<string, string> = {}
  const places: Record<string, [number, number]> = {}
  for (let end = 0; ; ) {
    const at = end + (match(link, end)?.[0].length ?? 0)
    const found = pieceAt(at)
    if (!found || said.twice) return { said, places, end }
    end = at + found[0].length
    for (const [name, words] of Object.entries(found.groups ?? {})) {
      if (words === undefined) continue
      const slot = name in said ? 'twice' : name
      said[slot] = words
      places[slot] = [at, end]
    }
  }
}
