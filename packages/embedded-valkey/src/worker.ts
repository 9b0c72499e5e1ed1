import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerMessage, WorkerSettings } from '../index.ts'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { createCompactor } from './compaction.ts'
import { configLines, verifyPromises } from './config.ts'
import { takeCensus } from './counts.ts'
import { bootEngine, type Engine } from './engine.ts'
import { EmbeddedStoreError } from './errors.ts'
import { type StoreFolder, setAside } from './folder.ts'
import { giveMemoryBack } from './heap.ts'
import { named } from './host.ts'
import { acceptance, refusal } from './loss.ts'
import { type Opened, openFolder } from './opening.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { readTestedWasm } from './wasm.ts'

/**
 * Interval of Valkey's own heartbeat (`hz 10`): expiry, time-outs, the sync of the append-only file
 * once a second.
 */
const TICK_MILLISECONDS = 100

const NEEDLESS =
  '{acceptLoss} is set although no data is missing; take it out, so that the next loss is asked about.'

const settings: WorkerSettings = workerData

function tell(message: WorkerMessage) {
  parentPort?.postMessage(message)
}

function log(line: string) {
  tell({ kind: 'log', line })
}

/** Turns an error into a message, as an error loses its class between threads. */
function failureMessage(thrown: unknown): WorkerMessage {
  if (thrown instanceof EmbeddedStoreError)
    return { kind: 'failed', code: thrown.code, message: named(thrown.message, settings.names) }
  const message = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  return { kind: 'failed', code: 'crashed', message: `The embedded Valkey ended: ${message}` }
}

/**
 * Loads the folder. If it cannot be loaded and a person has accepted that, it is moved aside for an
 * empty one.
 */
function load(boot: (path: string) => Engine): Opened & { engine: Engine } {
  const attempt = (): Opened & { engine: Engine } => {
    const opened = openFolder(settings, log)
    opened.folder.writeConfig(configLines(settings))
    return { ...opened, engine: boot(opened.folder.path) }
  }
  try {
    return attempt()
  } catch (thrown) {
    if (
      !settings.acceptLoss ||
      !(thrown instanceof EmbeddedStoreError) ||
      thrown.code !== 'corrupt'
    )
      throw thrown
    const aside = setAside(settings.path)
    const loaded = attempt()
    const note = `${thrown.message} That is what {program} does, because {acceptLoss} is set: it starts empty, and the files are in ${aside}.`
    return { ...loaded, notes: [note, ...loaded.notes] }
  }
}

/** Listens on a free port, on loopback only. No client knows the port before `ready`. */
async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer({ noDelay: true, allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { server, port: address.port }
}

function adoptIncrement(folder: StoreFolder, appendFile: AppendFile, engine: Engine) {
  const increment = folder.increment()
  if (increment === undefined || !engine.appends()) {
    throw new EmbeddedStoreError(
      'not_durable',
      'The embedded Valkey opened no append-only file, so it is not used.',
    )
  }
  appendFile.open(increment)
  appendFile.sync()
}

async function run() {
  const wasm = await WebAssembly.compile(await readTestedWasm())
  const { server, port } = await listen()
  const appendFile = createAppendFile()
  const opened = load((path) => bootEngine({ wasm, path, port, appendFile, log }))
  const { engine, folder, known } = opened
  adoptIncrement(folder, appendFile, engine)
  const local = engine.sockets.connectLocally()
  engine.command(local, 'AUTH', settings.password)
  verifyPromises(settings.strict, (...words) => engine.command(local, ...words))
  const notes = notesOf(opened, takeCensus(engine, local, settings.census))
  const recorder = createRecorder({
    engine,
    local,
    folder,
    appendFile,
    known,
    census: settings.census,
    log,
  })
  await recorder.settle()
  const { compactAtBytes } = settings
  const now = () => performance.now()
  const compactIfDue = createCompactor({
    engine,
    local,
    folder,
    appendFile,
    compactAtBytes,
    now,
    log,
  })
  serve({ server, engine, recorder, compactIfDue })
  tell({ kind: 'ready', port, notes: notes.map((note) => named(note, settings.names)) })
  giveMemoryBack()
}

/** Accepts clients until the thread is asked to stop. */
function serve(parts: {
  server: Server
  engine: Engine
  recorder: Recorder
  compactIfDue: () => void
}) {
  const { server, engine, recorder, compactIfDue } = parts
  let ended = false
  let due = false

  /**
   * Runs an action unless the engine has thrown. After that it must neither run on nor answer: its
   * memory and its file may differ.
   */
  function attempt(action: () => void) {
    if (ended) return
    try {
      action()
    } catch (thrown) {
      ended = true
      server.close()
      engine.sockets.closeAll()
      tell(failureMessage(thrown))
    }
  }
  /** Schedules one pump for everything that arrives in one turn of the event loop. */
  function pumpSoon() {
    if (!due) setImmediate(pump)
    due = true
  }
  function pump() {
    due = false
    attempt(engine.pump)
  }

  setInterval(() => {
    attempt(engine.pump)
    attempt(compactIfDue)
    attempt(recorder.tick)
  }, TICK_MILLISECONDS)
  server.on('connection', (socket) => engine.sockets.connect(socket, pumpSoon))
  parentPort?.once('message', () => {
    attempt(engine.pump)
    if (ended) process.exit(0)
    ended = true
    server.close()
    recorder.settle().then(
      () => process.exit(0),
      (thrown: unknown) => tell(failureMessage(thrown)),
    )
  })
}

/**
 * Notes about what the start found.
 *
 * @throws EmbeddedStoreError `incomplete` when data is missing and nobody has accepted that.
 */
function notesOf({ loss, notes }: Opened, found: readonly number[]): string[] {
  if (loss !== null && !settings.acceptLoss) throw refusal(loss, found, settings.census)
  if (loss !== null) return [...notes, acceptance(loss, found, settings.census)]
  return settings.acceptLoss && notes.length === 0 ? [NEEDLESS] : notes
}

run().catch((thrown: unknown) => tell(failureMessage(thrown)))
