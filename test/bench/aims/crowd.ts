import { setTimeout as wait } from 'node:timers/promises'
import { say } from '../measure.ts'
import type { Part } from '../process.ts'
import { goalOf } from '../script.ts'
import { at, type Figure, type World } from './world.ts'

/** P4: what a message waits for, and how long one turn of the loop takes, while 500 runs go on whose model takes 3 s a call. */
export async function crowd({ startClew }: World): Promise<Figure[]> {
  const clew = await startClew()
  await begin(clew, 500, 3_000)
  await clew.ask({ fresh: true })
  const times = await messages(clew)
  const { loop } = await clew.ask<{ loop: { p99: number } }>({})
  return [
    {
      what: 'a message is acknowledged while 500 tasks run, page, p99',
      now: at(times, 0.99),
      aim: 60,
      unit: 'ms',
    },
    { what: 'delay of its loop meanwhile, p99', now: loop.p99, aim: 20, unit: 'ms' },
  ]
}

/** What one process brings with more tasks than it can do, and what a message waits for in one with 1,000 of them. */
export async function rate({ startClew, modelCalls }: World): Promise<Figure[]> {
  const full = await startClew({ AGENT_RUNS_AT_ONCE: '2000' })
  await begin(full, 1_500, 1_000)
  const [before, began] = [await modelCalls(), performance.now()]
  await wait(12_000)
  const calls = ((await modelCalls()) - before) / ((performance.now() - began) / 1_000)
  return [
    {
      what: 'model calls a second in one process, a model of 1 s',
      now: calls,
      aim: 1_200,
      unit: '',
      atLeast: true,
    },
  ]
}

export async function thousand({ startClew }: World): Promise<Figure[]> {
  const clew = await startClew({ AGENT_RUNS_AT_ONCE: '2000' })
  await begin(clew, 1_000, 1_000)
  const now = at(await messages(clew), 0.99)
  return [
    {
      what: 'a message is acknowledged while 1,000 tasks run, their model 1 s, p99',
      now,
      aim: 250,
      unit: 'ms',
    },
  ]
}

/** Until the beginning of all of them is over. */
async function begin(clew: Part<string>, runs: number, modelMs: number): Promise<void> {
  await Promise.all(Array.from({ length: runs }, () => say(clew.ready, goalOf(20, modelMs))))
  await wait(8_000)
}

async function messages(clew: Part<string>): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + 12_000
  while (performance.now() < until) {
    times.push(await say(clew.ready, 'Hello, how are you?'))
    await wait(20)
  }
  return times
}
