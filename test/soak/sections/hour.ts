import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConversationView } from '../../../src/adapters/web/views.ts'
import { type Connection, keysFrom } from '../../../src/store/redis/connection.ts'
import { decides, task } from '../../fakes/model.ts'
import { value } from '../../fakes/openai/replies.ts'
import type { FakeRequest } from '../../fakes/openai/request.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { createClewProcess } from '../../support/clew-process.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
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
  const server = await startNativeRedis(soak.program)
  const folder = await mkdtemp(join(tmpdir(), 'clew-hour-'))
  const model = await startOpenAi({ remembers: false })
  model.answer(replyTo)
  const clew = await createClewProcess(folder, {
    REDIS_URL: server.url(0),
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    LOG_LEVEL: 'warn',
    AGENT_PERSON_MESSAGES_PER_MINUTE: '100000',
  })
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
      const id = await api.say(number % 5 === 0 ? `/todo add in 1 minute call ${number}` : `Task ${number}`)
      if (number % 5 === 0) return void (await api.say(`/todo done ${number / 5 + 1}`).catch(() => ''))
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
    await clew.stop()
    redis.disconnect()
    await model.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const lines = clew.output().split('\n')
  failures.push(...lines.filter((line) => /"level":[456]0/.test(line)).map((line) => `logged: ${line.slice(0, 300)}`))
  const quarter = Math.ceil(memory.length / 4)
  const [early, late] = [middle(memory.slice(quarter, 2 * quarter)), middle(memory.slice(-quarter))]
  if (late > early * growsMost) failures.push(`memory has grown from ${early} to ${late} MB`)
  const grown = growing(cards)
  failures.push(...grown.map((name) => `${name} grows: ${cards.map((card) => card[name] ?? 0).join(' ')}`))
  return {
    figures: `${begun} requests, ${asked} questions in ${seconds(memory.length * 10_000)}; memory ${early} MB in the second quarter, ${late} MB in the last; ${JSON.stringify(cards.at(-1))}`,
    failures: failures.slice(0, 20),
  }
}

/** A task plans two steps, asks once, uses a tool once, and ends. */
function replyTo({ contract, prompt }: FakeRequest) {
  switch (contract) {
    case 'decision': {
      const [, goal] = /(Task \d+|Look around)/.exec(prompt.slice(prompt.lastIndexOf('The message to answer.'))) ?? []
      return value(goal === undefined ? decides.reply('Good morning!') : decides.runs(task(goal)))
    }
    case 'plan':
      return value({ status: 'planned', plan: ['See what there is', 'Report'] })
    case 'thought': {
      const nothing = { current_step: 'one', next_action: null, question: null, choices: null, response: null }
      const ask = { ...nothing, status: 'ask_user', question: 'Which one?', choices: ['The first one', 'The second'] }
      const isAnswered = prompt.includes('The first one') || prompt.includes('Look around')
      return value(isAnswered ? { ...nothing, status: 'done', response: 'There is enough.' } : ask)
    }
    case 'replan':
      return value({ status: 'done', plan: [], response: 'All of it is done.' })
    default:
      return value({ decision: 'none', goal: null, title: null, summary: null, reason: 'over' })
  }
}

const ana = { id: 'ana', name: 'Ana' }
const patienceMs = 60_000

function apiOf(url: string) {
  let number = 0
  const headers = { 'content-type': 'application/json' }
  async function post(path: string, said: object): Promise<string> {
    number += 1
    const body = JSON.stringify({ ...said, clientMessageId: `hour-${number}`, author: ana })
    const answer = await fetch(url + path, { method: 'POST', headers, body })
    const told = (await answer.json()) as { id?: string }
    if (!answer.ok) throw new Error(`${body}: ${answer.status} ${JSON.stringify(told)}`)
    return told.id ?? ''
  }
  return {
    /** Says it in a new thread, or in `id`; resolves with the thread. */
    /** Says it in a new thread; resolves with that. */
    say: (text: string) => post('/api/conversations', { text }),
    answer: (id: string, choice: string) => post(`/api/questions/${id}/answer`, { choice }),
    async until(id: string, holds: (view: ConversationView) => boolean): Promise<ConversationView> {
      for (const end = performance.now() + patienceMs; ; await wait(200)) {
        const view = (await (await fetch(`${url}/api/conversations/${id}`)).json()) as ConversationView
        if (holds(view)) return view
        if (performance.now() > end) throw new Error(`${id} does not come on: ${JSON.stringify(view).slice(0, 500)}`)
      }
    },
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
  const keys = [...(await keysFrom(redis, 'bull:')), ...(await keysFrom(redis, 'clew:'))].filter((key) =>
    shared.test(key),
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
    default:
      return await redis.hlen(key)
  }
}

/** What was larger at the end of each third than at the end of the one before, by more than what is under way. */
function growing(cards: readonly Record<string, number>[]): string[] {
  const at = (part: number, name: string) => cards[Math.ceil((cards.length * part) / 3) - 1]?.[name] ?? 0
  return Object.keys(cards.at(-1) ?? {}).filter(
    (name) => cards.length >= 3 && at(2, name) > at(1, name) + 100 && at(3, name) > at(2, name) + 100,
  )
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
