import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ask } from '../adapters/web/support.ts'
import { type ClewProcess, createClewProcess } from '../support/clew-process.ts'
import { describeWith } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

describeWith('redis-server', 'Clew beside a Redis that takes nothing', (program) => {
  let server: RedisServer
  let redis: Redis
  let clew: ClewProcess
  let folder: string
  beforeAll(async () => {
    // A file that may not grow is a full disk; the signal that comes with it would end the server.
    server = await startRedis(program, { appendonly: 'yes' }, "trap '' XFSZ")
    redis = server.connect()
    folder = await mkdtemp(join(tmpdir(), 'clew-health-'))
    clew = await createClewProcess(folder, { REDIS_URL: server.url, REHEARSAL_PACE_MS: '0' })
    await clew.start()
  })
  afterAll(async () => {
    await clew.kill()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const say = (clientMessageId: string) =>
    ask(`${clew.url}/api/conversations`, 'POST', { text: clientMessageId, clientMessageId })
  const threads = async () => {
    const { body } = await ask(`${clew.url}/api/conversations`)
    return (body as { conversations: { title: string }[] }).conversations.map(({ title }) => title)
  }
  const ready = () => ask(`${clew.url}/readyz`)
  const live = () => ask(`${clew.url}/healthz`)

  const call = (words: string) => async () =>
    void (await redis.call(...(words.split(' ') as [string])))
  const pid = async () => /process_id:(\d+)/.exec(await redis.info('server'))?.[1] ?? ''
  /** How large its files may become; what is longer is as good as a full disk. */
  async function roomIs(bytes: '0' | 'unlimited', answers: 'OK' | 'refused') {
    execFileSync('prlimit', [`--pid=${await pid()}`, `--fsize=${bytes}:unlimited`])
    await vi.waitFor(
      async () => expect(await redis.set('room', '1').catch(() => 'refused')).toBe(answers),
      40_000,
    )
  }
  const states: readonly [
    name: string,
    breaks: () => Promise<void>,
    mends: () => Promise<void>,
    why: RegExp,
  ][] = [
    [
      'has reached its maxmemory',
      call('CONFIG SET maxmemory 1'),
      call('CONFIG SET maxmemory 0'),
      /maxmemory/,
    ],
    [
      'became a read-only replica',
      call('REPLICAOF 127.0.0.1 1'),
      call('REPLICAOF NO ONE'),
      /read-only replica/,
    ],
    [
      'has a full disk',
      () => roomIs('0', 'refused'),
      () => roomIs('unlimited', 'OK'),
      /cannot save to its disk: make room there/,
    ],
  ]

  it.each(states)(
    'that %s: not ready, alive, and posts say that nothing was kept (P19, C63)',
    async (name, breaks, mends, why) => {
      expect(await ready()).toMatchObject({ status: 200, body: { ok: true } })
      await breaks()
      expect(await ready()).toMatchObject({
        status: 503,
        body: { ok: false, store: { ok: false, detail: expect.stringMatching(why) } },
      })
      expect(await live()).toMatchObject({ status: 200, body: { ok: false, store: { ok: false } } })
      const refused = await say(name)
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'store_unavailable' } } })
      expect(JSON.stringify(refused.body)).toContain('Nothing was saved')
      await mends()
      expect(await ready()).toMatchObject({ status: 200, body: { ok: true } })
      expect(await threads()).not.toContain(name)
      expect((await say(name)).status).toBe(202)
      expect((await threads()).filter((title) => title === name)).toHaveLength(1)
    },
  )

  it('that stands still: every probe answers in time, and a post says that it may have been kept, and is taken once (P19, C63)', async () => {
    const server = Number(await pid())
    process.kill(server, 'SIGSTOP')
    try {
      const before = performance.now()
      const lives = await Promise.all(Array.from({ length: 20 }, live))
      expect(performance.now() - before).toBeLessThan(10_000)
      for (const one of lives)
        expect(one).toMatchObject({ status: 200, body: { ok: false, store: { ok: false } } })
      for (const one of await Promise.all(Array.from({ length: 20 }, ready)))
        expect(one.status).toBe(503)
      expect(performance.now() - before).toBeLessThan(20_000)
      const unclear = await say('still')
      expect(unclear.status).toBe(503)
      expect(JSON.stringify(unclear.body)).toMatch(
        /did not say whether this was saved.*same clientMessageId/,
      )
    } finally {
      process.kill(server, 'SIGCONT')
    }
    await expect.poll(async () => (await ready()).status, { timeout: 40_000 }).toBe(200)
    expect((await say('still')).status).toBe(202)
    expect((await threads()).filter((title) => title === 'still')).toHaveLength(1)
  })
})
