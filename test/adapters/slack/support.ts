import type { Redis } from 'ioredis'
import { createSlackChannel } from '../../../src/adapters/slack/adapter.ts'
import type { SlackDeps } from '../../../src/adapters/slack/deps.ts'
import { scopeBy } from '../../../src/agent/commands/scope.ts'
import { type Conversation, newConversation } from '../../../src/agent/domain/conversation.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { noDocuments } from '../../fakes/documents.ts'
import type { FakeSlack } from '../../fakes/slack/server.ts'
import { silent } from '../../support/silent.ts'

/** The adapter alone, on a local Slack and a real store. */
export function createChannel(
  slack: Pick<FakeSlack, 'apiUrl'> & {
    state: Pick<FakeSlack['state'], 'appToken'> & { bot: { token: string } }
  },
  redis: Redis,
  overrides: Partial<SlackDeps> = {},
) {
  const clock = createSystemClock()
  const store = createRedisStore({ redis, clock, worker: 'test' })
  const channel = createSlackChannel({
    clock,
    log: silent,
    documents: noDocuments,
    notes: store.notes,
    conversations: store.conversations,
    alarms: store.alarms,
    runs: store.runs,
    inbox: store.inbox,
    todos: store.todos,
    schedules: store.schedules,
    scopeOf: scopeBy('channel'),
    endpoint: async () => ({ ok: true, text: 'done' }),
    apiUrl: slack.apiUrl,
    entrance: { kind: 'socket', appToken: slack.state.appToken },
    allowedApps: [],
    access: { kind: 'token', botToken: slack.state.bot.token },
    mayUse: () => true,
    standingIn: (by) => by,
    happened: async () => 0,
    todoReactions: [],
    linkHosts: [],
    defaults: { locale: 'en', timeZone: 'UTC' },
    progressEveryMs: 10,
    socketPingMs: 300,
    ...overrides,
  })
  return { channel, store, clock }
}

export function conversationIn(
  channel: string,
  thread: string | null,
  id = 'c_test',
): Conversation {
  return newConversation({
    id,
    address: { workspace: 'slack:T1', channel, thread },
    title: 'A thread',
    at: Date.now(),
    updatedAt: 1,
    lastReadAt: 1,
  })
}

/** Waits until `look` answers something; fails after `withinMs`. */
export async function until<T>(
  look: () => T | Promise<T>,
  withinMs = 80_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`nothing came within ${withinMs} ms: ${look.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The system's clock, which a test can put forward: what waits for an instant finds that it has passed. */
export function createLeapingClock() {
  const clock = createSystemClock()
  let ahead = 0
  return {
    ...clock,
    now: () => clock.now() + ahead,
    leap(ms: number) {
      ahead += ms
    },
  }
}
