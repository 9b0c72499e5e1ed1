import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNativeRedis } from '../support/native-redis.ts'
import { redisServer } from '../support/programs.ts'
import { acknowledgements } from './acknowledge.ts'
import { printAims } from './aims/run.ts'
import { auditCost } from './audit.ts'
import { discordBench } from './discord.ts'
import { printFind } from './find.ts'
import { type Bench, type Cost, measure, stepsOf, work } from './measure.ts'
import { nobody } from './nobody.ts'
import { openPage } from './page.ts'
import { printPeers } from './peers/run.ts'
import { type Part, startPart } from './process.ts'
import { scale } from './scale.ts'
import { schedulesDue } from './schedules.ts'
import { callsPerItem, replyTo, stepsPerItem, toolResult } from './script.ts'
import { printSearch } from './search.ts'
import { printShortRun } from './short-run.ts'
import { slackDeliveries, slackFigures } from './slack.ts'
import { printStarts } from './start.ts'
import { table } from './table.ts'
import { countTrips } from './trips.ts'

/*
 * `npm run bench` prints what a step costs beside the floor. A step is one model call or tool call whose result is committed:
 * the plan, each thought, each tool call, each replan. Everything around the steps is in the figures too: the message's way
 * in, the Decision, the start of the run, progress on an open page, the report's way out.
 *
 * `npm run bench -- beside trips` prints only these parts; the others are `crowds`, `acknowledge`,
 * `schedules`, `slack`, `audit` (a step with its rows beside one without), `nobody` (the page's process with no page open) and `scale` (1, 2 and 4 workers).
 * `npm run bench -- aims` prints each aim beside what is measured, `-- aims crowd start` only these of them, `-- aims --before
 * <commit>` the same of an older version beside it.
 * `npm run bench -- find` prints how long the list and a search of 10,000 threads take, a run of 200 steps, the calendar and the
 * page's first paint. `npm run bench -- search 100000` prints searches of so many threads and what they cost Redis.
 * `npm run bench -- peers` prints one run of a neutral script beside the floor: Clew, the usual libraries, and what others would take.
 * `npm run bench -- start` prints what a start takes, from the sources and from the bundle of the package, in turn.
 * `npm run bench -- short` counts the commands of one short task, whatever else the machine does.
 * `npm run bench -- strategies` prints what the strategies cost in model calls and tokens, `-- prompts` the tokens of a small
 * request under each contract; `npm run bench -- discord` measures the way in from Discord.
 * `CLEW_PROFILE=clew.ts` leaves a CPU profile of Clew in the folder for temporary files.
 */

// What the strategies cost in tokens needs no server and no clock.
if (process.argv[2] === 'strategies') {
  await import('./strategies.ts')
  process.exit()
}
if (process.argv[2] === 'prompts') {
  await import('./prompts.ts')
  process.exit()
}
if (redisServer === null) {
  console.error('The bench needs redis-server (or valkey-server), which is not on this machine.')
  process.exit(2)
}
if (process.argv[2] === 'discord') {
  await discordBench(redisServer)
  process.exit()
}
if (process.argv[2] === 'find') {
  await printFind(redisServer)
  process.exit()
}
if (process.argv[2] === 'search') {
  await printSearch(redisServer, Number(process.argv[3] ?? 100_000))
  process.exit()
}
if (process.argv[2] === 'start') {
  await printStarts(redisServer)
  process.exit()
}
if (process.argv[2] === 'peers') {
  await printPeers(redisServer, process.argv.slice(3))
  process.exit()
}
if (process.argv[2] === 'aims') {
  await printAims(process.argv.slice(3))
  process.exit()
}
if (process.argv[2] === 'short') {
  await printShortRun(redisServer)
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'))
const server = await startNativeRedis(redisServer)
const endpoint = await startPart<number>(new URL('./server.ts', import.meta.url), {})
const url = `http://127.0.0.1:${endpoint.ready}/v1`
const settings = {
  REDIS_URL: server.url(0),
  DATA_DIR: folder,
  PORT: '0',
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: 'bench',
  AGENT_STRATEGY: 'step',
  // The floor looks at its plan after every item, too.
  AGENT_REPLAN_SKIPS: '0',
  AGENT_MAX_STEPS: '1000',
  AGENT_MAX_MODEL_CALLS: '1000',
  AGENT_MAX_TOOL_CALLS: '1000',
}
const clew = await startPart<string>(new URL('./clew.ts', import.meta.url), settings)
const floor = await startPart<null>(new URL('./floor.ts', import.meta.url), {
  url,
  redisUrl: server.url(1),
})
const bench: Bench = { clew, page: await openPage(clew.ready), redis: server.connect(0) }

try {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, loopback, redis-server with an append-only file (everysec).\n`,
  )
  await floorCost(floor, 4, 10)
  await work(bench, 4, 10)
  const parts = {
    beside,
    crowds,
    trips,
    acknowledge: () => acknowledgements(bench),
    schedules: () => schedulesDue({ ...settings, REDIS_URL: server.url(2) }, server.connect(2)),
    slack,
    audit: () => auditCost(settings, server),
    nobody: () => nobody({ ...settings, REDIS_URL: server.url(4) }, server.connect(4)),
    scale: () => scale({ ...settings, REDIS_URL: server.url(3) }, server.connect(3)),
  }
  const asked = process.argv.slice(2)
  for (const [name, part] of Object.entries(parts))
    if (asked.length === 0 || asked.includes(name)) await part()
} finally {
  bench.page.close()
  await clew.end()
  await floor.end()
  await endpoint.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** What Slack costs and allows, on databases of their own. */
async function slack(): Promise<void> {
  await slackFigures(server.url(4))
  await slackDeliveries(server.url(5))
}

interface Floor {
  ms: number
  cpuMs: number
}

async function floorCost(part: Part<null>, runs: number, items: number): Promise<Floor> {
  const { ms, cpu } = await part.ask<{ ms: number; cpu: NodeJS.CpuUsage }>({ runs, items })
  return { ms, cpuMs: (cpu.user + cpu.system) / 1000 }
}

/** One run of 10 to 200 steps, each beside the floor that does the same, best of three. */
async function beside(): Promise<void> {
  const rows: string[][] = []
  const costs: Cost[] = []
  for (const items of [1, 5, 10, 20]) {
    const floors: Floor[] = []
    const clews: Cost[] = []
    for (let tries = 0; tries < 3; tries++) {
      floors.push(await floorCost(floor, 1, items))
      clews.push(await measure(bench, 1, items))
    }
    const low = best(floors)
    const cost = best(clews)
    costs.push(cost)
    const steps = stepsOf(1, items)
    rows.push([
      `${steps}`,
      per(low.ms, steps),
      per(cost.ms, steps),
      `${(cost.ms / low.ms).toFixed(2)}×`,
      per(low.cpuMs, steps),
      per(cost.cpuMs, steps),
      bytes(newText(items), steps),
      bytes(cost.rowBytes, steps),
      `${(cost.rowBytes / newText(items)).toFixed(2)}×`,
      bytes(cost.logBytes, steps),
      bytes(cost.fileBytes, steps),
    ])
  }
  console.log('One run, for each step (wall time and CPU in ms, the best of three; bytes of text):')
  const heads = [
    'steps',
    'floor',
    'Clew',
    'aim ≤ 3.5×',
    'floor CPU',
    'Clew CPU',
    'new text',
    'stored',
    'aim ≤ 2×',
    'page log',
    'AOF',
  ]
  console.log(table(heads, rows))
  const [small, large] = [costs[0], costs.at(-1)]
  if (small === undefined || large === undefined) return
  const more = large.steps - small.steps
  console.log(
    `From ${small.steps} to ${large.steps} steps each further step takes ${per(large.ms - small.ms, more)} ms and stores ${bytes(large.rowBytes - small.rowBytes, more)} bytes.\n`,
  )
}

/** Several runs of 50 steps at once. */
async function crowds(): Promise<void> {
  const rows: string[][] = []
  for (const runs of [1, 10, 100]) {
    const low = best([await floorCost(floor, runs, 5), await floorCost(floor, runs, 5)])
    const cost = best([await measure(bench, runs, 5), await measure(bench, runs, 5)])
    const rate = (ms: number) => `${Math.round(cost.steps / (ms / 1000))}`
    rows.push([
      `${runs}`,
      rate(low.ms),
      rate(cost.ms),
      `${(cost.ms / low.ms).toFixed(2)}×`,
      per(cost.cpuMs, cost.steps),
    ])
  }
  console.log(`Runs of ${stepsOf(1, 5)} steps at once, in steps a second (the best of two):`)
  console.log(`${table(['runs', 'floor', 'Clew', 'ratio', 'Clew CPU ms/step'], rows)}\n`)
}

async function trips(): Promise<void> {
  const [few, many] = [await countTrips(bench, 1, 1), await countTrips(bench, 1, 20)]
  const [fewSteps, manySteps] = [stepsOf(1, 1), stepsOf(1, 20)]
  const names = [...new Set([...few.keys(), ...many.keys()])]
  const rows = names
    .map((name) => ({ name, once: few.get(name) ?? 0, all: many.get(name) ?? 0 }))
    .sort((a, b) => b.all - a.all)
    .map(({ name, once, all }) => [
      name,
      `${once}`,
      `${all}`,
      ((all - once) / (manySteps - fewSteps)).toFixed(2),
    ])
  const sum = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((total, count) => total + count, 0)
  const each = (sum(many) - sum(few)) / (manySteps - fewSteps)
  console.log('Commands to Redis of one run (what scripts call inside crosses no network):')
  console.log(
    table(['command', `${fewSteps} steps`, `${manySteps} steps`, 'each further step'], rows),
  )
  console.log(
    `All together ${sum(few)} and ${sum(many)}: ${each.toFixed(2)} for each further step; aim: one, the commit.\n`,
  )
}

/** The text that is new in a run: what the model and the tools said. */
function newText(items: number): number {
  const texts = [JSON.stringify(replyTo('plan', `Bench ${items} items, delay 0`))]
  for (let item = 1; item <= items; item++) {
    const name = `Find out about venue number ${item}`
    const history = ['']
    for (let calls = 0; calls <= callsPerItem; calls++) {
      const thought = JSON.stringify(
        replyTo('thought', `${history.join('')}The current item\nitem: ${name}`),
      )
      texts.push(thought)
      history.push('A tool call succeeded.')
      const input = JSON.parse(thought).next_action?.input
      if (input !== undefined) texts.push(toolResult(input))
    }
    const rest = Array.from(
      { length: items - item },
      (_, index) => `- Find out about venue number ${item + index + 1}`,
    )
    texts.push(JSON.stringify(replyTo('replan', `What remains of the plan:\n${rest.join('\n')}`)))
  }
  if (texts.length !== 1 + items * stepsPerItem)
    throw new Error('the bench counts its steps wrongly')
  return texts.reduce((total, text) => total + Buffer.byteLength(text), 0)
}

function best<T extends { ms: number }>(all: readonly T[]): T {
  const [first, ...rest] = all
  if (first === undefined) throw new Error('nothing was measured')
  return rest.reduce((low, one) => (one.ms < low.ms ? one : low), first)
}

function per(ms: number, steps: number): string {
  return (ms / steps).toFixed(2)
}

function bytes(count: number, steps: number): string {
  return `${Math.round(count / steps)}`
}
