import { describe, expect, it } from 'vitest'
import { type Idle, idle } from '../../../src/agent/kernel/idle.ts'
import { Fenced, type Hold, leaseMs, withLease } from '../../../src/agent/kernel/lease.ts'
import type { Leases } from '../../../src/agent/ports/store.ts'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import { createManualClock } from '../../fakes/clock.ts'

const item: Item = { kind: 'conversation', workspace: 'test:team', id: 'c' }

/** One item's lease in memory, with what was done to it. */
function createBench() {
  const clock = createManualClock({ start: 0 })
  const done: string[] = []
  const wakes: number[] = []
  const lines: string[] = []
  const say = (_: object, line: string) => void lines.push(line)
  const state = { fence: 0, until: 0, waiting: 0, renews: true as boolean | 'away' }
  const leases: Leases = {
    async claim(claimed, forMs) {
      if (state.until > clock.now()) return null
      state.until = clock.now() + forMs
      return { item: claimed, fence: ++state.fence }
    },
    async renew(_, forMs) {
      if (state.renews === 'away') throw new Error('the store is away')
      done.push(`renewed at ${clock.now()}`)
      if (state.renews) state.until = clock.now() + forMs
      return state.renews
    },
    async release(_, options) {
      done.push(
        `release${options?.over ? ' over' : ''}${options?.wakeAt ? ` until ${options.wakeAt}` : ''}`,
      )
      if (state.waiting > 0 && !options?.over) return 'more'
      state.until = 0
      return 'released'
    },
    async park(_, until) {
      done.push(`park until ${until}`)
      state.until = until
    },
    due: async () => [],
    reclaim: async () => [],
    failed: async () => 0,
  }
  const nudges = new Map<string, () => void>()
  const wakeups = { wake: async (_: Item, delayMs = 0) => void wakes.push(delayMs) }
  const deps = {
    leases,
    nudges,
    wakeups,
    clock,
    log: { debug: say, info: say, warn: say, error: say },
  }
  const stop = new AbortController()
  const work = (on: (hold: Hold) => Promise<Idle>) => withLease(deps, item, stop.signal, on)
  const nudge = () => nudges.forEach((look) => void look())
  return { clock, done, wakes, lines, state, stop, work, nudge }
}

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
const begun = () => new Promise((resolve) => setImmediate(resolve))

describe('work under a lease', () => {
  it('is done by one at a time (R103, P6)', async () => {
    const { work, state } = createBench()
    state.until = 5_000
    let begun = false
    await work(async () => {
      begun = true
      return idle
    })
    expect(begun).toBe(false)
  })

  it('is left to the next worker once the process stops (P15)', async () => {
    const { work, stop, state, done } = createBench()
    stop.abort()
    let begun = false
    await work(async () => {
      begun = true
      return idle
    })
    expect([begun, state.fence, done]).toEqual([false, 0, []])
  })

  it('looks again when something came in before the release (P5, I5)', async () => {
    const { work, state, done } = createBench()
    let looks = 0
    state.waiting = 1
    await work(async () => {
      looks += 1
      if (looks === 3) state.waiting = 0
      return idle
    })
    expect([looks, done]).toEqual([3, ['release', 'release', 'release']])
  })

  it('keeps its lease by a timer for as long as it takes (I4, R103, P14)', async () => {
    const { work, clock, state, done } = createBench()
    const { promise, resolve } = Promise.withResolvers<Idle>()
    const working = work(() => promise)
    await begun()
    for (let second = 0; second < 60; second++) {
      await clock.advance(1_000)
      expect(state.until).toBeGreaterThan(clock.now())
    }
    resolve(idle)
    await working
    expect(done.filter((one) => one.startsWith('renewed'))).toHaveLength(20)
    expect(done.at(-1)).toBe('release')
  })

  it('stops when somebody else has the item, and touches nothing more (P6, I8)', async () => {
    const { work, clock, state, done } = createBench()
    const working = work(async ({ signal }) => {
      await until(signal)
      return idle
    })
    await begun()
    state.renews = false
    await clock.advance(3_000)
    await working
    expect(done).toEqual(['renewed at 3000'])
  })

  it('hears of that at once when it is nudged (R104)', async () => {
    const { work, state, nudge, done } = createBench()
    const working = work(async ({ signal }) => {
      state.renews = false
      nudge()
      await until(signal)
      return idle
    })
    await working
    expect(done).toEqual(['renewed at 0'])
  })

  it('outlives a store that is away for less than the lease, and stops when it is away for longer (P6)', async () => {
    const { work, clock, state } = createBench()
    let stopped = false
    const working = work(async ({ signal }) => {
      await until(signal)
      stopped = true
      return idle
    })
    await begun()
    await clock.advance(3_000)
    state.renews = 'away'
    await clock.advance(leaseMs - 1_000)
    expect(stopped).toBe(false)
    await clock.advance(4_000)
    await working
    expect(stopped).toBe(true)
  })

  it('leaves a failed attempt to the process that takes it over (P14)', async () => {
    const { work, state, done, lines } = createBench()
    await work(() => Promise.reject(new Error('broken')))
    expect([done, state.until]).toEqual([[], leaseMs])
    expect(lines).toEqual(['item failed; retrying when its lease ends'])
  })

  it('says nothing when its commit was refused because of an old fence (P6)', async () => {
    const { work, done, lines } = createBench()
    await work(() => Promise.reject(new Fenced(item)))
    expect([done, lines]).toEqual([[], []])
  })

  it('gives the item up at once when the process stops (P15)', async () => {
    const { work, stop, state, done } = createBench()
    const working = work(async ({ signal }) => {
      await until(signal)
      return idle
    })
    await begun()
    stop.abort()
    await working
    expect([done, state.until]).toEqual([['park until 0'], 0])
  })

  it.each<[Idle, string[], number[]]>([
    [{ kind: 'wakeAt', at: 2_000 }, ['release until 2000'], [2_000]],
    // Later than the sweep looks anyway.
    [{ kind: 'wakeAt', at: 60_000 }, ['release until 60000'], []],
    [{ kind: 'park', until: 2_000 }, ['park until 2000'], [2_000]],
    [{ kind: 'over' }, ['release over'], []],
  ])('rests as it says: %o', async (how, expected, woken) => {
    const { work, done, wakes } = createBench()
    await work(async () => how)
    expect([done, wakes]).toEqual([expected, woken])
  })
})
