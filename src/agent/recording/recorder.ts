import type { ContractName } from '../contracts.ts'
import type { Run } from '../domain/run.ts'
import { createDrive } from '../drive.ts'
import { requestTextOf } from '../model/request-text.ts'
import type { PromptLayout } from '../model/rules.ts'
import type { Log } from '../ports/log.ts'
import type { Item } from '../ports/wakeups.ts'
import { createTurn } from '../turn.ts'
import { keptOf, type Line, newIn } from './lines.ts'
import { onTape, type Recordable, type Tape } from './tape.ts'

export interface RecorderDeps {
  /**
   * Opens the recording of a thread or run, behind what is in it. `write` appends a line before it
   * returns.
   */
  open(item: Item): { write(line: string): void; close(): void }
  layout: PromptLayout
  randomId(): string
  log: Log
}

export type Recorder = ReturnType<typeof createRecorder>

/**
 * C660, C890: works on threads and runs as `createTurn` and `createDrive` do, and writes down what
 * reaches the work from outside before it goes on.
 */
export function createRecorder({ open, layout, randomId, log }: RecorderDeps) {
  return async (
    deps: Recordable,
    { item, stop, begun }: { item: Item; stop: AbortSignal; begun: Run[] },
  ) => {
    const recording = createRecording(() => open(item), log)
    const hold = randomId()
    const begin = () => {
      const kept = { ...keptOf(deps), layout }
      const { id, workspace } = item
      const same = { hold, version: 1 as const, id, workspace, kept }
      recording.begin(
        item.kind === 'conversation'
          ? { kind: 'thread', ...same }
          : { kind: 'run', begun: begun[0] ?? null, ...same },
      )
    }
    if (begun.length > 0) begin()
    const tape = recordingTape({ hold, begin, write: recording.write })
    const halt = new AbortController()
    const onStop = tape.event('stop', () => halt.abort())
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) void onStop()
    try {
      const taped = onTape(deps, tape, requestTextOf(deps.model.name, layout))
      if (item.kind === 'conversation') await createTurn(taped)(item, halt.signal)
      else await createDrive(taped)(item, halt.signal, begun)
    } finally {
      stop.removeEventListener('abort', onStop)
      recording.write({ hold, kind: 'end' })
      recording.close()
    }
  }
}

/**
 * A file of lines, opened with the first. One that cannot be written ends here; the work goes on.
 */
function createRecording(open: () => ReturnType<RecorderDeps['open']>, log: Log) {
  let file: ReturnType<typeof open> | null = null
  const close = () => {
    file?.close()
    file = null
  }
  const write = (line: Line) => {
    try {
      file?.write(JSON.stringify(line))
    } catch (error) {
      log.warn({ err: error }, 'a recording goes no further: RECORD cannot be written')
      close()
    }
  }
  return {
    write,
    close,
    begin(line: Line) {
      try {
        file = open()
      } catch (error) {
        log.warn({ err: error }, 'nothing is recorded: RECORD cannot be written')
      }
      write(line)
    },
  }
}

interface Writing {
  hold: string
  /** Called when the thread or run is claimed. */
  begin(): void
  write(line: Line): void
}

/**
 * Writes each answer before the work hears it, one in a turn of the event loop, as a player gives
 * them.
 */
function recordingTape({ hold, begin, write }: Writing): Tape {
  const alone = oneByOne()
  const counted = createCounter()
  const known = new Map<string, string | undefined>()
  const texts = new Map<ContractName, string>()
  return {
    async call(name, live, asked) {
      const n = counted(name)
      if (asked !== undefined) {
        const { contract, text } = asked
        write({ hold, kind: 'request', n, contract, ...newIn(texts.get(contract) ?? '', text) })
        texts.set(contract, text)
      }
      const [result] = await Promise.allSettled([live()])
      return await alone(() => {
        if (result.status === 'rejected') {
          write({ hold, kind: 'failure', name, n, error: plain(result.reason) })
          throw result.reason
        }
        if (name === 'leases.claim' && result.value !== null) begin()
        write({ hold, kind: 'answer', name, n, is: result.value })
        return result.value
      })
    },
    value(name, live) {
      const is = live()
      const n = counted(name)
      const text = JSON.stringify(is)
      if (!known.has(name) || known.get(name) !== text) write({ hold, kind: 'value', name, n, is })
      known.set(name, text)
      return is
    },
    event: (name, heard) => async () =>
      await (
        await alone(() => {
          write({ hold, kind: 'event', name })
          return { done: heard() }
        })
      ).done,
  }
}

/** Counts how often each name has come before. */
export function createCounter() {
  const counts = new Map<string, number>()
  return (name: string) => {
    const n = counts.get(name) ?? 0
    counts.set(name, n + 1)
    return n
  }
}

export const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * Lets one thing happen in a turn of the event loop, so that all that follows from it at once has
 * followed before the next.
 */
function oneByOne() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(happens: () => T) => {
    const now = last.then(turn).then(happens)
    last = now.catch(() => undefined)
    return now
  }
}

/** An error as it is written down: its name, words, code and cause. */
const plain = (error: unknown): Record<string, unknown> =>
  error instanceof Error
    ? {
        ...error,
        name: error.name,
        message: error.message,
        cause: error.cause === undefined ? undefined : plain(error.cause),
      }
    : { message: String(error) }
