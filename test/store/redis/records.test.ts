import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { itemOf, openRun, openThread, workspace } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { readRecords, restore, rowsIn, rowsOf, versions, writeRecords } from './records.ts'

describeWith('redis-server', 'records', (program) => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(() => redis.flushall())
  afterAll(() => server.stop())
  const open = () => createRedisStore({ redis, clock: createManualClock(), worker: 'w' })

  it.each(versions)('of %s are still read', async (version) => {
    await writeRecords(open())
    const now = await readRecords(open())
    await redis.flushall()
    await restore(redis, rowsOf(version))
    expect(await readRecords(open())).toEqual(now)
  })

  it('are written as the newest version says', async () => {
    await writeRecords(open())
    // A row that looks different from here on is a new version: keep these, raise `version`, and add a folder.
    expect(await rowsIn(redis)).toEqual(rowsOf(versions.at(-1) ?? ''))
  })

  it('of a version to come are refused in clear words', async () => {
    const { conversationId, run } = await openRun(open())
    const keys = {
      conversation: `clew:{${workspace}}:conversation:${conversationId}`,
      run: `clew:{${workspace}}:run:${run.id}`,
    }
    const refusal = {
      code: 'unknown_version',
      message: expect.stringMatching(/version 2 .*newer Clew; upgrade/),
    }
    await redis.hset(keys.run, 'version', '2', 'mood', '"new"')
    await expect(open().runs.state(workspace, run.id)).rejects.toMatchObject(refusal)
    await expect(open().runs.list(workspace, 10)).rejects.toMatchObject(refusal)
    await redis.hset(keys.run, 'version', '1', 'task.version', '2')
    await expect(open().runs.state(workspace, run.id)).rejects.toMatchObject(refusal)
    await redis.hset(keys.conversation, 'version', '2')
    await expect(open().conversations.state(workspace, conversationId, 0)).rejects.toMatchObject(
      refusal,
    )
  })

  it.each([
    ['messages', '{"version":2}'],
    ['inbox', '{"version":2}'],
  ])('among the %s that read %s are refused', async (list, text) => {
    const id = await openThread(open())
    await redis.rpush(`clew:{${workspace}}:conversation:${id}:${list}`, text)
    await expect(open().conversations.state(workspace, id, 10)).rejects.toMatchObject({
      code: 'unknown_version',
      name: 'StoreError',
    })
  })

  it('that are damaged hide none of the others: what was said is passed over, what waits is told apart (P18)', async () => {
    const id = await openThread(open())
    const before = await open().conversations.state(workspace, id, 10)
    await redis.lpush(`clew:{${workspace}}:conversation:${id}:messages`, '{"version":1}')
    await redis.rpush(`clew:{${workspace}}:conversation:${id}:inbox`, 'half a row {')
    expect(await open().conversations.state(workspace, id, 10)).toEqual({
      ...before,
      damaged: [{ row: 'half a row {', problem: 'a stored record is not JSON', at: 0 }],
    })
    await redis.hset(`clew:{${workspace}}:todos:s`, '1', 'half a row {', '2', '{"version":1}')
    expect(await open().todos.list(workspace, 's')).toEqual([])
  })

  it('of a version to come hide none of the other threads in the list (P18)', async () => {
    const [newer, other] = [
      await openThread(open()),
      await openThread(open(), { thread: 'other', keys: ['other'] }),
    ]
    await redis.hset(`clew:{${workspace}}:conversation:${newer}`, 'version', '2')
    await redis.rpush(`clew:{${workspace}}:conversation:${other}:messages`, '{"version":2}')
    const { lines } = await open().conversations.page([workspace], null, 10)
    expect(lines.map(({ conversation, newest }) => [conversation.id, newest])).toEqual([
      [other, null],
    ])
  })

  it('tells a Redis that is away from rows that are something else (P18)', async () => {
    const id = await openThread(open())
    await redis.set(`clew:{${workspace}}:conversation:${id}:inbox`, 'no list')
    await expect(open().conversations.state(workspace, id, 0)).rejects.toMatchObject({
      code: 'damaged_row',
    })
    const gone = server.connect()
    gone.disconnect()
    const store = createRedisStore({ redis: gone, clock: createManualClock(), worker: 'w' })
    await expect(store.todos.list(workspace, 's')).rejects.toMatchObject({
      code: 'away',
      name: 'StoreError',
    })
  })

  it('of deliveries and to-dos to come are refused too', async () => {
    const id = await openThread(open())
    await redis.rpush(`clew:{${workspace}}:conversation:${id}:outbox`, '{"version":2,"id":"d_1"}')
    const lease = await open().leases.claim(itemOf('outbox', id), 1_000)
    await expect(
      open().outbox.next(lease ?? { item: itemOf('outbox', id), fence: 0 }),
    ).rejects.toMatchObject({
      code: 'unknown_version',
    })
    await redis.hset(`clew:{${workspace}}:todos:s`, '1', '{"version":2,"id":1}')
    await expect(open().todos.list(workspace, 's')).rejects.toMatchObject({
      code: 'unknown_version',
    })
  })
})
