import { setTimeout as wait } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { assertNever } from '../agent/domain/assert.ts'
import { platformOf } from '../agent/domain/conversation.ts'
import { deriveId } from '../agent/domain/id.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Item, Wakeups } from '../agent/ports/wakeups.ts'
import type { Connection } from './redis/connection.ts'

/** Conversations wait in a queue of their own: when every place for a run is taken, a person is still heard. */
const conversations = 'conversations'
const runs = 'runs'
const schedules = 'schedules'
const outboxes = (platform: string) => `out-${platform}`

/** BullMQ waits for its connection for ever; a wake is only a hint, and whoever sends it must not wait with it. */
const answerWithinMs = 4_000

/**
 * Wake-ups over BullMQ: spread over the workers of all machines, delayed ones included. A job holds nothing but the name
 * of an item; losing every key of the queue loses no work (rule 2). BullMQ's own retries and stall handling decide
 * nothing: rows do.
 */
export function createBullWakeups(deps: {
  /** Makes a connection; blocking ones must wait without a deadline. */
  connect: (use: 'commands' | 'blocking') => Connection
  clock: Pick<Clock, 'now'>
  log: Log
  /** Whether this process works on conversations and runs. */
  worker: boolean
  /** Whether it works off alarms; as `worker` unless it is said. */
  scheduler?: boolean
  /** Platforms whose outboxes this process delivers. */
  platforms: readonly string[]
  concurrency: number
}): Wakeups {
  const prefix = '{clew}'
  const queues = new Map<string, Queue>()
  const workers: Worker[] = []
  const connections: Connection[] = []
  const connect = (use: 'commands' | 'blocking') => {
    const connection = deps.connect(use)
    connections.push(connection)
    return connection
  }
  const commands = connect('commands')
  const lost = (error: Error) => deps.log.debug({ err: error }, 'the queue lost its connection')

  function queueOf(name: string): Queue {
    const known = queues.get(name)
    if (known !== undefined) return known
    const made = new Queue(name, { connection: commands, prefix, skipVersionCheck: true })
    made.on('error', lost)
    queues.set(name, made)
    return made
  }
  function workOn(name: string, handler: (item: Item) => Promise<void>): Worker {
    const worker = new Worker<Item>(name, async (job) => await handler(job.data), {
      connection: connect('blocking'),
      prefix,
      concurrency: deps.concurrency,
      // Its look at the version also tells it that it may wait for less than a second: schedules are due to the moment.
      skipVersionCheck: false,
      // What a dead worker left is cleared away; the sweep has its row.
      maxStalledCount: 0,
      removeOnFail: { count: 0 },
    })
    worker.on('error', lost)
    return worker
  }

  return {
    async wake(item, delayMs = 0) {
      const options = { removeOnComplete: true, removeOnFail: true, attempts: 1 }
      const delay = delayMs > 0 ? { delay: delayMs } : {}
      const once = item.kind === 'schedules' ? { jobId: alarmJob(item, deps.clock.now() + delayMs) } : {}
      await soon(queueOf(queueName(item)).add(item.kind, item, { ...options, ...delay, ...once }))
    },
    async start(handler) {
      const names = [
        ...(deps.worker ? [conversations, runs] : []),
        ...((deps.scheduler ?? deps.worker) ? [schedules] : []),
        ...deps.platforms.map(outboxes),
      ]
      workers.push(...names.map((name) => workOn(name, handler)))
      await Promise.all(workers.map((worker) => worker.waitUntilReady()))
    },
    async health() {
      try {
        const both = [conversations, runs].map(queueOf)
        const all = await soon(Promise.all(both.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed'))))
        const sum = (state: string) => all.reduce((total, counts) => total + (counts[state] ?? 0), 0)
        return { ok: true, detail: `${sum('waiting')} waiting, ${sum('active')} active, ${sum('delayed')} delayed` }
      } catch (error) {
        return { ok: false, detail: error instanceof Error ? error.message : 'does not answer' }
      }
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.close(true)))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      for (const connection of connections) connection.disconnect()
    },
  }
}

/** One job a workspace and second: however often a schedule is changed, its alarm wakes nobody twice. */
function alarmJob({ workspace }: Item, at: number): string {
  return deriveId('alarm', workspace, String(Math.ceil(at / 1000)))
}

/** @throws Error when there is no answer in time; what comes of it later is nobody's business. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  const late = new AbortController()
  const deadline = wait(answerWithinMs, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error(`the queue does not answer within ${answerWithinMs / 1000} s`)
  })
  answer.catch(() => {})
  deadline.catch(() => {})
  try {
    return await Promise.race([answer, deadline])
  } finally {
    late.abort()
  }
}

function queueName(item: Item): string {
  switch (item.kind) {
    case 'conversation':
      return conversations
    case 'run':
      return runs
    case 'outbox':
      return outboxes(platformOf(item.workspace))
    case 'schedules':
      return schedules
    default:
      return assertNever(item.kind)
  }
}
