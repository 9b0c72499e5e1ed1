import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSystemClock } from '../../src/clock.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { type NativeRedis, startNativeRedis } from '../support/native-redis.ts'
import { createApi } from './api.ts'
import { leftovers } from './history.ts'
import type { Host } from './host.ts'
import type { LifeOptions } from './instance.ts'
import { effectsIn } from './tools.ts'

const workspace = 'web:local'

/** Many threads, each with one run of eight to-be-counted effects, on a server of their own. */
export interface Crowd {
  server: NativeRedis
  /** In real time, with every model call taking `paceMs`. */
  life(worker: string, paceMs: number): Omit<LifeOptions, 'target'>
  /** Opens `count` threads; resolves when every run is being worked on. */
  gather(host: Host, count: number): Promise<string[]>
  /** Waits until every run has succeeded, and checks that nothing was lost or doubled. Answers what is wrong. */
  check(conversations: readonly string[]): Promise<string[]>
  /** The fence of each run: it rises when the run changes hands. */
  fences(): Promise<Map<string, number>>
  stop(): Promise<void>
}

export async function gatherCrowd(program: string): Promise<Crowd> {
  const server = await startNativeRedis(program)
  const folder = mkdtempSync(join(tmpdir(), 'clew-crowd-'))
  const redis = server.connect()
  const rows = createRedisStore({ redis, clock: createSystemClock(), worker: 'judge' })

  /** Waits until nothing is `left` any more. */
  async function until(
    what: string,
    withinMs: number,
    left: () => Promise<readonly string[]>,
  ): Promise<void> {
    const end = Date.now() + withinMs
    for (let rest = await left(); rest.length > 0; rest = await left()) {
      if (Date.now() > end)
        throw new Error(`${what}, but not after ${withinMs} ms: ${rest.slice(0, 5).join(', ')}`)
      await wait(50)
    }
  }
  const runs = () => rows.runs.list(workspace, 1_000)

  return {
    server,
    life: (worker, paceMs) => ({
      redisUrl: server.url(),
      folder,
      worker,
      paceMs,
      speed: 1,
      settings: { AGENT_MAX_TOOL_CALLS: '100' },
    }),
    async gather(host, count) {
      const api = createApi(host)
      const opened = Array.from({ length: count }, (_, index) =>
        api.post('/api/conversations', {
          text: `Grind ${index}`,
          clientMessageId: `grind ${index}`,
        }),
      )
      const answers = await Promise.all(opened)
      await until('every run has to begin', 60_000, async () => {
        const begun = (await runs()).filter((run) => run.status === 'running').length
        return begun === count ? [] : [`${begun} of ${count} have`]
      })
      return answers.map(({ body }) => String(body.id))
    },
    async check(conversations) {
      await until('every run has to succeed', 120_000, async () =>
        (await runs()).flatMap(({ id, status }) =>
          status === 'succeeded' ? [] : [`${id} is ${status}`],
        ),
      )
      await until('nothing may be left to do', 120_000, () => leftovers(redis))
      const wrong: string[] = []
      for (const id of conversations) {
        const said =
          (await rows.conversations.state(workspace, id, 100))?.messages
            .map(({ role }) => role)
            .join() ?? ''
        // The request and the report; its start is no message (C81).
        if (said !== 'user,assistant') wrong.push(`a thread has ${said}`)
      }
      const effects = effectsIn(folder).map(({ effectId }) => effectId)
      const twice = effects.length - new Set(effects).size
      if (twice > 0) wrong.push(`${twice} effects happened twice`)
      const wanted = conversations.length * 8
      if (new Set(effects).size !== wanted)
        wrong.push(`${new Set(effects).size} of ${wanted} effects happened`)
      return wrong
    },
    async fences() {
      const found = new Map<string, number>()
      for (const { id } of await runs())
        found.set(id, Number(await redis.hget(`clew:{${workspace}}:run:${id}`, '~fence')))
      return found
    },
    async stop() {
      redis.disconnect()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
