import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundleServer } from '../../scripts/server-bundle.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { table } from './table.ts'

const root = join(import.meta.dirname, '../..')
const rounds = 5

/** A start: until it answers `/healthz`, processor time of all its threads, and memory some seconds later. */
interface Start {
  ms: number
  cpuMs: number
  mb: number
}

/** Starts from the sources and from the bundle in turn (C591), on the embedded store and on a Redis. */
export async function printStarts(redisServer: string): Promise<void> {
  const server = await startNativeRedis(redisServer)
  // Below the root, where packages are found.
  const folder = mkdtempSync(join(root, 'node_modules/.clew-start-'))
  const data = mkdtempSync(join(tmpdir(), 'clew-start-'))
  await bundleServer(root, 'ts', folder)
  const bundled = join(folder, 'start.mjs')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const lines = [
    "import module from 'node:module'",
    'module.enableCompileCache()',
    "await import('./main.js')",
  ]
  writeFileSync(bundled, lines.join('\n'))
  const sources = join(root, 'start.mjs')
  const embedded: Record<string, string> = {}
  const redis = { REDIS_URL: server.url(0) }
  const ways = [
    { name: 'sources, embedded store', entry: sources, env: embedded },
    { name: 'bundle, embedded store', entry: bundled, env: embedded },
    { name: 'sources, a Redis', entry: sources, env: redis },
    { name: 'bundle, a Redis', entry: bundled, env: redis },
  ].map((way, at) => ({ ...way, starts: [] as Start[], folder: join(data, String(at)) }))
  try {
    for (const way of ways) await startOnce(way, 0)
    for (let round = 0; round < rounds; round++)
      for (const way of ways) way.starts.push(await startOnce(way, round < 2 ? 4_000 : 0))
    print(ways)
  } finally {
    rmSync(folder, { recursive: true })
    rmSync(data, { recursive: true })
    await server.stop()
  }
}

function print(ways: readonly { name: string; starts: readonly Start[] }[]): void {
  const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
  const shown = (all: readonly number[]) =>
    `${Math.round(median(all))} (${Math.round(Math.min(...all))})`
  const rows = ways.map(({ name, starts }) => [
    name,
    shown(starts.map(({ ms }) => ms)),
    shown(starts.map(({ cpuMs }) => cpuMs)),
    shown(starts.slice(0, 2).map(({ mb }) => mb)),
  ])
  console.log(
    `${rounds} rounds in turn, median (least); load of the machine ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(table(['start from', 'ms to /healthz', 'processor ms', 'MB when idle'], rows))
}

/** Starts Clew once, and stops it after it has been idle for a while. */
export async function startOnce(
  { entry, env, folder }: { entry: string; env: Record<string, string>; folder: string },
  idleMs: number,
): Promise<Start> {
  const port = String(20_000 + Math.floor(Math.random() * 10_000))
  const began = performance.now()
  const child = fork(entry, [], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: port, ...env },
    silent: true,
  })
  const isUp = async () =>
    (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok === true
  while (!(await isUp())) await wait(5)
  const ms = performance.now() - began
  const ticks = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  await wait(idleMs)
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
  return { ms, cpuMs: (Number(ticks[11]) + Number(ticks[12])) * 10, mb: Number(kb ?? 0) / 1_024 }
}
