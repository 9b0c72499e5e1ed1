import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../../src/agent/ports/store.ts'
import { connect } from '../../../src/store/redis/connection.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import {
  changeOf,
  claim,
  itemOf,
  lineOf,
  messageEvent,
  opening,
  openRun,
  workspace,
} from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type FaultProxy, startProxy } from '../../support/proxy.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { runs } from '../../support/runs.ts'

/** How long the disturbances last: 10 minutes in the soak. */
const seconds = runs() < 10_000 ? 2 : 600
/** Between two writes, in milliseconds: in ten minutes more would be written than one answer can hold. */
const rest = runs() < 10_000 ? 0 : 30
const scope = 's'
const todo = {
  text: 'x',
  tag: 'default',
  priority: 0,
  dueAt: null,
  remindAt: null,
  doneAt: null,
  createdAt: 0,
}

describeWith('redis-server', 'a line that breaks', (program) => {
  let server: RedisServer
  let proxy: FaultProxy
  beforeAll(async () => {
    server = await startRedis(program)
    proxy = await startProxy(server.port)
  })
  afterAll(async () => {
    await proxy.stop()
    await server.stop()
  })

  /** Resets, silences, delays and outages, at random, until told to stop. */
  async function disturb(until: AbortSignal, random: () => number): Promise<void> {
    while (!until.aborted) {
      proxy.delay(random() < 0.3 ? Math.floor(random() * 20) : 0)
      const fate = random()
      if (fate < 0.5) proxy.reset()
      else if (fate < 0.8) {
        proxy.deafen()
        await wait(5)
        proxy.reset()
      } else {
        proxy.down()
        await wait(random() * 60)
        proxy.up()
      }
      await wait(random() * 300)
    }
    proxy.delay(0)
    proxy.up()
  }

  it(
    'loses nothing and doubles nothing (P8, P4)',
    async () => {
      const url = `redis://127.0.0.1:${proxy.port}`
      const clock = createManualClock()
      const redis = [1, 2, 3].map(() => connect(url, 'commands'))
      const stores = redis.map((one) => createRedisStore({ redis: one, clock, worker: 'w' }))
      const direct = createRedisStore({ redis: server.connect(), clock, worker: 'w' })
      const { conversationId, run } = await openRun(direct)
      const lease = await claim(direct, itemOf('run', run.id), 1e9)
      const stop = new AbortController()
      const [seed = 1] = fc.sample(fc.integer(), 1)
      const disturbances = disturb(stop.signal, randomFrom(seed))

      const done = [0, 0, 0, 0, 0]
      const work = [...stores.map((store, s) => (n: number) => accept(store, s, n)), commit, add]
      const enough = async () => {
        await wait(seconds * 1_000)
        while (Math.min(...done) < 20) await wait(10)
        stop.abort()
      }
      await Promise.all([
        enough(),
        ...work.map(async (one, index) => {
          for (let n = 0; !stop.signal.aborted; n++) {
            await one(n)
            done[index] = n + 1
            if (rest > 0) await wait(rest)
          }
        }),
      ])
      await disturbances
      const [a = 0, b = 0, c = 0, committed = 0, added = 0] = done

      const state = await direct.conversations.state(workspace, conversationId, 1e6)
      const lines = state?.messages
        .filter(({ role }) => role === 'assistant')
        .map(({ text }) => text)
      expect(lines, `seed ${seed}`).toEqual(
        Array.from({ length: committed }, (_, n) => `line ${n}`),
      )
      const todos = await direct.todos.list(workspace, scope)
      expect(todos.map(({ text }) => Number(text)).sort((x, y) => x - y)).toEqual(
        Array.from({ length: added }, (_, n) => n),
      )
      const said = state?.messages
        .filter(({ role }) => role === 'user')
        .map(({ source }) => source.refId)
      expect(new Set(said).size).toBe(said?.length)
      expect(said).toHaveLength(1 + a + b + c)
      for (const one of redis) one.disconnect()

      /** As a platform does it: what was not acknowledged is sent again. */
      async function accept(store: Store, s: number, n: number) {
        await again(() => store.inbox.accept(messageEvent(n, { keys: [`${s}:${n}`] }), opening))
      }
      async function commit(n: number) {
        const change = changeOf({ conversationId, messages: [lineOf(n)] })
        await again(async () => {
          const { kind } = await (stores[0] ?? direct).commits.commit(lease, change)
          expect(kind).toBe('committed')
        })
      }
      async function add(n: number) {
        await again(() =>
          (stores[1] ?? direct).todos.add(workspace, scope, `e${n}`, { ...todo, text: `${n}` }),
        )
      }
    },
    60_000 + seconds * 2_000,
  )
})

async function again(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await work())
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error
    }
  }
}

/** A small generator (mulberry32): the seed that is printed gives the same disturbances again (P16). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
