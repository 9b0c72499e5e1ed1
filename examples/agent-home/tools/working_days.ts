import type { Tool } from 'clew/tool'

/** Only reads, so it may run again and scheduled work may use it too. */
const workingDays: Tool = {
  name: 'working_days',
  effect: 'none',
  description:
    'Counts the days from Monday to Friday between two dates, both included. The input is YYYY-MM-DD YYYY-MM-DD.',
  check(input) {
    return datesOf(input) === null
      ? 'the input is not two dates such as 2026-05-01 2026-05-31'
      : null
  },
  async run(input) {
    const dates = datesOf(input)
    if (dates === null) return { ok: false, text: 'the input is not two dates' }
    let count = 0
    for (let day = dates.from; day <= dates.to; day += dayMs)
      if (![0, 6].includes(new Date(day).getUTCDay())) count++
    return { ok: true, text: `${count} working days` }
  },
}
export default workingDays

const dayMs = 24 * 60 * 60 * 1000

function datesOf(input: string): { from: number; to: number } | null {
  const [from = Number.NaN, to = Number.NaN, ...more] = input
    .trim()
    .split(/\s+/)
    .map((date) => Date.parse(`${date}T00:00Z`))
  const isRange = to >= from && to - from < 10_000 * dayMs
  return isRange && more.length === 0 ? { from, to } : null
}
