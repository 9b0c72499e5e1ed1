import type { DocumentProblem } from '../../agent/domain/document.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Document, DocumentRead, Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Confines } from './confine.ts'
import { type ReaderProcess, startReader } from './reader-process.ts'

const limits = {
  /** For one document, in milliseconds; the sentence for people says the same in seconds. */
  timeMs: 5_000,
  heapMb: 384,
  dataMb: 1_400,
  /** Documents that wait, the one that is being read included. */
  waiting: 24,
  /** Without a document for this long, the process ends: it holds 100 MB. In milliseconds. */
  idleMs: 60_000,
  /** After so many documents the next one gets a new process; what a library forgot to free goes with the old one. */
  served: 40,
}

/**
 * Reads documents in one process of their own, which starts with the first and is ended when one takes too much (S13).
 *
 * @param deps.limits other limits than the usual ones, for tests.
 */
export function createDocuments(deps: {
  clock: Pick<Clock, 'sleep'>
  log: Log
  limits?: Partial<typeof limits & Confines>
}): Documents & { stop(): void } {
  const most = { ...limits, ...deps.limits }
  const stopping = new AbortController()
  let reader: ReaderProcess | null = null
  let served = 0
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()
  let idle = new AbortController()

  function end(): void {
    reader?.end()
    reader = null
  }
  async function readNow(document: Document, signal: AbortSignal): Promise<DocumentRead> {
    if (signal.aborted) return failed('stopped')
    idle.abort()
    if (served >= most.served) end()
    try {
      if (reader === null || !reader.usable()) {
        reader = startReader(most, deps)
        served = 0
      }
      served += 1
      return await reader.read(document, signal)
    } catch (error) {
      deps.log.error({ err: error }, 'the process that reads documents does not start')
      return failed('not_started')
    } finally {
      void endWhenIdle()
    }
  }
  async function endWhenIdle(): Promise<void> {
    idle = new AbortController()
    const { signal } = idle
    await deps.clock.sleep(most.idleMs, AbortSignal.any([signal, stopping.signal]))
    if (!signal.aborted) end()
  }
  return {
    async read(document, signal) {
      if (waiting >= most.waiting) return failed('busy')
      const either = AbortSignal.any([signal, stopping.signal])
      waiting += 1
      const read = turn
        .then(() => readNow(document, either))
        .finally(() => {
          waiting -= 1
        })
      turn = read
      return await Promise.race([read, stopped(either)])
    },
    stop() {
      stopping.abort()
      end()
    },
  }
}

const failed = (problem: DocumentProblem): DocumentRead => ({ ok: false, problem })

/** Answers a caller that has given up at once. */
const stopped = (signal: AbortSignal): Promise<DocumentRead> =>
  new Promise((resolve) => {
    const answer = () => resolve(failed('stopped'))
    if (signal.aborted) answer()
    else signal.addEventListener('abort', answer, { once: true })
  })
