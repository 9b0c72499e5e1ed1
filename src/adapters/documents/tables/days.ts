/** Order of day and month in dates of digits. */
export type DayOrder = 'day_first' | 'month_first'

/** Date that people wrote, as ISO 8601; `either`: by each order, where the digits do not say. */
export type WrittenDay =
  | { is: string; order: DayOrder | null }
  | { either: Record<DayOrder, string> }

const months = [
  ['jan', 'ene', 'gen'],
  ['feb', 'fév', 'fev'],
  ['mar', 'mär', 'maer', 'mrt'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'mag', 'mei'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aoû', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott', 'out'],
  ['nov'],
  ['dec', 'déc', 'dez', 'dic'],
]
const zone = '(?: ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?'
const clock = String.raw`(?:[T ,]{1,2}(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?)${zone})?`
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${clock}$`, 'i')
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${clock}$`, 'i')
const chinese = new RegExp(String.raw`^(\d{4})年(\d{1,2})月(\d{1,2})日${clock}$`)
const dayMonth =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.)?(?: de| of)?[ -]{1,2}(\p{L}{3,10})\.?,?(?: de)?[ -]{1,2}(\d{4}|\d{2})$/u
const monthDay = /^(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u

/** Reads a date; null: it is none. */
export function writtenDay(text: string): WrittenDay | null {
  const bare = text.trim()
  if (bare.length < 6 || bare.length > 40 || !/\d/.test(bare)) return null
  const [, year, month, day, time] = yearFirst.exec(bare) ?? chinese.exec(bare) ?? []
  if (year !== undefined) return certain(iso(year, month, day, time))
  const digits = yearLast.exec(bare)
  if (digits !== null) return byOrder(digits)
  const [, d, name, y] = dayMonth.exec(bare) ?? []
  if (name !== undefined) return certain(iso(y, monthNamed(name), d))
  const [, named, second, last] = monthDay.exec(bare) ?? []
  return named === undefined ? null : certain(iso(last, monthNamed(named), second))
}

function byOrder([, first, mark, second, year, time]: readonly string[]): WrittenDay | null {
  const dayFirst = iso(year, second, first, time)
  const monthFirst = mark === '.' ? null : iso(year, first, second, time)
  if (dayFirst === null) return certain(monthFirst, 'month_first')
  if (monthFirst === null) return certain(dayFirst, mark === '.' ? null : 'day_first')
  if (monthFirst === dayFirst) return certain(dayFirst)
  return { either: { day_first: dayFirst, month_first: monthFirst } }
}

const certain = (is: string | null, order: DayOrder | null = null): WrittenDay | null =>
  is === null ? null : { is, order }

const monthNamed = (name: string): string | undefined => {
  const start = name.toLowerCase()
  const at = months.findIndex((names) => names.some((one) => start.startsWith(one)))
  return at === -1 ? undefined : String(at + 1)
}

function iso(year = '', month = '', day = '', time?: string): string | null {
  const whole = year.length === 2 ? `20${year}` : year
  const date = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const most = new Date(Date.UTC(Number(whole), Number(month), 0)).getUTCDate()
  const isReal =
    Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= most
  if (!isReal) return null
  return time === undefined ? date : `${date} ${in24Hours(time)}`
}

/** Hours and minutes of a time such as `3:45:10 PM`. */
function in24Hours(time: string): string {
  const [hours = '', minutes = ''] = time.split(':')
  const half = /[ap]\.?m/i.exec(time)?.[0].toLowerCase()[0]
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${minutes.slice(0, 2)}`
}
