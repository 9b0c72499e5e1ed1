import { setTimeout as wait } from 'node:timers/promises'
import { type Host, mergeCounts } from './host.ts'
import { type Death, type Life, type LifeOptions, startLife } from './instance.ts'
import { nameOf, type Points, type Target } from './points.ts'

/** What is thrown when a life ends while it is still starting; later calls simply never come back. */
class Dead extends Error {
  readonly code = 'dead'
}

/**
 * Lives in this process. A life that reaches its target is abandoned: from then on no call of its ports does anything or
 * comes back, as if the process were gone, and the next life starts with connections of its own. Many times cheaper than
 * a process a crash; `startChildHost` does it for real.
 *
 * @param targets the first is for the first life; each crash takes the next.
 */
export async function startLocalHost(
  options: Omit<LifeOptions, 'target'>,
  targets: readonly Target[],
): Promise<Host> {
  const counts = new Map<string, number>()
  const crashes: string[] = []
  let life: Life | null = null
  let closing = false
  /** Ends when the next life has started; fails when it could not. */
  let rising: Promise<void> = live()

  async function live(): Promise<void> {
    if (closing) return
    const target = targets[crashes.length] ?? null
    let stage: 'booting' | 'living' | 'dead' = 'booting'
    let dead = false
    let points: Points | null = null
    const death: Death = {
      isDead: () => dead,
      die() {
        if (!dead && target !== null) crashes.push(nameOf(target))
        dead = true
        mergeCounts(counts, points?.counts() ?? [])
        if (stage === 'booting') return Promise.reject(new Dead('this life is over'))
        if (stage === 'living') rise(bury())
        stage = 'dead'
        return new Promise(() => {})
      },
    }
    async function bury() {
      const one = life
      life = null
      await one?.bury()
      await live()
    }
    try {
      const started = await startLife({ ...options, target }, death, (made) => {
        points = made
      })
      stage = dead ? 'dead' : 'living'
      life = {
        ...started,
        stop: () => started.stop().then(() => mergeCounts(counts, points?.counts() ?? [])),
      }
      if (dead) await bury()
    } catch (error) {
      if (!dead) throw error
      await live()
    }
  }

  /** A life that cannot start is a failure of the test that waits for it, and of nobody else. */
  function rise(next: Promise<void>) {
    next.catch(() => {})
    rising = next
  }

  /** Waits until a life has started and stays. */
  async function settled(): Promise<Life> {
    for (let seen = null; seen !== rising; ) {
      seen = rising
      await seen
    }
    if (life === null) throw new Error('no life is left')
    return life
  }
  async function untilGone(one: Life): Promise<void> {
    while (life === one) await wait(5)
  }

  await settled()
  return {
    crashes,
    counts,
    url: () => life?.clew.url ?? null,
    async intake(event) {
      const one = await settled()
      const down = untilGone(one).then(() => {
        throw new Error('Clew went down')
      })
      return await Promise.race([one.clew.agent.intake(event), down])
    },
    async bounce() {
      const one = await settled()
      // A target may lie in stopping itself: then the stop never ends, and the next life rises by itself.
      await Promise.race([one.stop(), untilGone(one)])
      if (life === one) {
        life = null
        rise(live())
      }
      await settled()
    },
    async close() {
      const one = await settled()
      closing = true
      await Promise.race([one.stop(), untilGone(one)])
      await rising
      life = null
    },
  }
}
