import type { Limits } from '../../src/agent/domain/budget.ts'
import type { StrategyName } from '../../src/agent/domain/task.ts'
import { readConfig } from '../../src/config.ts'
import {
  drive,
  economical,
  firstDesign,
  type Meter,
  type Outcome,
  plain,
  type Way,
  type World,
} from './economy/loops.ts'
import { type Bill, costOf, createMeter, sum } from './economy/meter.ts'
import { answered, plainTrial, playTrial } from './economy/play-trial.ts'
import { trials } from './economy/trials.ts'
import { createWorld, type Job, list, venues } from './economy/world.ts'
import { table } from './table.ts'

/*
 * `npm run bench -- strategies`: what a user pays under each strategy, beside a plain loop that makes one call at a time and
 * carries its whole history along, with the same tools and the same rules.
 *
 * The model is played by rules that see nothing but the request (`economy/player.ts`); the tools are the real ones, with results of
 * real length, a question and a failure in the middle. Tokens are those of OpenAI's tokenizer; cost is counted as providers do
 * (`economy/meter.ts`), each conversation with a cache of its own.
 */

const conversations: readonly { name: string; jobs: readonly Job[]; isLong: boolean }[] = [
  { name: '5 calls: prices', jobs: [venues(1)], isLong: false },
  { name: '5 calls: to-dos', jobs: [list(3)], isLong: false },
  { name: '10 calls: to-dos', jobs: [list(8)], isLong: true },
  { name: '11 calls: prices', jobs: [venues(3)], isLong: true },
  { name: '30 calls: prices', jobs: [venues(9)], isLong: true },
  {
    name: 'three tasks in one thread: 11, 10 and 5 calls',
    jobs: [venues(3), list(8), venues(1)],
    isLong: true,
  },
]

const percent = (part: number, whole: number): number =>
  Math.round((100 * part) / Math.max(1, whole))

/** One conversation under one way of working. */
async function inOneThread(
  jobs: readonly Job[],
  work: (world: World, meter: Meter, goal: string) => Promise<Outcome>,
) {
  const [world, meter] = [createWorld(), createMeter()]
  const outcomes: Outcome[] = []
  const missing: string[] = []
  for (const job of jobs) {
    const outcome = await work(world, meter, job.goal)
    outcomes.push(outcome)
    missing.push(...job.facts.filter((fact) => !outcome.report.includes(fact)))
  }
  const held = await world.held()
  const due = jobs.reduce((all, { todos, schedules }) => all + todos + schedules, 0)
  const isRight = missing.length === 0 && held.todos + held.schedules === due
  return {
    bill: sum(outcomes.map(({ bill }) => bill)),
    toolCalls: outcomes.reduce((all, { toolCalls }) => all + toolCalls, 0),
    mostSteps: Math.max(...outcomes.map(({ steps }) => steps)),
    outcome: isRight ? 'right' : `wrong: ${missing.join(', ')} ${JSON.stringify(held)} of ${due}`,
  }
}

const aims = {
  batch: { tokens: 30, cost: 60 },
  free: { tokens: 105 },
  step: { tokens: 160 },
} as const
const extendedAim = 90
const defaultSteps = readConfig({}).AGENT_MAX_STEPS

const heads = [
  '',
  'requests',
  'calls',
  'read',
  'written',
  'tokens',
  'of plain',
  'cost',
  'of plain',
  'same prefix',
  'outcome',
]
type Row = Awaited<ReturnType<typeof inOneThread>>
const tokens = ({ prompt, completion }: Bill) => prompt + completion

function cells(name: string, { bill, toolCalls, outcome }: Row, base: Row): string[] {
  return [
    name,
    `${bill.calls}`,
    `${toolCalls}`,
    `${bill.prompt}`,
    `${bill.completion}`,
    `${tokens(bill)}`,
    `${percent(tokens(bill), tokens(base.bill))} %`,
    `${Math.round(costOf(bill))}`,
    `${percent(costOf(bill), costOf(base.bill))} %`,
    `${percent(bill.extended, bill.later)} %`,
    outcome,
  ]
}

const names = ['step', 'batch', 'free'] as const
type Name = StrategyName

async function rowsOf(strategy: Name, way: Way, of: typeof conversations): Promise<Row[]> {
  const rows: Row[] = []
  for (const { jobs } of of)
    rows.push(
      await inOneThread(jobs, (world, meter, goal) => drive(strategy, way, world, meter, goal)),
    )
  return rows
}
const whole = (rows: readonly Row[]): Row => ({
  bill: sum(rows.map(({ bill }) => bill)),
  toolCalls: rows.reduce((all, { toolCalls }) => all + toolCalls, 0),
  mostSteps: Math.max(...rows.map(({ mostSteps }) => mostSteps)),
  outcome: rows.find(({ outcome }) => outcome !== 'right')?.outcome ?? 'right',
})

const plains: Row[] = []
for (const { jobs } of conversations) plains.push(await inOneThread(jobs, plain))
const all = {
  step: await rowsOf('step', economical, conversations),
  batch: await rowsOf('batch', economical, conversations),
  free: await rowsOf('free', economical, conversations),
}
for (const [at, { name }] of conversations.entries()) {
  const base = plains[at]
  if (base === undefined) continue
  const rows = names.flatMap((strategy) => {
    const row = all[strategy][at]
    return row === undefined ? [] : [cells(strategy, row, base)]
  })
  console.log(`\n${name}\n${table(heads, [cells('plain loop', base, base), ...rows])}`)
}

const long = conversations.filter(({ isLong }) => isLong)
const base = whole(plains.filter((_, at) => conversations[at]?.isLong))
/** What is set back to the first design, by strategy. */
const levers: readonly { name: string; strategies: readonly Name[]; way: Way }[] = [
  { name: 'as it is', strategies: names, way: economical },
  { name: 'a call never ends its item', strategies: ['step'], way: without('callsEndItems') },
  { name: 'a replan after every item', strategies: ['step'], way: without('replanSkips') },
  { name: 'a round is planned by itself', strategies: ['batch'], way: without('thinkPlans') },
  {
    name: 'contracts apart',
    strategies: ['step', 'batch'],
    way: { ...economical, layout: 'apart' },
  },
  { name: 'the first design', strategies: names, way: firstDesign },
]
function without(lever: keyof Limits): Way {
  const { [lever]: _, ...rest } = economical.limits
  return { ...economical, limits: rest }
}
const compared: string[][] = [cells('plain loop', base, base)]
for (const strategy of names)
  for (const { name, strategies: of, way } of levers)
    if (of.includes(strategy))
      compared.push(cells(`${strategy}, ${name}`, whole(await rowsOf(strategy, way, long)), base))
console.log(`\nEach lever, over the jobs of ten calls and more\n${table(heads, compared)}`)

console.log('\nAims, over the jobs of ten calls and more (and for each of them):')
const isLong = (_: unknown, at: number) => conversations[at]?.isLong === true
const longPlains = plains.filter(isLong)
const ofPlain = (measure: (bill: Bill) => number) => (row: Row, plainly: Row) =>
  percent(measure(row.bill), measure(plainly.bill))
const extended = ({ bill }: Row) => percent(bill.extended, bill.later)
for (const strategy of names) {
  const rows = all[strategy].filter(isLong)
  const { tokens: most } = aims[strategy]
  say(`${strategy}: tokens of the plain loop's`, rows, ofPlain(tokens), { most })
  if (strategy === 'batch')
    say(`${strategy}: cost of the plain loop's`, rows, ofPlain(costOf), {
      most: aims[strategy].cost,
    })
  say(`${strategy}: prompt that is an unchanged prefix`, rows, extended, { least: extendedAim })
}
console.log(`(The plain loop itself: ${extended(base)} % unchanged prefix.)`)
const steps = Math.max(...all.step.map((row) => row.mostSteps))
console.log(`The longest task under step took ${steps} steps; it pauses after ${defaultSteps}.`)

console.log('\nTwelve tasks of the trials, beside a loop that makes independent calls at once')
const plainly = trials.map(plainTrial)
const played = [
  { name: 'plain loop', bills: plainly },
  ...names.map((name) => ({
    name: name as string,
    bills: trials.map((trial) => playTrial(trial, name, economical)),
  })),
]
const carriesNothing = (['batch', 'free'] as const).map((name) => ({
  name: `${name}, the Decision carries nothing`,
  // A round of `free` that begins as no Decision does lists no function of it.
  bills: trials.map((trial) =>
    playTrial(trial, name, {
      ...economical,
      isAhead: false,
      layout: name === 'free' ? 'apart' : 'shared',
    }),
  ),
}))
console.log(
  table(
    ['requests', ...played.map(({ name }) => name)],
    trials.map(({ name }, at) => [name, ...played.map(({ bills }) => `${bills[at]?.calls}`)]),
  ),
)
const allPlain = sum(plainly)
console.log(
  table(
    ['all twelve', 'requests', 'of plain', 'tokens', 'of plain', 'cost', 'of plain', 'same prefix'],
    [...played, ...carriesNothing].map(({ name, bills }) => {
      const bill = sum(bills)
      return [
        name,
        ...[`${bill.calls}`, `${percent(bill.calls, allPlain.calls)} %`],
        ...[`${tokens(bill)}`, `${percent(tokens(bill), tokens(allPlain))} %`],
        ...[`${Math.round(costOf(bill))}`, `${percent(costOf(bill), costOf(allPlain))} %`],
        `${percent(bill.extended, bill.later)} %`,
      ]
    }),
  ),
)
for (const { name, bills } of played.slice(1)) {
  const bill = sum(bills)
  const most = name === 'step' ? 150 : 115
  const requests = percent(bill.calls, allPlain.calls)
  tell(`${name}: requests of the plain loop's, Decisions among them`, requests, { most })
  tell(`${name}: prompt that is an unchanged prefix`, percent(bill.extended, bill.later), {
    least: extendedAim,
  })
}

console.log('\nA message that is only answered: the first one, and one in another thread after it')
const carries = [true, false].map((isAhead) => {
  const [first, other] = answered(isAhead)
  const name = isAhead ? 'may carry calls' : 'carries none'
  return [name, first, other].map((cell) =>
    typeof cell === 'object' ? `${cell.prompt} read, cost ${Math.round(costOf(cell))}` : `${cell}`,
  )
})
console.log(table(['the Decision', 'first', 'other thread'], carries))

type Bound = { most: number } | { least: number }
function say(
  what: string,
  rows: readonly Row[],
  measure: (row: Row, plainly: Row) => number,
  bound: Bound,
) {
  const value = measure(whole(rows), base)
  const each = rows.map((row, at) => measure(row, longPlains[at] ?? base)).join(', ')
  tell(what, value, bound, `; ${each}`)
}

function tell(what: string, value: number, bound: Bound, each = '') {
  const isMet = 'most' in bound ? value <= bound.most : value >= bound.least
  const aim = 'most' in bound ? `at most ${bound.most}` : `at least ${bound.least}`
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${value} % (${aim}${each})`)
}
