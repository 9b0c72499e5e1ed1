import type { Redis } from 'ioredis'
import type { Page } from './page.ts'
import type { Part } from './process.ts'
import { goalOf, stepsPerItem } from './script.ts'

const base = 'clew:{web:local}:'

/** What a number of runs at once cost Clew, from the first message to the last report shown. */
export interface Cost {
  runs: number
  /** Committed model and tool calls of all runs: the plan, every thought, tool call and replan. */
  steps: number
  ms: number
  cpuMs: number
  /** Bytes of the content of every record, and of the page's event log, when the runs have ended. */
  rowBytes: number
  logBytes: number
  /** Growth of the append-only file. */
  fileBytes: number
}

export interface Bench {
  clew: Part<string>
  page: Page
  redis: Redis
}

export const stepsOf = (runs: number, items: number) => runs * (1 + items * stepsPerItem)

/** Starts runs by their people's messages and waits until every report has been shown. */
export async function work({ clew, page }: Bench, runs: number, items: number): Promise<void> {
  const shown = page.reports(runs)
  await Promise.all(Array.from({ length: runs }, () => say(clew.ready, goalOf(items, 0))))
  await shown
}

export async function measure(bench: Bench, runs: number, items: number): Promise<Cost> {
  const { clew, redis } = bench
  const rowsBefore = await contentBytes(redis)
  const fileBefore = await appendFileBytes(redis)
  const { cpu: before } = await clew.ask<{ cpu: NodeJS.CpuUsage }>({})
  const began = performance.now()
  await work(bench, runs, items)
  const ms = performance.now() - began
  const { cpu: after } = await clew.ask<{ cpu: NodeJS.CpuUsage }>({})
  const rows = await contentBytes(redis)
  return {
    runs,
    steps: stepsOf(runs, items),
    ms,
    cpuMs: (after.user + after.system - before.user - before.system) / 1000,
    rowBytes: rows.rows - rowsBefore.rows,
    logBytes: rows.log - rowsBefore.log,
    fileBytes: (await appendFileBytes(redis)) - fileBefore,
  }
}

let said = 0

/** A first message of a new thread; answers how long its acknowledgement took. */
export async function say(url: string, text: string): Promise<number> {
  const began = performance.now()
  said += 1
  const response = await fetch(`${url}/api/conversations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text, clientMessageId: `bench ${process.pid} ${said}` }),
  })
  await response.arrayBuffer()
  if (response.status !== 202) throw new Error(`a message got ${response.status}`)
  return performance.now() - began
}

async function appendFileBytes(redis: Redis): Promise<number> {
  return Number(/aof_current_size:(\d+)/.exec(await redis.info('persistence'))?.[1] ?? 0)
}

/** The lengths of everything that is stored, without what Redis itself needs to keep it. */
async function contentBytes(redis: Redis): Promise<{ rows: number; log: number }> {
  const keys = (await redis.keys(`${base}*`)).filter((key) => !key.includes(':seen:'))
  const sizes = await Promise.all(
    keys.map(async (key) => ({ key, bytes: await bytesOf(redis, key) })),
  )
  const sum = (some: typeof sizes) => some.reduce((total, { bytes }) => total + bytes, 0)
  const isLog = ({ key }: { key: string }) => key === `${base}events`
  return { rows: sum(sizes.filter((one) => !isLog(one))), log: sum(sizes.filter(isLog)) }
}

async function bytesOf(redis: Redis, key: string): Promise<number> {
  const length = (texts: readonly string[]) =>
    texts.reduce((total, text) => total + Buffer.byteLength(text), 0)
  switch (await redis.type(key)) {
    case 'hash':
      return length(Object.entries(await redis.hgetall(key)).flat())
    case 'list':
      return length(await redis.lrange(key, 0, -1))
    case 'zset':
      return length(await redis.zrange(key, '0', '-1'))
    case 'stream':
      return length((await redis.xrange(key, '-', '+')).flatMap(([id, fields]) => [id, ...fields]))
    default:
      return 0
  }
}
