import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createStage } from '../../fakes/stage.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { ask, startWeb } from './support.ts'

const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }

describeWith('redis-server', 'runs and questions in the web API', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  let stage: ReturnType<typeof createStage>
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(async () => {
    await redis.flushall()
    web = await startWeb(redis)
    stage = createStage(web.store, { workspace: 'web:local', channel: 'web', thread: 't' })
    await stage.hear('Book a venue', ana, 1_000, { kind: 'started', runId: stage.runId })
    await stage.begin('Book a venue', ana, 1_001)
  })
  afterEach(() => web.stop())
  afterAll(() => server.stop())

  const get = async (path: string) => (await ask(`${web.url}/api${path}`)).body
  const post = (path: string, body?: unknown) => ask(`${web.url}/api${path}`, 'POST', body)
  const planned = {
    planInitialized: true,
    planItems: [
      { text: 'Collect', done: true },
      { text: 'Book', done: false },
    ],
    currentPlanIndex: 1,
  }

  it('shows a conversation with its live plan, its run and what became of each message', async () => {
    await stage.move(
      1_002,
      { ...planned, intent: { step: 2, tool: 'todo', input: 'add x' } },
      'running',
    )
    expect(await get(`/conversations/${stage.conversationId}`)).toMatchObject({
      messages: [
        {
          text: 'Book a venue',
          html: '<p>Book a venue</p>\n',
          outcome: { kind: 'started', runId: stage.runId },
        },
      ],
      plan: { items: planned.planItems, index: 1 },
      run: {
        id: stage.runId,
        status: 'running',
        progress: { done: 1, now: { kind: 'acting', tool: 'todo', input: 'add x' } },
      },
      question: null,
    })
    expect(await get('/conversations')).toMatchObject({ conversations: [{ status: 'running' }] })
  })

  it('lists runs and shows one (R115)', async () => {
    expect(await get('/runs')).toMatchObject({
      runs: [{ id: stage.runId, status: 'queued', title: 'Book a venue' }],
    })
    expect(await get(`/runs?conversation=${stage.conversationId}&limit=1`)).toMatchObject({
      runs: [{ id: stage.runId }],
    })
    expect(await get('/runs?conversation=c_other')).toEqual({ runs: [] })
    expect(await get(`/runs/${stage.runId}`)).toMatchObject({
      id: stage.runId,
      conversationId: stage.conversationId,
    })
    expect((await ask(`${web.url}/api/runs?limit=none`)).status).toBe(400)
  })

  it('tells what happened in a run, in order (R119)', async () => {
    await stage.move(1_002, planned, 'running', null, {
      kind: 'planned',
      items: ['Collect', 'Book'],
    })
    const { trace } = (await get(`/runs/${stage.runId}/trace`)) as {
      trace: { what: { kind: string } }[]
    }
    expect(trace.map(({ what }) => what.kind)).toEqual(['created', 'planned'])
  })

  it('shows the open question and takes an answer by choice or in words (C47)', async () => {
    await stage.move(1_002, planned, 'awaiting_clarification')
    const { id } = await stage.ask('Which *city*?', ['Lisbon', 'Porto'], ana, 1_003)
    expect(await get(`/conversations/${stage.conversationId}`)).toMatchObject({
      question: {
        id,
        text: 'Which *city*?',
        choices: ['Lisbon', 'Porto'],
        html: '<p>Which <em>city</em>?</p>\n',
      },
      messages: [{}, { questionId: id }],
    })
    expect(await post(`/questions/${id}/answer`, { choice: 'Madrid' })).toMatchObject({
      status: 400,
      body: { error: { code: 'unknown_choice' } },
    })
    expect((await post(`/questions/${id}/answer`, { text: ' ' })).status).toBe(400)
    expect((await post(`/questions/${id}/answer`, {})).status).toBe(400)
    expect((await post(`/questions/${id}/answer`, { choice: 'Lisbon', author: ana })).status).toBe(
      202,
    )
    expect(
      (await post(`/questions/${id}/answer`, { text: 'Somewhere warm', author: ben })).status,
    ).toBe(202)
    const state = await web.store.conversations.state('web:local', stage.conversationId, 10)
    expect(
      state?.inbox.map(({ event, messageId }) => ({
        ...event.content,
        by: event.author.name,
        messageId,
      })),
    ).toEqual([
      { kind: 'answer', questionId: id, text: 'Lisbon', by: 'Ana', messageId: null },
      { kind: 'answer', questionId: id, text: 'Somewhere warm', by: 'Ben', messageId: null },
    ])
  })

  it('takes two clicks of one person as one answer (R116)', async () => {
    const { id } = await stage.ask('Which city?', ['Lisbon', 'Porto'], ana, 1_003)
    const first = await post(`/questions/${id}/answer`, { choice: 'Lisbon', author: ana })
    const second = await post(`/questions/${id}/answer`, { choice: 'Lisbon', author: ana })
    expect([first.body, second.body]).toMatchObject([{ duplicate: false }, { duplicate: true }])
  })

  it('says who answered what when a question was answered already', async () => {
    const question = await stage.ask('Which city?', ['Lisbon', 'Porto'], ana, 1_003)
    await stage.answer(question, 'Lisbon', ana, 1_004)
    const late = await post(`/questions/${question.id}/answer`, { choice: 'Porto', author: ben })
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'already_answered' } } })
    expect(JSON.stringify(late.body)).toMatch(/Ana.*Lisbon/)
    const again = await post(`/questions/${question.id}/answer`, { choice: 'Lisbon', author: ana })
    expect(again).toMatchObject({ status: 202, body: { duplicate: true } })
    expect(await get(`/conversations/${stage.conversationId}`)).toMatchObject({
      question: null,
      answered: [{ id: question.id, answer: 'Lisbon', author: ana }],
    })
  })

  it('shows the answers of a long thread, the oldest too', async () => {
    for (let index = 0; index < 14; index++) {
      const question = await stage.ask(`Question ${index}?`, [], ana, 2_000 + index)
      await stage.answer(question, `Answer ${index}`, ana, 2_000 + index)
    }
    const { answered } = (await get(`/conversations/${stage.conversationId}`)) as {
      answered: { answer: string }[]
    }
    expect(answered.map(({ answer }) => answer)).toEqual(
      Array.from({ length: 14 }, (_, index) => `Answer ${index}`),
    )
  })

  it('hands stop, continue and retry to the core, each once', async () => {
    const path = `/runs/${stage.runId}`
    expect((await post(`${path}/cancel`, { author: ana })).body).toMatchObject({ duplicate: false })
    expect((await post(`${path}/cancel`)).body).toMatchObject({ duplicate: true })
    await stage.move(1_002, planned, 'running')
    await stage.move(1_003, {}, 'paused')
    expect((await post(`${path}/continue`, { author: ana })).status).toBe(202)
    await stage.move(1_004, {}, 'running')
    await stage.move(1_005, {}, 'failed')
    expect((await post(`${path}/retry`, { author: ana })).status).toBe(202)
    const state = await web.store.conversations.state('web:local', stage.conversationId, 10)
    expect(state?.inbox.map(({ event }) => event.content)).toEqual(
      ['cancel', 'continue', 'retry'].map((action) => ({
        kind: 'control',
        action,
        runId: stage.runId,
      })),
    )
  })

  it('refuses what makes no sense in the state that a run is in', async () => {
    const path = `/runs/${stage.runId}`
    expect(await post(`${path}/continue`)).toMatchObject({
      status: 409,
      body: { error: { code: 'run_not_paused' } },
    })
    expect(await post(`${path}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: 'run_still_live' } },
    })
    await stage.move(1_002, planned, 'running')
    await stage.move(1_003, {}, 'succeeded')
    expect(await post(`${path}/cancel`)).toMatchObject({
      status: 409,
      body: { error: { code: 'run_ended' } },
    })
  })

  it('asks to wait while a thread that Clew opened has not been shown yet (R106)', async () => {
    const state = await web.store.conversations.state('web:local', stage.conversationId, 1)
    if (state === null) throw new Error('the conversation is gone')
    const address = { ...state.conversation.address, thread: null }
    await web.store.conversations.open({ ...state.conversation, id: 'c_report', address })
    const early = await post('/conversations/c_report/messages', {
      text: 'Thanks',
      clientMessageId: 'x',
    })
    expect(early).toMatchObject({ status: 503, body: { error: { code: 'thread_opening' } } })
  })

  it('links only to what people wrote (S2, S21)', async () => {
    await stage.hear('Look at https://venues.example/list', ana, 1_100)
    await stage.say(
      '[list](https://venues.example/list) and [other](https://venues.example/list?x=1)',
      1_101,
    )
    const { messages } = (await get(`/conversations/${stage.conversationId}`)) as {
      messages: { html: string }[]
    }
    const links = messages.at(-1)?.html.match(/href="[^"]*"/g)
    expect(links).toEqual(['href="https://venues.example/list"'])
  })
})
