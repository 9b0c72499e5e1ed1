import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { startChildHost } from '../child-host.ts'
import { type Crowd, gatherCrowd } from '../crowd.ts'
import { type Section, seconds, some } from '../section.ts'

const count = 20
const paceMs = 1_500

/**
 * P14, in real time: a worker with 20 runs is killed with -9. A second worker has all of them within 15 s; the same one, when
 * it is started again, at once.
 */
export const takeover: Section = async (soak) => {
  const failures: string[] = []
  const others: number[] = []
  const own: number[] = []
  const rounds = some(soak, 3)
  for (let round = 0; round < rounds; round++) {
    const crowd = await gatherCrowd(soak.program)
    try {
      const page = await startChildHost({ ...crowd.life('page', 0), roles: 'web' }, [])
      const first = await startChildHost({ ...crowd.life('first', paceMs), roles: 'worker' }, [], {
        revive: false,
      })
      const threads = await crowd.gather(page, count)
      const second = await startChildHost({ ...crowd.life('second', paceMs), roles: 'worker' }, [])
      await wait(soak.random() * 3_000)
      others.push(...(await taken(crowd, () => killed(first.process()))))
      // Now the second one dies and comes back by itself.
      own.push(...(await taken(crowd, () => second.kill())))
      failures.push(...(await crowd.check(threads)))
      await page.close()
      await second.close()
    } finally {
      await crowd.stop()
    }
  }
  const latest = Math.max(...others)
  if (latest > 15_000) failures.push(`a run was taken over only after ${seconds(latest)}`)
  const latestOwn = Math.max(...own)
  if (latestOwn > 3_000)
    failures.push(`after a restart a run was taken up only after ${seconds(latestOwn)}`)
  return {
    figures: `${others.length} runs of killed workers: by another worker after ${spread(others)} (P14: 15 s); by the same one, its restart included, after ${spread(own)}`,
    failures,
  }
}

async function killed(
  child: ReturnType<Awaited<ReturnType<typeof startChildHost>>['process']>,
): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** How long after `end` each run has changed hands. */
async function taken(crowd: Crowd, end: () => Promise<void>): Promise<number[]> {
  const before = await crowd.fences()
  const times = new Map<string, number>()
  const at = Date.now()
  await end()
  while (times.size < before.size && Date.now() - at < 40_000) {
    for (const [id, fence] of await crowd.fences())
      if (fence > (before.get(id) ?? 0) && !times.has(id)) times.set(id, Date.now() - at)
    await wait(20)
  }
  return [
    ...times.values(),
    ...Array.from({ length: before.size - times.size }, () => Number.POSITIVE_INFINITY),
  ]
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const [first = 0, middle = 0, last = 0] = [
    sorted[0],
    sorted[Math.floor(sorted.length / 2)],
    sorted.at(-1),
  ]
  return `${seconds(first)} / ${seconds(middle)} / ${seconds(last)} (first, middle, last)`
}
