import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MemoryView } from '../../../src/adapters/web/views.ts'
import { acts, closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { type Lab, openLab } from '../../schedules/support.ts'
import { ask } from './support.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab({ start: Date.UTC(2026, 2, 4, 10) })
})
afterAll(() => lab.stop())

const all = async (author = 'ana') =>
  ((await lab.get(`/api/memory?author=${author}`)) as { memory: MemoryView[] }).memory
const ana = { id: 'ana', name: 'Ana' }

describe('what is remembered, over the API', () => {
  it('is written down, listed with its thread and its source, taken back and put in again (F30)', async () => {
    const id = await lab.say('/memory add We meet in Lisbon --key city')
    expect(await lab.reply(id)).toContain('Remembered: `thread-1`')
    expect((await lab.thread(id)).messages.at(-1)?.offers).toEqual([
      { label: 'Forget it', command: '/memory forget thread-1' },
    ])
    const fact = {
      name: 'thread-1',
      scope: 'thread',
      conversationId: id,
      sourceId: id,
      by: 'Ana',
      status: 'active',
    }
    expect(await all()).toMatchObject([fact])

    const press = (verb: string) =>
      lab.post(`/api/memory/thread-1/${verb}`, { conversationId: id, author: ana })
    expect((await press('forget')).status).toBe(200)
    expect(await all()).toMatchObject([{ ...fact, status: 'revoked' }])
    expect(await press('forget')).toMatchObject({
      status: 400,
      body: { error: { code: 'unreadable' } },
    })
    expect((await press('restore')).status).toBe(200)
    const history = await lab.get(`/api/memory/thread-1/history?conversation=${id}`)
    expect(history).toMatchObject({
      events: [{ what: 'restored' }, { what: 'revoked' }, { what: 'added' }],
    })
  })

  it('offers a button until somebody has pressed it: pressing says its words in the thread', async () => {
    const id = await lab.say('/memory add We eat fish')
    await lab.reply(id)
    await lab.say('/memory forget thread-1', { thread: id })
    expect(await lab.reply(id)).toMatch(/^Forgotten, as Ana asked/)
    const offers = (await lab.thread(id)).messages.map((message) =>
      message.offers.map(({ label }) => label),
    )
    expect(offers).toEqual([[], [], [], ['Undo']])
  })

  it('of one person is nobody else’s to see or to change, also in its words (S5, C255)', async () => {
    expect(
      (await lab.post('/api/memory', { text: 'I like soup --scope me', author: ana })).status,
    ).toBe(201)
    expect((await all()).map(({ text }) => text)).toContain('I like soup')
    expect((await all('ben')).map(({ text }) => text)).not.toContain('I like soup')
    const patch = (name: string, body: object) =>
      ask(`${lab.clew().url}/api/memory/${name}`, 'PATCH', body)
    const words = 'I like "soup" --hot'
    expect((await patch('me-1', { text: words, author: ana })).status).toBe(200)
    expect((await all()).map(({ text }) => text)).toContain(words)
    expect((await patch('me-1', { text: 'x', author: { id: 'ben', name: 'Ben' } })).status).toBe(
      404,
    )
    expect(await patch('me-1', { text: 'x'.repeat(501), author: ana })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('the limit is 500 characters') } },
    })
    const stolen = await lab.post('/api/memory/me-1/forget', { author: { id: 'ben', name: 'Ben' } })
    expect(stolen.status).toBe(400)
    expect((await all()).find(({ name }) => name === 'me-1')?.status).toBe('active')
  })

  it('refuses what it does not know, in words', async () => {
    expect(await lab.post('/api/memory', { text: 'x --scope moon' })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('Try: /memory add x --scope thread') } },
    })
    expect((await lab.post('/api/memory', { text: 'x', conversationId: 'c_none' })).status).toBe(
      404,
    )
    expect((await lab.post('/api/memory/thread-1/forget', {})).status).toBe(400)
    expect((await lab.post('/api/memory/nothing/forget', {})).status).toBe(400)
  })
})

it('is handed out as a download with all else of a person, and erased; an unknown workspace is refused (C117, C118, C513)', async () => {
  await lab.reply(await lab.say('/memory add I like cheese --scope me'))
  const got = await fetch(`${lab.clew().url}/api/privacy/ana`)
  expect(got.headers.get('content-disposition')).toBe('attachment; filename="privacy.json"')
  const { kept } = (await got.json()) as { kept: { kind: string; text: string }[] }
  expect(
    kept
      .filter(({ text }) => text.includes('I like cheese'))
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['fact', 'message'])
  expect(await lab.post('/api/privacy/ana', {}, 'DELETE')).toMatchObject({
    status: 200,
    body: { erased: { fact: expect.any(Number), message: expect.any(Number) }, atWork: {} },
  })
  expect(await lab.get('/api/privacy/ana')).toMatchObject({ kept: [] })
  for (const method of ['GET', 'DELETE']) {
    const path = '/api/privacy/ana?workspace=slack:T1'
    const refused = await fetch(`${lab.clew().url}${path}`, { method })
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain('“slack:T1”')
  }
  expect(await all()).toEqual([])
})

it('hands out the files that a task made as text to be kept, and those of no other thread (R90)', async () => {
  const model = createFakeModel()
  model.on('decision', decides.run('Write it down'))
  model.on('plan', plans('Write'))
  model.on('thought', acts('save a.md\n<b>Hi</b>', 'files'), closes('ok'))
  model.on('replan', ends('Written.'))
  const own = await openLab({ model })
  try {
    const id = await own.say('Write it down')
    await own.until(async () => (await own.thread(id)).run?.status === 'succeeded')
    const { files, messages } = await own.thread(id)
    expect(files).toMatchObject([{ name: 'a.md', characters: 9 }])
    expect(messages.filter(({ text }) => text.includes('a.md'))).toHaveLength(1)
    const get = (path: string) => fetch(`${own.clew().url}/api/conversations/${path}`)
    const file = await get(`${id}/files/a.md`)
    expect([file.status, await file.text()]).toEqual([200, '<b>Hi</b>'])
    expect(file.headers.get('content-type')).toContain('text/plain')
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect((await get('c_other/files/a.md')).status).toBe(404)
  } finally {
    await own.stop()
  }
})
