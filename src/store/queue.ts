import { Queue, Worker } from 'bullmq'
import { platformOf } from '../agent/domain/conversation.ts'
import { deriveId } from '../agent/domain/id.ts'
import { present } from '../agent/domain/present.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Item, QueueHealth, Wakeups } from '../agent/ports/wakeups.ts'
import { type Connection, channelIn } from './redis/connection.ts'

const prefix = '{clew}'
/**
 * Names of the queues. Conversations have one of their own, so that people are served even while
 * all places for runs are taken.
 */
const queueNames = { conversation: 'conversations', run: 'runs', schedules: 'schedules' }
const outboxes = (platform: string) => `out-${platform}`
const queueName = ({ kind, workspace }: Item) =>
  kind === 'outbox' ? outboxes(platformOf(workspace)) : queueNames[kind]

/**
 * C272: the channel on which a platform's outbox wakes are published. A wake becomes a job only if
 * no process listens there.
 */
const channelOf = (redis: Connection, platform: string) =>
  channelIn(redis, `${prefix}:told:${outboxes(platform)}`)

/**
 * Longest wait for the queue, in ms. BullMQ waits for its connection for ever; a wake is only a
 * hint, so its sender gives up.
 */
const answerWithinMs = 4_000

/**
 * Wake-ups over BullMQ, spread over the workers of all machines, delayed ones included. A job holds
 * only the name of an item, so losing every key of the queue loses no work (rule 2). Rows decide
 * about retries and stalls, never BullMQ.
 */
export function createBullWakeups(deps: {
  /** Makes a connection; blocking ones must wait without a deadline. */
  connect: (use: 'commands' | 'blocking') => Connection
  clock: Pick<Clock, 'now'>
  log: Log
  /** True if this process works on conversations and runs. */
  worker: boolean
  /** True if this process works off alarms. Defaults to `worker`. */
  scheduler?: boolean
  /** Platforms whose outboxes this process delivers. */
  platforms: readonly string[]
  concurrency: number
}): Wakeups {
  const { log } = deps
  const queues = new Map<string, Queue>()
  const workers: Worker[] = []
  const connections: Connection[] = []
  const connect = (use: 'commands' | 'blocking') => {
    const connection = deps.connect(use)
    connections.push(connection)
    return connection
  }
  const commands = connect('commands')
  function queueOf(name: string): Queue {
    const queue = queues.get(name) ?? openQueue(name, commands, log)
    queues.set(name, queue)
    return queue
  }

  /**
   * Publishes the wake and returns the number of processes that received it; 0 if publishing fails.
   */
  const tell = (item: Item) =>
    commands
      .publish(channelOf(commands, platformOf(item.workspace)), `${item.workspace}\n${item.id}`)
      .catch(() => 0)

  async function listen(connection: Connection, handler: (item: Item) => Promise<void>) {
    const lost = logLoss(log)
    connection.on('message', (_channel: string, text: string) => {
      const [workspace = '', id = ''] = text.split('\n')
      handler({ kind: 'outbox', workspace, id }).catch(lost)
    })
    await connection
      .subscribe(...deps.platforms.map((platform) => channelOf(connection, platform)))
      .catch(lost)
  }

  const looks = createWorkerLooks(deps.clock)
  return {
    async wake(item, delayMs = 0) {
      if (item.kind === 'outbox' && delayMs <= 0 && (await soon(tell(item))) > 0) return
      const delay = delayMs > 0 ? { delay: delayMs } : {}
      const once =
        item.kind === 'schedules' ? { jobId: alarmJob(item, deps.clock.now() + delayMs) } : {}
      await soon(queueOf(queueName(item)).add(item.kind, item, { ...lastWord, ...delay, ...once }))
    },
    async start(handler) {
      const names = present([
        deps.worker && queueNames.conversation,
        deps.worker && queueNames.run,
        (deps.scheduler ?? deps.worker) && queueNames.schedules,
        ...deps.platforms.map(outboxes),
      ])
      const { concurrency } = deps
      if (deps.platforms.length > 0) await listen(connect('blocking'), handler)
      for (const name of names)
        workers.push(
          openWorker(name, handler, { connection: connect('blocking'), concurrency, log }),
        )
      await Promise.all(workers.map((worker) => worker.waitUntilReady()))
    },
    async health() {
      const report = await healthOf([queueNames.conversation, queueNames.run].map(queueOf))
      if (!report.ok || (await looks.isManned(queueOf(queueNames.run)))) return report
      return { ok: false, noWorker: true, detail: `no worker is running; ${report.detail}` }
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.close(true)))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      for (const connection of connections) connection.disconnect()
    },
  }
}

/** Options by which a failed job is neither retried nor kept. */
const lastWord = { removeOnComplete: true, removeOnFail: true, attempts: 1 }

const logLoss = (log: Log) => (error: Error) =>
  log.debug({ err: error }, 'the queue lost its connection')

function openQueue(name: string, connection: Connection, log: Log): Queue {
  return new Queue(name, { connection, prefix, skipVersionCheck: true }).on('error', logLoss(log))
}

function openWorker(
  name: string,
  handler: (item: Item) => Promise<void>,
  { connection, concurrency, log }: { connection: Connection; concurrency: number; log: Log },
): Worker {
  return new Worker<Item>(name, async (job) => await handler(job.data), {
    connection,
    prefix,
    concurrency,
    // The version check also lets it wait for less than a second: schedules are due to the moment.
    skipVersionCheck: false,
    // A refusal by a server that has become a replica ends once the connection leads elsewhere.
    runRetryDelay: 1_000,
    // Jobs of a dead worker are removed; the sweep finds their rows.
    maxStalledCount: 0,
    removeOnFail: { count: 0 },
  }).on('error', logLoss(log))
}

/**
 * Time without any worker after which nothing moves on, in ms: one that is restarted is no finding.
 */
const unmannedMs = 10_000

/**
 * Looks whether any process consumes runs; where the server does not list its clients, one is
 * assumed.
 */
function createWorkerLooks(clock: Pick<Clock, 'now'>) {
  let seenAt = clock.now()
  return {
    async isManned(runs: Queue) {
      const count = await soon(runs.getWorkersCount()).catch(() => 1)
      if (count > 0) seenAt = clock.now()
      return clock.now() - seenAt < unmannedMs
    },
  }
}

async function healthOf(queues: readonly Queue[]): Promise<QueueHealth> {
  try {
    const all = await soon(
      Promise.all(queues.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed'))),
    )
    const sum = (state: string) => all.reduce((total, counts) => total + (counts[state] ?? 0), 0)
    return {
      ok: true,
      detail: `${sum('waiting')} waiting, ${sum('active')} active, ${sum('delayed')} delayed`,
    }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : 'does not answer' }
  }
}

/**
 * Id of an alarm's job, one per workspace and second. Changing a schedule many times still wakes
 * once.
 */
function alarmJob({ workspace }: Item, at: number): string {
  return deriveId('alarm', workspace, String(Math.ceil(at / 1000)))
}

/**
 * Waits for the answer at most `answerWithinMs`; a later answer is dropped.
 *
 * @throws Error when there is no answer in time.
 */
async function soon<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const why = `the queue does not answer within ${answerWithinMs / 1000} s`
  const timer = setTimeout(() => late.reject(new Error(why)), answerWithinMs).unref()
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
