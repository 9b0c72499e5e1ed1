import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, keysFrom } from '../../../src/store/redis/connection.ts'
import { apiOf, middle, startDay } from '../day.ts'
import { leftovers } from '../history.ts'
import { type Section, seconds, some } from '../section.ts'
import { openTab } from '../tab.ts'

const minutes = 60
/** In one second. */
const tasks = 1
/** Memory of the last quarter beside that of the second: until then caches fill. */
const growsMost = 1.1

/**
 * An hour of a team's day on one process as production runs it: greetings, tasks that ask something, to-dos with reminders,
 * and a schedule for every minute. Memory stays level, no list grows that is not somebody's, nothing is warned of.
 */
export const hour: Section = async (soak) => {
  const { server, clew, close } = await startDay(soak)
  const redis = server.connect(0)
  const failures: string[] = []
  const memory: number[] = []
  const cards: Record<string, number>[] = []
  let [begun, asked] = [0, 0]
  try {
    await clew.start()
    const tab = openTab({ url: () => clew.url }, () => false)
    const api = apiOf(clew.url)
    await api.say('/schedule add every minute Look around')
    const began = performance.now()
    const until = began + some(soak, minutes) * 60_000
    const going = new Set<Promise<void>>()
    async function one(number: number) {
      const id = await api.say(
        number % 5 === 0 ? `/todo add in 1 minute call ${number}` : `Task ${number}`,
      )
      if (number % 5 === 0)
        return void (await api.say(`/todo done ${number / 5 + 1}`).catch(() => ''))
      const { question } = await api.until(id, (view) => view.question !== null)
      asked += 1
      await api.answer(question?.id ?? '', 'The first one')
      await api.until(id, (view) => view.run?.status === 'succeeded')
    }
    while (performance.now() < until) {
      const due = Math.floor(((performance.now() - began) / 1_000) * tasks)
      for (; begun < due && going.size < 50; begun++) {
        const doing = one(begun).catch((error) => void failures.push(String(error)))
        going.add(doing)
        void doing.finally(() => going.delete(doing))
      }
      if (performance.now() - began > memory.length * 10_000) {
        memory.push(await residentMb(clew.pid()))
        if (memory.length % 6 === 0) cards.push(await sizes(redis))
      }
      await wait(50)
    }
    await Promise.all(going)
    await api.say('/schedule pause 1')
    for (let tries = 0; (await leftovers(redis)).length > 0 && tries < 300; tries++) await wait(200)
    failures.push(...(await leftovers(redis)).map((left) => `left over: ${left}`))
    await tab.close()
  } finally {
    redis.disconnect()
    await close()
  }
  const lines = clew.output().split('\n')
  failures.push(
    ...lines
      .filter((line) => /"level":[456]0/.test(line))
      .map((line) => `logged: ${line.slice(0, 300)}`),
  )
  const quarter = Math.ceil(memory.length / 4)
  const [early, late] = [middle(memory.slice(quarter, 2 * quarter)), middle(memory.slice(-quarter))]
  if (late > early * growsMost) failures.push(`memory has grown from ${early} to ${late} MB`)
  const grown = growing(cards)
  failures.push(
    ...grown.map((name) => `${name} grows: ${cards.map((card) => card[name] ?? 0).join(' ')}`),
  )
  return {
    figures: `${begun} requests, ${asked} questions in ${seconds(memory.length * 10_000)}; memory ${early} MB in the second quarter, ${late} MB in the last; ${JSON.stringify(cards.at(-1))}`,
    failures: failures.slice(0, 20),
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

/** How many entries the lists have that belong to no thread, run or day alone; those of the queue, too. */
async function sizes(redis: Connection): Promise<Record<string, number>> {
  const shared =
    /^(?:bull:.*:(?:wait|active|delayed|completed|failed|prioritized|events)|clew:\{[^}]*\}:(?:due:\w+|line.*|alarms|needs|scheduler:changes|words:stale|aside))$/
  const keys = [...(await keysFrom(redis, 'bull:')), ...(await keysFrom(redis, 'clew:'))].filter(
    (key) => shared.test(key),
  )
  const found = await Promise.all(keys.map(async (key) => [key, await sizeOf(redis, key)] as const))
  return Object.fromEntries(found)
}

async function sizeOf(redis: Connection, key: string): Promise<number> {
  switch (await redis.type(key)) {
    case 'list':
      return await redis.llen(key)
    case 'zset':
      return await redis.zcard(key)
    case 'set':
      return await redis.scard(key)
    case 'stream':
      return await redis.xlen(key)
    case 'hash':
      return await redis.hlen(key)
    default:
      // It was emptied since the keys were read; what may be there by now is of another kind than it was.
      return 0
  }
}

/** What was larger at the end of each third than at the end of the one before, by more than what is under way. */
function growing(cards: readonly Record<string, number>[]): string[] {
  const at = (part: number, name: string) =>
    cards[Math.ceil((cards.length * part) / 3) - 1]?.[name] ?? 0
  return Object.keys(cards.at(-1) ?? {}).filter(
    (name) =>
      cards.length >= 3 && at(2, name) > at(1, name) + 100 && at(3, name) > at(2, name) + 100,
  )
}
