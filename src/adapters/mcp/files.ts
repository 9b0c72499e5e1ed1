import { readFile, stat } from 'node:fs/promises'
import { anyText } from '../../agent/domain/text-bytes.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Variables } from '../variables.ts'
import type { McpServers } from './servers.ts'
import { readServersFile, type ServerSpec } from './servers-file.ts'

/** Poll interval for the files, in milliseconds. Changes apply without a restart. */
const lookEveryMs = 2_000

/** Path of a file; a missing one counts as empty unless it is `required`. */
export interface ServersPath {
  path: string
  required: boolean
}

/** Reads the files once; if two servers have the same name, the first file wins. */
export async function readServersFiles(files: readonly ServersPath[], env: Variables) {
  const read = await Promise.all(files.map((file) => readOne(file, env)))
  const specs = new Map<string, ServerSpec>()
  const doubled: string[] = []
  for (const [index, { servers: found }] of read.entries())
    for (const spec of found) {
      if (specs.has(spec.name))
        doubled.push(`${files[index]?.path}: ${spec.name} is in an earlier file already`)
      else specs.set(spec.name, spec)
    }
  const problems = [...read.flatMap((one) => one.problems), ...doubled]
  return { specs: [...specs.values()], problems }
}

/**
 * Keeps the running servers in line with the files, which may appear, change and disappear.
 */
export async function watchServersFiles(
  servers: Pick<McpServers, 'use'>,
  deps: {
    files: readonly ServersPath[]
    env: Variables
    clock: Pick<Clock, 'every'>
    log: Log
  },
) {
  const { files, env, clock, log } = deps
  let seen = ''
  let problems: readonly string[] = []

  async function look() {
    const now = JSON.stringify(await Promise.all(files.map(({ path }) => stampOf(path))))
    if (now === seen) return
    seen = now
    const read = await readServersFiles(files, env)
    problems = read.problems
    for (const problem of problems) log.warn({}, `MCP: ${problem}`)
    await servers.use(read.specs)
  }
  await look()
  const stop = clock.every(lookEveryMs, () =>
    look().catch((error) => log.warn({ err: error }, 'MCP server files not read')),
  )
  return {
    /** Returns the current problems of the files, one sentence each. */
    problems: () => problems,
    stop,
  }
}

/** Returns a stamp that changes with the file, or `null` if there is none. */
const stampOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => null,
  )

async function readOne({ path, required }: ServersPath, env: Variables) {
  const text = await readFile(path).then(anyText, () => null)
  if (text === null) return { servers: [], problems: required ? [`${path} cannot be read`] : [] }
  return readServersFile(text, { file: path, env })
}
