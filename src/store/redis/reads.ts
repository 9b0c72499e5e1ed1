import { LRUCache } from 'lru-cache'
import { RunSpent } from '../../agent/domain/forecast.ts'
import { asSaidInOrder, Overheard } from '../../agent/domain/overheard.ts'
import { Run } from '../../agent/domain/run.ts'
import { RunInput } from '../../agent/domain/run-input.ts'
import { growing } from '../../agent/domain/task.ts'
import { TraceEntry } from '../../agent/domain/trace.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Conversations, Runs } from '../../agent/ports/store.ts'
import { createArrangements } from './arrange.ts'
import type { Client } from './client.ts'
import {
  encode,
  fieldsOf,
  readEach,
  readFields,
  readGood,
  readOne,
  readRow,
  readTask,
  tryRow,
} from './codec.ts'
import { channelIn } from './connection.ts'
import { wordsFrom } from './indexed-words.ts'
import { keysOf, needName } from './keys.ts'
import { combine, fields, hash, list, look, lookAll, lookThrough, strings } from './look.ts'
import { pageOf } from './pages.ts'
import { AskedQuestion, readGoodRow, runRow, statesOf } from './states.ts'

export function createConversations(client: Client, clock: Clock): Conversations {
  const { redis } = client
  const markRead = async (workspace: string, id: string, args: readonly (string | number)[]) => {
    const { conversation, needs, news } = keysOf(workspace)
    const keys = [conversation(id).row, needs(), channelIn(redis, news)]
    return (await client.run('read', keys, args)) === 1
  }
  return {
    state: async (workspace, id, count, waiting) =>
      (await statesOf(redis, workspace, [id], { count, waiting }))[0] ?? null,
    async overheard(workspace, id) {
      const rows = await look(redis, strings('HVALS', keysOf(workspace).conversation(id).overheard))
      return readGood(Overheard, rows).sort(asSaidInOrder)
    },
    async list(workspace, limit) {
      const ids = await redis.zrevrange(keysOf(workspace).conversations, 0, limit - 1)
      const states = await statesOf(redis, workspace, ids, { count: 1 })
      return states.flatMap((state) => (state === null || state.broken !== null ? [] : [state]))
    },
    ...createArrangements(client, clock),
    page: (workspaces, before, limit, sees) => pageOf(redis, workspaces, before, { limit, sees }),
    async open(conversation) {
      const { id, updatedAt, address } = conversation
      const keys = keysOf(address.workspace)
      const { row, out, words } = keys.conversation(id)
      await Promise.all([
        client.workspaces.add(address.workspace),
        client.run(
          'open',
          [row, out, keys.conversations, keys.words.all, words],
          [id, updatedAt, wordsFrom(conversation), ...fieldsOf(conversation)],
        ),
      ])
    },
    markRead: (workspace, id, at) => markRead(workspace, id, [at, '', id]),
    see: (workspace, id, at) => markRead(workspace, id, [at, needName.failed(id), id]),
    question: async (workspace, id) =>
      readOne(AskedQuestion, await redis.hget(keysOf(workspace).questions, id)),
  }
}

async function admit(client: Client, run: Run, group?: Parameters<Runs['admit']>[1]) {
  const { id, workspace, conversationId, createdAt, type } = run
  const keys = keysOf(workspace)
  const { row } = keys.run(id)
  const thread = conversationId === null ? row : keys.conversation(conversationId).runs
  const gatherer = group === undefined ? { row, inputs: row } : keys.run(group.gatherer)
  const told =
    group === undefined ? '' : encode({ kind: 'gathered', entryId: id } satisfies RunInput)
  const created: TraceEntry = {
    at: createdAt,
    what: { kind: 'created', runId: id, type, parentRunId: null },
  }
  const [, answer] = await Promise.all([
    client.workspaces.add(workspace),
    client.run(
      'admit',
      [row, keys.runs, keys.due('run'), keys.trace(id), thread, gatherer.row, gatherer.inputs],
      [
        id,
        createdAt,
        encode(created),
        conversationId === null ? '' : '1',
        told,
        group?.size ?? 0,
        ...fieldsOf(run),
      ],
    ),
  ])
  if (answer === 1) return 'accepted'
  if (answer === 0) return 'known'
  return answer === -1 ? 'closed' : 'full'
}

/** Runs of a workspace that are searched for those of one channel, newest first. */
const spentRead = 200
/** Those that one round trip reads. */
const spentAtOnce = 40
/** Time for which a full answer is kept, in ms. */
const spentKeptMs = 60_000

export function createRuns(client: Client, clock: Pick<Clock, 'now'>): Runs {
  const { redis } = client
  /** Full answers of `spent`: a forecast need not go by the runs of the last minute (C737). */
  const spentLately = new LRUCache<string, RunSpent[]>({
    max: 1_000,
    ttl: spentKeptMs,
    ttlResolution: 0,
    perf: clock,
  })
  return {
    admit: (run, group) => admit(client, run, group),
    async state(workspace, id) {
      const places = keysOf(workspace).run(id)
      const [row, inputs, lists] = await lookAll(
        redis,
        hash(places.row),
        list(places.inputs, 0, -1),
        combine(...growing.map((name) => list(places.growing(name), 0, -1))),
      )
      const run = readRow(Run, row)
      if (run === null) return null
      const { read, damaged } = readEach(RunInput, inputs)
      const task = tryRow(() => readTask(row, lists))
      const parts = task.ok
        ? { task: task.value, problem: null }
        : { task: null, problem: task.problem }
      return { run, ...parts, inputs: read, damaged }
    },
    async list(workspace, limit, conversationId) {
      const keys = keysOf(workspace)
      const ids =
        conversationId === undefined
          ? await redis.zrevrange(keys.runs, 0, limit - 1)
          : (await look(redis, list(keys.conversation(conversationId).runs, -limit, -1))).reverse()
      const rows = await lookAll(redis, ...ids.map((id) => runRow(keys.run(id).row)))
      return rows.flatMap((row) => readGoodRow(Run, row))
    },
    async spent(workspace, { channel, type, limit }) {
      const name = JSON.stringify([workspace, channel, type, limit])
      const lately = spentLately.get(name)
      if (lately !== undefined) return lately
      const keys = keysOf(workspace)
      const ids = await redis.zrevrange(keys.runs, 0, spentRead - 1)
      const names = ['channel', 'type', 'spent', 'schedule'] as const
      const read = (id: string) => fields(keys.run(id).row, names)
      const found: RunSpent[] = []
      for await (const [, row] of lookThrough(redis, ids, spentAtOnce, read)) {
        const [at = null, of = null, spent = null, schedule] = row
        const isOf =
          schedule == null &&
          readOne(Run.shape.channel, at) === channel &&
          readOne(Run.shape.type, of) === type
        const amounts = isOf ? readOne(RunSpent, spent) : null
        if (amounts !== null) found.push(amounts)
        if (found.length === limit) break
      }
      found.reverse()
      if (found.length === limit) spentLately.set(name, found)
      return found
    },
    remains: async (workspace, id) =>
      readFields(Run, await redis.hgetall(keysOf(workspace).run(id).row)),
    async trace(workspace, of) {
      const entries = await redis.lrange(keysOf(workspace).trace(of), 0, -1)
      return readGood(TraceEntry, entries)
    },
  }
}
