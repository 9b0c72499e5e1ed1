import { expect, it } from 'vitest'
import { wakeFor } from '../../../src/agent/kernel/commit.ts'
import { idle } from '../../../src/agent/kernel/idle.ts'
import { withLease } from '../../../src/agent/kernel/lease.ts'
import type { Leases } from '../../../src/agent/ports/store.ts'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import { createManualClock } from '../../fakes/clock.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

it.each(['conversation', 'outbox'] as const)(
  'of kind %s: what is being given up is not taken back; progress does not rely on its owner (P5, P14)',
  async (kind) => {
    const item = { kind, workspace: 'slack:T1', id: 'c_1' }
    const clock = createManualClock()
    const nudges = new Map<string, () => void>()
    const renewals: string[] = []
    const woken: string[] = []
    const wakeups = { wake: async ({ kind }: Item) => void woken.push(`${kind} while ${phase}`) }
    const showProgress = async () => {
      for (const nudge of nudges.values()) nudge()
      await wakeFor(
        { wakeups, nudges },
        { ...item, kind: 'run', id: 'r_1' },
        { conversationId: 'c_1', progress: 'r_1' },
      )
    }
    let phase = 'working'
    const leases: Leases = {
      claim: async () => ({ item, fence: 1 }),
      async renew() {
        renewals.push(phase)
        return true
      },
      async release() {
        phase = 'releasing'
        await showProgress()
        return 'released'
      },
      park: async () => {},
      due: async () => [],
      reclaim: async () => [],
      failed: async () => 0,
    }
    const deps = { leases, nudges, wakeups, clock, log: silent }
    await withLease(deps, item, new AbortController().signal, async () => {
      await showProgress()
      return idle
    })
    const isOutbox = kind === 'outbox'
    expect(renewals).toEqual(isOutbox ? [] : ['working'])
    // Its owner sees what came in before it began to let go, and nothing later.
    expect(woken).toEqual([...(isOutbox ? [] : ['outbox while working']), 'outbox while releasing'])
  },
)
