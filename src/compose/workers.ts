import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { WorkerState } from '../adapters/web/deps.ts'
import { inTime } from '../agent/deadline.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import { type Config, slackWorkersMost } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { Storage } from './storage.ts'
import { joinMetrics, type ParentMessage, type Report, WorkerMessage } from './worker-report.ts'

/**
 * Wait before a worker that has ended is started again, in ms: it doubles each time, up to the
 * most.
 */
const againAfterMs = { least: 500, most: 30_000 }
/** Time after which a worker counts as well again, in ms. */
const steadyMs = 60_000
/** Longest time for handing over, in ms; a worker that takes longer is killed. */
const stopWithinMs = 12_000
/** Longest time that a worker's metrics are waited for, in ms. */
const metricsWithinMs = 2_000

const workersMost = 64

/** Worker processes of this process (C588). */
export interface Workers {
  /** Asks each for its report; whoever does not answer within `ms` is `silent`. */
  look(ms: number): Promise<{ states: WorkerState[]; reports: Report[] }>
  /** Newest report of each. */
  last(): readonly Report[]
  readonly line: string
  /** Lets all hand their work over, and waits until they have ended. */
  stop(): Promise<void>
}

/** Number of workers that the setting asks for; `auto`: one for each processor. */
export const countOf = ({ WORKERS: workers = 0, SLACK_APP_TOKEN: socket }: Config): number =>
  workers === 'auto'
    ? Math.min(availableParallelism(), socket === undefined ? workersMost : slackWorkersMost)
    : workers

/** Roles of the parent: all but the work itself. */
export const parentRoles = ({ ROLES: roles }: Config): Config['ROLES'] =>
  roles.filter((role) => role !== 'worker')

/**
 * Settings of a worker: the store of its parent, and a folder of its own. It speaks with the
 * platforms too, since tasks read threads and files there.
 */
export function environmentOf(
  number: number,
  { env, config, storage }: { env: Environment; config: Config; storage: Storage },
): Environment {
  const own = ['web', 'scheduler']
  return {
    ...env,
    WORKERS: '',
    CLEW_WORKER: String(number),
    ROLES: config.ROLES.filter((role) => !own.includes(role)).join(','),
    REDIS_URL: storage.url,
    // The embedded store keeps this promise by itself.
    STORE_STRICT: storage.external ? env.STORE_STRICT : '',
    DATA_DIR: join(config.DATA_DIR, `worker-${number}`),
  }
}
type Environment = Readonly<Record<string, string | undefined>>

/** Starts worker processes, and starts each again that ends. */
export function startWorkers(parts: {
  count: number
  /** Starts the process of one. Defaults to this program once more. */
  begin(number: number): ChildProcess
  clock: Clock
  log: Log
}): Workers {
  const numbers = Array.from({ length: parts.count }, (_, at) => at + 1)
  const workers = numbers.map((number) => keepWorker(number, parts))
  return {
    line: `Workers: ${parts.count}, each in a process of its own.`,
    last: () => workers.flatMap(({ last }) => last() ?? []),
    async look(ms) {
      const looks = await Promise.all(workers.map(({ look }) => look(ms)))
      return {
        states: looks.map(({ state }) => state),
        reports: looks.flatMap(({ report }) => report ?? []),
      }
    },
    stop: async () => void (await Promise.all(workers.map(({ stop }) => stop()))),
  }
}

/** Metrics of this process and of its workers together. */
export const metricsWith = (metrics: Metrics, workers: Workers): Metrics => ({
  ...metrics,
  untold: () => workers.last().reduce((sum, { untold }) => sum + untold, metrics.untold()),
  allowances() {
    const shares = { ...metrics.allowances() }
    for (const { allowances } of workers.last())
      for (const [name, share] of Object.entries(allowances))
        shares[name] = Math.max(shares[name] ?? 0, share)
    return shares
  },
  async text() {
    const [own, { reports }] = await Promise.all([metrics.text(), workers.look(metricsWithinMs)])
    return joinMetrics([own, ...reports.map((one) => one.metrics)])
  },
})

/** Starts this program once more, as a worker. It writes to the same log. */
export const beginWith = (environment: (number: number) => Environment) => (number: number) =>
  fork(process.argv[1] ?? '', [], {
    env: { ...environment(number) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

/** Resolves once the process has ended, or could not be started, with how. */
const endOf = (child: ChildProcess) =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `ended with ${code}` : `was ended by ${signal}`),
    )
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`could not be started (${message})`)
    })
  })

function keepWorker(number: number, { begin, clock, log }: Parameters<typeof startWorkers>[0]) {
  const stopping = new AbortController()
  const asked = new Map<number, (report: Report) => void>()
  let child: ChildProcess | null = null
  let isReady = false
  let restarts = 0
  let asks = 0
  let last: Report | null = null
  let detail = 'starts'

  function hear(raw: unknown) {
    const { data: message } = WorkerMessage.safeParse(raw)
    if (message?.kind === 'ready') isReady = true
    if (message?.kind !== 'report') return
    last = message.report
    asked.get(message.id)?.(message.report)
  }
  /** Runs it once; answers how it ended. */
  async function runOnce() {
    const started = begin(number).on('message', hear)
    child = started
    const how = await endOf(started)
    child = null
    isReady = false
    last = null
    return how
  }
  async function keep() {
    let waitMs = againAfterMs.least
    while (!stopping.signal.aborted) {
      const began = clock.now()
      const how = await runOnce()
      if (stopping.signal.aborted) return
      if (clock.now() - began > steadyMs) waitMs = againAfterMs.least
      restarts++
      detail = `${how}; starts again`
      log.warn({ worker: number, waitMs }, `worker ${number} ${how}; it is started again`)
      await clock.sleep(waitMs, stopping.signal)
      waitMs = Math.min(waitMs * 2, againAfterMs.most)
    }
  }
  const kept = keep()
  // Its end says what one that is ending does not hear.
  const tell = (message: ParentMessage) =>
    child?.connected === true && child.send(message, () => {})

  return {
    last: () => last,
    async look(ms: number): Promise<{ state: WorkerState; report: Report | null }> {
      const known = { number, restarts, pid: child?.pid ?? null }
      if (!isReady) return { state: { ...known, state: 'starting', detail }, report: null }
      const id = ++asks
      const answer = new Promise<Report>((resolve) => asked.set(id, resolve))
      tell({ kind: 'report', id })
      const report = await inTime(clock, ms, answer)
      asked.delete(id)
      if (report === null)
        return { state: { ...known, state: 'silent', detail: `no answer in ${ms} ms` }, report }
      return { state: { ...known, state: 'working', detail: report.detail }, report }
    },
    async stop() {
      stopping.abort()
      tell({ kind: 'stop' })
      const over = new AbortController()
      const late = clock.sleep(stopWithinMs, over.signal).then(() => child?.kill('SIGKILL'))
      await kept
      over.abort()
      await late
    },
  }
}
