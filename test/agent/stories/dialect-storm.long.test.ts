import { expect, it, onTestFinished } from 'vitest'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { decides, ends } from '../../fakes/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import type { FakeRequest } from '../../fakes/openai/request.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { createRandom } from '../../soak/plan.ts'
import { useClew } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { failuresEach, parts, playTasks, recordingTool, seed, tell } from './storm.ts'

/*
 * C356: random odd answers, as endpoints give them, at Decisions and in `free` tasks: cut, written as words, with thinking in front, with odd
 * arguments, errors under 200, uncounted, streams of their own kind. The endpoint wants its messages back as they came.
 */

const start = useClew()

/** A message of the endpoint's; its thought must come back with its calls, and never be read. */
interface Message {
  content: unknown
  tool_calls?: Call[]
}
interface Call {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}
const thought = { reasoning_content: 'SECRET thought' }

/** Two lines to be noted, then the report. */
function play({ contract, form, prompt, number }: FakeRequest): Message {
  const id = /Do (T\d+)/.exec(prompt)?.[1] ?? ''
  const next = ['first', 'second'].find((what) => !prompt.includes(`Noted: ${id} ${what}.`))
  const input = `${id} ${next}`
  const call = (name: string, given: object): Message => ({
    content: null,
    tool_calls: [
      {
        id: `functions.${name}:${number}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(given) },
      },
    ],
  })
  const hasCalls = form === 'function' || form === 'plain_function'
  if (contract !== 'act') {
    const value = contract === 'decision' ? decides.run(`Do ${id}`) : ends(`${id} is done.`)
    return hasCalls ? call(contract, value) : { content: JSON.stringify(value) }
  }
  if (hasCalls)
    return next === undefined ? { content: `${id} is done.` } : call('ledger', { input })
  const text = next === undefined ? `${id} is done.` : null
  return { content: JSON.stringify({ text, calls: text ? [] : [{ tool: 'ledger', input }] }) }
}

const raw = (body: unknown, type = 'application/json') =>
  fake.raw(typeof body === 'string' ? body : JSON.stringify(body), {
    headers: { 'content-type': type },
  })
const usage = { prompt_tokens: 900, completion_tokens: 9, total_tokens: 909 }
const completion = (message: Message, finish_reason = 'stop', more: object = { usage }) => ({
  choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...thought, ...message } }],
  ...more,
})
const well = (message: Message) => raw(completion(message))
const half = (reason: string) => () => raw(completion({ content: 'HALF of it and' }, reason))
const words = (text: string) => () => raw(completion({ content: text }))
const error = (body: object) => () => raw(body)

/** A message whose calls, or whose JSON, are written in another way. */
const written =
  (way: (call: Call['function']) => Partial<Call['function']>) => (message: Message) =>
    well({
      ...message,
      tool_calls: message.tool_calls?.map((call) => ({
        ...call,
        function: { ...call.function, ...way(call.function) },
      })),
    } as Message)
const argued = (way: (json: string) => string) =>
  written(({ arguments: json }) => ({ arguments: way(json) }))
const named = (way: (name: string) => string) => written(({ name }) => ({ name: way(name) }))
const thinking = (open: string, close: string) => (message: Message) =>
  well({ ...message, content: `${open}SECRET ${close}${message.content ?? ''}` })

/** A message in pieces, as it is; `end` is what comes last. */
function streamed(message: Message, at: (call: number) => unknown, end: object | null) {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const events = [
    chunk({ role: 'assistant', reasoning_content: 'SECRET' }),
    chunk({ reasoning_content: ' thought' }),
    ...(message.content === null ? [] : [chunk({ content: message.content })]),
    ...(message.tool_calls ?? []).map((call, n) =>
      chunk({ tool_calls: [{ ...call, index: at(n) }] }),
    ),
    ...(end === null ? [] : [end]),
  ]
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
  return raw(`${lines.join('')}data: [DONE]\n\n`, 'text/event-stream')
}

type Odd = (message: Message) => fake.Reply
const odd: Readonly<Record<string, readonly Odd[]>> = {
  cut: ['network_error', 'error', 'abort', 'insufficient_system_resource', 'length'].map(half),
  'calls as words': [
    '<tool_call>\n{"name": "ledger", "arguments": {"input": "WORDS"}}\n</tool_call>',
    '<tool_call><function=ledger><parameter=input>WORDS</parameter></function></tool_call>',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.ledger:0',
    '<function_calls>\n<invoke name="ledger"></invoke></function_calls>',
    '{"name": "ledger", "arguments": {"input": "WORDS"}}',
    '[TOOL_CALLS][{"name": "ledger"}]',
  ].map(words),
  thinking: [
    thinking('<think>', '</think>'),
    thinking('<thinking>', '</thinking>'),
    thinking('[THINK]', '[/THINK]'),
    thinking('◁think▷', '◁/think▷'),
    thinking('<reasoning>', '</reasoning>'),
    // A template swallowed the opening mark.
    thinking('', '\n</think>\n'),
    thinking(
      '<|channel|>analysis<|message|>',
      '<|end|><|start|>assistant<|channel|>final<|message|>',
    ),
  ],
  arguments: [
    argued((json) => JSON.stringify(json)),
    argued((json) => `{}${json}`),
    argued((json) => `\`\`\`json\n${json}\n\`\`\``),
    argued((json) => json.replace(/\}$/, ',}')),
  ],
  names: [
    named((name) => `functions.${name}`),
    named((name) => `${name}<|channel|>commentary`),
    named((name) => `default_api:${name}`),
  ],
  'content as a list': [
    ({ content, ...message }) =>
      well({
        ...message,
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'SECRET' }] },
          ...(content === null ? [] : [{ type: 'text', text: content }]),
        ],
      }),
  ],
  'errors under 200': [
    error({ error: { code: 502, message: 'Upstream error' } }),
    error({ choices: [{ finish_reason: 'error', error: { code: 503, message: 'Upstream' } }] }),
    error({ choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } }),
    error({ error: 'Model unloaded.' }),
  ],
  nothing: [
    error({ choices: [] }),
    error({ choices: null }),
    () => raw(completion({ content: '' })),
    () => raw(''),
  ],
  uncounted: [{}, { usage: null }, { usage: { prompt_tokens: 0, completion_tokens: 0 } }].map(
    (more): Odd =>
      (message) =>
        raw(completion(message, 'stop', more)),
  ),
  bodies: [
    (message) => raw(`\ufeff${JSON.stringify(completion(message))}`),
    (message) => raw(completion(message), 'text/plain; charset=utf-8'),
  ],
  streams: [
    (message) => streamed(message, String, null),
    (message) => streamed(message, () => 0, { choices: [], usage }),
    (message) => streamed(message, (n) => n + 1, { choices: [{ delta: {}, finish_reason: '' }] }),
  ],
}
const kinds = Object.keys(odd)

/** The endpoint by its client; four of ten answers are odd. */
async function oddModel(random: () => number) {
  const counts = new Map<string, number>()
  const server = await startOpenAi({ remembers: false })
  onTestFinished(() => server.close())
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  let all = 0
  server.answer((request) => {
    const message = play(request)
    if (random() < 0.6) return well(message)
    const kind = pick(kinds)
    const answers = odd[kind] ?? []
    all += 1
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const isStream = request.body.stream === true
    return kind === 'streams' && !isStream ? well(message) : pick(answers)(message)
  })
  let refused = 0
  const strict: typeof fetch = (url, init) => {
    const { messages = [] } = JSON.parse(String(init?.body ?? '{}'))
    const isBack = messages.every(
      (one: Record<string, unknown>) => !one.tool_calls || one.reasoning_content !== undefined,
    )
    if (isBack) return fetch(url, init)
    refused += 1
    const problem = { message: 'The reasoning_content must be passed back to the API.' }
    return Promise.resolve(Response.json({ error: problem }, { status: 400 }))
  }
  const drafts: string[] = []
  const asked = createOpenAiModel({
    apiKey: 'sk-x',
    baseURL: server.url,
    model: 'odd',
    timeoutMs: 5_000,
    log: silent,
    clock: { now: () => 0 },
    fetch: strict,
  })
  const model: Model = {
    ...asked,
    call: (contract, input, signal) =>
      asked.call(contract, input, signal, (text) => void drafts.push(text)),
  }
  return { model, drafts, counts, failures: () => all, refused: () => refused }
}

it.each(parts)(
  'loses no task, doubles no effect, shows no thought and ends no task without its work while answers are odd, part %i (C356)',
  async (part) => {
    const { model, drafts, counts, failures, refused } = await oddModel(
      createRandom(seed * 1_000 + part),
    )
    const { tool, effects } = recordingTool()
    const limits = { maxSteps: 1_000, maxModelCalls: 10_000, maxContractFailures: 1_000 }
    const clew = await start({ model, tools: [tool], limits, strategy: 'free' })
    const { tasks, said } = await playTasks(clew, failures)
    const where = `seed ${seed}`
    const wanted = tasks.flatMap((id) => [`${id} first`, `${id} second`])
    expect([...effects.values()].sort(), where).toEqual(wanted.toSorted())
    for (const id of tasks) {
      const ended = clew.texts(id).filter((text) => /is done\.|: done\./.test(text))
      expect(ended, `${id}, ${where}`).toEqual([expect.stringContaining(`${id} is done.`)])
    }
    const shown = [...tasks.flatMap((id) => clew.texts(id)), ...drafts]
    expect(shown.filter((text) => /SECRET|HALF|WORDS|tool_call|invoke|ledger:/.test(text))).toEqual(
      [],
    )
    expect(refused(), 'messages that did not go back as they came').toBe(0)
    const odds = Object.fromEntries([...counts].map(([kind, count]) => [`odd: ${kind}`, count]))
    const more = { lives: clew.lives(), odd: failures(), ...odds }
    tell({ 'odd tasks': tasks.length, said, ...more })
  },
  Math.max(120_000, failuresEach * 3_000),
)
