import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/agent/ports/store.ts'
import { planned } from '../../src/agent/schedules/judge-slot.ts'
import { createSystemClock } from '../../src/clock.ts'
import { keysOf } from '../../src/store/redis/keys.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { launchBrowser } from '../browser/browser.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { chromium } from '../support/programs.ts'
import { fillLongRuns, longRunId } from './long-runs.ts'
import { startPart } from './process.ts'
import { table } from './table.ts'
import { common, fillThreads, rare } from './threads.ts'

/*
 * `npm run bench -- find`: how long the list and a search of 10,000 threads take over HTTP (C207); one of 1,000 runs of 200 steps
 * and what it did (C209); a page of the calendar of 10,000 schedules (C235), most of them once a weekday; and the first paint of the
 * page in Chromium. Clew is a process of its own.
 */

const workspace = 'slack:T1'
const threads = 10_000
const asks = 200
const day = 24 * 3_600_000

export async function printFind(program: string): Promise<void> {
  const server = await startNativeRedis(program)
  const folder = await mkdtemp(join(tmpdir(), 'clew-find-'))
  const redis = server.connect(0)
  const clock = createSystemClock()
  await fillThreads(redis, workspace, threads, clock.now())
  await fillSchedules(createRedisStore({ redis, clock, worker: 'fill' }), clock.now())
  await fillLongRuns(createRedisStore({ redis, clock, worker: 'fill' }), workspace, clock.now())
  const bytes = Number(
    await redis.call('MEMORY', 'USAGE', keysOf(workspace).words.all, 'SAMPLES', '100'),
  )
  const entries = await redis.zcard(keysOf(workspace).words.all)
  const settings = {
    REDIS_URL: server.url(0),
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_MODEL: 'rehearsal',
  }
  const clew = await startPart<string>(new URL('./clew.ts', import.meta.url), settings)
  try {
    const rows: string[][] = []
    for (const [name, query] of Object.entries(queries))
      rows.push([name, ...(await times(`${clew.ready}${path}`, query))])
    const runs = `${clew.ready}/api/runs/`
    rows.push([
      'one of 1,000 runs of 200 steps',
      ...(await times(runs, (n) => `${longRunId(n * 7)}?workspace=${workspace}`)),
    ])
    rows.push([
      'what it did',
      ...(await times(runs, (n) => `${longRunId(n * 7)}/history?workspace=${workspace}`)),
    ])
    rows.push([
      'a page of the calendar',
      ...(await times(`${clew.ready}/api/calendar?`, calendarPage)),
    ])
    if (chromium === null) console.log('There is no Chromium here, so nothing was painted.')
    else rows.push(...(await paints(chromium, clew.ready)))
    console.log(table(['of 10,000 threads', 'p50 ms', 'p95 ms', 'most ms'], rows))
    console.log(`The index has ${entries} entries and ${Math.round(bytes / 1e6)} MB.`)
  } finally {
    await clew.end()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const path = '/api/conversations?limit='
const dated = (at: number) => new Date(at).toISOString().slice(0, 10)

/** What is asked the n-th time. */
const queries: Readonly<Record<string, (n: number, now: number) => string>> = {
  'the first page': () => '50',
  'a page further back': (n, now) => `50&before=${now - n * 40 * 60_000}:c`,
  'a rare word': (n) => `20&q=${rare(n)}`,
  'a word of every thread': () => '20&q=the',
  'two common words': (n) => `20&q=${common(n)}+${common(n + 3)}`,
  'three letters': (n) => `20&q=${rare(n).slice(0, 3)}`,
  'a person and a word': (n) => `20&q=from:person${n % 40}+${common(n)}`,
  'a state': (n) => `20&q=is:${['working', 'needs-you', 'done'][n % 3]}`,
  'days and a word': (n, now) => `20&q=before:${dated(now - n * day)}+the`,
}

/** A month around now, from the n-th page on. */
const calendarPage = (n: number, now: number) =>
  `from=${now - 10 * day}&to=${now + 30 * day}&after=${(n * 41) % schedules}:${workspace}`

async function fillSchedules(store: Store, now: number): Promise<void> {
  const one = (n: number) => {
    const expression =
      n % 20 === 0 ? `${n % 60} * * * *` : `${n % 60} ${Math.floor(n / 60) % 24} * * 1-5`
    const when = { kind: 'cron' as const, expression, times: -1 }
    return store.schedules.add(
      workspace,
      `channel:C${n % 30}`,
      `s${n}`,
      planned({ ...schedule, when, createdAt: now }, now),
    )
  }
  for (let n = 0; n < schedules; n += 500)
    await Promise.all(Array.from({ length: 500 }, (_, more) => one(n + more)))
}

const schedules = 10_000
const schedule = {
  ...{
    version: 1 as const,
    id: 1,
    title: 'post what is due today',
    work: 'run' as const,
    durationMinutes: 60,
  },
  ...{
    remind: { base: null, repeat: null },
    askedIn: null,
    createdBy: null,
    allow: [],
    paused: false,
    repeats: true,
  },
  place: { channel: 'C1', conversationId: null, locale: 'en', timeZone: 'Europe/Lisbon' },
  ...{ nextAt: null, remindAt: null, lastAt: null, lastRunId: null, fired: 0, asked: null },
}

async function times(url: string, query: (n: number, now: number) => string): Promise<string[]> {
  const now = Date.now()
  const taken: number[] = []
  for (let n = 0; n < asks; n++) {
    const began = performance.now()
    const response = await fetch(url + query(n, now))
    await response.text()
    if (!response.ok) throw new Error(`${query(n, now)}: ${response.status}`)
    taken.push(performance.now() - began)
  }
  return spread(taken)
}

const spread = (taken: readonly number[]) => {
  const sorted = taken.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map((share) =>
    (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0),
  )
}

/** The page opened as somebody does who was never there, and until its threads are there. */
async function paints(program: string, url: string): Promise<string[][]> {
  const browser = await launchBrowser(program)
  const [painted, listed]: number[][] = [[], []]
  try {
    for (let n = 0; n < 20; n++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      await page.goto(url)
      await page.locator('.line').first().waitFor()
      const [first, whole] = await page.evaluate(() => [
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        performance.now(),
      ])
      painted?.push(first ?? Number.NaN)
      listed?.push(whole ?? Number.NaN)
      await context.close()
    }
  } finally {
    await browser.close()
  }
  return [
    ['the first paint of the page', ...spread(painted ?? [])],
    ['its threads are shown', ...spread(listed ?? [])],
  ]
}
