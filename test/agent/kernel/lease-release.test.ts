import { expect, it } from 'vitest'
import { withLease } from '../../../src/agent/kernel/lease.ts'
import { rest } from '../../../src/agent/kernel/rest.ts'
import type { Leases } from '../../../src/agent/ports/store.ts'
import { createManualClock } from '../../fakes/clock.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const item = { kind: 'conversation' as const, workspace: 'slack:T1', id: 'c_1' }

it('does not take a lease back that is being given up, however often it is nudged (P5, P14)', async () => {
  const clock = createManualClock()
  const nudges = new Map<string, () => boolean>()
  const renewals: string[] = []
  let phase = 'working'
  const leases: Leases = {
    claim: async () => ({ item, fence: 1 }),
    async renew() {
      renewals.push(phase)
      return true
    },
    async release() {
      phase = 'releasing'
      for (const nudge of nudges.values()) expect(nudge(), 'sure to be seen').toBe(false)
      return 'released'
    },
    park: async () => {},
    due: async () => [],
    reclaim: async () => [],
    failed: async () => 0,
  }
  const deps = { leases, nudges, wakeups: { wake: async () => {} }, clock, log: silent }
  await withLease(deps, item, new AbortController().signal, async () => {
    for (const nudge of nudges.values()) expect(nudge(), 'sure to be seen').toBe(true)
    return rest
  })
  expect(renewals).toEqual(['working'])
})
