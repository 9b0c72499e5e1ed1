import { setTimeout as wait } from 'node:timers/promises'
import { type Bench, say } from './measure.ts'
import { goalOf } from './script.ts'

const loops = 500
const messages = 400

/** P4: how long a message waits for its acknowledgement while 500 runs are worked on, their model taking three seconds a call. */
export async function acknowledgements({ clew }: Bench): Promise<void> {
  await Promise.all(Array.from({ length: loops }, () => say(clew.ready, goalOf(20, 3_000))))
  await wait(3_000)
  const times: number[] = []
  for (let sent = 0; sent < messages; sent++) {
    times.push(await say(clew.ready, 'Hello, how are you?'))
    await wait(10)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)} ms`
  console.log(
    `A message while ${loops} runs go on is acknowledged after ${at(0.5)} (median), ${at(0.99)} (p99; P4: 500 ms), ${at(1)} (longest; P4: 3 s).`,
  )
}
