import { expect, it } from 'vitest'
import type { ConversationLine } from '../../../src/adapters/web/views.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { createFakeChannel } from '../../fakes/channel.ts'
import { createFakeModel, decides } from '../../fakes/model.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { ask } from './support.ts'

const start = useWholeClew()
const march = Date.UTC(2026, 2, 10, 23, 30)

const saidIn = (n: number, text: string, name = 'Ana'): InboundEvent => ({
  ...{ workspace: 'chat:one', channel: 'general', thread: `t${n}`, keys: [`m${n}`], at: march + n },
  author: { id: `U${name}`, name, bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})

async function open() {
  const chat = createFakeChannel('chat')
  const model = createFakeModel()
  model.answer(({ contract }) =>
    contract === 'decision' ? decides.reply('The **budget** is enough, I think.') : null,
  )
  const { url } = await start({}, { channels: [chat], model })
  const get = async (query: Record<string, string>) =>
    (await ask(`${url}/api/conversations?${new URLSearchParams(query)}`)).body as {
      conversations: ConversationLine[]
      words: string
      error: { message: string }
    }
  const titles = async (q: string) => (await get({ q })).conversations.map(({ title }) => title)
  return { chat, url, get, titles }
}

it('finds threads of every platform by words, people, place, state and day, and says where it was said (C200, C201, C202)', async () => {
  const { chat, url, get, titles } = await open()
  await chat.intake(saidIn(1, 'Is the budget of Lisbon enough?'))
  await chat.intake(saidIn(2, 'Lunch?', 'Ben Adler'))
  await ask(`${url}/api/conversations`, 'POST', {
    text: 'A budget of my own',
    clientMessageId: 'x1',
  })
  await expect.poll(() => titles('is:done think')).toHaveLength(3)
  const lines = (await get({ q: 'budg' })).conversations
  expect(lines.map(({ title }) => title)).toContain('A budget of my own')
  expect(lines.find(({ title }) => title.includes('Lisbon'))).toMatchObject({
    workspace: 'chat:one',
    found: { text: 'The budget is enough, I think.' },
  })
  expect((await get({ q: 'is:done in:chat lisbon' })).words).toBe('lisbon')
  expect(await titles('lisbon')).toEqual(['Is the budget of Lisbon enough?'])
  expect(await titles('from:“Ben Adler”')).toEqual(['Lunch?'])
  expect(await titles('来自：ben')).toEqual(['Lunch?'])
  expect(await titles('in:chat budget lisbon')).toEqual(['Is the budget of Lisbon enough?'])
  // Plurals find the singular where they find nothing, and say so.
  const plural = await get({ q: 'in:chat budgets' })
  expect(plural).toMatchObject({ words: 'budget', instead: 'budget' })
  expect(plural.conversations).toHaveLength(2)
  expect(await titles('lunches')).toEqual(['Lunch?'])
  expect(await get({ q: 'xylophones' })).toMatchObject({ words: 'xylophones', conversations: [] })
  expect(await get({ q: 'lunch' })).not.toHaveProperty('instead')
  expect(await titles('is:working')).toEqual([])
  expect(await titles('🎉')).toEqual([])
  expect(await titles('in:chat before:1999')).toEqual([])
  const long = (await get({ q: 'x'.repeat(301) })).error.message
  expect(long).toContain('the limit is 300 characters')
  expect((await get({ q: 'is:lost' })).error.message).toBe(
    'There is no “is:lost”. Use is:needs-you, is:working, is:done, is:pinned or is:archived.',
  )
  expect((await get({ q: 'after:tomorrow' })).error.message).toContain('after:2026-03-01')
  expect((await get({ q: 'after:2026-02-30' })).error.message).toContain('is not a date')
})

it('renames, pins, puts away and deletes a thread of any platform, and nothing that is not there (C203, C204, C205, S24)', async () => {
  const { chat, url, get, titles } = await open()
  await chat.intake(saidIn(1, 'Is the budget of Lisbon enough?'))
  await expect.poll(() => titles('think')).toHaveLength(1)
  const { id } = (await get({ q: 'lisbon' })).conversations[0] ?? {}
  const path = `${url}/api/conversations/${id}`
  const change = (body: object) => ask(`${path}?workspace=chat:one`, 'PATCH', body)
  expect(await change({ title: '  Money ', pinned: true })).toMatchObject({
    body: { title: 'Money', pinned: true },
  })
  expect(await titles('money is:pinned')).toEqual(['Money'])
  expect((await change({ title: ' ' })).status).toBe(400)
  expect(await change({ archived: true })).toMatchObject({
    body: { archived: true, pinned: false },
  })
  expect((await get({})).conversations).toEqual([])
  expect(await titles('is:archived')).toEqual(['Money'])
  for (const method of ['PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { pinned: true } : undefined
    expect((await ask(path, method, body)).status, 'not on the page').toBe(404)
    expect(
      (await ask(`${path}?workspace=chat:two`, method, body)).status,
      'no such workspace',
    ).toBe(404)
  }
  const contents = await ask(`${path}/contents?workspace=chat:one`)
  expect(contents.body).toEqual({ messages: 2, runs: 0, files: 0, facts: 0 })
  await expect
    .poll(async () => (await ask(`${path}?workspace=chat:one`, 'DELETE')).status)
    .toBe(200)
  expect(await titles('lisbon')).toEqual([])
  expect((await ask(`${path}?workspace=chat:one`, 'DELETE')).status).toBe(404)
})

it('reads as far back as a linked message (C206)', async () => {
  const { chat, url, get, titles } = await open()
  await chat.intake(saidIn(1, 'The first of all'))
  await expect.poll(() => titles('think')).toHaveLength(1)
  const { id, found } = (await get({ q: 'first' })).conversations[0] ?? {}
  const view = async (more: string) =>
    (await ask(`${url}/api/conversations/${id}?workspace=chat:one&messages=1${more}`)).body as {
      messages: { id: string }[]
    }
  expect((await view('')).messages).toHaveLength(1)
  expect(
    (await view(`&message=${found?.messageId}`)).messages.map((message) => message.id),
  ).toContain(found?.messageId)
})
