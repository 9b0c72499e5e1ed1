import type { Tool } from 'clew/tool'

/** Only reads, so it may run again, and scheduled work may use it. */
const daysLeft: Tool = {
  name: 'days_left',
  effect: 'none',
  description:
    'Counts the days from Monday to Friday that are left in a month, with the day that is given. The input is a day, as 2026-05-20.',
  async run(input) {
    const day = new Date(`${input.trim()}T00:00Z`)
    if (Number.isNaN(day.getTime()))
      return { ok: false, text: 'the input is not a day such as 2026-05-20' }
    const month = day.getUTCMonth()
    let count = 0
    while (day.getUTCMonth() === month) {
      if (![0, 6].includes(day.getUTCDay())) count += 1
      day.setUTCDate(day.getUTCDate() + 1)
    }
    return { ok: true, text: `${count} working days are left` }
  },
}
export default daysLeft
