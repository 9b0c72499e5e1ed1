import { onTestFinished } from 'vitest'
import { createSystemClock } from '../../../src/clock.ts'
import { startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import { value } from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { ownStore } from '../../support/own-database.ts'
import { silent } from '../../support/silent.ts'
import { listenTo } from '../web/event-stream.ts'
import { ask } from '../web/support.ts'
import { temporary } from './support.ts'

export interface Shown {
  question: { id: string; text: string } | null
  run: { id: string; status: string; type: string } | null
  messages: { text: string }[]
}

/** A whole Clew with its page, a model and one thread. */
export async function startCoding(
  settings: Record<string, string>,
  env: Record<string, string> = {},
) {
  const [server, data] = await Promise.all([startOpenAi(), temporary()])
  onTestFinished(() => server.close())
  const config = readConfig({
    ...{
      PORT: '0',
      DATA_DIR: data,
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'fake',
    },
    ...(await ownStore()),
    ...{ CODING_POLL_MS: '40', ...settings },
  })
  const clew = await startClew(config, { clock: createSystemClock(), log: silent, env })
  onTestFinished(() => clew.stop())
  const url = clew.url ?? ''
  const { body } = await ask(`${url}/api/conversations`, 'POST', {})
  const path = `${url}/api/conversations/${(body as { id: string }).id}`
  const say = (text: string) =>
    ask(`${path}/messages`, 'POST', {
      text,
      clientMessageId: text,
      author: { id: 'ana', name: 'Ana' },
    })
  /** The thread as soon as this holds; looked at whenever something has come in. */
  async function when(holds: (shown: Shown) => boolean): Promise<Shown> {
    const tab = await listenTo(url, '?after=0-0')
    try {
      for (;;) {
        const shown = (await ask(path)).body as Shown
        if (holds(shown)) return shown
        const heard = tab.heard.length
        await tab.next((one) => tab.heard.indexOf(one) >= heard)
      }
    } finally {
      tab.close()
    }
  }
  return { clew, server, data, url, say, when }
}

export const decision = (goal: string) =>
  value({
    ...{ decision: 'run', reply: null, runs: null, confidence: 0.9, reason: 'code' },
    run: { type: 'coding', title: goal, conversation_id: null, input: JSON.stringify({ goal }) },
  })
export const step = (title: string) => ({
  title,
  description: `${title}.`,
  constraints: 'Only this.',
  expected: 'It works.',
})
export const verdict = (decided: string, evidence: string, instruction: string | null = null) =>
  value({ decision: decided, evidence, instruction, project_context: null })
