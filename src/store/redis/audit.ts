import { hash } from 'node:crypto'
import { z } from 'zod'
import {
  type AuditEntry,
  type Audited,
  type AuditRow,
  type ChainHead,
  entryText,
  type KeptChange,
} from '../../agent/domain/audit.ts'
import { readRow } from '../../agent/domain/audit-chain.ts'
import type { Audit } from '../../agent/ports/audit.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Effect } from '../../agent/ports/effect.ts'
import type { Client } from './client.ts'
import { keysOf } from './keys.ts'
import { list, lookAll, lookEach, type Read } from './look.ts'

/**
 * Lifetime of an effect, in ms: longer than any interrupted step waits for its process to return.
 */
export const effectKeptMs = 30 * 24 * 60 * 60 * 1000
/** Rows that one round trip reads while old ones are looked for. */
const batch = 500

export function createAudit(client: Client, clock: Pick<Clock, 'now' | 'randomId'>): Audit {
  const { redis } = client
  async function between(workspace: string, from: string, to: string, limit: number) {
    const { log } = keysOf(workspace).audit
    const found = await redis.xrange(log, from, to, 'COUNT', limit)
    return found.map(([, [, text = '']]) => text)
  }
  const rows: Audit['rows'] = (workspace, after, limit) =>
    between(workspace, `(${after}-0`, '+', limit)

  return {
    rows,

    async newest(workspace, before, limit) {
      const from = before === null ? '+' : `(${before}-0`
      const { log } = keysOf(workspace).audit
      const found = await redis.xrevrange(log, from, '-', 'COUNT', limit)
      return found.map(([, [, text = '']]) => text)
    },

    async ofThread(workspace, conversationId, limit) {
      const keys = keysOf(workspace)
      const { audit, runs } = keys.conversation(conversationId)
      const ids = await redis.lrange(runs, 0, -1)
      const lists = [audit, ...ids.map((id) => keys.run(id).audit)]
      const numbers = await lookAll(redis, ...lists.map((key) => list(key, -limit, -1)))
      const newest = numbers
        .flat()
        .map(Number)
        .sort((a, b) => a - b)
        .slice(-limit)
      const { log } = keys.audit
      const found = await lookEach(redis, newest, (seq) => rowAt(log, seq))
      return found.flatMap(([, text]) => text ?? [])
    },

    async head(workspace) {
      const [seq, hash] = await redis.hmget(keysOf(workspace).audit.head, 'seq', 'hash')
      return seq == null || hash == null ? null : { seq: Number(seq), hash }
    },

    workspaces: () => client.workspaces.all(),

    async append(effect, done, contents) {
      const { workspace } = done
      const row = auditPart(workspace, keptEntry(effect, done, contents), clock)
      const places = [keysOf(workspace).effect(effectIdOf(effect)), ...row.keys]
      await client.run('addAudit', places, [effectKeptMs, ...row.args])
    },

    async trim(workspace, before) {
      let last: ChainHead | null = null
      for (let isMore = true; isMore; ) {
        const read: (AuditRow | null)[] = (await rows(workspace, last?.seq ?? 0, batch)).map(
          readRow,
        )
        const young = read.findIndex((row) => row !== null && row.at >= before)
        const old = young === -1 ? read : read.slice(0, young)
        const newest = old.findLast((row) => row !== null)
        last = newest ?? last
        isMore = newest !== undefined && old.length === batch
      }
      if (last === null) return 0
      const entry: AuditEntry = {
        version: 1,
        workspace,
        thread: null,
        by: null,
        kind: 'trimmed',
        to: last.seq,
        last: last.hash,
      }
      const gone = await client.run('trimAudit', auditKeys(entry), [
        ...[last.seq, clock.randomId(), entryText(entry, clock.now())],
      ])
      return Number(gone)
    },
  }
}

const Entries = z.array(z.tuple([z.string(), z.tuple([z.string(), z.string()])]))

/** Reads the row of a number; null: it is not there any more. */
const rowAt = (log: string, seq: number): Read<string | null> => ({
  commands: [['XRANGE', log, `${seq}-0`, `${seq}-0`]],
  take: ([entries]) => Entries.parse(entries)[0]?.[1][1] ?? null,
})

/**
 * Keys that a script needs to add an entry: log, head, holder of the key of its contents, index.
 */
export function auditKeys(
  entry: { workspace: string; thread: string | null; run?: string },
  keys = keysOf(entry.workspace),
) {
  const { log, head } = keys.audit
  if (entry.thread !== null) {
    const { row, audit } = keys.conversation(entry.thread)
    return [log, head, row, audit] as const
  }
  // Nothing is ever stored under the id of no run.
  const { row, audit } = keys.run(entry.run ?? '')
  return [log, head, row, audit] as const
}

/** Digest of an entry's contents, '' without any, and its text, as scripts add them. */
export const auditTexts = ({ entry, contents = '' }: Audited, at: number): [string, string] => [
  contents === '' ? '' : hash('sha256', contents),
  entryText(entry, at),
]

export const effectIdOf = (effect: Effect): string =>
  typeof effect === 'string' ? effect : effect.id

/**
 * Keys and arguments that a script needs to add the row of a change; blank arguments where there is
 * none.
 */
export const auditPart = (
  workspace: string,
  audited: Audited | null,
  clock: Pick<Clock, 'now' | 'randomId'>,
) => ({
  keys: auditKeys(audited?.entry ?? { workspace, thread: null }),
  args: audited === null ? ['', '', ''] : [clock.randomId(), ...auditTexts(audited, clock.now())],
})

/** Entry of a change of what Clew keeps; null for its own bookkeeping (C711). */
export function keptEntry(effect: Effect, what: KeptChange, contents: string): Audited | null {
  if (typeof effect === 'string') return null
  const { id, by, thread } = effect
  return { entry: { version: 1, thread, by, kind: 'kept', effect: id, ...what }, contents }
}
