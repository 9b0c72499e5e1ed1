import { type Conversation, newConversation } from '../../../src/agent/domain/conversation.ts'
import type { Delivery } from '../../../src/agent/domain/delivery.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { assistantMessage, type Message } from '../../../src/agent/domain/message.ts'
import type { Question } from '../../../src/agent/domain/question.ts'
import type { Run } from '../../../src/agent/domain/run.ts'
import type { StepTask } from '../../../src/agent/domain/task.ts'
import type { Change, Lease, Store } from '../../../src/agent/ports/store.ts'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import { limits } from '../../support/limits.ts'

/* Plain rows for tests of the store, each with what the test is about laid over it. */

export const workspace = 'web:local'
export const at = Date.UTC(2026, 2, 4, 2)
export const opening = { locale: 'en', timeZone: 'Europe/Lisbon' }
export const ana = { id: 'u1', name: 'Ana' }

export function eventOf(patch: Partial<InboundEvent> = {}): InboundEvent {
  return {
    workspace,
    channel: 'general',
    thread: 't1',
    keys: ['m1'],
    author: { ...ana, bot: false },
    whose: { way: 'typed' as const, by: 'member' as const },
    at,
    content: { kind: 'message', text: 'Plan the offsite', addressed: true, forSomeoneElse: false },
    ...patch,
  }
}

/** The `n`-th message of a thread. */
export const messageEvent = (n: number, patch: Partial<InboundEvent> = {}): InboundEvent =>
  eventOf({
    keys: [`m${n}`],
    content: { kind: 'message', text: `message ${n}`, addressed: true, forSomeoneElse: false },
    ...patch,
  })

export const conversationOf = (patch: Partial<Conversation> = {}): Conversation =>
  newConversation({
    id: 'c_opened',
    address: { workspace, channel: 'general', thread: null },
    title: 'Task completed: report',
    at,
    ...opening,
    ...patch,
  })

export function runOf(patch: Partial<Run> = {}): Run {
  return {
    version: 1,
    id: 'r_1',
    workspace,
    conversationId: null,
    channel: 'general',
    type: 'agent_task',
    title: 'Plan the offsite',
    input: { goal: 'Plan the offsite' },
    status: 'queued',
    requestedBy: ana,
    requestId: 'e_1',
    parentRunId: null,
    afterRunId: null,
    createdAt: at,
    startedAt: null,
    endedAt: null,
    error: null,
    result: null,
    attempts: 0,
    ...patch,
  }
}

/** As the records of every released version have them. */
const stored = { ...limits, maxWallMs: 1e7, maxUnavailable: 3 }

export const taskOf = (patch: Partial<StepTask> = {}): StepTask => ({
  ...step.start('Plan the offsite', stored, false),
  ...patch,
})

export const observationOf = (n: number) => ({
  step: n,
  tool: 'internet_search',
  input: `query ${n}`,
  ok: true,
  result: `result ${n}`,
})

export const questionOf = (n: number, runId = 'r_1'): Question => ({
  version: 1,
  id: `q_${n}`,
  runId,
  text: 'Which city?',
  choices: ['Lisbon', 'Porto'],
  askedAt: at,
  askedOf: null,
})

export const lineOf = (n: number): Message =>
  assistantMessage({ kind: 'turn', refId: `e_${n}` }, 'line', `line ${n}`, at + n)

export function deliveryOf(n: number, conversationId: string): Delivery {
  return {
    version: 1,
    id: `d_${n}`,
    conversationId,
    at,
    body: { kind: 'message', messageId: `m_${n}`, text: `line ${n}`, runId: null },
  }
}

export const itemOf = (kind: Item['kind'], id: string, home = workspace): Item => ({
  kind,
  workspace: home,
  id,
})

/** Claims what must be free. */
export async function claim(store: Store, item: Item, forMs = 10_000): Promise<Lease> {
  const lease = await store.leases.claim(item, forMs)
  if (lease === null) throw new Error(`${item.kind} ${item.id} is not there or is held`)
  return lease
}

let commits = 0
/** A change with a name that was not used before. */
export const changeOf = (change: Partial<Change>): Change => ({
  id: `k_${++commits}`,
  at,
  ...change,
})

/** One commit under a lease of its own, which is given up again at once. */
export async function commitOnce(store: Store, item: Item, change: Partial<Change>): Promise<void> {
  const lease = await claim(store, item)
  const committed = await store.commits.commit(lease, changeOf(change))
  if (committed.kind !== 'committed') throw new Error(`the commit was ${committed.kind}`)
  await store.leases.release(lease, { over: true })
}

/** A thread with one message in it that was taken in already; answers the conversation's id. */
export async function openThread(store: Store, patch: Partial<InboundEvent> = {}): Promise<string> {
  const event = eventOf(patch)
  const { conversationId } = await store.inbox.accept(event, opening)
  await commitOnce(store, itemOf('conversation', conversationId, event.workspace), { consume: 1 })
  return conversationId
}

/** A thread with a run in it that waits to be driven. */
export async function openRun(
  store: Store,
  patch: Partial<Run> = {},
): Promise<{ conversationId: string; run: Run }> {
  const conversationId = await openThread(store)
  const run = runOf({ conversationId, ...patch })
  await commitOnce(store, itemOf('conversation', conversationId), { create: [run] })
  return { conversationId, run }
}
