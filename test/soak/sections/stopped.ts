import { setTimeout as wait } from 'node:timers/promises'
import { startNativeRedis } from '../../support/native-redis.ts'
import { type ChildHost, startChildHost } from '../child-host.ts'
import { compare, givenUp, learnExpected, runStory, type StartHost } from '../crash.ts'
import { type Findings, type Section, type Soak, seconds, some } from '../section.ts'

/** A lease of the fast time lasts one second. */
const longerThanALeaseMs = 1_600

/**
 * P6: workers are stopped (SIGSTOP) for longer than their lease at random instants and then go on as if nothing had been.
 * The process that took their work over must not be disturbed: what they still try is refused by its fence.
 */
export const stopped: Section = (soak) => {
  let turn = Math.floor(soak.random() * 2)
  return disturb(soak, {
    wanted: some(soak, 200),
    roles: ['web', 'worker,scheduler', 'web,worker,scheduler'],
    async blow([, ...workers]) {
      turn += 1
      const one = workers[turn % workers.length]
      if (one === undefined) return 'none'
      await stopFor(longerThanALeaseMs, one)
      return 'stopped'
    },
  })
}

/** 40 s in the time of the story. */
const longMs = 4_000

/**
 * A page, a worker, and a worker that keeps the schedules, each a process: any of them is killed, stopped for long, or all are
 * restarted one after the other, as a new release is brought in.
 */
export const fleet: Section = (soak) =>
  disturb(soak, {
    wanted: some(soak, 150),
    roles: ['web', 'worker', 'worker,scheduler'],
    async blow(crew) {
      const one = crew[Math.floor(soak.random() * crew.length)]
      if (one === undefined) return 'none'
      const kind =
        (['killed', 'stopped', 'rolled'] as const)[Math.floor(soak.random() * 3)] ?? 'killed'
      if (kind === 'killed') await one.kill()
      else if (kind === 'stopped') await stopFor(longMs, one)
      else for (const each of crew) await each.bounce()
      return kind
    },
  })

async function stopFor(ms: number, host: ChildHost): Promise<void> {
  const child = host.process()
  child.kill('SIGSTOP')
  await wait(ms)
  child.kill('SIGCONT')
}

interface Trouble {
  /** How many blows in all. */
  wanted: number
  /** Of each process; the first has the page. */
  roles: readonly [string, ...string[]]
  /** One blow; resolves with its kind when it is over. */
  blow(crew: readonly ChildHost[]): Promise<string>
}

/** Plays stories, two at a time, with several processes each, and disturbs them until there were enough blows. */
async function disturb(soak: Soak, { wanted, roles, blow }: Trouble): Promise<Findings> {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  const failures: string[] = []
  const blows = new Map<string, number>()
  const count = () => [...blows.values()].reduce((sum, one) => sum + one, 0)
  let fenced = 0
  let stories = 0
  let unlucky = 0
  try {
    const { expected } = await learnExpected({ server, database: 0, start: startChildHost })
    async function play(database: number) {
      while (count() < wanted && stories < wanted) {
        stories += 1
        const name = `story ${stories} on ${database}`
        const crew: ChildHost[] = []
        let over = false
        const start: StartHost = async (options, targets) => {
          for (const [place, of] of roles.entries())
            crew.push(
              await startChildHost(
                { ...options, worker: `w${place}`, roles: of },
                place === 0 ? targets : [],
              ),
            )
          const [page] = crew
          if (page === undefined) throw new Error('no process')
          const going = (async () => {
            while (!over) {
              await wait(soak.random() * 400)
              if (over) return
              const kind = await blow(crew)
              blows.set(kind, (blows.get(kind) ?? 0) + 1)
            }
          })()
          return {
            ...page,
            async close() {
              over = true
              await going
              await Promise.all(crew.map((one) => one.close()))
            },
          }
        }
        try {
          const { outcome } = await runStory({
            server,
            database,
            start,
            targets: [],
            life: { paceMs: 200 },
          })
          compare(outcome, expected)
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error)
          if (message.includes(givenUp)) unlucky += 1
          else failures.push(`${name}: ${message}`)
        }
        fenced += crew.reduce((sum, one) => sum + one.fenced(), 0)
      }
    }
    await Promise.all([play(1), play(2)])
  } finally {
    await server.stop()
  }
  if (unlucky > stories / 5)
    failures.push(`${unlucky} of ${stories} stories gave up: that is no bad luck any more`)
  const kinds = [...blows].map(([kind, times]) => `${times} ${kind}`).join(', ')
  return {
    figures: `${kinds}, in ${stories} stories, of which ${unlucky} gave up at a step that three blows met (P14); ${fenced} late commits were tried and all refused, ${seconds(performance.now() - began)}`,
    failures,
  }
}
