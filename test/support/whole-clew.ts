import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { Author } from '../../src/agent/domain/message.ts'
import { createSystemClock } from '../../src/clock.ts'
import { type Around, type Clew, startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { listenTo } from '../adapters/web/event-stream.ts'
import { ask } from '../adapters/web/support.ts'
import { value } from '../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../fakes/openai/server.ts'
import { ownStore } from './own-database.ts'
import { silent } from './silent.ts'

export interface WholeClew {
  clew: Clew
  /** The endpoint that plays the model. */
  server: FakeOpenAi
  url: string
  /** Where it keeps everything and which model it asks, for another Clew after it. */
  kept: Record<string, string>
}

/** Declares what closes after each test; starts the whole of Clew as people do, with the real client against a scripted endpoint. */
export function useWholeClew(): (
  env: Record<string, string>,
  around?: Partial<Around>,
) => Promise<WholeClew> {
  const open: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })
  return async (env, around = {}) => {
    const server = await startOpenAi()
    open.push(() => server.close())
    const folder = await mkdtemp(join(tmpdir(), 'clew-whole-'))
    open.push(() => rm(folder, { recursive: true, force: true }))
    const own = {
      PORT: '0',
      DATA_DIR: folder,
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'fake',
      AGENT_STRATEGY: 'step',
    }
    const kept = { ...own, ...(await ownStore()) }
    const config = readConfig({ ...kept, ...env }, [], around)
    const clew = await startClew(config, { clock: createSystemClock(), log: silent, ...around })
    open.push(() => clew.stop())
    return { clew, server, url: clew.url ?? '', kept }
  }
}

/** A Decision for a task. */
export const decision = (goal: string) =>
  value({
    ...{ decision: 'run', reply: null, runs: null, confidence: 0.9, reason: 'work' },
    run: {
      type: 'agent_task',
      title: goal,
      conversation_id: null,
      input: JSON.stringify({ goal }),
    },
  })

/** Opens a thread with a message; answers its id. */
export async function tell(url: string, text: string, author?: Author): Promise<string> {
  const { body } = await ask(`${url}/api/conversations`, 'POST', {})
  const { id } = body as { id: string }
  const path = `${url}/api/conversations/${id}/messages`
  expect(
    (await ask(path, 'POST', { text, clientMessageId: 'm', ...(author && { author }) })).status,
  ).toBe(202)
  return id
}

export interface Shown {
  question: {
    id: string
    text: string
    choices: string[]
    approval: boolean
    askedOf: string | null
    input: string | null
  } | null
  run: { id: string; status: string } | null
  messages: { text: string; html: string; offers: { label: string; command: string }[] }[]
  answered: { answer: string; edited: string | null }[]
}

/** What the thread shows as soon as this holds; looked at whenever something has come in. */
export async function when(
  url: string,
  id: string,
  holds: (shown: Shown) => boolean,
): Promise<Shown> {
  const tab = await listenTo(url, '?after=0-0')
  try {
    for (;;) {
      const { body } = await ask(`${url}/api/conversations/${id}`)
      if (holds(body as Shown)) return body as Shown
      const heard = tab.heard.length
      await tab.next((one) => tab.heard.indexOf(one) >= heard)
    }
  } finally {
    tab.close()
  }
}
