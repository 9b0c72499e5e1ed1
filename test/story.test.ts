import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '../src/agent/ports/log.ts'
import { createSystemClock } from '../src/clock.ts'
import { type Clew, startClew } from '../src/compose/clew.ts'
import { readConfig } from '../src/config.ts'
import { acts, asks, closes, decides, ends, plans, replans } from './fakes/model.ts'
import { held, rawArguments, value } from './fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from './fakes/openai/server.ts'

/*
 * The whole of Clew as production runs it (embedded store, queue, web server, the real client) against a scripted
 * endpoint. People speak through the API.
 */

const secret = 'sk-canary-5f3a9c'
const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }

interface View {
  id: string
  messages: { role: string; text: string; outcome: { kind: string } | null }[]
  question: { id: string; text: string; choices: string[] } | null
  run: { id: string; status: string } | null
}

let server: FakeOpenAi
let clew: Clew
let folder: string
const lines: string[] = []
const at = (level: string) => (fields: object, line: string) =>
  void lines.push(
    `${level} ${line} ${JSON.stringify(fields, (_, held) => (held instanceof Error ? held.stack : held))}`,
  )
const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }

async function begin(way: 'chat' | 'responses') {
  folder = await mkdtemp(join(tmpdir(), 'clew-story-'))
  server = await startOpenAi({ apiKey: secret })
  const config = readConfig({
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_API_KEY: secret,
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: 'fake',
    // The story of the first design: the plan is looked at after every item (R5).
    AGENT_REPLAN_SKIPS: '0',
    AGENT_STRATEGY: 'step',
    OPENAI_API: way,
  })
  clew = await startClew(config, { clock: createSystemClock(), log })
}
async function end() {
  await clew.stop()
  await server.close()
  await rm(folder, { recursive: true, force: true })
}
beforeEach(() => server.answer(() => value('nobody expected this')))

async function api<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const response = await fetch(`${clew.url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect(response.ok, `${method} ${path} ${response.status}`).toBe(true)
  return (await response.json()) as T
}
let messages = 0
const open = async (text: string): Promise<string> =>
  (
    await api<View>('POST', '/api/conversations', {
      text,
      clientMessageId: `m${++messages}`,
      author: ana,
    })
  ).id
const say = (id: string, text: string, author = ana) =>
  api('POST', `/api/conversations/${id}/messages`, {
    text,
    clientMessageId: `m${++messages}`,
    author,
  })
const view = (id: string) => api<View>('GET', `/api/conversations/${id}`)
/** Waits until the thread's run has come so far, and its last words are these. */
const until = (id: string, status: string, words = /./) =>
  vi.waitFor(
    async () => {
      const seen = await view(id)
      expect(seen.run?.status).toBe(status)
      expect(seen.messages.at(-1)?.text).toMatch(words)
      return seen
    },
    { timeout: 40_000, interval: 20 },
  )

const wrong = (reply: object, over: object) => value({ ...reply, ...over })

describe.each(['chat', 'responses'] as const)('the story of a task, by %s (C135)', (way) => {
  beforeAll(() => begin(way))
  afterAll(end)

  it('goes through every malformed reply to a report (R21, R22, R29, R30–R34, R35, R6, R146, C50, S7)', async () => {
    const thinking = held(value(acts('add Tell the team')))
    const plan = ['Compare the venues', 'Book a date']
    server.on(
      'decision',
      value(
        decides.both('I am on it.', 'Compare the three venues and book a date for the offsite'),
      ),
    )
    server.on('plan', wrong(plans(...plan), { response: 'All is done.' }), value(plans(...plan)))
    server.on(
      'thought',
      rawArguments('{"status":"cont'),
      value(acts('to Ana', 'mail')),
      wrong(asks('Which city?'), acts('list')),
      value(asks('Which city?', ['Lisbon', 'Porto'])),
      wrong(acts('x'), { next_action: { tool: 'todo', input: ' ' } }),
      value(acts('add Call the venue in Lisbon')),
      wrong(closes('Compared'), { question: 'Is that all right?' }),
      value(closes('The venue in Lisbon is best')),
      thinking,
      value(closes('Booked for 3 May')),
    )
    server.on(
      'replan',
      value(replans()),
      value(replans('Compare the venues in Lisbon', 'Book a date')),
      wrong(ends(''), { response: ' ' }),
      value(replans('Book a date')),
      rawArguments('```json\n{"status": "replanned"\n```'),
      value(replans('Book a date for 12 people')),
      value(ends('The venue in Lisbon is **booked** for 3 May.')),
    )

    const id = await open('Compare the three venues and book a date for the offsite')
    const asking = await until(id, 'awaiting_clarification', /Which city/)
    expect(asking.question).toMatchObject({
      text: 'Which city?',
      choices: ['Lisbon', 'Porto'],
    })
    await api('POST', `/api/questions/${asking.question?.id}/answer`, {
      choice: 'Lisbon',
      author: ben,
    })

    await server.received(16)
    await say(id, 'For 12 people, please')
    await expect.poll(async () => (await view(id)).messages.at(-1)?.outcome?.kind).toBe('joined')
    thinking.release()
    const ended = await until(id, 'succeeded', /booked/)
    expect(ended.messages.map(({ text }) => text)).toEqual([
      'Compare the three venues and book a date for the offsite',
      'I am on it.',
      'Which city?',
      'Lisbon',
      'For 12 people, please',
      'Compare the three venues and book a date for the offsite: done.\n\nThe venue in Lisbon is **booked** for 3 May.',
    ])
    server.assertDone()

    const { trace } = await api<{
      trace: { what: { kind: string; contract?: string; problem?: string | null } }[]
    }>('GET', `/api/runs/${ended.run?.id}/trace`)
    const problems = trace.flatMap(({ what }) =>
      what.kind === 'model_call' && what.problem ? [`${what.contract}: ${what.problem}`] : [],
    )
    expect(problems).toEqual([
      expect.stringMatching(/^plan: .*response/),
      expect.stringMatching(/^thought: bad_reply/),
      expect.stringMatching(/^thought: .*no tool "mail"/),
      expect.stringMatching(/^thought: .*ask_user|only ask_user or done/),
      expect.stringMatching(/^replan: .*not empty/),
      expect.stringMatching(/^thought: .*needs next_action/),
      expect.stringMatching(/^thought: .*done must not carry/),
      expect.stringMatching(/^replan: .*needs a response/),
      expect.stringMatching(/^replan: bad_reply/),
    ])
    // Nothing that the refused replies wanted was done, and what was right was done once.
    await say(id, '/todo list')
    const listed = await vi.waitFor(async () => {
      const last = (await view(id)).messages.at(-1)
      expect(last?.role).toBe('assistant')
      expect(last?.text).toContain('Call the venue')
      return last?.text
    }, 40_000)
    expect(listed?.match(/Call the venue|Tell the team/g)).toEqual([
      'Call the venue',
      'Tell the team',
    ])
  })

  it('keeps the key out of prompts, log, messages and store (S7)', async () => {
    expect(server.requests.length).toBeGreaterThan(0)
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(secret)
    expect(lines.join('\n')).not.toContain(secret)
    const { conversations } = await api<{ conversations: { id: string }[] }>(
      'GET',
      '/api/conversations',
    )
    for (const { id } of conversations) expect(JSON.stringify(await view(id))).not.toContain(secret)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const store = files
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
      .join('')
    expect([store.includes('Call the venue'), store.includes(secret)]).toEqual([true, false])
  })
})
