import { isCron } from '../../schedules/cron.ts'

/* Names in the patterns of this folder. */

/** Pairs in a text: `one=1 two=2`. */
export const listed = (
  text: string,
  pair = /(\S{1,20})=(\S{1,40})/g,
): ReadonlyMap<string, string> =>
  new Map(Array.from(text.matchAll(pair), ([, name = '', value = '']) => [name, value] as const))

/** A name and its pattern a line, in which other names may stand. */
const named = listed(
  String.raw`
PART dawn|daybreak|morning|forenoon|lunchtime|afternoon|evening|night
DAY (?:sun|mon|tues?|wed(?:nes)?|weds|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?
DAYS (?:DAYs?|weekends?(?: days?)?|weekdays)\b(?!['’-])
AND (?: ?, ?(?:and )?| and (?:again )?| ?[&+] ?| / )
LIST DAYS(?:(?:AND| ?/ ?)(?:on )?DAYS){0,6}
RANGE (?:DAYs?(?: ?- ?| (?:to|through|thru) )DAYs?|(?<!EACH )DAY (?:till|until) DAY)\b(?!['’])
MONTH (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b
UNIT (?:(?:min(?:ute)?|hour|hr|day|week|month|quarter|year|weekday)s?|[mhd])\b
SPAN (?:\d{1,5} ?(?:UNIT|[hd](?=\d))|\d{1,5}\.\d{1,2} ?(?:min(?:ute)?s?|h(?:ou)?rs?|[mh])\b|\d{1,3}\.(?:5|25|75) ?years?\b)
SPANS SPAN(?:(?: ?,)?(?: and)? ?SPAN)?
ORD \d{1,2}(?:st|nd|rd|th)\b
HALF (?: ?(?:am|pm)\b)
BARE (?:[01]?\d|2[0-3])(?![\d/a-z]|[:.-]\d)
CLOCK (?:[01]?\d|2[0-3])(?::(?:[0-5]\d|-(?:05|1[05]|2[05]))(?!\d)(?::\d\d)?HALF?|HALF)
ANY (?:CLOCK|BARE)
NEXT (?:CLOCK|BARE(?= ?(?:[,;:)]|$|and \d|on\b|every\b))|(?:1[3-9]|2[0-3])(?![\d/a-z]|[:.-]\d))
CLOCKS (?:CLOCK|(?<=(?:at|by|around|about) )BARE)(?:AND(?:at )?NEXT){0,11}
YEAR (?:(?: ?,)? \d{4}\b)?
DATE (?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.]\d{1,2}(?!\d)|year@\d-\d{1,4}-\d{1,4}|MONTH\.? \d{1,2}(?:st|nd|rd|th)?\b(?![:.]\d|HALF)YEAR|(?<!\bat )\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:MONTH)(?!AND(?:MONTH))YEAR|\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\d{1,2}\.\d{1,2}\.(?:\d{4}\b)?|(?:today|tomorrow|yesterday|in 2 days)\b|(?:this(?: week)?|next|last) DAY\b|DAY,?(?: of)? next week\b|(?:(?:this|next) )?weekend\b|(?:next|last) (?:week|year)\b|(?:this|next|last) month\b|end of (?:(?:the|this|next) )?month\b|\d{1,4} (?:day|week|month|year)s? ago\b)(?!['’])
EVENING (?: (?:in the )?(?:PART)\b)
HOUR (?:EVENING?(?:,? ?at CLOCK(?!AND(?:NEXT)| and at NEXT)|,? ?CLOCK(?: ?, ?NEXT|(?! ?(?:and|[&+]) (?:at )?NEXT))))
SAID (?<=(?:CLOCK|\b(?:at \d{1,2}|min(?:ute)?s?|hours?|hourly|[hm]))\b.{0,120})
OWNED (?:SAID|(?=.{0,120} every (?:\d{1,4} ?)?(?:min|h)))
SOMEDAY (?:the )?(?:next month ORD|DATE|DAY\b|ORD)(?:OWNED(?:HOUR))?
OFMONTH of (?:every|each|the|1) month\b
EACH (?:every|each)
NTH first|second|third|fourth|fifth|tenth|fifteenth|twentieth|thirtieth
TENS twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety
ONES one|two|three|four|five|six|seven|eight|nine
HAN [零一二三四五六七八九〇两]
HANUNIT (?= ?个?半?个?(?:分|刻|小时|钟头|天|日|周|星期|礼拜|月|年|工作日|季度|次|点|时|号)|[、,和及与](?:HAN|十){1,3}[号日])
WEEK (?:周|星期|礼拜)
HANDAY [一二三四五六日天]
HANDAYS (?:[、,和及与]? ?HANDAY){0,9}[、,和及与]? ?
NEAR today|in 2 days|tonight|tomorrow|yesterday|(?:morning|afternoon|evening|night)s?|weekdays?|weekends?|workdays?|(?:bank |public )?holidays?|(?:business|office|work|working) hours|DAYs?\b(?!['’-])|january|february|april|june|july|august|september|october|november|december|(?:jan|feb|mar|march|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.? \d
JOINS and|or|but|plus|not|only|on|at|by|to|from|around|about|before|after|past|then|through|thru
MEND no|oh no|wait|sorry|actually|rather|or rather|i mean|better|make (?:it|that)
ALWAYS except|excluding|unless|until|till?|starting|beginning|ending|during|within|between|throughout|once (?:a|per|every|each|CALENDAR)|twice|thrice|sharp|ish|o['’]?clock|[ap]\.?m\b|every|each|onwards?|apart from|aside from|besides|up (?:to|until)|as long as|while|(?:my|our|your|his|her|their|local|server|office) time|after next|(?:early|late|mid)[ -](?:PART)
LATER \bat (?:noon|midnight|\d{1,2}(?::-?\d\d| ?[ap]\.?m|$|[ ,]{1,2}(?:JOINS|ALWAYS|with)\b))
CALENDAR (?:(?:min(?:ute)?|hour|hr|day|week|month|quarter|year|weekday)s?\b)
AMOUNT \d{1,5}(?:[:./]\d| ?(?:am|pm|st|nd|rd|th|times)\b| ?x\b| ?CALENDAR| ?(?:,|and|or|&|-|to) ?\d)
HANTIME 倒数|初[一二三四五六七八九十]|[上中下]旬|逢[\d一二三四五六七八九十]|末(?![班位端])|(?<=\d {0,2})多(?![人个语媒云方久少])|差[\d一二三五十]|上班[前后]|第(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?(?:天|day)|[和与及跟到至在从]?(?:\d{1,5}|[零一二两三四五六七八九十]{1,4}) ?(?:[点时刻分号日月周天年]|个?(?:小时|半|月|星期|工作日))|前(?![端台往面景期辈])|后(?![端台面续勤期])|[之以][前后内外]|期间|(?:为期|持续|连续) {0,3}(?:in )?[\d一二两三四五六七八九十几半]|内(?![容部网测存])|起(?![床来草飞诉名])|半(?![价天年月个成数])|刻|节假日|除[了去外非周工节]|直到|隔[天周日月]|(?:\d{1,3}|[一二两三四五六七八九十几])[次遍回](?!性)|[,、]?[早中午]?[,、]?[中晚](?![会餐饭宴报安自文国上])|(?:早|午|晚)?[饭餐][前后]|睡前|下班[前后]|每(?!个?人|[位名组])
BESIDE (?:JOINS) (?:the )?\d|(?:MEND)[ ,]{1,3}(?:(?:MEND|at|on|the|next)[ ,]{1,3}){0,3}(?:(?:NEAR)\b(?!['’])|\d{1,2}\b)|(?<=\d ?h(?:rs?)?) \d{1,2}\b(?! ?CALENDAR)|(?<=\bat (?:5|10|20|25)) past\b|(?:maybe|perhaps|at the same time|same time|no (?:later|earlier|sooner))\b|mid-?(?:morning|afternoon|evening)\b|(?<=[,&] ?)\d{1,5} ?(?:[,&]|and\b|$)|(?:(?:JOINS|of|the|also|next|this|last|half|a) ){0,3}(?:AMOUNT|(?:NEAR)\b(?!['’]))|(?:ALWAYS)\b(?!['’])|(?:for|in|over)(?: the)?(?: next| coming| rest of the)? (?:(?:half an?|a few|several|some|many) )?CALENDAR|in (?:the )?(?:spring|summer|autumn|winter|MONTH)\b|(?:at|before|after|by) (?:breakfast|lunch|dinner|work|school|bed|dawn|dusk|christmas|xmas|easter|new year)|(?:this|next|last|coming) CALENDAR(?!['’])|(?:again )?at :?\d|on the (?:half )?hour\b|(?:at )?(?:a )?(?:half|quarter) (?:past|to)\b|(?:1 )?CALENDAR (?:from|after|before|later|ago|hence|of)\b|(?:days?|in) \d|(?:à|um|om|alle|às|a las) \d|[のに]|HANTIME
`,
  /^([A-Z]+) (.+)$/gm,
)

const expand = (pattern: string): string =>
  pattern.replace(/[A-Z]{2,}/g, (name) => expand(named.get(name) ?? ''))

/** A pattern in which names stand. */
export const patternOf = (pattern: string, flags: string): RegExp =>
  new RegExp(expand(pattern), flags)

export const linesOf = (text: string): string[] => text.match(/.+/g) ?? []

/**
 * Pieces of a time in plain English, longer ones before what they begin with. Their groups are the
 * slots that they fill.
 */
const pieces = linesOf(String.raw`
^ ?(?<cron>@[a-z]{1,20}|\S{1,60}(?: \S{1,60}){3} \S{0,60}[^\s,:])(?=[\s,:]|$)
(?<starting>SOMEDAY) ?(?:开始|起)(?= ?(?:[,;]|$|every|weekdays))
(?<date>\d{4}-\d{1,2}-\d{1,2})[ t](?<clocks>CLOCK) ?(?<zone>[\x2b-]\d\d:?\d\d)
(?<!(?:the|on|month|monthly|MONTH),? )(?<date>last DAY\b)(?! (?:of|in|every|each)\b)
(?<nth>(?:EACH )?(?<which>\d{1,2}(?=st|nd|rd|th)|last)(?:st|nd|rd|th)? (?<unit>DAY|weekdays?|days?)\b(?! after\b|')(?: OFMONTH)?)
(?<days>EACH weekday\b(?:AND(?:LIST))?)
(?<every>(?:EACH (?:single )?|once (?:per |EACH )?)(?:\d{1,4}(?:\.\d{1,4})? ?)?(?!weekday)UNIT)
(?:(?<=^ ?)(?!.* (?:every|each|weekdays|on (?:DAYS))\b)|(?=\S{1,20}(?: ?[,;:]| ?$| (?:at|on|in|night|from|until|till?|thr(?:ough|u)|up|to|as|for|starting|beginning|ending|between|except|excluding|but) )))(?<every>(?:daily|hourly|weekly|fortnightly|monthly|quarterly|yearly)\b)
(?<every>EACH )(?=(?:PART)\b|MONTH \d|\d{1,4}(?:st|nd|rd|th)?(?: of)? MONTH)
(?<every>EACH )(?<dates>ORD(?:AND(?:on )?(?:the )?ORD){0,6})(?: OFMONTH)?
(?<every>OFMONTH)
(?:except|excluding|other than|apart from|aside from|without|skipping|(?<!^ ?)(?:but(?: not)?|not))(?: on| for)? (?<except>LIST)
(?<days>(?:EACH |from )?RANGE(?:AND(?:LIST))?)
(?<date>DAY,?(?: of)? next week\b)
(?<days>DAY) (?<after>week)\b(?! ?(?:of|-))
(?<days>EACH LIST|(?!weekend\b(?! days| and|,))LIST)
(?<date>today|tomorrow) (?<after>week)\b(?! ?(?:of|-))
(?<date>in 2 days)\b(?! ?(?:,|and)? ?\d)
(?:in|after) (?<delay>SPANS)
(?<=^ ?)(?<delay>SPANS)(?= ?$)
(?<delay>SPANS) (?:from now|later|hence)\b
(?<after>SPAN) (?:from|after) (?=the day|DATE|DAY\b)
for (?:the )?(?:next )?(?<lasts>SPAN)
(?:for |(?<=(?:\d|\d ?[ap]m) ?,? ?))(?<times>\d{1,4}) times\b(?! an?\b| per\b| 1\b| EACH\b)
(?:from|between) (?<from>ANY) ?(?:to|until|till|and|-) ?(?<to>ANY)
(?<from>CLOCK) ?(?:to|-) ?(?<to>ANY)
(?<from>BARE) to (?<to>BARE)(?=,? (?:every|each) )
(?:starting|beginning|as of|from)(?: on| from)? (?<starting>SOMEDAY)(?:(?<open>(?:SAID|(?=EVENING(?! ?,? ?(?:at )?\d).{1,80}(?:CLOCK|\bat \d)))EVENING|(?=,? ?at CLOCK ?, ?at \d))|)(?: on(?:wards?)?\b| ?(?:开始|起)(?![床来草飞诉]))?
(?<=from .{1,60}(?:PART|CLOCK) ?)(?:开始|起)(?![床来草飞诉名])
(?<!EACH )(?<starting>SOMEDAY)(?= ?(?:-|to|until|till|through|thru) ?SOMEDAY)
(?:until|till|til|through|thru|up to|to|ending|-)(?: on)? ?(?<until>SOMEDAY)(?:(?<open>EVENING| ?CLOCK(?! ?(?:and|[&+]) (?:at )?NEXT)|(?=,? ?at CLOCK ?, ?at \d))|)
(?:in |during |of |(?=EACH))(?<months>(?:EACH )?(?:MONTH|m\d{1,4}\b)(?:AND(?:in )?(?:MONTH|m\d{1,4}\b)){0,11})(?:(?<=m\d{1,2})(?= \d{1,2}th)|(?! \d| ?, \d))
(?:(?:of )?the |of (?=next month|this month))?(?<date>DATE)
days? (?<dates>\d{1,2}(?:AND\d{1,2}){0,6})(?![/.:\d])
(?<dates>ORD(?:AND(?:on )?(?:the )?ORD){0,6})
(?<clocks>CLOCKS)
(?:in the )?(?<part>PART)s?\b(?!['’])
\(?(?:in )?(?<zone>(?:utc|gmt) ?[\x2b-] ?\d{1,2}(?::?\d\d)?\b|[\x2b-]\d\d:?\d\d\b|[a-z]{1,20}/[a-z_]{1,20}(?:/[a-z_]{1,20})?|(?:[a-z]{1,20} ){1,2}time\b|\p{Script=Han}{2,3}时间|(?:utc|gmt|z)\b)\)?
(?<!^ ?)\(?(?:in )?(?<zone>[a-z]{3,20} [a-z]{3,20}\b)\)?
(?<!^ ?)\(?(?:in )?(?<zone>(?!(?:wake|easter|center|canary|midway|troll|oral|ct scan|pt session)\b)[a-z]{2,20}\b)\)?
(?:sharp|exactly)\b
`).map((piece) => patternOf(piece, 'uy'))
const link = /[\s,(]{0,3}(?:(?:and|on|at|the|by|around|about)\b ?|t(?=\d)){0,3}/y

/**
 * All that a time says, before it is decided what it comes to: words by what they say. `twice`: a
 * piece says something again.
 */
export type TimeWords = Readonly<Record<string, string | undefined>>

/**
 * Reads pieces as long as there are any.
 *
 * @param isZone true for words that name a zone; none does when it is left out
 */
export function readRun(text: string, isZone = (_name: string, _at: number) => false) {
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const pieceAt = (at: number) => {
    for (const piece of pieces) {
      const found = match(piece, at)
      const { zone, cron } = found?.groups ?? {}
      if (found?.[0] && (cron ? isCron(cron) : !zone || isZone(zone, at))) return found
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
