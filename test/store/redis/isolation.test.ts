import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { probeKey, workspacesKey } from '../../../src/store/redis/keys.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { at, eventOf, itemOf, opening, openThread } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { createActor, tour } from './history.ts'

const other = 'slack:T1'

describeWith('redis-server', 'workspaces', (program) => {
  let server: RedisServer
  let raw: Redis
  beforeAll(async () => {
    server = await startRedis(program)
    raw = server.connect()
  })
  beforeEach(() => raw.flushall())
  afterAll(() => server.stop())

  /** Does everything that a store can do, for the one workspace. */
  async function everything(redis: Redis): Promise<void> {
    const clock = createManualClock()
    const store = createRedisStore({ redis, clock, worker: 'w' })
    const act = createActor(store, createRedisStore({ redis, clock, worker: 'w' }), clock)
    for (const step of tour) await act(step)
    await store.inbox.knows(eventOf())
    await store.leases.due(10)
    await store.leases.reclaim()
    await store.conversations.list('web:local', 10)
    await store.conversations.question('web:local', 'q_1')
    await store.runs.list('web:local', 10)
    await store.runs.list('web:local', 10, 'c_opened')
    await store.runs.state('web:local', 'r_1')
    await store.runs.trace('web:local', 'r_1')
    await store.todos.list('web:local', 's')
    expect(await store.health()).toMatchObject({ ok: true })
  }

  it('need no other key than their own, but for the index of workspaces and the one that health writes (S5, R142)', async () => {
    await raw.acl(
      'SETUSER',
      'local',
      'on',
      '>secret',
      'resetkeys',
      '~clew:{web:local}:*',
      `~${workspacesKey}`,
      `~${probeKey}`,
      '+@all',
    )
    const limited = new Redis({ port: server.port, username: 'local', password: 'secret' })
    await everything(limited)
    const store = createRedisStore({ redis: limited, clock: createManualClock(), worker: 'w' })
    await expect(store.inbox.accept(eventOf({ workspace: other }), opening)).rejects.toThrow(
      'NOPERM',
    )
    await expect(store.conversations.state(other, 'c_1', 10)).rejects.toThrow('NOPERM')
    await expect(store.runs.state(other, 'r_1')).rejects.toThrow('NOPERM')
    await expect(store.todos.list(other, 's')).rejects.toThrow('NOPERM')
    expect(
      await store.leases
        .claim(itemOf('run', 'r_1', other), 1)
        .catch((error: Error) => error.message),
    ).toContain('NOPERM')
    limited.disconnect()
  })

  it('leave keys of their own prefix only, and touch nothing of another (S5, R142)', async () => {
    const store = createRedisStore({ redis: raw, clock: createManualClock(), worker: 'w' })
    // Young enough for the purge to pass it over.
    await openThread(store, { workspace: other, at: at + 3_600_000 })
    const before = await dump()
    const monitored = await commandsOf(async () => await everything(server.connect()))
    const keys = monitored.flatMap((args) => args.filter((arg) => arg.startsWith('clew:')))
    expect(keys.length).toBeGreaterThan(200)
    const indexes = [
      'aside',
      'memories',
      'overheard',
      'due:conversation',
      'due:run',
      'due:outbox',
      'due:schedules',
      'conversations',
      'runs',
      'approvals',
    ]
    const looks = keys.filter((key) => key.startsWith(`clew:{${other}}`))
    expect([...new Set(looks)].sort(), 'only the sweeps look there').toEqual(
      indexes.map((index) => `clew:{${other}}:${index}`).sort(),
    )
    expect(
      keys.filter((key) => !/^clew:(\{web:local\}:|health$|\{slack:T1\}:|workspaces$)/.test(key)),
    ).toEqual([])
    expect(await dump()).toEqual(before)
  })

  async function dump() {
    const keys = (await raw.keys(`clew:{${other}}:*`)).sort()
    return await Promise.all(keys.map(async (key) => [key, await raw.dump(key)]))
  }

  /** What Redis was asked while `work` ran, from its own log of commands; what scripts did inside is in it as well. */
  async function commandsOf(work: () => Promise<void>): Promise<string[][]> {
    const seen: string[][] = []
    const monitor = await server.connect().monitor()
    monitor.on('monitor', (_time: string, args: string[]) => void seen.push(args))
    await work()
    await raw.echo('done')
    await expect.poll(() => seen.some(([name]) => name?.toLowerCase() === 'echo')).toBe(true)
    monitor.disconnect()
    return seen
  }
})
