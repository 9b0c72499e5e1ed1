import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/agent/ports/store.ts'
import type { ManualClock } from '../fakes/clock.ts'
import { describeMemories } from './memories.ts'
import { describeAudit } from './store/audit.ts'
import { describeCommits } from './store/commits.ts'
import { describeFigures } from './store/figures.ts'
import { describeInbox } from './store/inbox.ts'
import { describeLeases } from './store/leases.ts'
import { describeNeeds } from './store/needs.ts'
import { describeOutbox } from './store/outbox.ts'
import { describePrivacy } from './store/privacy.ts'
import { describeRates } from './store/rates.ts'
import { describeReads } from './store/reads.ts'
import { describeRetention } from './store/retention.ts'
import { describeRuns } from './store/runs.ts'
import { describeSearch } from './store/search.ts'
import { describeThreads } from './store/threads.ts'
import { describeTodos } from './todos.ts'

/** An empty store, seen by as many processes as a test wants. */
export interface StoreBench {
  clock: ManualClock
  /** A store as another process has it, with a connection of its own. `worker` is what a restart would be named, too. */
  open(worker?: string): Store
  close(): Promise<void>
}

/** What a suite of the contract works with. */
export interface Parts {
  readonly store: Store
  readonly clock: ManualClock
  open(worker?: string): Store
}

/** What every `Store` promises. `create` answers an empty one. */
export function describeStore(name: string, create: () => Promise<StoreBench>) {
  describe(`the store: ${name}`, () => {
    let bench: StoreBench
    let store: Store
    const parts: Parts = {
      get store() {
        return store
      },
      get clock() {
        return bench.clock
      },
      open: (worker) => bench.open(worker),
    }
    beforeEach(async () => {
      bench = await create()
      store = bench.open()
    })
    afterEach(() => bench.close())

    describe('leases', () => describeLeases(parts))
    describe('the inbox', () => describeInbox(parts))
    describe('threads', () => describeThreads(parts))
    describe('commits', () => describeCommits(parts))
    describe('figures', () => describeFigures(parts))
    describe('the outbox', () => describeOutbox(parts))
    describe('rates', () => describeRates(parts))
    describe('what waits for people', () => describeNeeds(parts))
    describe('search', () => describeSearch(parts))
    describe('what is read', () => describeReads(parts))
    describe('runs from outside', () => describeRuns(parts))
    describe('the audit', () => describeAudit(parts))
    describe('retention', () => describeRetention(parts))
    describe('privacy', () => describePrivacy(parts))
  })
  describeMemories(name, async () => {
    const bench = await create()
    return { store: bench.open(), close: () => bench.close() }
  })
  describeTodos(name, async () => {
    const bench = await create()
    return { todos: bench.open().todos, close: () => bench.close() }
  })
}
