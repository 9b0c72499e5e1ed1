import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { ask, startWeb } from './support.ts'

describeWith('redis-server', 'the web API', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(async () => {
    await redis.flushall()
    web = await startWeb(redis)
  })
  afterEach(() => web.stop())
  afterAll(() => server.stop())

  const api = (path: string): string => `${web.url}/api${path}`
  const open = async (text = 'Hello', clientMessageId = 'first'): Promise<string> => {
    const { body } = await ask(api('/conversations'), 'POST', { text, clientMessageId })
    return (body as { id: string }).id
  }

  it('opens a conversation with its first message, read by the person who opened it (R107, C24)', async () => {
    const id = await open('Compare the venues\nand book one')
    const { status, body } = await ask(api(`/conversations/${id}`))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      title: 'Compare the venues',
      unread: false,
      messages: [
        {
          role: 'user',
          author: { id: 'local', name: 'Somebody on this page' },
          text: 'Compare the venues\nand book one',
        },
      ],
      plan: null,
      question: null,
      run: null,
    })
  })

  it('opens an empty conversation', async () => {
    const { status, body } = await ask(api('/conversations'), 'POST', {})
    expect(status).toBe(201)
    expect(body).toMatchObject({ unread: false, messages: [] })
  })

  it('takes the same message twice as one, and a first message twice as one conversation (R116)', async () => {
    const id = await open('Hello', 'c1')
    expect(await open('Hello', 'c1')).toBe(id)
    const said = { text: 'More', clientMessageId: 'c2' }
    const first = await ask(api(`/conversations/${id}/messages`), 'POST', said)
    const second = await ask(api(`/conversations/${id}/messages`), 'POST', said)
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body).toMatchObject({
      duplicate: true,
      messageId: (first.body as { messageId: string }).messageId,
    })
    const { body } = await ask(api(`/conversations/${id}`))
    expect((body as { messages: { text: string }[] }).messages.map(({ text }) => text)).toEqual([
      'Hello',
      'More',
    ])
  })

  it('lists conversations, newest first, with their last line and unread mark (R107)', async () => {
    const older = await open('First *thing* of `OPENAI_API_KEY` for #9', 'a')
    await redis.hset(
      `clew:{web:local}:conversation:${older}`,
      'updatedAt',
      String(1_900_000_000_000),
    )
    const { body } = await ask(api('/conversations'))
    expect(body).toMatchObject({
      conversations: [
        { id: older, unread: true, lastLine: 'First thing of OPENAI_API_KEY for #9', status: null },
      ],
    })
  })

  it('marks a conversation read (R108)', async () => {
    const clock = createManualClock()
    await web.stop()
    web = await startWeb(redis, { clock })
    const id = await open()
    await redis.hset(`clew:{web:local}:conversation:${id}`, 'updatedAt', String(clock.now() + 5))
    expect((await ask(api(`/conversations/${id}`))).body).toMatchObject({ unread: true })
    await clock.advance(10)
    expect((await ask(api(`/conversations/${id}/read`), 'POST')).status).toBe(200)
    expect((await ask(api(`/conversations/${id}`))).body).toMatchObject({ unread: false })
  })

  it('hands the language and time zone of the person who writes to the core', async () => {
    const seen: InboundEvent[] = []
    await web.stop()
    web = await startWeb(redis, {
      intake: async (event) => {
        seen.push(event)
        return { kind: 'accepted', conversationId: 'c', messageId: 'm', entryId: 'e' }
      },
    })
    const author = { id: 'ana', name: 'Ana' }
    const said = {
      text: '@Clew /todo list',
      clientMessageId: 'x',
      author,
      locale: 'zh-CN',
      timeZone: 'Asia/Shanghai',
    }
    await ask(api('/conversations'), 'POST', said)
    expect(seen).toMatchObject([
      {
        workspace: 'web:local',
        channel: 'web',
        author: { id: 'ana', name: 'Ana', bot: false },
        locale: 'zh-CN',
        timeZone: 'Asia/Shanghai',
        content: { kind: 'message', text: '/todo list', addressed: true, forSomeoneElse: false },
      },
    ])
    await ask(api('/conversations'), 'POST', { text: '@Ben can you look?', clientMessageId: 'y' })
    expect(seen[1]?.content).toMatchObject({ forSomeoneElse: true, addressed: true })
  })

  it('takes 40,000 characters and refuses one more with the limit in words', async () => {
    expect(
      (
        await ask(api('/conversations'), 'POST', {
          text: '😀'.repeat(40_000),
          clientMessageId: 'a',
        })
      ).status,
    ).toBe(202)
    const long = await ask(api('/conversations'), 'POST', {
      text: 'x'.repeat(40_001),
      clientMessageId: 'b',
    })
    expect(long).toMatchObject({ status: 413, body: { error: { code: 'text_too_long' } } })
    expect(JSON.stringify(long.body)).toContain('40,000')
  })

  it('takes 40,000 characters that are more once their directions are closed (P17)', async () => {
    const text = '\u2067a\n'.repeat(13_333)
    expect((await ask(api('/conversations'), 'POST', { text, clientMessageId: 'a' })).status).toBe(
      202,
    )
  })

  it('removes control characters and keeps line ends and tabs', async () => {
    const id = await open('a\u0000b\u001b[31m\r\n\tc\u0085 \ud800', 'x')
    const { body } = await ask(api(`/conversations/${id}`))
    expect(body).toMatchObject({ messages: [{ text: 'ab[31m\n\tc \ufffd' }] })
  })

  it.each([
    ['an empty text', { text: ' \n\t ', clientMessageId: 'x' }, 400, 'empty_text'],
    [
      'a text of control characters',
      { text: '\u0000\u0007', clientMessageId: 'x' },
      400,
      'empty_text',
    ],
    ['no JSON', '{"text":', 400, 'not_json'],
    ['another shape', { text: 5, clientMessageId: 'x' }, 400, 'bad_request'],
    ['no id of its own', { text: 'Hello' }, 400, 'bad_request'],
    [
      'an unknown time zone',
      { text: 'Hello', clientMessageId: 'x', timeZone: 'Mars/Base' },
      400,
      'bad_request',
    ],
    ['a huge body', { text: 'x'.repeat(1_100_000), clientMessageId: 'x' }, 413, 'body_too_large'],
  ])('refuses %s', async (_, body, status, code) => {
    const id = await open()
    for (const path of ['/conversations', `/conversations/${id}/messages`]) {
      const answer = await ask(api(path), 'POST', body)
      expect(answer).toMatchObject({
        status,
        body: { error: { code, message: expect.any(String) } },
      })
    }
  })

  it.each([
    [
      '/conversations',
      { clientConversationId: 'c', colour: 'red' },
      'clientConversationId, colour',
    ],
    ['/conversations', { text: 'Hello', clientMessageId: 'x', colour: 'red' }, 'colour'],
    [
      '/conversations',
      { text: 'Hello', clientMessageId: 'x', author: { id: 'a', name: 'A', age: 3 } },
      'author.age',
    ],
    ['/runs/r_0/cancel', { force: true }, 'force'],
  ])(
    'refuses fields that nobody knows, by name, and keeps nothing: %s %o (C65)',
    async (path, body, named) => {
      const answer = await ask(api(path), 'POST', body)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'unknown_fields' } } })
      expect(JSON.stringify(answer.body)).toContain(`${named}\\"`)
      expect((await ask(api('/conversations'))).body).toEqual({ conversations: [], next: null })
    },
  )

  it('names the field that is wrong', async () => {
    const { body } = await ask(api('/conversations'), 'POST', {
      text: 'Hello',
      clientMessageId: 'x',
      author: { id: 'a' },
    })
    expect(JSON.stringify(body)).toContain('author.name')
  })

  it('refuses another content type', async () => {
    const body = 'text=hello'
    const answer = await ask(api('/conversations'), 'POST', body, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer).toMatchObject({ status: 415, body: { error: { code: 'wrong_content_type' } } })
  })

  it.each([
    ['GET', '/conversations/c_0', 'unknown_conversation'],
    ['POST', '/conversations/c_0/read', 'unknown_conversation'],
    ['POST', '/conversations/c_0/messages', 'unknown_conversation'],
    ['POST', '/questions/q_0/answer', 'unknown_question'],
    ['GET', '/runs/r_0', 'unknown_run'],
    ['GET', '/runs/r_0/trace', 'unknown_run'],
    ['POST', '/runs/r_0/cancel', 'unknown_run'],
    ['GET', '/nothing', 'not_found'],
  ] as const)('answers %s %s with %s', async (method, path, code) => {
    const says = path.endsWith('/messages') || path.endsWith('/answer')
    const body = says ? { text: 'Hello', clientMessageId: 'x' } : undefined
    expect(await ask(api(path), method, body)).toMatchObject({
      status: 404,
      body: { error: { code } },
    })
  })

  it('says that it cannot know when the store is away (C63), and takes the same message when it is back', async () => {
    let away = true
    const { store } = web
    await web.stop()
    web = await startWeb(redis, {
      intake: async (event) => {
        if (away) throw new Error('connection lost')
        const { kind, entry, conversationId } = await store.inbox.accept(event, {
          locale: 'en',
          timeZone: 'UTC',
        })
        return { kind, conversationId, messageId: entry.messageId, entryId: entry.id }
      },
    })
    const said = { text: 'Hello', clientMessageId: 'x' }
    const refused = await ask(api('/conversations'), 'POST', said)
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'store_unavailable' } } })
    expect(JSON.stringify(refused.body)).toMatch(
      /did not say whether this was saved.*same clientMessageId/,
    )
    away = false
    expect((await ask(api('/conversations'), 'POST', said)).status).toBe(202)
    expect((await ask(api('/conversations'))).body).toMatchObject({
      conversations: [{ lastLine: 'Hello' }],
    })
  })

  it('speaks the language that is asked for', async () => {
    const { body } = await ask(api('/runs/r_0'), 'GET', undefined, {
      'accept-language': 'zh-CN,zh;q=0.9',
    })
    expect(body).toEqual({ error: { code: 'unknown_run', message: '没有这个任务。' } })
  })
})
