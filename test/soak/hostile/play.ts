import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConversationView } from '../../../src/adapters/web/views.ts'
import { type ClewProcess, createClewProcess } from '../../support/clew-process.ts'
import { openTab } from '../tab.ts'
import { startHostileModel } from './model.ts'
import { type Longest, longestStall, probed, queuedMs, watchOwnLoop } from './stalls.ts'
import { textsOf } from './texts.ts'

/** What came of it. */
export interface Played {
  texts: number
  /** Texts in which nothing was left to read once they were clean; people are told so (400). */
  blank: number
  threads: number
  requests: number
  modelCalls: number
  /** The slowest request, and in how many milliseconds 99 of a hundred were answered. */
  slowest: Longest
  p99: number
  stalls: Longest
  failures: readonly string[]
}

const perThread = 5
const atOnce = 4
/** How long a thread may take until every message in it has been dealt with. */
const patienceMs = 60_000
const busy: readonly string[] = ['queued', 'running']

/**
 * Says `count` nasty texts to a Clew of its own process, five to a thread, with a model that answers with such texts too,
 * and reads every thread until all is said (S11, S12, P17).
 *
 * @param settings beside those of the model, `REDIS_URL` for another store than the embedded one.
 */
export async function playHostile(
  settings: Record<string, string>,
  { seed, count }: { seed: number; count: number },
): Promise<Played> {
  const model = await startHostileModel(seed)
  const folder = await mkdtemp(join(tmpdir(), 'clew-hostile-'))
  const env = {
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    AGENT_STRATEGY: 'auto',
    LOG_LEVEL: 'error',
    ...probed,
    ...settings,
  }
  const clew = await createClewProcess(folder, env)
  try {
    await clew.start()
    // Once nothing is done for a second, a start gives memory back, and code that was compiled (heap.ts).
    await wait(3_000)
    // What is loaded and compiled for the first message is not what is asked here.
    await talkTo(clew, seed, [
      'Hello',
      'Book the offsite',
      '/schedule add tomorrow 9am coffee',
      '/todo add milk',
    ])
    const before = clew.output().length
    const talk = await talkTo(clew, seed, textsOf(seed, count))
    const stalls = longestStall(clew.output().slice(before))
    const errors = clew
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50'))
    const failures = [
      ...talk.failures,
      ...errors.map((line) => `logged: ${line.slice(0, 300)}`),
      ...model.refused.map((why) => `the endpoint refused a request: ${why.slice(0, 200)}`),
    ]
    return { ...talk, texts: count, modelCalls: model.calls(), stalls, failures }
  } finally {
    await clew.stop()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function talkTo({ url, pid }: ClewProcess, seed: number, texts: readonly string[]) {
  const failures: string[] = []
  const times: number[] = []
  const slowest: Longest = { wall: 0, own: 0 }
  const own = watchOwnLoop()
  /** For how long Clew's process has waited for a processor, and all who ask for this one. */
  const waits = () => own.heldMs() + queuedMs(pid())
  const reached = new Set<string>()
  const tab = openTab({ url: () => url }, ({ kind, data }) => {
    if (kind === 'reset') failures.push('the page was told to fetch everything anew')
    const body = data.delivery?.body
    if (body !== undefined && 'messageId' in body) reached.add(String(body.messageId))
    return false
  })
  let blank = 0
  const threads: { id: string; view: ConversationView }[] = []

  async function request<T>(path: string, body?: object): Promise<{ status: number; body: T }> {
    const [began, before] = [performance.now(), waits()]
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as T
    const wall = performance.now() - began
    times.push(wall)
    slowest.wall = Math.max(slowest.wall, wall)
    slowest.own = Math.max(slowest.own, wall - (waits() - before))
    const isFine =
      response.ok || (response.status === 400 && JSON.stringify(answer).includes('empty_text'))
    if (!isFine)
      failures.push(
        `${path}: ${response.status} ${JSON.stringify(answer).slice(0, 200)} for ${quoted(body)}`,
      )
    return { status: response.status, body: answer }
  }

  async function thread(first: number) {
    const opened = await request<{ id: string }>('/api/conversations', { author: ana })
    const path = `/api/conversations/${opened.body.id}`
    for (const [index, text] of texts.slice(first, first + perThread).entries()) {
      const message = { text, clientMessageId: `${seed}-${first + index}`, author: ana }
      if ((await request(`${path}/messages`, message)).status === 400) blank += 1
      // Some come while Clew is still at the one before.
      if ((first + index) % 2 === 0) await settled(path)
      else await request(path)
    }
    threads.push({ id: opened.body.id, view: await settled(path) })
  }

  async function settled(path: string): Promise<ConversationView> {
    const until = performance.now() + patienceMs
    for (let pause = 10; ; pause = Math.min(pause * 2, 500)) {
      const { status, body } = await request<ConversationView>(path)
      const silent = status === 200 ? silentIn(body) : `it answers ${status}`
      if (silent === null) return body
      if (performance.now() > until) {
        failures.push(`${path} is silent: ${silent}`)
        return body
      }
      await wait(pause)
    }
  }

  const starts = Array.from(
    { length: Math.ceil(texts.length / perThread) },
    (_, index) => index * perThread,
  )
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let first = starts.shift(); first !== undefined; first = starts.shift())
        await thread(first)
    }),
  )
  for (const list of ['/api/conversations?limit=200', '/api/runs', '/api/todos', '/api/schedules'])
    await request(list)
  await undelivered(() => missing(threads, reached))
  failures.push(...missing(threads, reached))
  await tab.close()
  own.stop()
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  return { blank, threads: threads.length, requests: times.length, slowest, p99, failures }
}

const ana = { id: 'ana', name: 'Ana' }
const quoted = (body: object | undefined): string => JSON.stringify(body ?? null).slice(0, 120)

/** What in a thread still waits to be dealt with; null: nothing. */
function silentIn({ messages, run }: ConversationView): string | null {
  const waiting = messages.find(
    ({ role, outcome }) => role === 'user' && (outcome?.kind ?? 'waiting') === 'waiting',
  )
  if (waiting !== undefined) return `nothing became of ${quoted(waiting)}`
  if (run !== null && busy.includes(run.status)) return `its task is ${run.status}`
  const spoken = messages.findLastIndex(
    ({ outcome }) => outcome?.kind === 'answered' || outcome?.kind === 'command',
  )
  const isAnswered =
    spoken === -1 || messages.slice(spoken).some(({ role }) => role === 'assistant')
  return isAnswered ? null : `nobody answered ${quoted(messages[spoken])}`
}

/** Messages of Clew, and people's without a receipt, that are in a thread and never came to the open page: its outbox is not empty. */
function missing(
  threads: readonly { id: string; view: ConversationView }[],
  reached: ReadonlySet<string>,
): string[] {
  return threads.flatMap(({ id, view }) =>
    view.messages
      .filter((message) => message.questionId === null && !reached.has(message.id))
      .map((message) => `thread ${id}: ${quoted(message)} never came to the page`),
  )
}

/** Waits a while for what is still on its way. */
async function undelivered(left: () => readonly string[]): Promise<void> {
  const until = performance.now() + 10_000
  while (left().length > 0 && performance.now() < until) await wait(50)
}
