import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { Channel } from '../../src/agent/ports/channel.ts'
import type { Leases, Outbox, Store } from '../../src/agent/ports/store.ts'
import { createSystemClock } from '../../src/clock.ts'
import { startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import {
  acts,
  asks,
  closes,
  createFakeModel,
  decides,
  ends,
  plans,
  replans,
} from '../fakes/model.ts'
import { type NativeRedis, startNativeRedis } from '../support/native-redis.ts'
import { silent } from '../support/silent.ts'
import { monitor } from './monitor.ts'
import { toolResult } from './script.ts'
import { table } from './table.ts'
import { nameOf } from './trips.ts'

/*
 * What a short task costs in commands to Redis: three subtasks, one question, its answer, the report. The production
 * composition with a model that answers at once, so that the figures do not depend on how busy the machine is.
 */

export interface ShortRun {
  /** Commands by what they ask, as Redis saw them; what scripts call inside crosses no network. */
  commands: ReadonlyMap<string, number>
  /** Bytes of their arguments. */
  bytes: number
  modelCalls: number
  /** Jobs that were put into the queue. */
  jobs: number
  /** How often progress was shown: the longer it took, the more often. */
  shows: number
  /** Leases that were asked for, by kind of item. */
  claims: ReadonlyMap<string, Claims>
}

interface Claims {
  held: number
  /** Somebody else held it, or it was gone. */
  refused: number
  /** Held, and given up without anything having been sent or shown. */
  idle: number
}

const workspace = 'web:local'

/** `npm run bench -- short`: what it counted, in a table. */
export async function printShortRun(program: string): Promise<void> {
  const server = await startNativeRedis(program)
  const { commands, bytes, modelCalls, jobs, shows, claims } = await countShortRun(server)
  await server.stop()
  const most = [...commands].sort(([, a], [, b]) => b - a)
  console.log(
    table(
      ['command', 'times'],
      most.map(([name, times]) => [name, `${times}`]),
    ),
  )
  console.log(
    `All together ${commandsOf({ commands })} commands with ${bytes} bytes, ${modelCalls} calls of the model, ${jobs} jobs; progress was shown ${shows} times.`,
  )
  for (const [kind, { held, refused, idle }] of claims)
    console.log(
      `Claims of a ${kind}: ${held}, besides ${refused} refused; ${idle} had nothing to do.`,
    )
}

export const commandsOf = ({ commands }: Pick<ShortRun, 'commands'>): number =>
  [...commands.values()].reduce((sum, times) => sum + times, 0)

/** Plays the script twice and counts the second time: scripts and connections are known by then. */
export async function countShortRun(server: NativeRedis): Promise<ShortRun> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-count-'))
  const redis = server.connect()
  const model = createFakeModel()
  const watched = createWatch()
  const config = readConfig({
    REDIS_URL: server.url(),
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_MODEL: 'rehearsal',
    AGENT_REPLAN_SKIPS: '0',
    AGENT_STRATEGY: 'step',
  })
  const clew = await startClew(config, {
    ...{ clock: createSystemClock(), log: silent, model, wrap: watched.wrap },
    tools: [
      {
        name: 'lookup',
        effect: 'none',
        description: 'Looks something up. The input is what to look up, in a few words.',
        run: async (input) => ({ ok: true, text: toolResult(input) }),
      },
    ],
  })
  const play = async (thread: string) => {
    script(model)
    for (const [kind, text] of [
      ['question', 'Plan the offsite'],
      ['final', 'In June'],
    ] as const) {
      const shown = watched.shown(kind)
      await clew.agent.intake(said(thread, text))
      await shown
      await quiet(redis)
    }
  }
  try {
    await play('first')
    const [calls, shows, jobs] = [model.calls.length, watched.shows(), await jobsMade(redis)]
    watched.claims.clear()
    const heard = await listen(redis)
    await play('second')
    const counted = { modelCalls: model.calls.length - calls, shows: watched.shows() - shows }
    const made = (await jobsMade(redis)) - jobs
    return { ...(await heard.stop()), ...counted, jobs: made, claims: new Map(watched.claims) }
  } finally {
    await clew.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function script(model: ReturnType<typeof createFakeModel>) {
  const [venues, month, food] = ['Find venues', 'Choose a month', 'Order food']
  model.on('decision', decides.run('Plan the offsite', 'Plan the offsite'))
  model.on('plan', plans(venues, month, food))
  model.on('thought', acts('venues for 40', 'lookup', venues), closes('The second venue fits.'))
  model.on('replan', replans(month, food))
  model.on('thought', asks('Which month?', ['In May', 'In June']), closes('June it is.'))
  model.on('replan', replans(food), replans(food))
  model.on('thought', acts('caterers', 'lookup', food), closes('The caterer can come.'))
  model.on('replan', ends('The offsite is in June at the second venue, with food.'))
}

let gestures = 0
function said(thread: string, text: string): InboundEvent {
  const author = { id: 'ana', name: 'Ana', bot: false }
  const content = { kind: 'message' as const, text, addressed: true, forSomeoneElse: false }
  return {
    workspace,
    channel: 'web',
    thread,
    keys: [`gesture ${++gestures}`],
    author,
    whose: { way: 'typed' as const, by: 'member' as const },
    at: Date.now(),
    content,
  }
}

/** Sees what goes through the ports, and changes nothing of it. */
function createWatch() {
  const claims = new Map<string, Claims>()
  let shows = 0
  const worked = new WeakSet<object>()
  const waiting = new Map<string, () => void>()
  const of = (kind: string) => {
    const known = claims.get(kind) ?? { held: 0, refused: 0, idle: 0 }
    claims.set(kind, known)
    return known
  }
  const leases = (port: Leases): Leases => ({
    ...port,
    async claim(item, forMs) {
      const lease = await port.claim(item, forMs)
      of(item.kind)[lease === null ? 'refused' : 'held'] += 1
      return lease
    },
    async release(lease, options) {
      const answer = await port.release(lease, options)
      const isIdle = options?.done === undefined && !worked.has(lease)
      if (answer === 'released' && lease.item.kind === 'outbox' && isIdle) of('outbox').idle += 1
      return answer
    },
  })
  const outbox = (port: Outbox): Outbox => ({
    ...port,
    sent(lease, ...rest) {
      worked.add(lease)
      return port.sent(lease, ...rest)
    },
  })
  const channel = (port: Channel): Channel => ({
    ...port,
    async send(delivery, conversation) {
      const sent = await port.send(delivery, conversation)
      waiting.get(delivery.body.kind)?.()
      return sent
    },
    show(progress, conversation) {
      shows += 1
      return port.show(progress, conversation)
    },
  })
  return {
    claims,
    shows: () => shows,
    shown: (kind: string) => new Promise<void>((resolve) => waiting.set(kind, resolve)),
    wrap<P extends object>(_name: string, port: P): P {
      const all: Partial<Leases & Outbox & Channel & Store> = port
      if (all.claim !== undefined) return leases(port as unknown as Leases) as unknown as P
      if (all.trying !== undefined) return outbox(port as unknown as Outbox) as unknown as P
      return all.show === undefined ? port : (channel(port as unknown as Channel) as unknown as P)
    },
  }
}

/** Nothing is due any more but what has to wait for its time. */
async function quiet(redis: Redis): Promise<void> {
  const due = ['conversation', 'run', 'outbox'].map((kind) => `clew:{${workspace}}:due:${kind}`)
  for (let calm = 0; calm < 5; ) {
    const soon = await Promise.all(due.map((key) => redis.zcount(key, '-inf', Date.now() + 60_000)))
    calm = soon.every((count) => count === 0) ? calm + 1 : 0
    await wait(5)
  }
}

/** Each queue numbers its jobs. */
async function jobsMade(redis: Redis): Promise<number> {
  const counters = await Promise.all((await redis.keys('{clew}:*:id')).map((key) => redis.get(key)))
  return counters.reduce((sum, count) => sum + Number(count), 0)
}

async function listen(redis: Redis) {
  const commands = new Map<string, number>()
  let bytes = 0
  const stop = await monitor(redis, (args) => {
    if (/^zcount$/i.test(args[0] ?? '')) return
    const name = nameOf(args)
    // Its workers wait there, whether anything is done or not.
    if (name === 'queue') return
    commands.set(name, (commands.get(name) ?? 0) + 1)
    bytes += args.reduce((sum, arg) => sum + arg.replace(/\\(?:x[\da-f]{2}|.)/g, '.').length, 0)
  })
  return {
    async stop() {
      await wait(100)
      stop()
      return { commands, bytes }
    },
  }
}
