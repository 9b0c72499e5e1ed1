import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NativeRedis, startNativeRedis } from '../../support/native-redis.ts'
import { redisServer } from '../../support/programs.ts'
import { type Part, startPart } from '../process.ts'

/** A row of the table of aims, as one round measures it. */
export interface Figure {
  what: string
  now: number
  aim: number
  unit: string
  /** The aim is the least and not the most. */
  atLeast?: true
}

/** What a measurement has for itself: a server, a folder, and the model's endpoint of the bench. */
export interface World {
  settings: Record<string, string>
  program: string
  server: NativeRedis
  /** How often the model has been asked. */
  modelCalls(): Promise<number>
  /** Clew in a process of its own; `ready` is its address where it serves the page. */
  startClew(more?: Record<string, string>): Promise<Part<string>>
}

export async function withWorld<T>(measure: (world: World) => Promise<T>): Promise<T> {
  if (redisServer === null) throw new Error('there is no redis-server')
  const folder = mkdtempSync(join(tmpdir(), 'clew-aims-'))
  const server = await startNativeRedis(redisServer)
  const endpoint = await startPart<number>(new URL('../server.ts', import.meta.url), {})
  const settings = {
    REDIS_URL: server.url(),
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_BASE_URL: `http://127.0.0.1:${endpoint.ready}/v1`,
    OPENAI_MODEL: 'bench',
    AGENT_REPLAN_SKIPS: '0',
    AGENT_MAX_STEPS: '1000',
    AGENT_MAX_MODEL_CALLS: '1000',
    AGENT_MAX_TOOL_CALLS: '1000',
  }
  const parts: Part<string>[] = []
  const startClew = async (more: Record<string, string> = {}) => {
    const own = { DATA_DIR: join(folder, `clew-${parts.length}`) }
    const clew = await startPart<string>(new URL('../clew.ts', import.meta.url), {
      ...settings,
      ...own,
      ...more,
    })
    parts.push(clew)
    return clew
  }
  try {
    const modelCalls = () => endpoint.ask<number>({})
    return await measure({ settings, program: redisServer, server, startClew, modelCalls })
  } finally {
    for (const part of parts) await part.end()
    await endpoint.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Spent {
  ms: number
  cpuMs: number
}

/** Time and processor time that a part takes for something. */
export async function spentOn(clew: Part<string>, what: () => Promise<unknown>): Promise<Spent> {
  const cpuOf = async () => {
    const { cpu } = await clew.ask<{ cpu: NodeJS.CpuUsage }>({})
    return (cpu.user + cpu.system) / 1_000
  }
  const before = await cpuOf()
  const began = performance.now()
  await what()
  const ms = performance.now() - began
  return { ms, cpuMs: (await cpuOf()) - before }
}

export const inTurn = async (times: number, work: () => Promise<unknown>) => {
  for (let done = 0; done < times; done++) await work()
}

/** @param share 0.99: the value that 99 of 100 stay below. */
export const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
