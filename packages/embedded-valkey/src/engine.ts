import type { AppendFile } from './append-file.ts'
import { EmbeddedStoreError, messageOf } from './errors.ts'
import { CONFIG_NAME, WHAT_TO_DO } from './folder.ts'
import { createSockets, type LocalConnection } from './sockets.ts'
import { createSystem, MOUNT } from './system.ts'

/**
 * Address of scratch room for two strings: the far end of the engine's stack, which it never
 * reaches.
 */
const SCRATCH_ADDRESS = 64

/**
 * The running Valkey. All of it is synchronous: nothing happens inside the engine between two
 * calls.
 */
export type Engine = ReturnType<typeof bootEngine>

export interface EngineOptions {
  wasm: WebAssembly.Module
  /** The store's folder, with the configuration file in it. */
  path: string
  /** Port on which the host listens; the engine only repeats it in INFO. */
  port: number
  appendFile: AppendFile
  log: (line: string) => void
}

/**
 * Boots Valkey from WebAssembly: it reads the configuration file, loads the data and is ready for
 * clients.
 *
 * @throws EmbeddedStoreError `wrong_engine`, or `corrupt` when the engine refuses the data.
 */
export function bootEngine(options: EngineOptions) {
  const memory = createMemoryView()
  const sockets = createSockets(memory.view)
  const system = createSystem({ ...options, memory: memory.view })
  const instance = new WebAssembly.Instance(options.wasm, {
    wasi_snapshot_preview1: system.imports,
    host: sockets.imports,
    env: exceptionTags(),
  })
  memory.attach(instance)
  system.initialize(instance)
  includeConfigFile(memory.view())
  const boot = exportedFunction(instance, 'rk_boot')
  const step = exportedFunction(instance, 'rk_step')
  try {
    boot(options.port)
  } catch (thrown) {
    throw new EmbeddedStoreError(
      'corrupt',
      `Valkey could not load ${options.path}: ${system.lastLine() || messageOf(thrown)}. ${WHAT_TO_DO}`,
      { cause: thrown },
    )
  }

  /** Reads, executes, appends and answers until there is nothing left to do. */
  function pump() {
    // A step sends what is due, then polls for input and executes it. The answers leave in the next
    // step.
    do step()
    while (sockets.busy())
  }

  return {
    sockets,
    pump,
    /**
     * Sends one command from within the process and returns the answer as it would be on the wire.
     */
    command(connection: LocalConnection, ...words: readonly string[]) {
      connection.send(Buffer.from(`*${words.length}\r\n${words.map(bulkString).join('')}`))
      pump()
      return connection.take()
    },
    /** True if the engine writes an append-only file. */
    appends: system.appends,
  }
}

/**
 * Tag of the WebAssembly exceptions by which Lua throws. The DOM types do not yet know that tags
 * can be imported.
 */
function exceptionTags(): WebAssembly.ModuleImports {
  const tags: WebAssembly.ModuleImports = {}
  Object.assign(tags, { __c_longjmp: new WebAssembly.Tag({ parameters: ['i32'] }) })
  return tags
}

function bulkString(word: string): string {
  return `$${Buffer.byteLength(word)}\r\n${word}\r\n`
}

/** View of the engine's memory. It moves whenever it grows, so every reader asks for it anew. */
function createMemoryView(): { view: () => Buffer; attach(instance: WebAssembly.Instance): void } {
  let memory: WebAssembly.Memory | undefined
  let view = Buffer.alloc(0)
  return {
    view() {
      if (memory && view.buffer !== memory.buffer) view = Buffer.from(memory.buffer)
      return view
    },
    attach(instance) {
      const exported = instance.exports.memory
      if (!(exported instanceof WebAssembly.Memory)) throw unexpected('it exports no memory')
      memory = exported
    },
  }
}

/**
 * Makes the engine read our configuration file.
 *
 * `rk_boot` has no parameter for it. It starts the server with a fixed table of arguments,
 * `--appendonly no` among them, and turning the append-only file on later needs `fork`. So this
 * pair of the table becomes `--include <file>`.
 */
function includeConfigFile(memory: Buffer) {
  const option = memory.indexOf('\0--appendonly\0', 0, 'latin1') + 1
  const pointer = Buffer.alloc(4)
  pointer.writeUInt32LE(option)
  const entry = option === 0 ? -1 : memory.indexOf(pointer)
  const value = entry === -1 ? 0 : memory.readUInt32LE(entry + 4)
  if (memory.toString('latin1', value, value + 3) !== 'no\0')
    throw unexpected('its argument table is not where it was')
  const include = '--include\0'
  memory.write(`${include}${MOUNT}/${CONFIG_NAME}\0`, SCRATCH_ADDRESS, 'latin1')
  memory.writeUInt32LE(SCRATCH_ADDRESS, entry)
  memory.writeUInt32LE(SCRATCH_ADDRESS + include.length, entry + 4)
}

function exportedFunction(
  instance: WebAssembly.Instance,
  name: string,
): (...values: number[]) => unknown {
  const found = instance.exports[name]
  if (typeof found !== 'function') throw unexpected(`it does not export ${name}`)
  return (...values) => found(...values)
}

function unexpected(what: string): EmbeddedStoreError {
  return new EmbeddedStoreError(
    'wrong_engine',
    `This build of Valkey cannot be used: ${what}. Run "npm ci" again.`,
  )
}
