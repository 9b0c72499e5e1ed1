import { z } from 'zod'
import type { Audited } from '../../agent/domain/audit.ts'
import { Fact, MemoryEvent, Proposal } from '../../agent/domain/fact.ts'
import { applied, type Memory, type MemoryChange } from '../../agent/domain/memory.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Memories } from '../../agent/ports/store.ts'
import { auditPart, effectIdOf, effectKeptMs, keptEntry } from './audit.ts'
import type { Client } from './client.ts'
import { encode, readGood, readJson } from './codec.ts'
import { channelIn } from './connection.ts'
import { keysOf, needName, needsOwner } from './keys.ts'
import { hash, lookAll } from './look.ts'

const Change: z.ZodType<MemoryChange> = z.object({
  fact: Fact.nullable(),
  proposal: Proposal.nullable(),
  event: MemoryEvent,
})

export function createMemories(client: Client, clock: Pick<Clock, 'now' | 'randomId'>): Memories {
  const { redis } = client
  const rowsOf = async (workspace: string, owner: string) =>
    readRows(await redis.hgetall(keysOf(workspace).memory(owner).rows))

  return {
    async read(workspace, owners) {
      const rows = owners.map((owner) => hash(keysOf(workspace).memory(owner).rows))
      return (await lookAll(redis, ...rows)).map((row) => readRows(row).memory)
    },

    async change(workspace, owner, effect, make) {
      const effectId = effectIdOf(effect)
      const known = await redis.get(keysOf(workspace).effect(effectId))
      if (known !== null) return readJson(Change, known)
      for (;;) {
        const { memory, revision } = await rowsOf(workspace, owner)
        const change = make(memory)
        if (change === null) return null
        const { id, what } = change.event
        const audited = keptEntry(
          effect,
          { workspace, what: 'memory', scope: owner, id: String(id), change: what },
          change.fact?.text ?? change.proposal?.text ?? '',
        )
        const rows = written(memory, change, owner)
        const write = { workspace, owner, revision, effectId, ...rows, audited }
        const [, answer] = await Promise.all([
          client.workspaces.add(workspace),
          rememberRows(client, write, clock),
        ])
        if (answer !== null) return readJson(Change, String(answer))
      }
    },

    owners: (workspace) => redis.zrange(keysOf(workspace).memories, '0', '-1'),

    async history(workspace, owner, limit) {
      const events = await redis.lrange(keysOf(workspace).memory(owner).history, -limit, -1)
      return readGood(MemoryEvent, events).reverse()
    },

    async overdue(now, limit) {
      const found: Awaited<ReturnType<Memories['overdue']>> = []
      for (const workspace of await client.workspaces.all()) {
        const owners = await redis.zrangebyscore(
          keysOf(workspace).memories,
          '-inf',
          now,
          'LIMIT',
          0,
          limit,
        )
        for (const owner of owners) {
          const { memory, revision } = await rowsOf(workspace, owner)
          const due = memory.proposals.filter(
            ({ status, expiresAt }) => status === 'pending' && expiresAt <= now,
          )
          if (due.length > 0) found.push({ workspace, owner, ids: due.map(({ id }) => id) })
          // The memory was deleted with its thread.
          else if (revision === '0') await redis.zrem(keysOf(workspace).memories, owner)
        }
      }
      return found
    },
  }
}

/** A write of one owner's rows. */
interface RowsWrite {
  workspace: string
  owner: string
  /** Revision of the rows when they were read. */
  revision: string
  effectId: string
  answer: string
  due: string
  event: string
  /** Number of the oldest events to drop. */
  dropped: number
  /** Proposal that begins to wait and since when, or that waits no more (C190). */
  need: { name: string; at: number | '' } | null
  /** Entry in the audit; null: Clew's own doing. */
  audited: Audited | null
  /** Names and values in turn; a blank value deletes the field. */
  fields: readonly string[]
}

function written(memory: Memory, change: MemoryChange, owner: string) {
  const { fact, proposal, event } = change
  const after = applied(memory, change)
  const fields = [
    ...['~last', String(after.last)],
    ...(fact === null ? [] : [`f${fact.id}`, encode(fact)]),
    ...(proposal === null ? [] : [`p${proposal.id}`, encode(proposal)]),
  ]
  const at = proposal?.status === 'pending' ? proposal.proposedAt : ('' as const)
  const need = proposal && { name: needName.proposal(owner, proposal.id), at }
  return {
    answer: encode(change),
    due: dueOf(after),
    event: encode(event),
    dropped: 0,
    fields,
    need,
  }
}

/** Writes the rows if they are unchanged since they were read; else returns null. */
export function rememberRows(
  client: Client,
  write: RowsWrite,
  clock: Pick<Clock, 'now' | 'randomId'>,
): Promise<unknown> {
  const { workspace, owner, revision, effectId, answer, due, event, dropped, fields, need } = write
  const keys = keysOf(workspace)
  const { rows, history } = keys.memory(owner)
  const news = channelIn(client.redis, keys.news)
  const row = auditPart(workspace, write.audited, clock)
  return client.run(
    'remember',
    [
      ...[keys.effect(effectId), rows, history, keys.memories, keys.needs(needsOwner(owner)), news],
      ...row.keys,
    ],
    [
      revision,
      effectKeptMs,
      answer,
      owner,
      due,
      event,
      dropped,
      need?.name ?? '',
      need?.at ?? '',
      ...row.args,
      ...fields,
    ],
  )
}

/** Parses an owner's rows, with their revision. */
export function readRows(hash: Record<string, string>): { memory: Memory; revision: string } {
  const rows = (letter: string) =>
    Object.entries(hash).flatMap(([name, text]) => (name.startsWith(letter) ? [text] : []))
  return {
    revision: hash['~revision'] ?? '0',
    memory: {
      last: Number(hash['~last'] ?? 0),
      facts: readGood(Fact, rows('f')).sort(byId),
      proposals: readGood(Proposal, rows('p')).sort(byId),
    },
  }
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id

/** Expiry of the first open proposal; +inf if none is open. */
export function dueOf({ proposals }: Memory): string {
  const open = proposals
    .filter(({ status }) => status === 'pending')
    .map(({ expiresAt }) => expiresAt)
  return open.length === 0 ? '+inf' : String(Math.min(...open))
}
