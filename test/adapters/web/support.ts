import type { Redis } from 'ioredis'
import { createWebChannel } from '../../../src/adapters/web/adapter.ts'
import type { WebDeps, WebHealth } from '../../../src/adapters/web/deps.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import type { Intake } from '../../../src/agent/ports/channel.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { createRedisEventLog } from '../../../src/store/redis/event-log.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { unlimited } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { requireDescribed } from './described.ts'

const healthy: WebHealth = {
  ok: true,
  store: { ok: true, detail: 'answers' },
  queue: { ok: true, detail: 'idle' },
  channels: {},
  model: { ok: true, detail: 'answered', name: 'rehearsal', rehearsal: true, last: null },
}

/** Intake as the core does it, without the core: stored, then acknowledged. */
function storingIntake(store: Pick<Store, 'inbox'>): Intake {
  return async (event) => {
    const { kind, entry, conversationId } = await store.inbox.accept(event, {
      locale: 'en',
      timeZone: 'UTC',
    })
    return { kind, conversationId, messageId: entry.messageId, entryId: entry.id }
  }
}

/** The channel on a real socket, over a real store. */
export async function startWeb(
  redis: Redis,
  overrides: Partial<WebDeps> & { intake?: Intake } = {},
) {
  const clock = overrides.clock ?? createManualClock()
  const store = createRedisStore({ redis, clock, worker: 'test' })
  const scopeOf = scopeBy('channel')
  const events = createRedisEventLog({ redis, workspace: 'web:local' })
  const channel = createWebChannel({
    host: '127.0.0.1',
    port: 0,
    token: null,
    url: null,
    members: [],
    proxies: 0,
    clock,
    log: silent,
    store,
    events,
    mayUse: () => true,
    admins: [],
    commands: [],
    documents: { read: async () => ({ ok: false, problem: 'unreadable' }) },
    work: {
      todos: { todos: store.todos, scopeOf },
      schedules: { schedules: store.schedules, runs: store.runs, scopeOf, allowable: [], ways: [] },
      memory: { memories: store.memories, proposalMs: 60_000 },
    },
    privacy: { store: store.privacy, token: null },
    drafts: { listen: () => () => {} },
    news: { listen: () => () => {} },
    linkTo: () => null,
    lateAfterMs: 0,
    routes: {},
    upkeep: { limits: unlimited, currency: null, nameOf: async () => null, wake: async () => {} },
    checks: {
      last: () => null,
      isLooking: () => false,
      look: () => Promise.reject(new Error('there are no checks')),
    },
    setup: null,
    metrics: async () => '',
    health: async () => healthy,
    defaultLocale: 'en',
    timeZone: 'UTC',
    linkHosts: [],
    ...overrides,
  })
  await channel.start(overrides.intake ?? storingIntake(store))
  const { url } = await channel.listen()
  return {
    channel,
    store,
    events,
    url,
    async stop() {
      await channel.stop()
      await events.close()
    },
  }
}

/** A request as a program makes it; what is answered has to be described. `body` is sent as JSON unless it is a string. */
export async function ask(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'GET',
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const answer = {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  }
  requireDescribed(method, url, answer)
  return answer
}
