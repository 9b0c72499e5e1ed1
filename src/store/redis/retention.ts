import { Address } from '../../agent/domain/conversation.ts'
import { MemoryEvent } from '../../agent/domain/fact.ts'
import { deriveId } from '../../agent/domain/id.ts'
import { ownerOf } from '../../agent/domain/memory.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Retention } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readGood } from './codec.ts'
import { allOfRun, keysOf, threadOf, workspacesKey } from './keys.ts'
import { dueOf, readRows, rememberRows } from './memories.ts'

/** Where a conversation stands; one that cannot be read stands nowhere. */
const addressIn = (text: string) => readGood(Address, [text])[0] ?? { channel: '', thread: null }

/** Rows looked at in one go. */
const batch = 100

export function createRetention(client: Client, clock: Clock): Retention {
  const { redis } = client

  async function forgetConversation(workspace: string, id: string, before: number): Promise<boolean> {
    const keys = keysOf(workspace)
    const places = keys.conversation(id)
    const [address, runs, answered] = await Promise.all([
      redis.hget(places.row, 'address'),
      redis.lrange(places.runs, 0, -1),
      redis.lrange(places.answered, 0, -1),
    ])
    const { channel, thread } = address === null ? { channel: '', thread: null } : addressIn(address)
    const indexes = [keys.conversations, keys.threads, keys.questions, keys.runs]
    const due = [keys.due('conversation'), keys.due('outbox'), keys.due('run')]
    const mailboxes = [places.inbox, places.outbox, places.progress, places.questions]
    const memory = keys.memory(ownerOf('thread', { workspace, channel, conversationId: id, person: null }) ?? '')
    const rest = [
      places.files,
      places.messages,
      places.outcomes,
      places.answered,
      keys.trace(id),
      memory.rows,
      memory.history,
    ]
    const rows = runs.map((run) => allOfRun(workspace, run))
    const answer = await client.run(
      'forget',
      [
        ...[...indexes, ...due, places.row, places.out, ...mailboxes, places.runs],
        ...[...rows.map(([row = '']) => row), ...rest, ...rows.flatMap((all) => all.slice(1))],
      ],
      [
        id,
        before,
        clock.now(),
        thread === null ? '' : threadOf({ channel, thread }),
        runs.length,
        ...runs,
        ...answered,
      ],
    )
    return answer === 1
  }

  async function forgetRun(workspace: string, id: string, before: number): Promise<boolean> {
    const keys = keysOf(workspace)
    const answer = await client.run('forgetRun', [keys.runs, keys.due('run'), ...allOfRun(workspace, id)], [id, before])
    return answer === 1
  }

  /** What was refused, expired or taken back before then; a change that comes between leaves it for the next time. */
  async function forgetMemory(workspace: string, owner: string, before: number): Promise<boolean> {
    const keys = keysOf(workspace).memory(owner)
    const [rows, events] = await Promise.all([redis.hgetall(keys.rows), redis.lrange(keys.history, 0, -1)])
    const { memory, revision } = readRows(rows)
    const facts = memory.facts.filter(({ status, updatedAt }) => status === 'revoked' && updatedAt < before)
    const proposals = memory.proposals.filter(({ decidedAt }) => decidedAt !== null && decidedAt < before)
    const kept = events.findIndex((text) => readGood(MemoryEvent, [text]).some(({ at }) => at >= before))
    const fields = [...facts.map(({ id }) => `f${id}`), ...proposals.map(({ id }) => `p${id}`)]
    if (fields.length === 0) return false
    const write = { workspace, owner, revision, effectId: deriveId('x', 'purge', owner, revision), due: dueOf(memory) }
    const dropped = kept === -1 ? events.length : kept
    await rememberRows(client, {
      ...write,
      ...{ answer: '1', event: '', dropped, fields: fields.flatMap((name) => [name, '']) },
    })
    return true
  }

  /** Looks at every id of an index that is older than `before`, a batch at a time; those that stay are passed over. */
  async function sweep(index: string, before: number, forget: (id: string) => Promise<boolean>): Promise<number> {
    let kept = 0
    let gone = 0
    for (;;) {
      const ids = await redis.zrangebyscore(index, '-inf', `(${before}`, 'LIMIT', kept, batch)
      if (ids.length === 0) return gone
      const done = (await Promise.all(ids.map(forget))).filter((one) => one).length
      gone += done
      kept += ids.length - done
    }
  }

  return {
    async purge(before) {
      let gone = 0
      for (const workspace of await redis.smembers(workspacesKey)) {
        const keys = keysOf(workspace)
        await redis.zremrangebyscore(keys.aside, '-inf', `(${before}`)
        gone += await sweep(keys.conversations, before, (id) => forgetConversation(workspace, id, before))
        gone += await sweep(keys.runs, before, (id) => forgetRun(workspace, id, before))
        for (const owner of await redis.zrange(keys.memories, '0', '-1'))
          if (await forgetMemory(workspace, owner, before)) gone += 1
      }
      return gone
    },
  }
}
