import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConversationView } from '../../src/adapters/web/views.ts'
import { decides, task } from '../fakes/model.ts'
import { value } from '../fakes/openai/replies.ts'
import type { FakeRequest } from '../fakes/openai/request.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { createClewProcess } from '../support/clew-process.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import type { Soak } from './section.ts'

/** A team's day on one process as production runs it, with a model that greets, and asks once in each task. */
export async function startDay({ program }: Pick<Soak, 'program'>) {
  const server = await startNativeRedis(program)
  const folder = await mkdtemp(join(tmpdir(), 'clew-day-'))
  const model = await startOpenAi({ remembers: false })
  model.answer(replyTo)
  const clew = await createClewProcess(folder, {
    REDIS_URL: server.url(0),
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    LOG_LEVEL: 'warn',
    AGENT_PERSON_MESSAGES_PER_MINUTE: '100000',
  })
  return {
    server,
    clew,
    async close() {
      await clew.stop()
      await model.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A task plans two steps, asks once, uses a tool once, and ends. */
function replyTo({ contract, prompt }: FakeRequest) {
  switch (contract) {
    case 'decision': {
      const [, goal] =
        /(Task \d+|Look around)/.exec(prompt.slice(prompt.lastIndexOf('The message to answer.'))) ??
        []
      return value(goal === undefined ? decides.reply('Good morning!') : decides.runs(task(goal)))
    }
    case 'plan':
      return value({ status: 'planned', plan: ['See what there is', 'Report'] })
    case 'thought': {
      const nothing = {
        current_step: 'one',
        next_action: null,
        question: null,
        choices: null,
        response: null,
      }
      const ask = {
        ...nothing,
        status: 'ask_user',
        question: 'Which one?',
        choices: ['The first one', 'The second'],
      }
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

export function apiOf(url: string) {
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
    say: (text: string, id?: string) =>
      post(id === undefined ? '/api/conversations' : `/api/conversations/${id}/messages`, { text }),
    answer: (id: string, choice: string) => post(`/api/questions/${id}/answer`, { choice }),
    async until(id: string, holds: (view: ConversationView) => boolean): Promise<ConversationView> {
      for (const end = performance.now() + patienceMs; ; await wait(200)) {
        const view = (await (
          await fetch(`${url}/api/conversations/${id}`)
        ).json()) as ConversationView
        if (holds(view)) return view
        if (performance.now() > end)
          throw new Error(`${id} does not come on: ${JSON.stringify(view).slice(0, 500)}`)
      }
    },
  }
}

export const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
