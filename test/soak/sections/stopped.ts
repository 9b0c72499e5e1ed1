import { setTimeout as wait } from 'node:timers/promises'
import { startNativeRedis } from '../../support/native-redis.ts'
import { type ChildHost, startChildHost } from '../child-host.ts'
import { compare, learnExpected, runStory, type StartHost } from '../crash.ts'
import { type Section, seconds, some } from '../section.ts'

/** A lease of the fast time lasts one second. */
const longerThanALeaseMs = 1_600

/**
 * P6: workers are stopped (SIGSTOP) for longer than their lease at random instants and then go on as if nothing had been.
 * The process that took their work over must not be disturbed: what they still try is refused by its fence.
 */
export const stopped: Section = async (soak) => {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  const wanted = some(soak, 200)
  const failures: string[] = []
  let stops = 0
  let fenced = 0
  try {
    const { expected } = await learnExpected({ server, database: 0, start: startChildHost })
    async function play(database: number) {
      for (let tries = 0; stops < wanted && tries < wanted; tries++) {
        const crew: ChildHost[] = []
        const start: StartHost = async (options, targets) => {
          crew.push(await startChildHost({ ...options, worker: 'two', roles: 'worker,scheduler' }, []))
          crew.push(await startChildHost({ ...options, worker: 'three', roles: 'web,worker,scheduler' }, []))
          const page = await startChildHost({ ...options, roles: 'web' }, targets)
          return { ...page, close: () => page.close().finally(() => Promise.all(crew.map((one) => one.close()))) }
        }
        let over = false
        const beside = async () => {
          for (let turn = Math.floor(soak.random() * 2); !over; turn++) {
            await wait(soak.random() * 400)
            const one = crew[turn % crew.length]?.process()
            if (over || one === undefined) return
            one.kill('SIGSTOP')
            stops += 1
            await wait(longerThanALeaseMs)
            one.kill('SIGCONT')
          }
        }
        const life = { paceMs: 200 }
        try {
          const playing = runStory({
            server,
            database,
            start: besideOf(start, beside, () => {
              over = true
            }),
            targets: [],
            life,
          })
          compare((await playing).outcome, expected)
        } catch (error) {
          failures.push(`story ${tries} on ${database}: ${error instanceof Error ? error.message : String(error)}`)
        }
        fenced += crew.reduce((sum, one) => sum + one.fenced(), 0)
      }
    }
    await Promise.all([play(1), play(2)])
  } finally {
    await server.stop()
  }
  return {
    figures: `${stops} stops for longer than the lease, ${fenced} late commits were tried and all refused, ${seconds(performance.now() - began)}`,
    failures,
  }
}

/** Goes on beside a host until it is closed. */
function besideOf(start: StartHost, beside: () => Promise<void>, end: () => void): StartHost {
  return async (options, targets) => {
    const host = await start(options, targets)
    const going = beside()
    return {
      ...host,
      async close() {
        end()
        await going
        await host.close()
      },
    }
  }
}
