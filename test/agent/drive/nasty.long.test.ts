import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContractName } from '../../../src/agent/contracts.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { asks, closes, decides, ends, plans } from '../../fakes/model.ts'
import { badTexts, nested } from '../../fakes/openai/bad-replies.ts'
import { type Reply, rawArguments, value } from '../../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../../fakes/openai/server.ts'
import { type TestOptions, useClew } from '../../support/agent.ts'
import { asideOf } from '../rows/aside.ts'

const start = useClew()
let server: FakeOpenAi
beforeAll(async () => {
  server = await startOpenAi()
})
afterAll(() => server.close())

/** A thread with a model that answers so, whatever it is asked. */
async function thread(replies: Partial<Record<ContractName, Reply>>, options: TestOptions = {}) {
  const model = createOpenAiModel({
    apiKey: 'sk-test',
    baseURL: server.url,
    model: 'fake',
    timeoutMs: 10_000,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    clock: createManualClock(),
  })
  server.answer(({ contract }) => replies[contract] ?? value(null))
  const clew = await start({ model, ...options })
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

const right = {
  decision: decides.run('Book the offsite'),
  plan: plans('Find venues'),
  thought: closes('Three'),
  replan: ends('Booked.'),
}
/** Where a model's words go, and the replies that put them there. */
const places: [place: string, replies: (text: string) => Partial<Record<ContractName, unknown>>][] =
  [
    ['an answer', (text) => ({ decision: decides.reply(text) })],
    ['a question', (text) => ({ ...right, thought: asks(text, [text, 'Porto']) })],
    [
      'everything else that a task has',
      (text) => ({
        decision: decides.run(text),
        plan: plans(text),
        thought: closes(text),
        replan: ends(text),
      }),
    ],
  ]

it.each(
  places.flatMap(([place, replies]) =>
    badTexts.map(([kind, text]) => ({ place, kind, text, replies })),
  ),
)('$kind in $place silence nobody (P11, P17, P18)', async ({ text, replies }) => {
  const said = Object.entries(replies(text)).map(([contract, reply]) => [contract, value(reply)])
  const clew = await thread(Object.fromEntries(said))
  expect(clew.texts().length).toBeGreaterThan(0)
  await clew.say('/todo list')
  await clew.idle()
  const texts = clew.texts()
  expect(texts.at(-1)).toMatch(/to-do/i)
  for (const one of texts) {
    expect(one.isWellFormed()).toBe(true)
    expect(/[^\P{Cc}\n\t]/u.exec(one)?.[0]).toBeUndefined()
  }
  expect(await asideOf(clew)).toEqual([])
  expect(clew.logs.filter(({ level }) => level === 'error')).toEqual([])
})

it.each([
  ['arguments', rawArguments(nested(40_000))],
  [
    'an input',
    value({
      ...right.thought,
      status: 'continue',
      next_action: { tool: 'todo', input: JSON.parse(nested(2_000)) },
    }),
  ],
  ['a key', rawArguments(`{"\\ud800\\u0000":${nested(200)}}`)],
])(
  '%s nested without end is no answer, and the task says that it is stuck (P11, P17)',
  async (_, thought) => {
    const clew = await thread({ decision: value(right.decision), plan: value(right.plan), thought })
    expect(clew.texts().at(-1)).toMatch(/I keep getting stuck/)
    expect(clew.logs.filter(({ level }) => level === 'error')).toEqual([])
  },
)

it('calls nested without end are no answer of a free task either (P11, P17)', async () => {
  const call = {
    kind: 'calls' as const,
    calls: [{ name: 'todo', arguments: nested(40_000) }],
    options: {},
  }
  const clew = await thread({ decision: value(right.decision), act: call }, { strategy: 'free' })
  await clew.advance(60_000)
  expect(clew.texts().length).toBeGreaterThan(0)
  expect(clew.logs.filter(({ level }) => level === 'error')).toEqual([])
})
