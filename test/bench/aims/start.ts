import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Figure, Spent, World } from './world.ts'

/** The second start on the same folder as people start it, with the embedded store and nothing set. */
export async function start({ settings }: World): Promise<Figure[]> {
  const folder = join(settings.DATA_DIR ?? '', 'embedded')
  await startOnce(folder, 0)
  const { ms, cpuMs, mb } = await startOnce(folder, 5_000)
  return [
    { what: 'start to /healthz, warm, embedded', now: ms, aim: 450, unit: 'ms' },
    { what: 'the same, processor time of all its threads', now: cpuMs, aim: 450, unit: 'ms' },
    { what: 'memory when idle', now: mb, aim: 120, unit: 'MB' },
  ]
}

async function startOnce(folder: string, idleMs: number): Promise<Spent & { mb: number }> {
  const port = String(20_000 + Math.floor(Math.random() * 10_000))
  const began = performance.now()
  const child = fork(new URL('../../../start.mjs', import.meta.url), [], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: port },
    silent: true,
  })
  const isUp = async () =>
    (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok === true
  while (!(await isUp())) await wait(5)
  const ms = performance.now() - began
  const ticks = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  await wait(idleMs)
  const kb = Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0,
  )
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
  return { ms, cpuMs: (Number(ticks[11]) + Number(ticks[12])) * 10, mb: kb / 1_024 }
}
