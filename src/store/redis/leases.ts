import { z } from 'zod'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Lease, Leases } from '../../agent/ports/store.ts'
import type { Item } from '../../agent/ports/wakeups.ts'
import type { Client } from './client.ts'
import { encode, readOne } from './codec.ts'
import { itemKinds, keysOf, placesOf } from './keys.ts'
import { failureIn, toldOf } from './look.ts'
import { type Ahead, waitingIn } from './outbox.ts'

/** Row on which work failed last, and the number of failures in a row. */
const Failing = z.tuple([z.string(), z.number()])
const Committed = z.tuple([z.string()]).rest(z.unknown())

/**
 * Leases on items. `worker` names this process and its successor on the same data folder, so that
 * it can take back its leases; `self` begins with it, and names this one process. `ahead` gets what
 * is read along with the claim of an outbox.
 */
export function createLeases(
  client: Client,
  { clock, worker, self, ahead }: { clock: Clock; worker: string; self: string; ahead: Ahead },
): Leases {
  const { redis } = client

  const hold = async (lease: Lease, until: number, owner: string) => {
    const { row, due } = placesOf(lease.item)
    return (await client.run('hold', [row, due], [lease.fence, until, owner, lease.item.id])) === 1
  }
  async function expire(item: Item): Promise<Item[]> {
    const { row, due } = placesOf(item)
    return (await client.run('expire', [row, due], [`${worker} `, self, clock.now(), item.id])) ===
      1
      ? [item]
      : []
  }

  return {
    async claim(item, forMs) {
      const { row, due } = placesOf(item)
      const now = clock.now()
      const { keys, args } = toldOf(item.kind === 'outbox' ? waitingIn(item).commands : [])
      const answer = await client.run(
        'claim',
        [row, due, ...keys],
        [now, now + forMs, self, clock.randomId(), item.id, ...args],
      )
      if (!Array.isArray(answer)) return null
      const [fence, ...found]: unknown[] = answer
      const lease = { item, fence: Number(fence) }
      if (found.length > 0 && failureIn(found) === undefined) {
        ahead.set(lease, found)
        // Whoever looks later than at once is to see what came in meanwhile.
        setImmediate(() => ahead.delete(lease))
      }
      return lease
    },
    renew: (lease, forMs) => hold(lease, clock.now() + forMs, self),
    async release(lease, options) {
      const { row, mailboxes, due } = placesOf(lease.item)
      const watched = options?.over ? [] : mailboxes
      const { sent = [], shown = null } = options?.done ?? {}
      const done = [shown?.runId ?? '', shown?.revision ?? '', ...sent]
      const args = [lease.fence, lease.item.id, options?.wakeAt ?? '', options?.seen ?? 0, ...done]
      const answer = await client.run('release', [row, due, ...watched], args)
      return answer === 'released' || answer === 'more' ? answer : 'fenced'
    },
    async park(lease, until) {
      await hold(lease, until, '')
    },
    async failed(lease, name) {
      const { row, mailboxes } = placesOf(lease.item)
      const [last, before] = readOne(Failing, await redis.hget(row, '~failing')) ?? ['', 0]
      const times = last === name ? before + 1 : 1
      const args = [
        lease.fence,
        `failed ${lease.fence} ${name}`,
        0,
        'HSET',
        1,
        2,
        '~failing',
        encode([name, times]),
      ]
      const [kind] = Committed.parse(await client.run('commit', [row, mailboxes[0]], args))
      return kind === 'committed' ? times : 0
    },
    due: (limit) =>
      everywhere(client, (due) => redis.zrangebyscore(due, '-inf', clock.now(), 'LIMIT', 0, limit)),
    async reclaim() {
      const items = await everywhere(client, (due) => redis.zrange(due, '0', '-1'))
      return (await Promise.all(items.map(expire))).flat()
    },
  }
}

/**
 * Items of every workspace and kind, from the ids that `find` returns of each index of due items.
 */
async function everywhere(
  { workspaces: known }: Client,
  find: (due: string) => Promise<string[]>,
): Promise<Item[]> {
  const workspaces = await known.all()
  const indexes = workspaces.flatMap((workspace) => itemKinds.map((kind) => ({ kind, workspace })))
  const found = indexes.map(async ({ kind, workspace }) => {
    return (await find(keysOf(workspace).due(kind))).map((id): Item => ({ kind, workspace, id }))
  })
  return (await Promise.all(found)).flat()
}
