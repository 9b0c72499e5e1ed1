import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Conversation } from '../src/agent/domain/conversation.ts'
import type { Delivery } from '../src/agent/domain/delivery.ts'
import type { FailureKind } from '../src/agent/domain/model-failure.ts'
import { adviceFor, listedSettings } from '../src/agent/model/advice.ts'
import type { Model, ModelReply } from '../src/agent/ports/model.ts'
import { createHealth, watchChannel, watchModel } from '../src/health.ts'
import { createFakeChannel } from './fakes/channel.ts'
import { createManualClock } from './fakes/clock.ts'

const usage = { promptTokens: 0, completionTokens: 0 }
const well = { health: async () => ({ ok: true, detail: 'well' }) }
const start = Date.UTC(2026, 2, 4, 2)

function modelThat(...replies: ModelReply[]): Model {
  return { name: 'm', call: async () => replies.shift() ?? { ok: false, code: 'aborted', usage } }
}
const conversation = {
  id: 'c',
  address: { workspace: 'w', channel: 'c', thread: 't' },
} as Conversation
const delivery = { id: 'd' } as Delivery
const asked = (model: Model) => model.call('chat', {} as never, new AbortController().signal)

it('answers in time whatever hangs, says which part it is, and asks it once however many want to know (P19)', async () => {
  const clock = createManualClock()
  let questions = 0
  const hangs = {
    health: () => {
      questions += 1
      return new Promise<never>(() => {})
    },
  }
  const health = createHealth({
    store: hangs,
    wakeups: well,
    channels: [],
    model: watchModel(modelThat(), clock),
    clock,
  })
  const many = Promise.all(Array.from({ length: 50 }, (_, n) => health(n % 2 === 0 ? 500 : 2_000)))
  await turn()
  await clock.advance(2_000)
  for (const { ok, store, queue } of await many) {
    expect({ ok, queue: queue.ok }).toEqual({ ok: false, queue: true })
    expect(store.detail).toMatch(/no answer within (500|2000) ms/)
  }
  expect(questions).toBe(1)
  // A question that was given up is asked again.
  const later = health(500)
  await clock.advance(500)
  expect((await later).store.ok).toBe(false)
  expect(questions).toBe(2)
})

it('a part that throws is away, and the others answer (P19)', async () => {
  const clock = createManualClock()
  const store = { health: () => Promise.reject(new Error('gone')) }
  const health = createHealth({
    store,
    wakeups: well,
    channels: [],
    model: watchModel(modelThat(), clock),
    clock,
  })
  expect(await health(500)).toMatchObject({
    ok: false,
    store: { ok: false, detail: 'gone' },
    queue: { ok: true },
  })
})

it("knows the model's last answer and when it came, asks nothing of it, and holds a failure against it for five minutes (P19, C91)", async () => {
  const clock = createManualClock()
  const model = watchModel(
    modelThat(
      { ok: false, code: 'unavailable', message: 'the key is refused', retryAfterMs: null, usage },
      { ok: false, code: 'aborted', usage },
      { ok: false, code: 'bad_reply', message: 'no JSON', usage },
    ),
    clock,
  )
  const health = createHealth({ store: well, wakeups: well, channels: [], model, clock })
  expect(await health(500)).toMatchObject({
    ok: true,
    model: { detail: 'not asked yet', last: null },
  })
  await asked(model.part)
  await asked(model.part)
  const failed = {
    ok: false,
    detail: expect.stringMatching(/cannot be reached\. .*OPENAI_BASE_URL/),
    last: { kind: 'unreachable', at: start },
  }
  expect(await health(500)).toMatchObject({ ok: false, model: failed })
  await clock.advance(300_001)
  expect(await health(500)).toMatchObject({ ok: true, model: { ...failed, ok: true } })
  await asked(model.part)
  expect(await health(500)).toMatchObject({
    ok: true,
    model: { detail: expect.stringContaining('cannot be used'), last: { at: start + 300_001 } },
  })
})

it('knows when each channel last took something in or showed something (P19)', async () => {
  const clock = createManualClock()
  const channel = createFakeChannel('chat')
  channel.fail({ kind: 'unknown' })
  const watched = watchChannel(channel, clock)
  const model = watchModel(modelThat(), clock)
  const health = createHealth({ store: well, wakeups: well, channels: [watched], model, clock })
  const lastSuccess = async () => (await health(500)).channels.chat?.lastSuccess
  await watched.part.send(delivery, conversation)
  expect(await lastSuccess()).toBe(null)
  await clock.advance(1_000)
  await watched.part.send(delivery, conversation)
  expect(await lastSuccess()).toBe(start + 1_000)
  await watched.part.start(async () => ({
    kind: 'accepted',
    conversationId: 'c',
    messageId: 'm',
    entryId: 'e',
  }))
  await clock.advance(1_000)
  await channel.intake({} as never)
  expect(await lastSuccess()).toBe(start + 2_000)
})

it('says of a model of a list what is set for its provider (C133)', async () => {
  const clock = createManualClock()
  const { mend } = adviceFor('key_refused', listedSettings('anthropic'))
  const refused = {
    ok: false,
    code: 'unavailable',
    kind: 'key_refused',
    message: 'refused',
    mend,
  } as const
  const model = watchModel(modelThat({ ...refused, retryAfterMs: null, usage }), clock)
  await asked(model.part)
  const health = createHealth({ store: well, wakeups: well, channels: [], model, clock })
  const { detail, last } = (await health(500)).model
  expect(detail).toBe(
    'the endpoint refuses the API key. Check ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and the access to the model.',
  )
  expect(last).toEqual({ kind: 'key_refused', at: start })
})

it('looks at the list of the model where no call tells how it is, and ends by it what a look can see (C521)', async () => {
  const clock = createManualClock()
  const answers: (FailureKind | null)[] = ['unreachable', null, 'wrong_address', null]
  let looks = 0
  const reach = async () => {
    looks += 1
    return answers.shift() ?? null
  }
  const replies = modelThat(
    { ok: false, code: 'unavailable', kind: 'no_credit', message: '', retryAfterMs: null, usage },
    { ok: true, value: {}, usage } as ModelReply,
  )
  const model = watchModel(replies, clock, reach)
  const health = createHealth({ store: well, wakeups: well, channels: [], model, clock })
  async function kindAfter(ms: number) {
    await clock.advance(ms)
    await health(500)
    await turn()
    return (await health(500)).model.last?.kind
  }
  expect(await kindAfter(0)).toBe('unreachable')
  expect(looks, 'once in 2 s').toBe(1)
  expect(await kindAfter(2_000)).toBe('reached')
  await asked(model.part)
  expect(await kindAfter(2_000), 'a list says nothing of the credit').toBe('no_credit')
  await asked(model.part)
  const before = looks
  expect(await kindAfter(2_000)).toBe('answered')
  expect(looks, 'none while calls are answered').toBe(before)
  await kindAfter(300_000)
  expect(looks).toBe(before + 1)
})
