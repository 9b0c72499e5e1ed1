import { existsSync } from 'node:fs'
import { WASI } from 'node:wasi'
import type { AppendFile } from './append-file.ts'

/** Path at which the engine sees the store's folder. */
export const MOUNT = '/data'
const SUCCESS = 0
const APPEND_FLAG = 1
const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
const VECTOR_BYTES = 8

/** Thrown when the engine asks to exit, so that none of it runs on. */
class EngineExit extends Error {
  override readonly name = 'EngineExit'
}

/**
 * The operating system as the engine sees it: Node's WASI, except for the append-only file, the
 * printed lines and exit.
 */
export function createSystem(options: {
  path: string
  memory: () => Buffer
  appendFile: AppendFile
  log: (line: string) => void
}) {
  const { memory, appendFile } = options
  const wasi = new WASI({ version: 'preview1', preopens: preopens(options.path) })
  const printed = createLines(options.log)
  let appendDescriptor = -1

  const isAppendFile = (descriptor: number) =>
    descriptor === appendDescriptor && appendFile.isOpen()

  function write(descriptor: number, vectors: number, count: number, result: number): number {
    const parts = partsAt(memory(), vectors, count)
    const print = descriptor === STANDARD_OUTPUT || descriptor === STANDARD_ERROR
    if (!print && !isAppendFile(descriptor))
      return wasi.wasiImport.fd_write?.(descriptor, vectors, count, result)
    memory().writeUInt32LE(print ? printed.add(parts) : appendFile.write(parts), result)
    return SUCCESS
  }

  return {
    /** The module `wasi_snapshot_preview1` that the engine imports. */
    imports: {
      ...definedFunctions(wasi.wasiImport),
      fd_write: write,
      fd_sync(descriptor: number): number {
        if (!isAppendFile(descriptor)) return wasi.wasiImport.fd_sync?.(descriptor)
        appendFile.sync()
        return SUCCESS
      },
      path_open(...values: (number | bigint)[]) {
        const status: number = wasi.wasiImport.path_open?.(...values)
        const [flags, result] = values.slice(-2)
        if (status === SUCCESS && Number(flags) & APPEND_FLAG)
          appendDescriptor = memory().readUInt32LE(Number(result))
        return status
      },
      proc_exit(status: number): never {
        throw new EngineExit(`Valkey ended with status ${status}: ${printed.last()}`)
      },
    },
    initialize: (instance: WebAssembly.Instance) => wasi.initialize(instance),
    /**
     * True if the engine has opened a file to append to. It does so for the append-only file alone.
     */
    appends: () => appendDescriptor !== -1,
    /** Last line that the engine printed, which says why it ended. */
    lastLine: printed.last,
  }
}

/** Folders that the engine sees. `/dev` gives it its random seed. */
function preopens(path: string): Record<string, string> {
  return existsSync('/dev/urandom') ? { [MOUNT]: path, '/dev': '/dev' } : { [MOUNT]: path }
}

function definedFunctions(
  imports: NodeJS.Dict<WebAssembly.ImportValue>,
): WebAssembly.ModuleImports {
  const defined: WebAssembly.ModuleImports = {}
  for (const [name, value] of Object.entries(imports))
    if (value !== undefined) defined[name] = value
  return defined
}

/** Views into the engine's memory, valid until the engine runs on. */
function partsAt(memory: Buffer, vectors: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const from = memory.readUInt32LE(vectors + index * VECTOR_BYTES)
    return memory.subarray(from, from + memory.readUInt32LE(vectors + index * VECTOR_BYTES + 4))
  })
}

function createLines(log: (line: string) => void): {
  add(parts: Buffer[]): number
  last(): string
} {
  let rest = ''
  let last = ''
  return {
    add(parts) {
      const bytes = Buffer.concat(parts)
      const lines = (rest + bytes.toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.map(withoutPrefix).filter((text) => text !== '')) {
        last = line
        log(line)
      }
      return bytes.length
    },
    last: () => last,
  }
}

/**
 * Line without Valkey's prefix of process id, role, date and level: `42:M 20 Nov 2025 11:02:03.004
 * # `.
 */
function withoutPrefix(line: string): string {
  return line.replace(/^\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ [.*#-] /, '').trim()
}
