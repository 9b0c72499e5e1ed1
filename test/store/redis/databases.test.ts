import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createSystemClock } from '../../../src/clock.ts'
import { createBullWakeups } from '../../../src/store/queue.ts'
import { connect } from '../../../src/store/redis/connection.ts'
import { createRedisDrafts } from '../../../src/store/redis/drafts.ts'
import { createRedisNews } from '../../../src/store/redis/news.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { eventOf, opening } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { silent } from '../../support/silent.ts'

describeWith('redis-server', 'two Clews in two databases of one server', (program) => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())

  /** What one of them publishes and what it hears. */
  async function clewIn(database: number) {
    const url = `${server.url}/${database}`
    const redis = connect(url, 'commands')
    const heard: string[] = []
    const listening = { connect: () => connect(url, 'blocking'), log: silent }
    const drafts = createRedisDrafts({ ...listening, redis })
    const wakeups = createBullWakeups({
      ...{ connect: (use) => connect(url, use), clock: createSystemClock(), log: silent },
      ...{ worker: false, platforms: ['web'], concurrency: 1 },
    })
    const stops = [
      drafts.listen(({ conversationId }) => heard.push(`draft of ${conversationId}`)),
      createRedisNews(listening).listen((workspace) => heard.push(`news of ${workspace}`)),
    ]
    await wakeups.start(async ({ id }) => void heard.push(`wake of ${id}`))
    const store = createRedisStore({ redis, clock: createManualClock(), worker: `w${database}` })
    return {
      heard,
      async tell(name: string) {
        await store.inbox.accept(eventOf({ workspace: `web:${name}`, keys: [name] }), opening)
        drafts.tell({ conversationId: name, text: 'well' })
        await wakeups.wake({ kind: 'outbox', workspace: 'web:local', id: name })
      },
      async stop() {
        for (const stop of stops) stop()
        await wakeups.stop()
        await store.close()
      },
    }
  }

  it('hear nothing of each other', async () => {
    const clews = [await clewIn(0), await clewIn(1), await clewIn(11)]
    for (const [at, clew] of clews.entries())
      await vi.waitFor(async () => {
        await clew.tell(`own${at}`)
        expect(new Set(clew.heard).size).toBeGreaterThanOrEqual(3)
      }, 10_000)
    expect(clews.map(({ heard }) => [...new Set(heard)].sort())).toEqual(
      [0, 1, 2].map((at) => [`draft of own${at}`, `news of web:own${at}`, `wake of own${at}`]),
    )
    for (const clew of clews) await clew.stop()
  })
})
