import type { DocumentProblem } from '../../agent/domain/document.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Tables } from '../../agent/ports/tables.ts'
import type { Confines } from './confine.ts'
import type { Calculation, Job, JobDone } from './protocol.ts'
import { type ReaderProcess, startReader } from './reader-process.ts'

const limits = {
  /** Time limit for one document, in milliseconds. The text for people states it in seconds. */
  timeMs: 20_000,
  heapMb: 384,
  dataMb: 1_400,
  /** Most waiting documents, including the one in progress. */
  waiting: 24,
  /** Idle time after which the process ends, in milliseconds: it holds 100 MB. */
  idleMs: 60_000,
  /**
   * Documents that one process reads before it is replaced, which frees memory that a library
   * leaked.
   */
  served: 40,
}

interface Deps {
  clock: Pick<Clock, 'sleep'>
  log: Log
  /** Overrides of the limits, for tests. */
  limits?: Partial<typeof limits & Confines>
}

/**
 * Reads documents in a separate process, which starts with the first document and is killed if one
 * exceeds a limit (S13). Calculations over their tables are made there too (C880).
 */
export function createDocuments(deps: Deps): Documents & Tables & { stop(): void } {
  const most = { ...limits, ...deps.limits }
  const stopping = new AbortController()
  const reading = createReading(most, deps, stopping.signal)
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()
  async function inLine(job: Job, signal: AbortSignal): Promise<JobDone> {
    if (waiting >= most.waiting) return failed('busy')
    const either = AbortSignal.any([signal, stopping.signal])
    waiting += 1
    const done = turn
      .then(() => (either.aborted ? failed('stopped') : reading.work(job, either)))
      .finally(() => {
        waiting -= 1
      })
    turn = done
    const answered = new AbortController()
    return await Promise.race([done, stopped(either, answered.signal)]).finally(() =>
      answered.abort(),
    )
  }
  return {
    async read(document, signal) {
      const done = await inLine(document, signal)
      return 'calculated' in done ? failed('unreadable') : done
    },
    async compute(request, signal) {
      const bytes = Buffer.from(JSON.stringify(request satisfies Calculation))
      const done = await inLine({ kind: 'calculation', bytes }, signal)
      if ('calculated' in done) return done.calculated
      return { problem: done.ok ? 'unreadable' : done.problem }
    },
    stop() {
      stopping.abort()
      reading.end()
    },
  }
}

/** Manages that process: starts it on demand and ends it when it is idle or has read enough. */
function createReading(most: typeof limits, { clock, log }: Deps, stopping: AbortSignal) {
  let reader: ReaderProcess | null = null
  let served = 0
  let idle = new AbortController()

  function end() {
    reader?.end()
    reader = null
  }
  async function endWhenIdle() {
    idle = new AbortController()
    const { signal } = idle
    await clock.sleep(most.idleMs, AbortSignal.any([signal, stopping]))
    if (!signal.aborted) end()
  }
  return {
    end,
    async work(job: Job, signal: AbortSignal): Promise<JobDone> {
      idle.abort()
      if (served >= most.served) end()
      try {
        if (reader === null || !reader.usable()) {
          reader = startReader(most, { clock, log })
          served = 0
        }
        served += 1
        return await reader.work(job, signal)
      } catch (error) {
        log.error({ err: error }, 'document reader process does not start')
        return failed('not_started')
      } finally {
        void endWhenIdle()
      }
    },
  }
}

const failed = (problem: DocumentProblem) => ({ ok: false, problem }) as const

/** Resolves at once when the caller gives up. */
const stopped = (signal: AbortSignal, answered: AbortSignal): Promise<JobDone> =>
  new Promise((resolve) => {
    const answer = () => resolve(failed('stopped'))
    if (signal.aborted) answer()
    else signal.addEventListener('abort', answer, { once: true, signal: answered })
  })
