import { Address } from '../../agent/domain/conversation.ts'
import { MemoryEvent } from '../../agent/domain/fact.ts'
import { deriveId } from '../../agent/domain/id.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Retention } from '../../agent/ports/store.ts'
import { createApprovals } from './approvals.ts'
import type { Client } from './client.ts'
import { readGood, readOne } from './codec.ts'
import { channelIn } from './connection.ts'
import { allOfRun, keysOf, pageEvents, threadMemory, threadOf } from './keys.ts'
import { dueOf, readRows, rememberRows } from './memories.ts'

/** Rows that one round trip reads. */
const batch = 100

export function createRetention(client: Client, clock: Clock): Retention {
  const { redis } = client
  return {
    async purge(before) {
      let gone = 0
      await forgetTold(client, clock.now() - before)
      for (const workspace of await client.workspaces.all()) {
        const keys = keysOf(workspace)
        await redis.zremrangebyscore(keys.aside, '-inf', `(${before}`)
        await forgetApprovals(client, workspace, before)
        const purge: Purge = { client, workspace, before, now: clock.now(), clock }
        gone += await sweep(purge, keys.conversations, forgetConversation)
        gone += await sweep(purge, keys.runs, forgetRun)
        await sweep(purge, keys.overheard, forgetOverheard)
        for (const owner of await redis.zrange(keys.memories, '0', '-1'))
          if (await forgetMemory(purge, owner)) gone += 1
      }
      return gone
    },
  }
}

/** What ended before then goes (C772). */
async function forgetApprovals(client: Client, workspace: string, before: number) {
  const approvals = createApprovals(client)
  const rows = await approvals.list(workspace)
  const gone = rows.filter(({ ended, until }) => (ended?.at ?? until ?? before) < before)
  await approvals.drop(
    workspace,
    gone.map(({ id }) => id),
  )
}

/**
 * C275: trims the page events. Their ids carry the store's time, so a fast clock of ours cannot
 * shorten the retention.
 */
async function forgetTold({ redis }: Client, ageMs: number) {
  const [seconds] = await redis.time()
  await redis.xtrim(pageEvents, 'MINID', Math.max(0, Number(seconds) * 1_000 - ageMs))
}

/** Retention of one workspace: deletes whatever is older than `before`. */
interface Purge {
  client: Client
  workspace: string
  before: number
  now: number
  clock: Pick<Clock, 'now' | 'randomId'>
}

/** Visits every old enough id of an index, a batch at a time. Ids that stay are skipped. */
async function sweep(
  purge: Purge,
  index: string,
  forget: (purge: Purge, id: string) => Promise<boolean>,
) {
  const { client, before } = purge
  let kept = 0
  let gone = 0
  for (;;) {
    const ids = await client.redis.zrangebyscore(index, '-inf', `(${before}`, 'LIMIT', kept, batch)
    if (ids.length === 0) return gone
    const done = (await Promise.all(ids.map((id) => forget(purge, id)))).filter((one) => one).length
    gone += done
    kept += ids.length - done
  }
}

/** @param text of the row in the audit, where people remove it (C894). */
export async function forgetConversation(
  { client, workspace, before, now }: Purge,
  id: string,
  text = '',
): Promise<boolean> {
  const keys = keysOf(workspace)
  const places = keys.conversation(id)
  const [address, runs, answered] = await Promise.all([
    client.redis.hget(places.row, 'address'),
    client.redis.lrange(places.runs, 0, -1),
    client.redis.lrange(places.answered, 0, -1),
  ])
  // A conversation with an unreadable address has no place.
  const { channel, thread } = readOne(Address, address) ?? { channel: '', thread: null }
  const memory = threadMemory(workspace, id)
  const ofRuns = runs.map((run) => allOfRun(workspace, run))
  const answer = await client.run(
    'forget',
    [
      ...[keys.conversations, keys.threads, keys.questions, keys.runs],
      ...[
        keys.due('conversation'),
        keys.due('outbox'),
        keys.due('run'),
        keys.words.all,
        keys.needs(),
      ],
      ...[keys.pinned, keys.archived, channelIn(client.redis, keys.news)],
      ...[keys.audit.log, keys.audit.head],
      ...[
        places.row,
        places.out,
        places.inbox,
        places.outbox,
        places.progress,
        places.questions,
        places.runs,
      ],
      places.words,
      ...ofRuns.map(([row = '']) => row),
      ...[
        places.files,
        places.audit,
        places.documents,
        places.overheard,
        places.messages,
        places.outcomes,
        places.answered,
      ],
      ...[keys.trace(id), memory.rows, memory.history],
      ...ofRuns.flatMap(([, ...rest]) => rest),
    ],
    [
      id,
      before,
      now,
      thread === null ? '' : threadOf({ channel, thread }),
      text,
      runs.length,
      ...runs,
      ...answered,
    ],
  )
  return answer === 1
}

async function forgetRun({ client, workspace, before }: Purge, id: string): Promise<boolean> {
  const keys = keysOf(workspace)
  const answer = await client.run(
    'forgetRun',
    [keys.runs, keys.due('run'), ...allOfRun(workspace, id)],
    [id, before],
  )
  return answer === 1
}

/**
 * C73: deletes old overheard messages, whatever else is kept of their conversation. Afterwards the
 * index names the oldest one left.
 */
async function forgetOverheard({ client, workspace, before }: Purge, id: string): Promise<boolean> {
  const keys = keysOf(workspace)
  await client.run(
    'forgetOverheard',
    [keys.overheard, keys.conversation(id).overheard],
    [id, before],
  )
  return true
}

/**
 * Deletes old proposals that were refused, expired or withdrawn. If the rows change meanwhile, the
 * next sweep does it.
 */
async function forgetMemory(
  { client, workspace, before, clock }: Purge,
  owner: string,
): Promise<boolean> {
  const keys = keysOf(workspace).memory(owner)
  const [rows, events] = await Promise.all([
    client.redis.hgetall(keys.rows),
    client.redis.lrange(keys.history, 0, -1),
  ])
  const { memory, revision } = readRows(rows)
  const facts = memory.facts.filter(
    ({ status, updatedAt }) => status === 'revoked' && updatedAt < before,
  )
  const proposals = memory.proposals.filter(
    ({ decidedAt }) => decidedAt !== null && decidedAt < before,
  )
  const names = [...facts.map(({ id }) => `f${id}`), ...proposals.map(({ id }) => `p${id}`)]
  if (names.length === 0) return false
  const kept = events.findIndex((text) =>
    readGood(MemoryEvent, [text]).some(({ at }) => at >= before),
  )
  await rememberRows(
    client,
    {
      workspace,
      owner,
      revision,
      effectId: deriveId('x', 'purge', owner, revision),
      due: dueOf(memory),
      answer: '1',
      event: '',
      dropped: kept === -1 ? events.length : kept,
      need: null,
      audited: null,
      fields: names.flatMap((name) => [name, '']),
    },
    clock,
  )
  return true
}
