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
import { modelCalls } from './script.ts'

/*
 * `npm run bench -- peers`: Clew beside what others would take for the same task, on one neutral script (`script.ts`). Each
 * contender in a process of its own that is there only while it is measured; several rounds, in turn; the median of each.
 */

const [rounds, warmUp, timed, counted] = [5, 16, 48, 16]

/** File and strategy, the name, and what it does not do of what a team needs. */
const contenders = [
  ['floor', 'floor', 'By hand: appends each step. No checks, no retries, no fence; shows nothing.'],
  [
    'queue',
    'openai, zod, ioredis, BullMQ',
    'The same loop with checked calls and retries; a retry begins anew.',
  ],
  [
    'clew step',
    'Clew, step',
    'Production composition, but the message comes in without HTTP and no page is open.',
  ],
  ['clew free', 'Clew, free', 'The same.'],
  [
    'clew batch',
    'Clew, batch',
    'The same, held to one tool a round so that it makes as many calls as the others.',
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
] as const
const notMeasured =
  "LangGraph's checkpointer for Redis needs RedisJSON and RediSearch (Redis 8). Vercel's Chat SDK takes messages in and posts answers; it runs no loop and stores no run."

/** Issue 15: for Clew under each strategy, the first two beside the floor. */
const aims = [
  ['cpuMs', 'CPU a call beside the floor', 4],
  ['ms', 'time a call beside the floor', 3.5],
  ['statements', 'commands a run', 60],
  ['bytes', 'bytes a run', 35_000],
] as const

type Measured = Record<(typeof aims)[number][0], number>
type Middle = (key: string, what: keyof Measured) => number

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
  const results = new Map<string, Measured[]>()
  for (let round = 0; round < rounds; round++)
    for (const [key] of wanted)
      results.set(key, [...(results.get(key) ?? []), await costOf(program, key)])
  const middle: Middle = (key, what) =>
    (results.get(key) ?? []).map((one) => one[what]).toSorted((a, b) => a - b)[
      Math.floor(rounds / 2)
    ] ?? Number.NaN
  console.log(
    `${modelCalls} calls of the model a run; the median of ${rounds} rounds of ${timed} runs, one at a time.`,
  )
  print(wanted, middle)
  if (asked.length === 0) judge(middle)
}

/** What a run of the script costs a contender, after a warm-up; `wide` runs go on at once. */
export async function costOf(program: string, key: string, wide = 1): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-peers-'))
  const server = await startNativeRedis(program)
  const redis = server.connect()
  const endpoint = await startPart<number>(new URL('./endpoint.ts', import.meta.url), {})
  const [file, strategy] = key.split(' ')
  const settings = {
    url: `http://127.0.0.1:${endpoint.ready}/v1`,
    redisUrl: server.url(),
    folder,
    strategy,
  }
  const part = await startPart<null>(new URL(`./${file}.ts`, import.meta.url), settings)
  try {
    await part.ask<Cost>({ runs: warmUp, wide })
    const { ms, cpuMs } = await part.ask<Cost>({ runs: timed, wide })
    const { statements, bytes } = await count(redis, () => part.ask<Cost>({ runs: counted, wide }))
    const calls = await endpoint.ask<number>({})
    const due = (warmUp + timed + counted) * modelCalls
    if (calls !== due)
      throw new Error(`${key} called the model ${calls} times and not ${due} times`)
    const each = timed * modelCalls
    return {
      ms: ms / each,
      cpuMs: cpuMs / each,
      statements: statements / counted,
      bytes: bytes / counted,
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

function print(measured: readonly (typeof contenders)[number][], middle: Middle): void {
  const rows = measured.map(([key, name], at) => {
    const beside = (what: keyof Measured) =>
      `${(middle(key, what) / middle('floor', what)).toFixed(1)}×`
    return [
      ...[
        `${name} [${at + 1}]`,
        middle(key, 'cpuMs').toFixed(2),
        beside('cpuMs'),
        middle(key, 'ms').toFixed(2),
      ],
      ...[
        beside('ms'),
        middle(key, 'statements').toFixed(0),
        (middle(key, 'bytes') / 1000).toFixed(1),
        beside('bytes'),
      ],
    ]
  })
  const times = ['CPU, ms a call', 'of floor', 'time, ms a call', 'of floor']
  console.log(table(['', ...times, 'commands or SQL a run', 'kB a run', 'of floor'], rows))
  for (const [at, [, , lacks]] of measured.entries()) console.log(`[${at + 1}] ${lacks}`)
  console.log(
    `Not measured: ${notMeasured}\nLoad of the machine at the end: ${loadavg()[0]?.toFixed(1)}.\n`,
  )
}

function judge(middle: Middle): void {
  for (const [what, name, most] of aims) {
    const beside = name.endsWith('floor') ? middle('floor', what) : 1
    const values = contenders
      .filter(([, who]) => who.startsWith('Clew'))
      .map(([key]) => middle(key, what) / beside)
    const all = values
      .map((value) => (beside === 1 ? value.toFixed(0) : value.toFixed(1)))
      .join(' / ')
    const isMet = values.every((value) => value <= most)
    console.log(
      `${isMet ? 'met   ' : 'MISSED'}  Clew, step / free / batch, ${name}: ${all} (aim: at most ${most})`,
    )
  }
}
