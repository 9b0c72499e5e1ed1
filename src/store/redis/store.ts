import type { Clock } from '../../agent/ports/clock.ts'
import type { Store } from '../../agent/ports/store.ts'
import { createAlarms } from './alarms.ts'
import { createApprovals } from './approvals.ts'
import { createArtifacts } from './artifacts.ts'
import { createAudit } from './audit.ts'
import { createBacklog } from './backlog.ts'
import { createCalendar } from './calendar.ts'
import { createClient } from './client.ts'
import { createCommits } from './commits.ts'
import type { Connection } from './connection.ts'
import { guarded } from './errors.ts'
import { createEventRules } from './event-rules.ts'
import { createStoreHealth } from './health.ts'
import { createInbox } from './inbox.ts'
import { createLeases } from './leases.ts'
import { createMemories } from './memories.ts'
import { createNeeds } from './needs.ts'
import { createNotes } from './notes.ts'
import { createSchedules, createTodos } from './numbered-rows.ts'
import { type Ahead, createOutbox } from './outbox.ts'
import { createPrivacy } from './privacy.ts'
import { createRates } from './rates.ts'
import { createConversations, createRuns } from './reads.ts'
import { createRetention } from './retention.ts'
import { createSearches } from './search.ts'
import { createUsageCounts } from './usage.ts'

/**
 * The store on Redis or Valkey. `worker` names this process in its leases; `strict` confirms each
 * write on disk (P7); `timeZone` bounds the days of the figures.
 */
export function createRedisStore(deps: {
  redis: Connection
  clock: Clock
  worker: string
  strict?: boolean
  timeZone?: string
}): Store {
  const client = createClient(deps.redis, { strict: deps.strict ?? false })
  const self = `${deps.worker} ${deps.clock.randomId()}`
  const ahead: Ahead = new WeakMap()
  return {
    leases: guarded(createLeases(client, { ...deps, self, ahead })),
    inbox: guarded(createInbox(client, deps.clock)),
    commits: guarded(
      createCommits(client, { self, timeZone: deps.timeZone ?? 'UTC', clock: deps.clock }),
    ),
    conversations: guarded(createConversations(client, deps.clock)),
    runs: guarded(createRuns(client, deps.clock)),
    outbox: guarded(createOutbox(client, ahead)),
    todos: guarded(createTodos(client, deps.clock)),
    notes: guarded(createNotes(client, deps.clock)),
    schedules: guarded(createSchedules(client, deps.clock)),
    events: guarded(createEventRules(client)),
    alarms: guarded(createAlarms(client)),
    calendar: guarded(createCalendar(client)),
    memories: guarded(createMemories(client, deps.clock)),
    backlog: guarded(createBacklog(client)),
    needs: guarded(createNeeds(client)),
    search: guarded(createSearches(client)),
    usage: guarded(createUsageCounts(client)),
    rates: guarded(createRates(client)),
    approvals: guarded(createApprovals(client)),
    artifacts: guarded(createArtifacts(client)),
    audit: guarded(createAudit(client, deps.clock)),
    retention: guarded(createRetention(client, deps.clock)),
    privacy: guarded(createPrivacy(client, deps.clock)),
    health: createStoreHealth(deps.redis, deps.clock),
    async close() {
      await deps.redis.quit().catch(() => deps.redis.disconnect())
    },
  }
}
