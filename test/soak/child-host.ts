import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IntakeResult } from '../../src/agent/ports/channel.ts'
import { type Host, mergeCounts } from './host.ts'
import type { LifeOptions } from './instance.ts'
import type { ChildMessage, Report } from './messages.ts'
import { nameOf, type Target } from './points.ts'

export interface ChildHost extends Host {
  /** The process that lives now, for signals. */
  process(): ChildProcess
  /** Ends it by SIGKILL, wherever it is; the next life begins. */
  kill(): Promise<void>
  /** Commits that were refused because somebody else held the item by then; of lives that ended by themselves. */
  fenced(): number
}

const program = fileURLToPath(new URL('./child.ts', import.meta.url))
const imports = new URL('../../src/imports.ts', import.meta.url).href

/** Lives in child processes, each ended by its own kill -9 at its target; the next one starts at once, unless told not to. */
export async function startChildHost(
  options: Omit<LifeOptions, 'target'>,
  targets: readonly Target[],
  { revive = true }: { revive?: boolean } = {},
): Promise<ChildHost> {
  const counts = new Map<string, number>()
  const crashes: string[] = []
  const report = join(options.folder, `${options.worker}-counts.json`)
  const asked = new Map<
    number,
    { resolve(result: IntakeResult): void; reject(error: Error): void }
  >()
  let number = 0
  let fenced = 0
  let url: string | null = null
  let closing = false
  let stopping = false
  let child = spawn()
  let rising = up(child)

  function spawn(): ChildProcess {
    const target = targets[crashes.length] ?? null
    const life: LifeOptions = { ...options, target, report }
    const made = fork(program, [], {
      // As `start.mjs` does it: nothing of ours is searched for, and what a life compiled, the next one need not.
      execArgv: ['--import', imports],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(tmpdir(), 'clew-soak-compiled'),
        CLEW_LIFE: JSON.stringify(life),
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    made.on('message', (message: ChildMessage) => hear(message))
    made.once('exit', (code, signal) => ended({ target, code, signal }))
    return made
  }
  function hear(message: ChildMessage) {
    if (message.kind === 'up') {
      url = message.url
      return
    }
    const one = asked.get(message.number)
    asked.delete(message.number)
    if (message.kind === 'taken') one?.resolve(message.result)
    else one?.reject(new Error(message.why))
  }
  function ended({
    target,
    code,
    signal,
  }: {
    target: Target | null
    code: number | null
    signal: string | null
  }) {
    url = null
    for (const one of asked.values()) one.reject(new Error('Clew went down'))
    asked.clear()
    if (existsSync(report)) take(JSON.parse(readFileSync(report, 'utf8')) as Report)
    if (signal === 'SIGKILL') {
      crashes.push(target === null ? 'killed from outside' : nameOf(target))
      if (target !== null) mergeCounts(counts, [[target.point, target.hit]])
    } else if (!stopping) {
      rising = Promise.reject(new Error(`the child ended with ${code ?? signal}`))
      rising.catch(() => {})
    }
    if (closing || !revive || (signal !== 'SIGKILL' && !stopping)) return
    stopping = false
    child = spawn()
    rising = up(child)
  }
  function take(of: Report) {
    mergeCounts(counts, of.counts)
    fenced += of.fenced
    rmSync(report)
  }
  /** Resolves when this life listens, or has ended. */
  async function up(one: ChildProcess): Promise<void> {
    const listening = new Promise<void>((resolve) =>
      one.on('message', (message: ChildMessage) => message.kind === 'up' && resolve()),
    )
    await Promise.race([listening, once(one, 'exit')])
  }
  async function settled(): Promise<ChildProcess> {
    for (let seen = null; seen !== rising; ) {
      seen = rising
      await seen
    }
    return child
  }
  async function stop(): Promise<void> {
    const one = await settled()
    stopping = true
    one.kill('SIGTERM')
    await once(one, 'exit')
  }

  await settled()
  return {
    crashes,
    counts,
    url: () => url,
    process: () => child,
    fenced: () => fenced,
    async intake(event) {
      const one = await settled()
      return await new Promise((resolve, reject) => {
        number += 1
        asked.set(number, { resolve, reject })
        one.send({ number, event })
      })
    },
    async bounce() {
      await stop()
      await settled()
    },
    async kill() {
      const one = await settled()
      one.kill('SIGKILL')
      await once(one, 'exit')
    },
    async close() {
      await settled()
      closing = true
      await stop()
    },
  }
}
