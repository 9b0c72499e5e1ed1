import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findUpload, keepUpload } from '../../../src/adapters/web/uploads.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Documents } from '../../../src/agent/ports/documents.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { requireDescribed } from './described.ts'
import { ask, startWeb } from './support.ts'

const id = '0123456789abcdef'.repeat(2)
const ana = { id: 'ana', name: 'Ana' }
const large = 'x'.repeat(5 * 1024 * 1024 + 1)
const picture = Buffer.from('iVBORw0KGgo=', 'base64')
const documents: Documents = {
  read: async () => ({ ok: true, readable: { title: '', text: 'Lunch is at noon.' } }),
}

describeWith('redis-server', 'files that are attached over the API', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
    web = await startWeb(redis, { documents })
  })
  beforeEach(() => redis.flushall())
  afterAll(async () => {
    await web.stop()
    await server.stop()
  })

  async function put(name: string, type: string, body: Uint8Array<ArrayBuffer> | string, as = id) {
    const path = `${web.url}/api/uploads/${as}?name=${encodeURIComponent(name)}`
    const response = await fetch(path, { method: 'PUT', headers: { 'content-type': type }, body })
    const answer = (await response.json()) as { error?: { code: string; message: string } }
    requireDescribed('PUT', path, { status: response.status, body: answer })
    return { status: response.status, body: answer }
  }
  async function say(text: string, files: object[]) {
    const said = { text, files, clientMessageId: 'm1', author: ana }
    return await ask(`${web.url}/api/conversations`, 'POST', said)
  }

  it('are kept, belong to the message that names them, are shown with it and read for its task (C242)', async () => {
    expect(await put('plan.pdf', 'application/pdf', 'x')).toMatchObject({
      status: 200,
      body: { id, size: 1 },
    })
    await put('me.png', 'image/png', new Uint8Array(picture), 'f'.repeat(32))
    const answer = await say('', [
      { id, name: 'plan.pdf' },
      { id: 'f'.repeat(32), name: 'me.png' },
    ])
    expect(answer.status).toBe(202)
    const thread = (answer.body as { id: string }).id
    const { body } = await ask(`${web.url}/api/conversations/${thread}`)
    expect(body).toMatchObject({
      title: 'plan.pdf',
      messages: [
        {
          text: '',
          files: [
            { name: 'plan.pdf', image: false, upload: id },
            { name: 'me.png', image: true, upload: 'f'.repeat(32) },
          ],
        },
      ],
    })
    const shown = await fetch(`${web.url}/api/uploads/${'f'.repeat(32)}`)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(picture)
    const kept = await fetch(`${web.url}/api/uploads/${id}`)
    expect(kept.headers.get('content-disposition')).toMatch(/^attachment/)
    const [entry] = (await web.store.conversations.state('web:local', thread, 10))?.inbox ?? []
    const words = await web.channel.attachments?.(
      entry?.event as InboundEvent,
      'en',
      AbortSignal.timeout(10_000),
    )
    expect(words).toContain('Lunch is at noon.')
    expect(words).toContain('me.png')
  })

  it('are refused in a sentence where they are too large, of a kind that nobody reads, or not there any more (C242)', async () => {
    const tooLarge = await put('big.csv', 'text/csv', large)
    expect(tooLarge).toMatchObject({
      status: 413,
      body: { error: { message: 'The file is too large: the limit is 5 MB.' } },
    })
    const song = await put('song.mp3', 'text/plain', new Uint8Array(64))
    expect(song).toMatchObject({ status: 415, body: { error: { code: 'unreadable_file' } } })
    expect(song.body.error?.message).toContain('“song.mp3”')
    expect(
      await put('Main.kt', 'application/octet-stream', 'fun main() {}', 'e'.repeat(32)),
    ).toMatchObject({ status: 200 })
    expect(await put('a.txt', 'text/plain', 'x', 'guess-me')).toMatchObject({ status: 400 })
    const gone = await say('look', [{ id, name: 'notes.txt' }])
    expect(gone).toMatchObject({
      status: 409,
      body: { error: { message: '“notes.txt” is no longer here. Attach it again.' } },
    })
    expect(await say('', [])).toMatchObject({
      status: 400,
      body: { error: { code: 'empty_text' } },
    })
  })

  it('wait for their message at most 20 of one person, each for a day, however many come at once (S30)', async () => {
    const ids = Array.from({ length: 25 }, (_, n) => n.toString(16).padStart(32, '0'))
    const put20 = await Promise.all(ids.map((one) => put('notes.txt', 'text/plain', 'x', one)))
    const kept = ids.filter((_, at) => put20[at]?.status === 200)
    const refused = put20.filter(({ status }) => status === 429)
    expect([kept.length, refused.length]).toEqual([20, 5])
    expect(refused[0]?.body.error).toMatchObject({
      code: 'too_many_files',
      message: 'You have attached 20 files without sending them. Send them, or try again tomorrow.',
    })
    for (const key of await redis.keys('*'))
      expect(await redis.pttl(key), key).toBeLessThanOrEqual(24 * 60 * 60 * 1000)
    // The same once more is no other one, and what is sent makes room; so does what was never taken in.
    expect((await put('notes.txt', 'text/plain', 'x', kept[0])).status).toBe(200)
    const [one = '', two = ''] = kept
    const sent = await say(
      'look',
      [one, two].map((id) => ({ id, name: 'notes.txt' })),
    )
    expect(sent.status).toBe(202)
    for (const key of await redis.keys(`*upload:${one}*`))
      expect(await redis.pttl(key)).toBeGreaterThan(13 * 24 * 3_600_000)
    for (let n = 0; n < 3; n++)
      expect((await put('big.csv', 'text/csv', large, 'd'.repeat(32))).status).toBe(413)
    expect((await put('notes.txt', 'text/plain', 'x', 'e'.repeat(32))).status).toBe(200)
    expect((await put('notes.txt', 'text/plain', 'x', 'f'.repeat(32))).status).toBe(200)
    expect((await put('notes.txt', 'text/plain', 'x', 'c'.repeat(32))).status).toBe(429)
  })

  it('stay what they are and whose they are, and are no page of ours wherever they are opened (S30)', async () => {
    await put('C:\\tmp\\..\\a/b\u0007 c.html', 'text/html', '<script>alert(1)</script>')
    expect((await put('a.html', 'text/html', 'another')).status).toBe(200)
    const { notes } = web.store
    expect(await findUpload(notes, 'web:local', { id, owner: 'web' })).toMatchObject({
      name: 'b c.html',
      size: 25,
    })
    expect(await findUpload(notes, 'web:local', { id, owner: 'somebody else' })).toBeNull()
    const theirs = { id, owner: 'somebody else', name: 'a.txt', type: 'text/plain', bytes: picture }
    expect(await keepUpload(notes, 'web:local', theirs)).toBe('not_theirs')
    const got = await fetch(`${web.url}/api/uploads/${id}`)
    expect(await got.text()).toContain('alert')
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''b%20c.html",
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    for (const type of ['image/svg+xml', 'text/html; charset=utf-8', 'application/xhtml+xml'])
      if ((await put('a.svg', type, '<svg onload="alert(1)"/>', 'a'.repeat(32))).status === 200) {
        const { headers } = await fetch(`${web.url}/api/uploads/${'a'.repeat(32)}`)
        expect(headers.get('content-type')).toBe('application/octet-stream')
      }
  })

  it('go after 14 days, with their thread, and with their person (C242, C118, C205, S24)', async () => {
    const keys = () => redis.keys('*upload:*')
    async function attached() {
      await redis.flushall()
      await put('notes.txt', 'text/plain', 'secret')
      const { body } = await say('read this', [{ id, name: 'notes.txt' }])
      const [first = ''] = await keys()
      expect(await redis.pttl(first)).toBeGreaterThan(13 * 24 * 60 * 60 * 1000)
      return (body as { id: string }).id
    }
    const thread = await attached()
    const [state] = [await web.store.conversations.state('web:local', thread, 10)]
    expect(state?.messages[0]?.files).toHaveLength(1)
    // Nobody works here, so its message waits; what waits keeps its thread.
    await redis.del(...(await redis.keys('*:inbox')))
    expect(await web.store.conversations.remove('web:local', thread)).toBe('removed')
    expect(await keys()).toEqual([])
    await attached()
    await redis.del(...(await redis.keys('*:inbox')))
    await web.store.privacy.erase('web:local', ana.id)
    expect(await keys()).toEqual([])
  })
})
