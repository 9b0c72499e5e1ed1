import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { contractNames } from '../../src/agent/contracts.ts'
import { createSystemClock } from '../../src/clock.ts'
import { temporary } from '../adapters/coding/support.ts'
import { ask } from '../adapters/web/support.ts'
import { hang, httpError, type Reply } from '../fakes/openai/replies.ts'
import type { FakeRequest } from '../fakes/openai/request.ts'
import { useWholeClew, when } from '../support/whole-clew.ts'

/** Words of a person, said in a thread (the first one unless said) as soon as all of `when` is so. */
const Said = z.strictObject({
  by: z.string().default('You'),
  thread: z.number().int().positive().default(1),
  say: z.string(),
  /** What becomes of these words: a message, the new text of the last one, or it is deleted. */
  does: z.enum(['say', 'edit', 'delete']).default('say'),
  when: z
    .strictObject({
      /** Requests that have come in; `answering`: the last of them waits for its answer, which comes behind these words. */
      requests: z.number().int().nonnegative(),
      answering: z.boolean().default(false),
      /** Words that the thread shows by then, in a message or a question. */
      shows: z.string().optional(),
      /** Words that it shows behind these, before anything else goes on. */
      answered: z.string().optional(),
    })
    .default({ requests: 0, answering: false }),
})

/** One answer of a model as it came, to a request as it was. */
const Answered = z.strictObject({
  contract: z.enum(contractNames),
  /** Words that the request held, and that the answer rests on. */
  sees: z.array(z.string()).default([]),
  /** Length of the request when it was answered, in characters / 4. For reading only. */
  tokens: z.number(),
  /** Null: `stop` cut the request off. */
  answer: z
    .strictObject({
      content: z.string().nullable().default(null),
      calls: z
        .array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
        .default([]),
    })
    .nullable(),
})

const Trial = z.strictObject({
  scenario: z.string(),
  /** What the clock shows at the beginning. */
  at: z.iso.datetime(),
  /** Settings beyond those that are shipped. */
  settings: z.record(z.string(), z.string()).default({}),
  /** Files of `files` that the team's folder holds as well. */
  files: z.array(z.string()).default([]),
  people: z.array(Said),
  requests: z.array(Answered),
  outcome: z.strictObject({
    /** How the tasks ended, in the order in which they began. */
    runs: z.array(z.string()),
    /** Open to-dos as `Pay hosting · due 2026-12-01 · home` and schedules as `Water · every Monday at 09:00`, in their order; a part of each is enough. */
    todos: z.array(z.string()).default([]),
    schedules: z.array(z.string()).default([]),
    /** Words that the threads show in the end, and words that they never show. */
    says: z.array(z.string()),
    never: z.array(z.string()).default([]),
  }),
})
type Trial = z.infer<typeof Trial>

const folder = join(import.meta.dirname, '../fixtures/trials')
const trials = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => Trial.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))

/** Pages that the web search of the trials knew. */
const pages = [
  {
    title: 'Casa do Rio, Lisbon: meeting house with 26 beds',
    url: 'https://casadorio.example/groups',
    content:
      'House for groups. 600 EUR a day, kitchen, 26 beds. City tax 4 EUR per person and night is not included.',
  },
  {
    title: 'Old Factory Porto: venue',
    url: 'https://oldfactory.example',
    content: 'Hall for 60. Closed on 18 March for a private event.',
  },
  {
    title: 'Quinta Verde retreats',
    url: 'https://quintaverde.example/prices',
    content: 'From 2 December: 1,150 EUR a day. Week offer until 1 December.',
  },
]

async function startSearch(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ results: pages }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the search has no port')
  return `http://127.0.0.1:${address.port}`
}

/** The team's folder, with more files where a trial has some. */
async function teamWith(files: readonly string[]): Promise<string> {
  const team = join(folder, 'team')
  if (files.length === 0) return team
  const path = await temporary()
  cpSync(team, path, { recursive: true })
  for (const file of files) cpSync(join(folder, 'files', file), join(path, file))
  return path
}

const start = useWholeClew()

/** C542: a recorded trial holds as long as Clew takes every answer, asks no more often, and ends right. */
it.each(trials.map((trial) => [trial.scenario, trial] as const))(
  'a trial is played again with as many requests and the same end: %s (C542)',
  async (_, trial) => {
    const began = Date.now()
    const clock = createSystemClock()
    const shift = Date.parse(trial.at) - began
    const { url, server } = await start(
      {
        AGENT_STRATEGY: 'auto',
        SEARCH_PROVIDER: 'searxng',
        SEARXNG_URL: await startSearch(),
        INDEX_FOLDERS: `team=${await teamWith(trial.files)}`,
        DEFAULT_TIME_ZONE: 'Europe/Lisbon',
        ...trial.settings,
      },
      { clock: { ...clock, now: () => clock.now() + shift } },
    )
    const threads = createThreads(url)
    const wrong = Promise.withResolvers<never>()
    server.answer(async (request) => {
      const reply = await answerTo(request, trial, threads).catch((error: unknown) => {
        wrong.reject(error)
        return httpError(500)
      })
      return reply
    })
    const play = async () => {
      for (const said of trial.people.filter((one) => !one.when.answering)) {
        await server.received(said.when.requests)
        if (said.when.shows !== undefined) await threads.show(said.thread, said.when.shows)
        await threads.say(said)
      }
      await server.received(trial.requests.length)
      await threads.end(trial.outcome)
    }
    await Promise.race([play(), wrong.promise])
    expect(server.requests).toHaveLength(trial.requests.length)
    server.assertDone()
    expect(await endOf(url)).toEqual({
      todos: trial.outcome.todos.map((text) => expect.stringContaining(text)),
      schedules: trial.outcome.schedules.map((text) => expect.stringContaining(text)),
    })
  },
  60_000,
)

/** The recorded answer, if the request is the one to which it was given. */
async function answerTo(request: FakeRequest, trial: Trial, threads: Threads): Promise<Reply> {
  const { number, contract, body, prompt } = request
  const recorded = trial.requests[number - 1]
  if (recorded === undefined) throw new Error(`request ${number} (${contract}) is one too many`)
  expect({ number, contract }).toEqual({ number, contract: recorded.contract })
  const refusal = 'Your previous reply to this request was refused'
  expect({
    number,
    refused: prompt.includes(refusal),
    unseen: recorded.sees.filter((words) => !prompt.includes(words)),
  }).toEqual({ number, refused: false, unseen: [] })
  for (const said of trial.people)
    if (said.when.answering && said.when.requests === number) await threads.say(said)
  if (recorded.answer === null) return hang()
  const { content, calls } = recorded.answer
  const offered = (body.tools ?? []).map((tool) => tool.function.name)
  for (const { name } of calls) expect(offered, `request ${number}`).toContain(name)
  return {
    kind: 'calls',
    content,
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) })),
    options: {},
  }
}

const methods = { say: 'POST', edit: 'PATCH', delete: 'DELETE' } as const

type Threads = ReturnType<typeof createThreads>

/** The threads of a trial, opened with the first words in each. */
function createThreads(url: string) {
  const opened = new Map<number, Promise<string>>()
  let said = 0
  const idOf = (thread: number): Promise<string> => {
    const known = opened.get(thread) ?? open(url)
    opened.set(thread, known)
    return known
  }
  return {
    async say({ by, thread, say: text, does, when: to }: Trial['people'][number]) {
      if (does === 'say') said += 1
      const author = by === 'You' ? {} : { author: { id: by, name: by } }
      const path = `${url}/api/conversations/${await idOf(thread)}/messages`
      const [of, id] = does === 'say' ? [path, `m${said}`] : [`${path}/m${said}`, `${does}${said}`]
      const { status } = await ask(of, methods[does], { text, clientMessageId: id, ...author })
      expect(status).toBe(202)
      if (to.answered !== undefined) await this.show(thread, to.answered)
      // The answer comes behind these words only once they have been taken in.
      const isTaken = (one: { text: string; outcome: unknown }) =>
        one.text === text && one.outcome !== null
      if (to.answering && does === 'say')
        await when(url, await idOf(thread), (shown) => Shown.parse(shown).messages.some(isTaken))
    },
    async show(thread: number, words: string): Promise<void> {
      await when(url, await idOf(thread), (shown) => wordsOf(Shown.parse(shown)).includes(words))
    },
    /** Resolves when all threads together show what they are to show in the end. */
    async end({ runs, says, never }: Trial['outcome']): Promise<void> {
      const ids = await Promise.all(opened.values())
      let words = ''
      await expect
        .poll(
          async () => {
            const all = await Promise.all(
              ids.map(async (id) =>
                Shown.parse((await ask(`${url}/api/conversations/${id}`)).body),
              ),
            )
            words = all.map(wordsOf).join('\n')
            return {
              runs: all.flatMap((one) => one.runs.map((run) => run.status)),
              missing: says.filter((part) => !words.includes(part)),
            }
          },
          { timeout: 10_000 },
        )
        .toEqual({ runs, missing: [] })
      for (const part of never) expect(words).not.toContain(part)
    },
  }
}

async function open(url: string): Promise<string> {
  const { body } = await ask(`${url}/api/conversations`, 'POST', {})
  return z.object({ id: z.string() }).parse(body).id
}

const Shown = z.object({
  runs: z.array(z.object({ status: z.string() })),
  question: z.object({ text: z.string(), choices: z.array(z.string()) }).nullable(),
  messages: z.array(z.object({ text: z.string(), outcome: z.unknown().nullable() })),
})
const wordsOf = ({ question, messages }: z.infer<typeof Shown>): string =>
  [...messages, ...(question === null ? [] : [question])].map(({ text }) => text).join('\n')

const dayOf = (at: number | null): string =>
  at === null ? 'never' : new Date(at).toISOString().slice(0, 10)

/** What is kept in the end. */
async function endOf(url: string) {
  const Kept = z.object({
    todos: z
      .array(
        z.object({
          text: z.string(),
          tag: z.string(),
          dueAt: z.number().nullable(),
          doneAt: z.number().nullable(),
        }),
      )
      .default([]),
    schedules: z.array(z.object({ title: z.string(), rule: z.string() })).default([]),
  })
  const [todos, schedules] = await Promise.all(
    ['todos', 'schedules'].map(async (what) => Kept.parse((await ask(`${url}/api/${what}`)).body)),
  )
  return {
    todos: (todos?.todos ?? [])
      .filter((one) => one.doneAt === null)
      .map(({ text, dueAt, tag }) => `${text} · due ${dayOf(dueAt)} · ${tag}`),
    schedules: (schedules?.schedules ?? []).map(({ title, rule }) => `${title} · ${rule}`),
  }
}
