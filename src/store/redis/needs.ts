import { z } from 'zod'
import { Conversation, isUnread } from '../../agent/domain/conversation.ts'
import { Proposal } from '../../agent/domain/fact.ts'
import { hasEnded, Run } from '../../agent/domain/run.ts'
import type { Need, Needs, NeedsOf } from '../../agent/ports/needs.ts'
import type { Client } from './client.ts'
import { readable, readJson, readOne, readRow } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf, needName, needsOwner, workspacesKey } from './keys.ts'
import {
  behind,
  combine,
  field,
  fields,
  hash,
  list,
  look,
  lookAll,
  lookEach,
  mapped,
  nothing,
  number,
  type Read,
} from './look.ts'
import { readRows } from './memories.ts'
import { AskedQuestion, runRow } from './states.ts'

export function createNeeds(client: Client): Needs {
  const { redis } = client
  const reached = new Map<string, Reached | 'all'>()
  return {
    async list(queues, after, limit) {
      const found = await Promise.all(
        queues.map((queue) => placesIn(redis, queue, after, limit + 1)),
      )
      const places = found
        .flatMap(({ names }) => names)
        .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
      const shown = places.slice(0, limit)
      const last = places.length > limit ? shown.at(-1) : undefined
      const groups = Map.groupBy(shown, ({ workspace }) => workspace)
      const needs = await Promise.all(
        [...groups].map(([workspace, own]) => filled(redis, workspace, own)),
      )
      return {
        needs: needs.flat().sort((a, b) => shown.findIndex(isSame(a)) - shown.findIndex(isSame(b))),
        total: found.reduce((sum, { total }) => sum + total, needs.flat().length - shown.length),
        next: last === undefined ? null : { at: last.at, name: last.name },
      }
    },
    async build() {
      for (const workspace of await redis.smembers(workspacesKey)) {
        const built = `${keysOf(workspace).needs()}:built`
        const at = reached.get(workspace) ?? { of: 'conversations', from: null }
        if (at === 'all') continue
        if ((await redis.exists(built)) === 1) {
          reached.set(workspace, 'all')
          continue
        }
        const next = await buildPart(client, workspace, at)
        if (next === 'all') await redis.set(built, '1')
        reached.set(workspace, next)
        return true
      }
      return false
    },
  }
}

/** Place that the walk through one list has reached; it begins anew at each start. */
interface Reached {
  of: 'conversations' | 'memories'
  from: { at: number; name: string } | null
}

/** Most threads, or owners of memories, that one part looks at. */
const partMost = 50

/**
 * Looks at the next entries of a list. They are walked from the oldest, as an entry only ever moves
 * to the newer end: what people talk in meanwhile is met later, and none is missed (C594).
 */
async function buildPart(
  client: Client,
  workspace: string,
  { of, from }: Reached,
): Promise<Reached | 'all'> {
  const key = keysOf(workspace)[of]
  const places = await look(
    client.redis,
    behind(key, from, { newestFirst: false, limit: partMost }),
  )
  const build = of === 'conversations' ? buildConversation : buildProposals
  await Promise.all(places.map(({ name }) => build(client, workspace, name)))
  const last = places.at(-1)
  if (places.length >= partMost && last !== undefined) return { of, from: last }
  return of === 'conversations' ? { of: 'memories', from: null } : 'all'
}

type InQueue = Pick<Need, 'workspace' | 'name' | 'at'> & { key: string }

const isSame = (one: InQueue | Need) => (other: InQueue) =>
  one.name === other.name && one.workspace === other.workspace

/** Entries of one queue behind a place, and the queue's length. */
async function placesIn(
  redis: Connection,
  { workspace, owner }: NeedsOf,
  after: Pick<Need, 'at' | 'name'> | null,
  limit: number,
) {
  const key = keysOf(workspace).needs(owner)
  const [total, names] = await lookAll(
    redis,
    number('ZCARD', key),
    behind(key, after, { newestFirst: false, limit }),
  )
  return { total, names: names.map((one): InQueue => ({ ...one, workspace, key })) }
}

type Row = Record<string, string>

const orNull = (read: Read<Row>) =>
  mapped(read, (row) => (Object.keys(row).length === 0 ? null : row))

/**
 * Reads the entries of one workspace with their rows, in two round trips. An entry whose rows are
 * deleted is removed.
 */
async function filled(
  redis: Connection,
  workspace: string,
  places: readonly InQueue[],
): Promise<Need[]> {
  const keys = keysOf(workspace)
  const begun = (await lookAll(redis, ...places.map(begin))).filter((one) => one !== null)
  const rows = await lookEach(redis, begun, ({ conversationId, row, runId }) =>
    combine(
      row !== null || conversationId === null
        ? nothing(row)
        : orNull(hash(keys.conversation(conversationId).row)),
      runId === null ? nothing(null) : orNull(runRow(keys.run(runId).row)),
    ),
  )
  const needs = rows.flatMap(([one, [conversation, run]]) => end(one, conversation, run))
  const lost = places.filter((place) => !needs.some((need) => isSame(need)(place)))
  for (const { key, name } of lost) await redis.zrem(key, name)
  return needs
}

const conversationIn = (row: Row): Conversation | null => readable(() => readRow(Conversation, row))

type What =
  | Pick<Extract<Need, { kind: 'question' }>, 'kind' | 'question'>
  | { kind: 'paused' | 'failed'; run: Run }
  | Pick<Extract<Need, { kind: 'proposal' }>, 'kind' | 'proposal'>

interface Begun {
  place: InQueue
  conversationId: string | null
  /** Row of the conversation, if it was read. */
  row: Row | null
  /** Run that has to be read next: a failed one, or one whose question cannot be read. */
  runId: string | null
  /** Content of the entry; null if it cannot be read. */
  what: What | null
}

const Asked = z.object({ conversationId: z.string(), question: z.object({ runId: z.string() }) })
const Heard = z.object({ source: z.object({ conversationId: z.string() }) })

/**
 * Reads the row that an entry names: the conversation of a failure, else a row that names its
 * conversation. Null if it is deleted.
 */
function begin(place: InQueue): Read<Begun | null> {
  const keys = keysOf(place.workspace)
  const [, kind = '', id = ''] = /^(.)\|(.*)$/s.exec(place.name) ?? []
  const rest = { place, runId: null, row: null }
  const ifThere = (read: Read<string | null>, make: (text: string) => Begun) =>
    mapped(read, (text) => (text === null ? null : make(text)))
  if (kind === 'q')
    return ifThere(field(keys.questions, id), (text) => {
      const asked = readable(() => readJson(AskedQuestion, text))
      if (asked !== null)
        return {
          ...rest,
          conversationId: asked.conversationId,
          what: { kind: 'question', question: asked.question },
        }
      const { conversationId = null, question } = readable(() => readJson(Asked, text)) ?? {}
      return { ...rest, conversationId, runId: question?.runId ?? null, what: null }
    })
  if (kind === 'p')
    return mapped(orNull(runRow(keys.run(id).row)), (row) => {
      const conversationId = readable(() => readJson(z.string(), row?.conversationId ?? ''))
      return row && { ...rest, conversationId, what: runIn('paused', row) }
    })
  if (kind === 'f')
    return mapped(hash(keys.conversation(id).row), (row) => {
      const runId = row['~failed']
      return runId === undefined ? null : { ...rest, conversationId: id, runId, row, what: null }
    })
  const at = id.lastIndexOf('|')
  return ifThere(field(keys.memory(id.slice(0, at)).rows, `p${id.slice(at + 1)}`), (text) => {
    const proposal = readable(() => readJson(Proposal, text))
    const conversationId = readable(() => readJson(Heard, text))?.source.conversationId ?? null
    return { ...rest, conversationId, what: proposal && { kind: 'proposal', proposal } }
  })
}

function runIn(kind: 'paused' | 'failed', row: Row): What | null {
  const run = readable(() => readRow(Run, row))
  return run && { kind, run }
}

/**
 * C256: completes an entry. One that cannot be read still waits, and so does one of an unreadable
 * conversation.
 */
function end(
  { place, conversationId, runId, what }: Begun,
  row: Row | null,
  run: Row | null,
): Need[] {
  const { key: _, ...own } = place
  const isFailed = own.name.startsWith('f')
  // Nobody can answer a question of a task that was deleted or has ended.
  if (runId !== null && (run === null || (!isFailed && hasEnded(statusIn(run))))) return []
  const conversation = row && conversationIn(row)
  const known = what ?? (isFailed && run !== null ? runIn('failed', run) : null)
  if (known === null || (row !== null && conversation === null))
    return [{ ...own, conversation, kind: 'unreadable', conversationId }]
  return [{ ...own, conversation, ...known }]
}

const statusIn = ({ status = '' }: Row) =>
  readable(() => readJson(Run.shape.status, status)) ?? 'running'

/**
 * Indexes a thread's questions, pauses and failures that are older than the index. The script that
 * adds each checks once more that it still waits.
 */
async function buildConversation({ redis, run }: Client, workspace: string, id: string) {
  const keys = keysOf(workspace)
  const places = keys.conversation(id)
  const [row, open, runs] = await lookAll(
    redis,
    hash(places.row),
    list(places.questions, 0, -1),
    list(places.runs, 0, -1),
  )
  const conversation = conversationIn(row)
  if (conversation === null) return
  const { updatedAt } = conversation
  const [asked, statuses] = await lookAll(
    redis,
    fields(keys.questions, open),
    combine(...runs.map((one) => field(keys.run(one).row, 'status'))),
  )
  const add = (key: string, guard: readonly string[], at: number, name: string) =>
    run('need', [keys.needs(), key], [...guard, at, name])
  for (const [at, question] of open.entries()) {
    const { askedAt = updatedAt } = readOne(AskedQuestion, asked[at] ?? null)?.question ?? {}
    await add(places.questions, ['list', question, ''], askedAt, needName.question(question))
  }
  for (const [at, one] of runs.entries())
    if (statuses[at] === '"paused"')
      await add(keys.run(one).row, ['field', 'status', '"paused"'], updatedAt, needName.paused(one))
  if (statuses.at(-1) !== '"failed"' || !isUnread(conversation)) return
  await redis.hsetnx(places.row, '~failed', runs.at(-1) ?? '')
  await add(
    places.row,
    ['field', 'lastReadAt', row.lastReadAt ?? ''],
    updatedAt,
    needName.failed(id),
  )
}

async function buildProposals({ redis, run }: Client, workspace: string, owner: string) {
  const keys = keysOf(workspace)
  const { rows } = keys.memory(owner)
  const stored = await redis.hgetall(rows)
  for (const { id, status, proposedAt } of readRows(stored).memory.proposals)
    if (status === 'pending')
      await run(
        'need',
        [keys.needs(needsOwner(owner)), rows],
        ['field', `p${id}`, stored[`p${id}`] ?? '', proposedAt, needName.proposal(owner, id)],
      )
}
