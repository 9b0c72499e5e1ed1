import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { compact } from './compaction.ts'
import { configLines, verifyPromises } from './config.ts'
import { bootEngine, type Engine } from './engine.ts'
import { EmbeddedStoreError } from './errors.ts'
import { openStoreFolder, type StoreFolder } from './folder.ts'
import { failureMessage, STOP, type WorkerMessage, type WorkerSettings } from './messages.ts'
import { repairTornTail } from './repair.ts'
import { readTestedWasm } from './wasm.ts'

/** Valkey's own heartbeat (`hz 10`): expiry, time-outs, the sync of the append-only file once a second. */
const TICK_MILLISECONDS = 100
/** At a start nobody waits for the compaction, and it makes the next start faster. */
const EARLIER_AT_START = 4

const settings: WorkerSettings = workerData

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}

function log(line: string): void {
  tell({ kind: 'log', line })
}

function prepareFolder(): StoreFolder {
  const folder = openStoreFolder(settings.path)
  folder.sweep()
  const increment = folder.increment()
  const cut = increment === undefined ? 0 : repairTornTail(increment, join(settings.path, 'torn-tail'))
  if (cut > 0) log(`Cut ${cut} bytes of an unfinished, never acknowledged write off ${increment}`)
  folder.writeConfig(configLines(settings))
  return folder
}

/** A free port, on loopback only. Nobody connects before the caller's turn of the event loop is over. */
async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer({ noDelay: true, allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { server, port: address.port }
}

function adoptIncrement(folder: StoreFolder, appendFile: AppendFile, engine: Engine): void {
  const increment = folder.increment()
  if (increment === undefined || !engine.appends()) {
    throw new EmbeddedStoreError('not_durable', 'The embedded Valkey opened no append-only file, so it is not used.')
  }
  appendFile.open(increment)
}

async function run(): Promise<void> {
  const wasm = await WebAssembly.compile(await readTestedWasm())
  const folder = prepareFolder()
  const { server, port } = await listen()
  const appendFile = createAppendFile()
  let ended = false
  let due = false

  const engine = bootEngine({
    wasm,
    path: folder.path,
    port,
    appendFile,
    log,
    onEvent() {
      if (!due) setImmediate(pumpOnce)
      due = true
    },
  })
  adoptIncrement(folder, appendFile, engine)
  const local = engine.sockets.connectLocally()
  engine.command(local, 'AUTH', settings.password)
  verifyPromises(settings.strict, (...words) => engine.command(local, ...words))

  /** An engine that threw must neither run on nor answer: its memory and its file may differ. */
  function attempt(action: () => void): void {
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

  /** Once for everything that arrived in one turn of the event loop. */
  function pumpOnce(): void {
    due = false
    attempt(engine.pump)
  }

  const limit = (): number => Math.max(settings.compactAtBytes, folder.baseBytes())
  let compactAt = limit() / EARLIER_AT_START

  function compactIfDue(): void {
    const before = appendFile.size()
    if (before < compactAt) return
    const started = performance.now()
    const done = compact({ engine, local, folder, appendFile })
    compactAt = done ? limit() : before + limit() / EARLIER_AT_START
    const milliseconds = Math.round(performance.now() - started)
    log(`${done ? 'Compacted' : 'Could not compact'} ${before} bytes of append-only file in ${milliseconds} ms`)
  }

  compactIfDue()
  compactAt = Math.max(compactAt, limit())
  setInterval(() => {
    attempt(engine.pump)
    attempt(compactIfDue)
  }, TICK_MILLISECONDS)
  server.on('connection', engine.sockets.connect)
  parentPort?.on('message', (message) => {
    if (message !== STOP) return
    attempt(engine.pump)
    attempt(appendFile.sync)
    process.exit(0)
  })
  tell({ kind: 'ready', port })
}

run().catch((thrown: unknown) => tell(failureMessage(thrown)))
