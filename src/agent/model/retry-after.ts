import type { APIError } from 'openai'
import { isRecord } from '../contracts/forgiving.ts'

/** The longest wait that an endpoint may ask for, in milliseconds. */
const longestWait = 60 * 60 * 1000

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  秒: 1_000,
  分: 60_000,
  小: 3_600_000,
}
const span = /(\d{1,6}(?:\.\d{1,12})?)\s?(ms|[smhd秒分小])/gi
const spanAlone = /^(?:\d{1,6}(?:\.\d{1,12})?\s?(?:ms|[smhd])\s?){1,4}$/i

/** Fields of an answer that say how long to wait, and in which of its headers times stand. */
const field = /"(?:retry_?after(?:_?(seconds|ms))?)"\s?:\s?"?(\d{1,9}(?:\.\d{1,12})?)\b/i
/** Wait in words: “try again in 1m26.4s” (C974), “wait 12 seconds”, “30 秒后重试”. */
const saidSpan =
  /(?:try again|retry(?:delay)?|wait|resets?)\D{1,14}((?:\d{1,6}(?:\.\d{1,12})?\s?(?:ms|[smhd])[a-z]{0,7}\s?){1,3})|(\d{1,6}\s?(?:秒|分钟?|小时)(?:之?后|以后))/i
const saidTime =
  /resets? (?:at|on):? (\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)/i

/**
 * Time until an endpoint may be asked again, in ms, as its answer says it: by `Retry-After` in any
 * spelling, by when its limit is reset, by a field of its body or in words (C974, C990). Null: it
 * does not say.
 *
 * @param now milliseconds since the epoch.
 */
export function retryAfter({ headers, message, error }: APIError, now: number): number | null {
  const all = Object.fromEntries(headers ?? [])
  const body = JSON.stringify(error) ?? ''
  const metadata = isRecord(error) && isRecord(error.metadata) ? error.metadata.headers : null
  const [, unit, count] = field.exec(body) ?? []
  const words = `${message} ${body}`
  const waits = [
    Number.parseFloat(all['retry-after-ms'] ?? ''),
    msIn(all['retry-after'] ?? '', now),
    resetIn(all, now),
    resetIn(isRecord(metadata) ? metadata : {}, now),
    Number(count) * (unit === 'ms' ? 1 : 1_000),
    spanIn(saidSpan.exec(words)?.slice(1).find(Boolean) ?? ''),
    Date.parse(saidTime.exec(words)?.[1] ?? '') - now,
  ]
  const wait = waits.find(Number.isFinite)
  return wait === undefined ? null : Math.min(Math.max(0, Math.round(wait)), longestWait)
}

/** Until the limits of which nothing is left are reset; `NaN`: no header says so. */
function resetIn(given: Readonly<Record<string, unknown>>, now: number): number {
  const all = Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)])
  const headers = new Map(all as [string, string][])
  const [, left, after] =
    /\b(?:remaining|r)=(\d{1,9}).{0,80}?\b(?:reset|t)=(\d{1,9})/.exec(
      headers.get('ratelimit') ?? '',
    ) ?? []
  const waits = [...headers].flatMap(([name, value]) => {
    const isReset = /ratelimit.{0,40}reset/.test(name)
    return isReset && headers.get(name.replace('reset', 'remaining')) === '0'
      ? msIn(value, now)
      : []
  })
  if (left === '0') waits.push(Number(after) * 1_000)
  const known = waits.filter(Number.isFinite)
  return known.length === 0 ? Number.NaN : Math.max(...known)
}

/** Time in a header: seconds, an instant as a number or a date, or a span as “6m0s”. */
function msIn(value: string, now: number): number {
  // A header that came twice is a list.
  const text = /^\s*(\d+(?:\.\d+)?)\s*(?:,|$)/.exec(value)?.[1] ?? value.trim()
  if (spanAlone.test(text)) return spanIn(text)
  const count = Number(text === '' ? Number.NaN : text)
  if (!Number.isFinite(count)) return Date.parse(text) - now
  if (count > 1e12) return count - now
  return count > 1e9 ? count * 1_000 - now : count * 1_000
}

function spanIn(text: string): number {
  const times = [...text.matchAll(span)].map(
    ([, count, unit = '']) => Number(count) * (unitMs[unit.toLowerCase()] ?? 0),
  )
  return times.length === 0 ? Number.NaN : times.reduce((sum, one) => sum + one)
}
