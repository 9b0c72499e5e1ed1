import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedStore, startEmbeddedStore } from '../../../src/store/embedded.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { eventOf, opening, workspace } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { TappedRedis } from './tapped.ts'

type SendCommand = Parameters<TappedRedis['sendCommand']>

/** A client on whose line something happens when WAITAOF is about to go out. */
class TroubledRedis extends TappedRedis {
  trouble: ((redis: TroubledRedis) => Promise<unknown> | null) | null = null

  override sendCommand(...command: SendCommand): unknown {
    const answer = command[0].name === 'WAITAOF' ? this.trouble?.(this) : null
    return answer ?? super.sendCommand(...command)
  }
}

describe('a strict store', () => {
  let folder: string
  let embedded: EmbeddedStore
  let redis: TroubledRedis
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-strict-'))
    embedded = await startEmbeddedStore({ dataDir: folder, log: () => {}, strict: true })
  })
  beforeEach(async () => {
    redis = new TroubledRedis(embedded.url, { retryStrategy: () => 5, maxRetriesPerRequest: null })
    await redis.flushall()
    redis.sent.length = 0
    return () => redis.disconnect()
  })
  afterAll(async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const open = () =>
    createRedisStore({ redis, clock: createManualClock(), worker: 'w', strict: true })
  const names = () =>
    redis.sent.map(({ name, script }) => script ?? name).filter((name) => name !== 'info')

  it('acknowledges an event when it is on the disk, a duplicate too (P7, P4)', async () => {
    const store = open()
    await store.inbox.accept(eventOf(), opening)
    redis.sent.length = 0
    expect((await store.inbox.accept(eventOf(), opening)).kind).toBe('duplicate')
    // The write before WAITAOF: what it waits for is what its own connection wrote, and a duplicate writes nothing.
    expect(names()).toEqual(['accept', 'set', 'waitaof'])
  })

  it('does not acknowledge what was not confirmed (P7)', async () => {
    redis.trouble = () => Promise.resolve([0, 0])
    await expect(open().inbox.accept(eventOf(), opening)).rejects.toThrow('not confirmed on disk')
  })

  it('writes again when the connection broke before the confirmation (P7, P8)', async () => {
    const store = open()
    await store.health()
    redis.trouble = (line) => {
      line.trouble = null
      line.stream.destroy()
      return null
    }
    const { conversationId } = await store.inbox.accept(eventOf(), opening)
    const line = names().filter((name) => name === 'accept' || name === 'waitaof')
    expect(line.slice(-2), 'once more, and then confirmed').toEqual(['accept', 'waitaof'])
    expect(line.slice(0, -2)).toContain('waitaof')
    expect((await store.conversations.state(workspace, conversationId, 10))?.inbox).toHaveLength(1)
  })

  it('writes nothing beside its own workspace (S5)', async () => {
    await open().inbox.accept(eventOf(), opening)
    const keys = (await redis.keys('*')).filter((key) => !key.startsWith(`clew:{${workspace}}:`))
    expect(keys).toEqual(['clew:workspaces'])
  })

  it('asks for no confirmation where it is not strict', async () => {
    await createRedisStore({ redis, clock: createManualClock(), worker: 'w' }).inbox.accept(
      eventOf(),
      opening,
    )
    expect(names()).not.toContain('waitaof')
  })
})
