import { Address, Conversation, conversationIdOf } from '../../agent/domain/conversation.ts'
import { Delivery } from '../../agent/domain/delivery.ts'
import type { Lease, Outbox } from '../../agent/ports/store.ts'
import type { Item } from '../../agent/ports/wakeups.ts'
import type { Client } from './client.ts'
import { encode, readEach, readJson, readRow, tryRow } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf, threadOf } from './keys.ts'
import { combine, field, hash, list, look } from './look.ts'

/** Deliveries that one round trip reads. */
const atOnce = 20
/** Longest time between two polls of a waiter, in ms. */
const askAgainMs = 5_000
/**
 * Plans that end together and are shown at once. Running plans wait for the turns that this took
 * (C441).
 */
const endsAtOnce = 20

/** What was read along with a claim, for the first look under its lease. */
export type Ahead = Pick<WeakMap<Lease, readonly unknown[]>, 'get' | 'set' | 'delete'>

/** The conversation of an outbox, what waits in it, and the delivery that may have been sent. */
export function waitingIn({ workspace, id }: Item) {
  const { row, out, outbox, progress } = keysOf(workspace).conversation(id)
  return combine(hash(row), list(outbox, 0, atOnce - 1), hash(progress), field(out, 'trying'))
}

export function createOutbox(client: Client, ahead: Ahead): Outbox {
  const { redis } = client
  const placesOf = ({ item }: Lease) => keysOf(item.workspace).conversation(item.id)

  return {
    async next(lease) {
      const read = waitingIn(lease.item)
      const known = ahead.get(lease)
      ahead.delete(lease)
      const [stored, waiting, revisions, trying] =
        known === undefined ? await look(redis, read) : read.take(known)
      const { read: deliveries, damaged } = readEach(Delivery, waiting)
      const [broken = null] = damaged
      const found = tryRow(() => readRow(Conversation, stored))
      return {
        conversation: found.ok ? found.value : null,
        // Deliveries behind an unreadable one wait until it is set aside.
        deliveries: deliveries.slice(0, broken?.at),
        damaged: broken?.at === 0 ? broken : null,
        tried: deliveries[0]?.id === trying,
        progress: Object.entries(revisions).map(([runId, revision]) => ({ runId, revision })),
      }
    },
    async trying(lease, deliveryId, isUnclear = true) {
      const { out, outbox } = placesOf(lease)
      return (
        (await client.run(
          'trying',
          [out, outbox],
          [lease.fence, deliveryId, isUnclear ? deliveryId : ''],
        )) === 1
      )
    },
    async sent(lease, deliveryId, thread) {
      const { out, outbox } = placesOf(lease)
      const { keys, args } = await binding(redis, lease, thread)
      return (
        (await client.run('sent', [out, outbox, ...keys], [lease.fence, deliveryId, ...args])) === 1
      )
    },
    async reserve(workspace, { runId, everyMs, isFirst }, now) {
      const { waiting, asked: until } = keysOf(workspace).line
      const asked = [now, everyMs, runId, isFirst ? '1' : '', askAgainMs, endsAtOnce]
      return Number(await client.run('reserve', [waiting, until], asked))
    },
  }
}

/** Keys and arguments by which `sent` binds a thread that was opened; none if none was. */
async function binding(redis: Connection, { item }: Lease, thread: string | null) {
  const keys = keysOf(item.workspace)
  const own = keys.conversation(item.id)
  const stored = thread === null ? null : await redis.hget(own.row, 'address')
  if (thread === null || stored === null) return { keys: [], args: [] }
  const address = readJson(Address, stored)
  const other = conversationIdOf(item.workspace, address.channel, thread)
  const quick = keys.conversation(other)
  return {
    keys: [
      ...[own.row, own.inbox, own.messages, own.outcomes],
      ...[keys.threads, keys.conversations, keys.due('conversation'), keys.due('outbox')],
      ...[
        quick.row,
        quick.inbox,
        quick.messages,
        quick.outcomes,
        quick.out,
        quick.outbox,
        quick.runs,
      ],
      keys.words.stale,
    ],
    args: [
      item.id,
      encode({ ...address, thread }),
      threadOf({ channel: address.channel, thread }),
      other,
    ],
  }
}
