import { type ChildProcess, spawn } from 'node:child_process'
import { on } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { assertNever } from '../../agent/domain/assert.ts'
import { type DocumentProblem, gapCodes } from '../../agent/domain/document.ts'
import { Section } from '../../agent/domain/kept-document.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { type Confines, confined } from './confine.ts'
import type { Answer, Job, JobDone, Request } from './protocol.ts'

export type ReaderProcess = ReturnType<typeof startReader>

/**
 * Time limit for starting the process and for loading a library, in milliseconds, generous enough
 * for a busy machine.
 */
const loadMs = 30_000

// The published package has its files as JavaScript.
const program = fileURLToPath(new URL(`./reader${extname(import.meta.url)}`, import.meta.url))

const ReaderAnswer: z.ZodType<Answer> = z.discriminatedUnion('said', [
  z.object({ said: z.enum(['ready', 'begun']) }),
  z.object({
    said: z.enum(['unreadable', 'too_big', 'binary', 'old_format', 'encoding']),
    encoding: z.string().optional(),
  }),
  z.object({
    said: z.literal('text'),
    title: z.string(),
    text: z.string(),
    sections: z.array(Section).optional(),
    encoding: z.string().optional(),
    gaps: z.array(z.object({ code: z.enum(gapCodes), items: z.array(z.string()) })).optional(),
    tables: z.object({ cells: z.string(), outline: z.string() }).optional(),
  }),
  z.object({
    said: z.literal('calculated'),
    ok: z.boolean(),
    words: z.string(),
    image: z.object({ base64: z.string(), alt: z.string() }).optional(),
  }),
])

/** Next answer of the process, or the reason why there is none. */
type ReaderReply = Answer | { said: 'too_slow' | 'stopped' } | { said: 'gone' }

/**
 * Starts the process that reads documents. The first document waits until it runs. `timeMs` is the
 * time limit of each document.
 */
export function startReader(
  limits: Confines & { timeMs: number },
  { clock, log }: { clock: Pick<Clock, 'sleep'>; log: Log },
) {
  const child = spawnReader(limits)
  const hear = listenTo(child, clock)
  const lastWords = tailOf(child)
  let usable = true
  let ready = false
  const exit = exitOf(child).then((how) => {
    // Error output may quote a document. Before the first document it comes from Node, so it is
    // logged.
    if (usable)
      log.warn({ ...how, stderr: ready ? undefined : lastWords() }, 'document reader process ended')
    usable = false
    return ready ? problemOf(how) : 'not_started'
  })

  function end() {
    usable = false
    child.kill('SIGKILL')
  }
  async function answerTo({ kind, bytes }: Job, signal: AbortSignal): Promise<ReaderReply> {
    if (!ready) {
      const first = await hear(loadMs, signal)
      if (first.said !== 'ready') return first
      ready = true
    }
    // A failed send needs no handling here: the end of the process is noticed below.
    child.send({ kind, bytes: bytes.length } satisfies Request, () => {})
    child.stdin?.write(bytes)
    const begun = await hear(loadMs, signal)
    return begun.said === 'begun' ? await hear(limits.timeMs, signal) : begun
  }

  return {
    /** True if the process can read another document. */
    usable: () => usable,
    end,
    /**
     * Does one job. Callers must await the result before they ask for the next.
     *
     * Contract: never throws. Ends the process if a job is too slow or the caller aborts.
     */
    async work(job: Job, signal: AbortSignal): Promise<JobDone> {
      const heard = await answerTo(job, signal)
      if (heard.said === 'gone') {
        child.kill('SIGKILL')
        return { ok: false, problem: await exit }
      }
      if (['ready', 'begun', 'too_slow', 'stopped'].includes(heard.said)) end()
      return doneBy(heard)
    },
  }
}

function doneBy(heard: Exclude<ReaderReply, { said: 'gone' }>): JobDone {
  switch (heard.said) {
    case 'text': {
      const { said: _, ...readable } = heard
      return { ok: true, readable }
    }
    case 'calculated':
      return { calculated: { ok: heard.ok, text: heard.words, image: heard.image } }
    case 'unreadable':
    case 'too_big':
    case 'binary':
    case 'old_format':
    case 'encoding':
      return { ok: false, problem: heard.said, encoding: heard.encoding }
    case 'too_slow':
    case 'stopped':
      return { ok: false, problem: heard.said }
    case 'ready':
    case 'begun':
      // An answer out of order: this process cannot be trusted with another document.
      return { ok: false, problem: 'unreadable' }
    default:
      return assertNever(heard)
  }
}

/** Waits for the next message of the process, up to a time limit or until the signal aborts. */
function listenTo(child: ChildProcess, clock: Pick<Clock, 'sleep'>) {
  const messages = on(child, 'message', { close: ['exit'] })
  async function next(): Promise<ReaderReply> {
    try {
      const { value, done } = await messages.next()
      return (done === true ? undefined : ReaderAnswer.safeParse(value[0]).data) ?? { said: 'gone' }
    } catch {
      return { said: 'gone' }
    }
  }
  return async (ms: number, signal: AbortSignal): Promise<ReaderReply> => {
    const heard = new AbortController()
    const silence = clock.sleep(ms, AbortSignal.any([heard.signal, signal]))
    const late = silence.then(
      (): ReaderReply => ({ said: signal.aborted ? 'stopped' : 'too_slow' }),
    )
    try {
      return await Promise.race([late, next()])
    } finally {
      heard.abort()
    }
  }
}

function spawnReader(limits: Confines): ChildProcess {
  const { command, args, env } = confined(program, limits)
  const child = spawn(command, args, {
    env,
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
    // Signals of Clew's terminal must not reach it.
    detached: true,
  })
  // The process may exit before it has read all of its input.
  child.stdin?.on('error', () => {})
  return child
}

/** Exit of the process: by itself, by a signal, or a failed start. */
type Exit = { code: number | null; signal: string | null; error?: Error }

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', (error) => resolve({ code: null, signal: null, error }))
  })

/**
 * Derives the problem from an exit. Code 1 is an uncaught error in a library; running out of memory
 * ends the process by a signal.
 */
const problemOf = ({ code }: Exit): DocumentProblem => (code === 1 ? 'unreadable' : 'too_big')

const saidMost = 2_000

/** Keeps the end of the error output. */
function tailOf({ stderr }: ChildProcess): () => string {
  let tail = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-saidMost)
  })
  return () => tail.toWellFormed()
}
