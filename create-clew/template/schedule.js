/** `npm run schedule`: asks the Clew that runs here for the schedule below, unless it has it already. */
const schedule = {
  title: 'Say how many working days are left this month',
  when: 'every weekday at 9:00',
}

/** Returns the schedule as Clew has it. */
export async function setSchedule(url, token = '') {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const ask = async (options) => {
    const response = await fetch(`${url}/api/schedules`, { headers, ...options })
    if (!response.ok) throw new Error(`Clew answers ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { schedules } = await ask()
  const there = schedules.find(({ title }) => title === schedule.title)
  if (there !== undefined) return there
  const text = `${schedule.when} ${schedule.title}`
  return (await ask({ method: 'POST', body: JSON.stringify({ text }) })).schedule
}

if (import.meta.main) {
  const { PORT = 3000, WEB_TOKEN } = process.env
  const { title, rule, clockRule } = await setSchedule(`http://127.0.0.1:${PORT}`, WEB_TOKEN)
  console.log(`“${title}” is set: ${rule}, ${clockRule}`)
}
