import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startNativeRedis } from '../../support/native-redis.ts'
import { installPackages } from '../install.ts'
import { monitor } from '../monitor.ts'
import { startPart } from '../process.ts'
import { table } from '../table.ts'
import type { Cost } from './contender.ts'
import packages from './package.json' with { type: 'json' }
import { callsOf } from './script.ts'

/*
 * `npm run bench -- peers`: Clew beside what others would take for the same task, on one neutral script (`script.ts`). Each
 * contender in a process of its own that is there only while it is measured; several rounds, in turn; the median of each.
 */

const rounds = 5
/** Runs to warm up, those that are timed one at a time and `width` at a time, and those whose commands are counted. */
const [warmUp, timed, counted, width] = [32, 48, 16, 16]

/** File and strategy, the name, and what it does not do of what a team needs. */
const contenders = [
  ['floor', 'floor', 'By hand: appends each step. No checks, no retries, no fence; shows nothing.'],
  [
    'queue',
    'openai, zod, ioredis, BullMQ',
    "The floor's way with checked calls and retries; a retry begins anew.",
  ],
  [
    'agents',
    'OpenAI Agents SDK',
    'Stores its state at the question only: what lies between is lost with its process.',
  ],
  [
    'langgraph',
    'LangGraph, SQLite',
    'Stores each step, on one machine and with no network; nobody takes up a dead run.',
  ],
  [
    'clew step',
    'Clew, step',
    'Production composition, but the message comes in without HTTP and no page is open.',
  ],
  ['clew free', 'Clew, free', 'The same.'],
  ['clew batch', 'Clew, batch', 'The same.'],
] as const
type Key = (typeof contenders)[number][0]
const notMeasured =
  "LangGraph's checkpointer for Redis needs RedisJSON and RediSearch (Redis 8). Vercel's Chat SDK takes messages in and posts answers; it runs no loop and stores no run."

/** What one run costs: the first one of a process, later ones one at a time, and many at once. */
interface Measured {
  cold: Each
  warm: Each
  wide: Each
  statements: number
  bytes: number
}
type Each = Pick<Cost, 'ms' | 'cpuMs'>
type Take = (one: Measured) => number
type Middle = (key: Key, take: Take) => number

const time: Take = ({ warm }) => warm.ms
const processor: Take = ({ warm }) => warm.cpuMs
const wideTime: Take = ({ wide }) => wide.ms
const wideProcessor: Take = ({ wide }) => wide.cpuMs

/** Issue 42: what a run of Clew may take beside one of the floor. */
const aims: readonly (readonly [Key, string, Take, most: number])[] = [
  ['clew step', 'time', time, 5.5],
  ['clew step', 'CPU', processor, 7.5],
  ['clew step', `time, ${width} at once`, wideTime, 8],
  ['clew free', 'time', time, 4],
  ['clew free', 'CPU', processor, 5.5],
  ['clew batch', 'time', time, 4],
  ['clew batch', 'CPU', processor, 5.5],
]

/** @param asked files of contenders, to measure only these beside the floor. */
export async function printPeers(program: string, asked: readonly string[]): Promise<void> {
  installPackages(import.meta.dirname)
  const [redis] = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split(' sha=')
  console.log(
    `Node ${process.version}, ${cpus().length} cores, loopback, ${redis} with an append-only file (everysec).`,
  )
  console.log(`${Object.entries(packages.dependencies).flat().join(' ')}\n`)
  const wanted = contenders.filter(
    ([key]) => asked.length === 0 || ['floor', ...asked].some((one) => key.startsWith(one)),
  )
  const results = new Map<Key, Measured[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [key] of wanted)
      results.set(key, [...(results.get(key) ?? []), await costOf(program, key)])
    console.error(`round ${round + 1} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}`)
  }
  const middle: Middle = (key, take) =>
    (results.get(key) ?? []).map(take).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ??
    Number.NaN
  console.log(
    `One run of the script, the median of ${rounds} rounds in turn: the first of a process (cold), then ${timed} one at a time after ${warmUp} (warm), then ${timed}, ${width} at once. Load ${loadavg()[0]?.toFixed(1)}.`,
  )
  print(wanted, middle)
  judge(
    aims.filter(([key]) => results.has(key)),
    middle,
  )
}

/** What a run of the script costs a contender. */
export async function costOf(program: string, key: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-peers-'))
  const server = await startNativeRedis(program)
  const redis = server.connect()
  const [file, strategy] = key.split(' ')
  const endpoint = await startPart<number>(new URL('./endpoint.ts', import.meta.url), {
    strategy,
  })
  const settings = {
    url: `http://127.0.0.1:${endpoint.ready}/v1`,
    redisUrl: server.url(),
    folder,
    strategy,
  }
  const part = await startPart<null>(new URL(`./${file}.ts`, import.meta.url), settings)
  let played = 0
  const play = async (runs: number, wide = 1) => {
    played += runs
    return await part.ask<Cost>({ runs, wide })
  }
  const each = ({ ms, cpuMs }: Cost, runs: number): Each => ({ ms: ms / runs, cpuMs: cpuMs / runs })
  try {
    const cold = await play(1)
    await play(warmUp)
    const warm = await play(timed)
    await play(width, width)
    const wide = await play(timed, width)
    const { statements, bytes } = await count(redis, () => play(counted))
    const calls = await endpoint.ask<number>({})
    if (calls !== played * callsOf(key))
      throw new Error(`${key} made ${calls} calls in ${played} runs, not ${callsOf(key)} in each`)
    return {
      ...{ cold, warm: each(warm, timed), wide: each(wide, timed) },
      ...{ statements: statements / counted, bytes: bytes / counted },
    }
  } finally {
    await part.end()
    await endpoint.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What runs hand to Redis and to stores of their own. What is still to be written of the run before belongs to none of them. */
async function count(
  redis: Parameters<typeof monitor>[0],
  runs: () => Promise<Cost>,
): Promise<Cost['stored']> {
  await wait(200)
  const seen = { statements: 0, bytes: 0 }
  const stop = await monitor(redis, (args) => {
    seen.statements += 1
    seen.bytes += args.reduce(
      (sum, arg) => sum + arg.replace(/\\(?:x[\da-f]{2}|.)/g, '.').length,
      0,
    )
  })
  const { stored } = await runs()
  await wait(200)
  stop()
  return { statements: seen.statements + stored.statements, bytes: seen.bytes + stored.bytes }
}

type Contender = (typeof contenders)[number]

function print(measured: readonly Contender[], middle: Middle): void {
  const besides = measured.map(([key, name], at) => {
    const beside = (take: Take) => `${(middle(key, take) / middle('floor', take)).toFixed(1)}×`
    return [
      ...[`${name} [${at + 1}]`, `${callsOf(key)}`, beside(time), beside(processor)],
      ...[beside(wideTime), beside(wideProcessor)],
    ]
  })
  const wideHeads = [`${width} at once: time`, `${width} at once: CPU`]
  console.log(
    table(['a run beside the floor', 'model calls', 'time', 'CPU', ...wideHeads], besides),
  )
  const figures = measured.map(([key, name]) => {
    const ms = (take: Take, by = 1) => (middle(key, take) / by).toFixed(2)
    const calls = callsOf(key)
    return [
      ...[name, ms(time), ms(processor), ms(time, calls), ms(processor, calls)],
      ...[ms(({ cold }) => cold.ms), ms(({ cold }) => cold.cpuMs), ms(wideTime), ms(wideProcessor)],
      middle(key, ({ statements }) => statements).toFixed(0),
      (middle(key, ({ bytes }) => bytes) / 1000).toFixed(1),
    ]
  })
  const heads = ['time a run', 'CPU a run', 'time a call', 'CPU a call', 'cold: time', 'cold: CPU']
  console.log(`\n${table(['ms', ...heads, ...wideHeads, 'commands or SQL', 'kB'], figures)}`)
  for (const [at, [, , lacks]] of measured.entries()) console.log(`[${at + 1}] ${lacks}`)
  console.log(`Not measured: ${notMeasured}\n`)
}

function judge(due: typeof aims, middle: Middle): void {
  for (const [key, what, take, most] of due) {
    const now = middle(key, take) / middle('floor', take)
    const [, name] = contenders.find(([one]) => one === key) ?? []
    console.log(
      `${now <= most ? 'met   ' : 'MISSED'}  ${name}, ${what} a run: ${now.toFixed(1)}× the floor (aim: at most ${most}×)`,
    )
  }
}
