import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, onTestFinished } from 'vitest'
import type { McpServers } from '../../../src/adapters/mcp/servers.ts'
import { createMcpServers } from '../../../src/adapters/mcp/servers.ts'
import { readServersFile, type ServerSpec } from '../../../src/adapters/mcp/servers-file.ts'
import type { Log } from '../../../src/agent/ports/log.ts'
import type { ToolContext } from '../../../src/agent/ports/tool.ts'
import type { SignedServer } from '../../fakes/mcp/signed.ts'
import { createFastClock } from '../../soak/clock.ts'

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const installed = (name: string) =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`))

/** What a server has compiled is there for the next one. */
const { NODE_COMPILE_CACHE = '' } = process.env
const env = { NODE_COMPILE_CACHE }

/** Servers of the protocol's own reference set, as the packages are installed. */
export const reference = {
  everything: () => ({ command: process.execPath, args: [installed('server-everything')], env }),
  filesystem: (folder: string) => ({
    command: process.execPath,
    args: [installed('server-filesystem'), folder],
    env,
  }),
}

/** Tells its process id before it becomes the server, so that a test can kill it. */
export const withPid = (
  { command, args }: { command: string; args: string[] },
  pidFile: string,
) => ({
  command: 'sh',
  args: ['-c', 'echo $$ > "$0"; exec "$@"', pidFile, command, ...args],
})

export interface Bench {
  folder: string
  servers: McpServers
  logs: string[]
  /** The entry of the fake server. */
  fake(habit?: 'stubborn'): { command: string; args: string[] }
  use(entries: Record<string, object>, env?: Record<string, string>): Promise<ServerSpec[]>
  pid(): Promise<number>
  journal(): Promise<string[]>
}

/** Time goes ten times as fast, so that a server is back soon. */
export function useBench(): () => Promise<Bench> {
  const open: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-mcp-'))
    const logs: string[] = []
    const note = (fields: object, line: string) =>
      void logs.push(`${line} ${JSON.stringify(fields)}`)
    const log: Log = { debug: note, info: note, warn: note, error: note }
    const clock = createFastClock(10)
    const servers = createMcpServers({ clock, log })
    open.push(
      () => rm(folder, { recursive: true, force: true }),
      async () => clock.end(),
      () => servers.stop(),
    )
    const [journal, pidFile] = [join(folder, 'journal'), join(folder, 'pid')]
    return {
      folder,
      servers,
      logs,
      fake: (habit) => ({
        command: process.execPath,
        args: [
          program('../../fakes/mcp/stdio.ts'),
          journal,
          pidFile,
          ...(habit === undefined ? [] : [habit]),
        ],
      }),
      async use(entries, env = {}) {
        const read = readServersFile(JSON.stringify({ mcpServers: entries }), {
          file: 'mcp.json',
          env,
        })
        if (read.problems.length > 0) throw new Error(read.problems.join())
        await servers.use(read.servers)
        await servers.tried()
        return read.servers
      },
      pid: async () => Number(await readFile(pidFile, 'utf8')),
      journal: async () =>
        (await readFile(journal, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    }
  }
}

/** Path of a file that names these servers, for a whole Clew. */
export async function serversFile(mcpServers: Record<string, object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-servers-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'mcp.json')
  await writeFile(path, JSON.stringify({ mcpServers }))
  return path
}

/**
 * Does what a browser does with the link of a sign-in: goes on, agrees as `as` and comes back.
 *
 * @param between what happens before it comes back.
 */
export async function signInBy(
  link: string,
  {
    desk,
    as,
    between = async () => {},
  }: { desk: SignedServer; as: string; between?(): Promise<void> },
): Promise<string> {
  const gone = await fetch(link, { method: 'POST', redirect: 'manual' })
  const cookie = gone.headers.get('set-cookie')?.split(';')[0] ?? ''
  desk.visitor = as
  const agreed = await fetch(gone.headers.get('location') ?? '', { redirect: 'manual' })
  await between()
  const back = await fetch(agreed.headers.get('location') ?? '', { headers: { cookie } })
  return await back.text()
}

/** Link of a sign-in in what its person is shown. */
export const linkIn = (shown: unknown): string =>
  /http[^\s"]+\/mcp\/sign-in\?state=[\w-]+/.exec(JSON.stringify(shown))?.[0] ?? ''

/** Looks again until it holds; a test that waits in vain ends by its own time-out. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20)
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const context = (signal = new AbortController().signal): ToolContext => ({
  ...{
    workspace: 'w',
    channel: 'c',
    conversationId: 'k',
    person: null,
    locale: 'en',
    timeZone: 'UTC',
  },
  ...{ now: 0, effectId: 'x' },
  signal,
})
