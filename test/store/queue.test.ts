import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Log } from '../../src/agent/ports/log.ts'
import type { Wakeups } from '../../src/agent/ports/wakeups.ts'
import { createSystemClock } from '../../src/clock.ts'
import { createBullWakeups } from '../../src/store/queue.ts'
import { connect } from '../../src/store/redis/connection.ts'
import { describeWakeups, type WakeupsBench } from '../contracts/wakeups.ts'
import { describeWith } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

describeWith('redis-server', 'the queue', (program) => {
  let server: RedisServer
  let raw: Redis
  beforeAll(async () => {
    server = await startRedis(program)
    raw = server.connect()
  })
  afterAll(() => server.stop())

  async function bench(): Promise<WakeupsBench> {
    await raw.flushall()
    const opened: Wakeups[] = []
    return {
      open(role = { worker: true, platforms: ['web'] }) {
        const wakeups = createBullWakeups({
          connect: (use) => connect(server.url, use),
          clock: createSystemClock(),
          log: silent,
          concurrency: 4,
          ...role,
        })
        opened.push(wakeups)
        return wakeups
      },
      async close() {
        await Promise.all(opened.map((wakeups) => wakeups.stop()))
      },
    }
  }
  describeWakeups('BullMQ', bench)

  const item = { kind: 'run', workspace: 'web:local', id: 'r_1' } as const
  const jobs = async () => (await raw.keys('{clew}:runs:*')).filter((key) => /:\d+$/.test(key))

  it('leaves neither jobs nor connections behind', async () => {
    const before = String(await raw.client('LIST'))
      .trim()
      .split('\n').length
    const wakeups = (await bench()).open()
    let heard = 0
    await wakeups.start(async () => {
      heard += 1
      if (heard % 2 === 0) throw new Error('busy')
    })
    for (let n = 0; n < 20; n++) await wakeups.wake(item)
    await vi.waitFor(async () => expect([heard, await jobs()]).toEqual([20, []]), 40_000)
    await wakeups.stop()
    await vi.waitFor(async () => {
      const now = String(await raw.client('LIST'))
        .trim()
        .split('\n').length
      expect(now).toBe(before)
    }, 40_000)
  })

  it('puts no outbox into the queue that somebody delivers, and one that nobody does (C272)', async () => {
    const { open, close } = await bench()
    const outbox = { kind: 'outbox', workspace: 'web:local', id: 'c_1' } as const
    const [worker, web] = [
      open({ worker: true, platforms: [] }),
      open({ worker: false, platforms: ['web'] }),
    ]
    const made = async () => Number(await raw.get('{clew}:out-web:id'))
    await worker.wake(outbox)
    expect(await made()).toBe(1)
    let heard = 0
    await web.start(async () => {
      heard += 1
      throw new Error('busy')
    })
    for (let n = 0; n < 5; n++) await worker.wake(outbox)
    await vi.waitFor(() => expect(heard).toBe(6), 40_000)
    expect(await made(), 'the one from before').toBe(1)
    await close()
  })

  it('keeps all of its keys in one slot, apart from the rows (rule 10)', async () => {
    const { open, close } = await bench()
    await open().wake(item)
    expect((await raw.keys('*')).every((key) => key.startsWith('{clew}:'))).toBe(true)
    await close()
  })

  it('says that the server is gone', async () => {
    const gone = await startRedis(program)
    const wakeups = createBullWakeups({
      connect: (use) => connect(gone.url, use),
      clock: createSystemClock(),
      log: silent,
      worker: false,
      platforms: [],
      concurrency: 1,
    })
    await gone.stop()
    const [health] = await Promise.all([
      wakeups.health(),
      expect(wakeups.wake(item)).rejects.toThrow('does not answer'),
    ])
    expect(health).toMatchObject({ ok: false })
    await wakeups.stop()
  })
})
