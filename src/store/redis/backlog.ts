import { z } from 'zod'
import { Delivery } from '../../agent/domain/delivery.ts'
import type { Backlog, FailedDelivery, Waiting } from '../../agent/ports/backlog.ts'
import type { Client } from './client.ts'
import { encode, readOne } from './codec.ts'
import { keysOf } from './keys.ts'
import { combine, list, lookAll, mapped, number, type Read, strings, timed } from './look.ts'

/** Most outboxes that are read, those due first. */
const outboxesMost = 200

/** A row as it was set aside; `again` is the time at which it was put back. */
const Aside = z.object({
  at: z.number(),
  list: z.string(),
  id: z.string(),
  row: z.string(),
  problem: z.string(),
  again: z.number().optional(),
})

export function createBacklog(client: Client): Backlog {
  const { redis } = client
  return {
    async of(workspace, now, limit) {
      const keys = keysOf(workspace)
      const [conversations, runs, outboxes] = await lookAll(
        redis,
        dueIn(keys.due('conversation'), now),
        dueIn(keys.due('run'), now),
        strings('ZRANGE', keys.due('outbox'), 0, outboxesMost - 1),
      )
      const places = outboxes.map((id) => keys.conversation(id).outbox)
      const { others, deliveries } = await asidesOf(client, workspace)
      const outbox = await lookAll(redis, ...places.map(first))
      const newest = [...deliveries.values()].slice(0, limit)
      return {
        due: sumOf([conversations, runs]),
        outbox: sumOf(outbox),
        aside: others,
        failed: await Promise.all(newest.map((one) => stateOf(client, workspace, one))),
      }
    },
    async sendAgain(workspace, id, at) {
      const keys = keysOf(workspace)
      const found = (await asidesOf(client, workspace)).deliveries.get(id)
      if (found === undefined) return null
      const { member, aside, delivery } = found
      const { conversationId } = delivery
      const { row, out, outbox, questions } = keys.conversation(conversationId)
      const again = encode({ ...aside, again: at })
      const done = await client.run(
        'sendAgain',
        [keys.aside, row, outbox, out, keys.due('outbox'), questions],
        [
          ...[
            member,
            aside.again === undefined ? again : '',
            aside.at,
            aside.row,
            id,
            conversationId,
            at,
          ],
          askedBy(delivery) ?? '',
        ],
      )
      return done === -1 ? null : { conversationId, known: done === 0 }
    },
  }
}

/**
 * Rows set aside, newest first. Of a delivery that was given up several times, only the newest row.
 */
async function asidesOf({ redis }: Client, workspace: string) {
  const rows = await redis.zrevrange(keysOf(workspace).aside, 0, -1)
  const read = rows.flatMap((member) => {
    const aside = readOne(Aside, member)
    if (aside === null) return []
    const isDelivery = aside.list === 'outbox' || aside.list === 'refused'
    return [{ member, aside, delivery: isDelivery ? readOne(Delivery, aside.row) : null }]
  })
  const deliveries = new Map<
    string,
    { member: string; aside: z.infer<typeof Aside>; delivery: Delivery }
  >()
  for (const { delivery, ...one } of read)
    if (delivery !== null && !deliveries.has(delivery.id))
      deliveries.set(delivery.id, { ...one, delivery })
  return { others: read.filter(({ delivery }) => delivery === null).length, deliveries }
}

const askedBy = ({ body }: Delivery) => (body.kind === 'question' ? body.question.id : null)

async function stateOf(
  { redis }: Client,
  workspace: string,
  { aside, delivery }: { aside: z.infer<typeof Aside>; delivery: Delivery },
): Promise<FailedDelivery> {
  const { id, conversationId } = delivery
  const { at, problem, again } = aside
  const { outbox, questions } = keysOf(workspace).conversation(conversationId)
  const [waiting, open] = await lookAll(redis, list(outbox, 0, -1), list(questions, 0, -1))
  const question = askedBy(delivery)
  const given =
    question === null || open.includes(question) ? ('failed' as const) : ('over' as const)
  const isThere = waiting.some((row) => readOne(Delivery, row)?.id === id)
  const sent = isThere ? 'waiting' : 'sent'
  const state = again === undefined ? given : sent
  return { id, conversationId, at, problem, refused: aside.list === 'refused', delivery, state }
}

const dueIn = (key: string, now: number): Read<Waiting> =>
  mapped(
    combine(number('ZCOUNT', key, '-inf', now), timed(key, 'ZRANGE', 0, 0)),
    ([count, [oldest]]) => ({
      count,
      since: count === 0 ? null : (oldest?.at ?? null),
    }),
  )

const EntryTime = z.looseObject({ at: z.number() })

/** Number of entries in an outbox, and the time of the oldest. */
const first = (key: string): Read<Waiting> =>
  mapped(combine(number('LLEN', key), list(key, 0, 0)), ([count, [row = null]]) => ({
    count,
    since: readOne(EntryTime, row)?.at ?? null,
  }))

function sumOf(all: readonly Waiting[]): Waiting {
  const since = all.map((one) => one.since).filter((at) => at !== null)
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    since: since.length === 0 ? null : Math.min(...since),
  }
}
