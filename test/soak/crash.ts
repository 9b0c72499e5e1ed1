import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from 'ioredis'
import { createSystemClock } from '../../src/clock.ts'
import { texts } from '../../src/locales/texts.ts'
import type { Connection } from '../../src/store/redis/connection.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { leftovers, newestEvent, type Outcome, readHistory } from './history.ts'
import type { Host } from './host.ts'
import type { LifeOptions } from './instance.ts'
import { nameOf, type Target } from './points.ts'
import { playStory } from './story.ts'

/** How a kind of host is started. */
export type StartHost = (
  options: Omit<LifeOptions, 'target'>,
  targets: readonly Target[],
) => Promise<Host>

export interface StoryResult {
  targets: readonly Target[]
  crashes: readonly string[]
  counts: ReadonlyMap<string, number>
  outcome: Outcome
  ms: number
}

/** What every story comes to: without a crash, and with the one call that a crash may leave in doubt. */
export interface Expected {
  smooth: Outcome
  interrupted: Outcome
}

/** Where stories are kept: each has a database of its own, or all the servers of a cluster. */
interface Databases {
  url(database: number): string
  connect(database: number): Connection
}

export interface StorySettings {
  server: Databases
  database: number
  start: StartHost
  targets: readonly Target[]
  life?: Partial<LifeOptions>
}

/** P14: what a run says that three crashes met at one step. Where lives last long enough for a step, stories are not that unlucky. */
export const givenUp = texts('en').core.gaveUp.attempts

/** Time runs ten times as fast: a lease lasts one second. */
const speed = 10

/**
 * Plays one story on an empty database, crashes included, and reads what it came to.
 *
 * @throws Error when something was lost, is there twice or is left over, or the story does not come to its end.
 */
export async function runStory({
  server,
  database,
  start,
  targets,
  life,
}: StorySettings): Promise<StoryResult> {
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'clew-story-'))
  const redis = server.connect(database)
  try {
    await redis.ping()
    await Promise.all(
      (redis instanceof Cluster ? redis.nodes('master') : [redis]).map((one) => one.flushdb()),
    )
    const rows = createRedisStore({ redis, clock: createSystemClock(), worker: 'judge' })
    const options = { redisUrl: server.url(database), folder, worker: 'one', speed, ...life }
    const host = await start(options, targets)
    const world = {
      folder,
      rows,
      leftovers: () => leftovers(redis),
      newest: () => newestEvent(redis),
    }
    const told = await playStory(host, world).finally(() => host.close())
    await told.tab.close()
    const outcome = await readHistory(told, { rows, redis, folder })
    return {
      targets,
      crashes: host.crashes,
      counts: host.counts,
      outcome,
      ms: performance.now() - began,
    }
  } finally {
    redis.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Plays the two stories that all others are compared with, and checks what must be true of them by themselves. */
export async function learnExpected(
  settings: Omit<StorySettings, 'targets'>,
): Promise<{ expected: Expected; counts: ReadonlyMap<string, number> }> {
  const smooth = await runStory({ ...settings, targets: [] })
  const cut = await runStory({
    ...settings,
    targets: [{ point: 'tool booking.run:after', hit: 1 }],
  })
  assert.equal(smooth.outcome.bookings, 1)
  assert.equal(smooth.outcome.interrupted, false)
  assert.equal(cut.outcome.bookings, 1)
  assert.equal(cut.outcome.interrupted, true, 'a booking that was cut off is asked about')
  return { expected: { smooth: smooth.outcome, interrupted: cut.outcome }, counts: smooth.counts }
}

/** @throws AssertionError that shows the difference to what the story has to come to. */
export function compare(outcome: Outcome, expected: Expected): void {
  const { bookings, ...rest } = outcome
  const { bookings: _, ...wanted } = outcome.interrupted ? expected.interrupted : expected.smooth
  assert.deepEqual(rest, wanted)
  // A booking that was cut off may not have happened; any other one happened, and none ever twice.
  if (!outcome.interrupted) assert.equal(bookings, 1, 'the booking is lost')
  assert.ok(bookings <= 1, 'the booking was made twice')
}

/** Names a story so that it can be played again: `node test/soak/run.ts again "a #1, b #2"`. */
export const storyName = (targets: readonly Target[]) => targets.map(nameOf).join(', ')

/** Plays many stories, some at a time, each on a database of its own; answers what went wrong with which. */
export async function runStories(
  stories: readonly (readonly Target[])[],
  settings: Omit<StorySettings, 'targets' | 'database'> & {
    expected: Expected
    atOnce: number
    database?: number
  },
): Promise<{ crashes: string[]; failures: string[]; ms: number[] }> {
  const crashes: string[] = []
  const failures: string[] = []
  const ms: number[] = []
  const waiting = [...stories]
  const first = settings.database ?? 0
  async function work(database: number) {
    for (let targets = waiting.shift(); targets !== undefined; targets = waiting.shift()) {
      try {
        const result = await runStory({ ...settings, database, targets })
        crashes.push(...result.crashes)
        ms.push(result.ms)
        compare(result.outcome, settings.expected)
      } catch (error) {
        failures.push(
          `${storyName(targets)}: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
    }
  }
  await Promise.all(Array.from({ length: settings.atOnce }, (_, index) => work(first + index)))
  return { crashes, failures, ms }
}
