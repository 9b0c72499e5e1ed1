import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Store } from '../../../src/agent/ports/store.ts'
import { adding, proposing } from '../../contracts/memories.ts'
import {
  ana,
  at,
  claim,
  commitOnce,
  conversationOf,
  deliveryOf,
  eventOf,
  itemOf,
  lineOf,
  messageEvent,
  observationOf,
  opening,
  questionOf,
  runOf,
  taskOf,
  workspace,
} from '../../contracts/store/rows.ts'

/* Records as every version of Clew has written them. They are never changed: a new shape is a new version beside the old. */

const recordsFolder = join(import.meta.dirname, '../../fixtures/records')
export const versions = readdirSync(recordsFolder).sort()

/** Keys of one kind as they stand in Redis. */
const Rows = z.record(
  z.string(),
  z.union([
    z.object({ hash: z.record(z.string(), z.string()) }),
    z.object({ list: z.array(z.string()) }),
    z.object({ sorted: z.record(z.string(), z.string()) }),
    z.object({ string: z.string() }),
    z.object({ set: z.array(z.string()) }),
  ]),
)
export type Rows = z.infer<typeof Rows>

/** All rows of a version, file by file. */
export function rowsOf(version: string): Record<string, Rows> {
  const folder = join(recordsFolder, version)
  const files = readdirSync(folder).sort()
  return Object.fromEntries(
    files.map((file) => [
      file.replace(/\.json$/, ''),
      Rows.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    ]),
  )
}

/** Puts rows into an empty Redis. */
export async function restore(redis: Redis, files: Record<string, Rows>): Promise<void> {
  for (const [key, row] of Object.values(files).flatMap((rows) => Object.entries(rows))) {
    if ('hash' in row) await redis.hset(key, row.hash)
    else if ('list' in row) await redis.rpush(key, ...row.list)
    else if ('sorted' in row)
      await redis.zadd(
        key,
        ...Object.entries(row.sorted).flatMap(([member, score]) => [score, member]),
      )
    else if ('set' in row) await redis.sadd(key, ...row.set)
    else await redis.set(key, row.string)
  }
}

/** Everything that is in a Redis, sorted by what it is about. */
export async function rowsIn(redis: Redis): Promise<Record<string, Rows>> {
  const files: Record<string, Rows> = {}
  for (const key of (await redis.keys('*')).sort()) {
    // The index of words is made of the other rows, and anew where it is missing (C200).
    if (key.endsWith(':words')) continue
    const file = fileOf(key)
    files[file] = { ...files[file], [key]: await rowAt(redis, key) }
  }
  return files
}

/** `clew:{web:local}:conversation:c_1:inbox` → `conversation`. */
const fileOf = (key: string) => /^clew:(?:\{[^}]*\}:)?([a-z]+)/.exec(key)?.[1] ?? 'other'

async function rowAt(redis: Redis, key: string): Promise<Rows[string]> {
  const type = await redis.type(key)
  switch (type) {
    case 'hash':
      return { hash: sorted(await redis.hgetall(key)) }
    case 'list':
      return { list: await redis.lrange(key, 0, -1) }
    case 'set':
      return { set: (await redis.smembers(key)).sort() }
    case 'zset': {
      const flat = await redis.zrange(key, '0', '-1', 'WITHSCORES')
      return {
        sorted: Object.fromEntries(
          flat.flatMap((member, n) => (n % 2 ? [] : [[member, flat[n + 1] ?? '']])),
        ),
      }
    }
    default:
      return { string: (await redis.get(key)) ?? '' }
  }
}

const sorted = (hash: Record<string, string>) =>
  Object.fromEntries(Object.entries(hash).sort(([a], [b]) => (a < b ? -1 : 1)))

/** One row of every kind, written through the store. Carried out again it writes the same. */
export async function writeRecords(store: Store): Promise<void> {
  const { conversationId } = await store.inbox.accept(
    eventOf({ locale: 'zh', timeZone: 'Asia/Shanghai' }),
    opening,
  )
  const conversation = itemOf('conversation', conversationId)
  const run = runOf({ conversationId })
  const turn = await claim(store, conversation)
  await store.commits.commit(turn, {
    id: 'k_1',
    at,
    consume: 1,
    create: [run, runOf({ id: 'r_2', requestedBy: null, type: 'sleep', input: { seconds: 5 } })],
    conversationId,
    conversation: { id: conversationId, patch: { foreground: run.id, remindAt: at + 5 } },
    outcomes: [{ messageId: 'm_1', outcome: { kind: 'started', runId: run.id } }],
  })
  await store.leases.release(turn)
  const task = taskOf({
    planItems: [{ text: 'find venues', done: true }],
    planInitialized: true,
    lastQuestion: { text: 'Which city?', choices: ['Lisbon'], reason: 'asked' },
    intent: { step: 2, tool: 'todo', input: 'add x' },
    observations: [observationOf(1)],
    clarifications: [{ step: 1, question: null, text: 'and dinner', author: ana }],
    conclusions: [{ step: 1, item: 'find venues', text: 'three', ok: true }],
    lastChange: {
      added: ['book'],
      dropped: [],
      because: { step: 1, question: 'Which city?', text: 'Lisbon', author: ana },
    },
  })
  const drive = await claim(store, itemOf('run', run.id))
  const asked = {
    conversationId,
    ask: questionOf(1),
    messages: [lineOf(1)],
    deliveries: [deliveryOf(1, conversationId)],
  }
  await store.commits.commit(drive, {
    id: 'k_2',
    at: at + 1,
    task: { before: null, after: task },
    runs: [{ id: run.id, patch: { status: 'running', startedAt: at + 1 } }],
    progress: run.id,
    usage: {
      day: '2026-03-04',
      person: ana.id,
      channel: 'general',
      promptTokens: 50,
      completionTokens: 7,
      cost: 9,
    },
    trace: [
      { of: run.id, entry: { at, what: { kind: 'status', status: 'running', reason: null } } },
      {
        of: run.id,
        entry: { at, what: { kind: 'acted', tool: 'todo', step: 1, ok: true, ms: 3 } },
      },
    ],
    ...asked,
  })
  const answered = { question: questionOf(1), answer: 'Lisbon', author: ana, at: at + 2 }
  const input = {
    kind: 'answer',
    entryId: 'e_2',
    question: questionOf(1),
    text: 'Lisbon',
    author: ana,
  } as const
  await store.commits.commit(drive, {
    id: 'k_3',
    at: at + 2,
    conversationId,
    answered,
    inputs: [{ runId: run.id, input }],
  })
  await store.inbox.accept(messageEvent(2), opening)
  const out = await claim(store, itemOf('outbox', conversationId))
  await store.outbox.trying(out, 'd_1')
  await store.conversations.open(conversationOf({ id: 'c_opened' }))
  await commitOnce(store, itemOf('conversation', 'c_opened'), {
    id: 'k_4',
    conversationId: 'c_opened',
    deliveries: [deliveryOf(2, 'c_opened')],
  })
  const opened = await claim(store, itemOf('outbox', 'c_opened'))
  await store.outbox.sent(opened, 'd_2', 'new')
  const todo = {
    text: 'Call Ana',
    tag: 'work',
    priority: 1,
    dueAt: at,
    remindAt: null,
    doneAt: null,
    createdAt: at,
  }
  await store.todos.add(workspace, 'channel:general', 'x_1', todo)
  await store.memories.change(
    workspace,
    'channel:general',
    'x_2',
    proposing('We meet in Lisbon', at + 9),
  )
  await store.memories.change(
    workspace,
    'channel:general',
    'x_3',
    adding('Porto is nice', { key: 'taste' }),
  )
}

/** All that can be read of those rows. */
export async function readRecords(store: Store): Promise<Record<string, unknown>> {
  const conversations = (await store.conversations.list(workspace, 10)).map(
    ({ conversation }) => conversation,
  )
  const conversation = conversations.find(({ id }) => id !== 'c_opened')
  const id = conversation?.id ?? ''
  return {
    conversations,
    state: await store.conversations.state(workspace, id, 10),
    runs: await store.runs.list(workspace, 10),
    run: await store.runs.state(workspace, 'r_1'),
    trace: await store.runs.trace(workspace, 'r_1'),
    question: await store.conversations.question(workspace, 'q_1'),
    outbox: await store.outbox.next({ item: itemOf('outbox', id), fence: 0 }),
    todos: await store.todos.list(workspace, 'channel:general'),
    usage: await store.usage.ofDay(workspace, '2026-03-04', { person: ana.id, channel: 'general' }),
    memory: await store.memories.read(workspace, ['channel:general']),
    remembered: await store.memories.history(workspace, 'channel:general', 10),
    opened: (await store.inbox.knows(eventOf({ thread: 'new' }))) !== null,
    again: (await store.inbox.accept(eventOf(), opening)).kind,
  }
}
