/*
 * Words beside a time that could belong to it. They are not what is to be done: a time that they adjoin is not understood (C312).
 */

const unit = '(?:min(?:ute)?|hour|hr|day|week|month|quarter|year|weekday)s?\\b'
const named = [
  'today|tonight|tomorrow|yesterday|(?:morning|afternoon|evening|night)s?',
  'weekdays?|weekends?|workdays?|(?:bank |public )?holidays?|(?:business|office|work|working) hours',
  "(?:sun|mon|tues?|wed(?:nes)?|weds|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?\\b(?!['’-])",
  'january|february|april|june|july|august|september|october|november|december',
  '(?:jan|feb|mar|march|apr|may|jun|jul|aug|sept?|oct|nov|dec)\\.? \\d',
].join('|')
const joins =
  'and|or|but|plus|not|only|on|at|by|to|from|around|about|before|after|past|then|through|thru'
const always =
  "except|excluding|unless|until|till?|starting|beginning|ending|during|within|between|throughout|twice|thrice|sharp|ish|o['’]?clock|[ap]\\.?m\\b|every|each|onwards?"
const han = [
  '[和与及跟到至在从]?(?:\\d{1,5}|[零一二两三四五六七八九十]{1,4}) ?(?:[点时刻分号日月周天年]|个?(?:小时|半|月|星期|工作日))',
  '前(?![端台往面后景期辈])|后(?![端台面续勤期])|[之以][前后内]|期间|内(?![容部网测存])',
  '起(?![床来草飞诉名])|半(?![价天年月个成数])|刻|节假日|除[了去外非周工节]|直到|隔[天周日月]|每(?!个?人|[位名组])',
].join('|')
const number = `\\d{1,5}(?:[:.]\\d| ?(?:am|pm|st|nd|rd|th|times)\\b| ?${unit}| ?(?:,|and|or|&|-|to) ?\\d)`

const after = new RegExp(
  [
    `(?:(?<=\\b(?:at|by|about|around) \\d{1,2}) [0-5]\\d\\b|[\\s,;(&/-]{0,4}(?:`,
    `(?:${joins}) (?:the )?\\d|(?<=[,&] ?)\\d{1,5} ?(?:[,&]|and\\b|$)`,
    `|(?:(?:${joins}|of|the|also|next|this|last|half|a) ){0,3}(?:${number}|(?:${named})\\b(?!['’]))`,
    `|(?:${always})\\b(?!['’])`,
    `|(?:for|in|over)(?: the)?(?: next| coming| rest of the)? (?:(?:half an?|a few|several|some|many) )?${unit}`,
    '|in (?:the )?(?:spring|summer|autumn|winter)\\b|(?:at|before|after|by) (?:lunch|dinner|dawn|dusk)',
    `|(?:1 )?${unit} (?:from|after|before|later|ago|hence|of)\\b`,
    `|${han})`,
    ")[\\w:.'’-]{0,20}(?: [\\w:.'’-]{1,20}){0,2}",
  ].join(''),
  'y',
)

/** A zone that is none known here. */
const foreignZone = /^[\s,(]*(?:[A-Z][a-z]+ ){1,2}[Tt]ime\b/

/** How many signs behind `end` could belong to the time that ends there; 0: none. A colon ends every time. */
export function adjoins(plain: string, end: number, typed: string): number {
  after.lastIndex = end
  return after.exec(plain)?.[0].length ?? foreignZone.exec(typed)?.[0].length ?? 0
}

const before =
  /(?:\b(?:and|or|not|but|except|excluding|unless|until|till|before|after|from|between|to|than|past|half|quarter|twice|thrice|every|each|other|next|last)|[前半和到至除])[\s,]*$/i

/** True if the words before a time could belong to it. */
export const precedes = (typed: string): boolean => before.test(typed.slice(-20))
