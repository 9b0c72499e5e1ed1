import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { vi } from 'vitest'
import type { ConversationLine, ConversationView } from '../../src/adapters/web/views.ts'
import { createRehearsalModel } from '../../src/agent/model/rehearsal.ts'
import type { Model } from '../../src/agent/ports/model.ts'
import type { FetchDeps } from '../../src/agent/tools/fetch/fetch.ts'
import { type Around, type Clew, startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { requireDescribed } from '../adapters/web/described.ts'
import { createManualClock, type ManualClock } from '../fakes/clock.ts'
import { ownStore } from '../support/own-database.ts'
import { silent } from '../support/silent.ts'

export const rehearsal = (): Model =>
  createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })

/** The whole of Clew on a store of its own, at a time of the test's own. */
export interface Lab {
  clock: ManualClock
  clew(): Clew
  get(path: string): Promise<unknown>
  post(
    path: string,
    body: object,
    method?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** Says something and answers the thread's id. */
  say(
    text: string,
    options?: { thread?: string; timeZone?: string; locale?: string },
  ): Promise<string>
  thread(id: string): Promise<ConversationView>
  threads(): Promise<ConversationLine[]>
  /** What Clew said last in a thread, once it has said something after the newest message of a person. */
  reply(id: string): Promise<string>
  /** Says it and answers what Clew says next in that thread. */
  ask(text: string, id: string, locale?: string): Promise<string>
  /** Lets time pass in steps, and the work of each step happen. */
  pass(ms: number, step?: number): Promise<void>
  /** Lets a second pass again and again until there is an answer; at most so many. */
  until<T>(look: () => Promise<T | null | undefined | false>, seconds?: number): Promise<T>
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function openLab(options: {
  start?: number
  redisUrl?: string
  model?: Model
  env?: Record<string, string>
  fetch?: FetchDeps
  channels?: Around['channels']
  ownSettings?: Around['ownSettings']
}): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-lab-'))
  const clock = createManualClock(options.start === undefined ? {} : { start: options.start })
  const { redisUrl } = options
  const stored = redisUrl === undefined ? await ownStore() : { REDIS_URL: redisUrl }
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    AGENT_STRATEGY: 'step',
    ...stored,
    ...options.env,
  })
  const { model = rehearsal(), fetch: fetching, channels = [], ownSettings } = options
  const boot = () =>
    startClew(config, {
      clock,
      log: silent,
      model,
      channels,
      ...(fetching ? { fetch: fetching } : {}),
      ...(ownSettings ? { ownSettings } : {}),
    })
  let clew = await boot()
  let said = 0

  async function call(path: string, init: RequestInit = {}) {
    const response = await fetch(clew.url + path, {
      ...init,
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    })
    const text = await response.text()
    const answer = { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    requireDescribed(init.method ?? 'GET', response.url, answer)
    return answer
  }
  const get = async (path: string) => (await call(path)).body
  const post: Lab['post'] = (path, body, method = 'POST') =>
    call(path, { method, body: JSON.stringify(body) })
  const thread = async (id: string): Promise<ConversationView> =>
    await get(`/api/conversations/${id}`)

  const say: Lab['say'] = async (text, { thread: id, timeZone = 'UTC', locale = 'en' } = {}) => {
    said += 1
    const body = {
      text,
      clientMessageId: `said-${said}`,
      timeZone,
      locale,
      author: { id: 'ana', name: 'Ana' },
    }
    const path = id === undefined ? '/api/conversations' : `/api/conversations/${id}/messages`
    // A thread that Clew is just opening says so; the page sends it again in a moment, too.
    return await vi.waitFor(async () => {
      const answer = await post(path, body)
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
      return String(answer.body.id)
    }, 40_000)
  }

  return {
    clock,
    clew: () => clew,
    get,
    post,
    say,
    thread,
    async threads() {
      const { conversations } = (await get('/api/conversations')) as {
        conversations: ConversationLine[]
      }
      return conversations
    },
    async reply(id) {
      return await vi.waitFor(async () => {
        const last = (await thread(id)).messages.at(-1)
        if (last?.role !== 'assistant') throw new Error('no answer yet')
        return last.text
      }, 40_000)
    },
    async ask(text, id, locale) {
      const known = new Set((await thread(id)).messages.map((message) => message.id))
      await say(text, { thread: id, ...(locale === undefined ? {} : { locale }) })
      return await vi.waitFor(async () => {
        const answer = (await thread(id)).messages.find(
          (one) => one.role === 'assistant' && !known.has(one.id),
        )
        if (answer === undefined) throw new Error('no answer yet')
        return answer.text
      }, 40_000)
    },
    async pass(ms, step = 5_000) {
      for (let passed = 0; passed < ms; passed += step) {
        await clock.advance(Math.min(step, ms - passed))
        await wait(5)
      }
    },
    async until(look, seconds = 300) {
      for (let passed = 0; passed < seconds; passed += 1) {
        const found = await look()
        if (found !== null && found !== undefined && found !== false) return found
        await clock.advance(1_000)
        await wait(5)
      }
      throw new Error(`nothing came of it within ${seconds} s`)
    },
    async restart() {
      await clew.stop()
      clew = await boot()
    },
    async stop() {
      await clew.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
