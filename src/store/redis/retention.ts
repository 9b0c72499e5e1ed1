import { Address } from '../../agent/domain/conversation.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Retention } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readJson } from './codec.ts'
import { allOfRun, keysOf, threadOf, workspacesKey } from './keys.ts'

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
    const { channel, thread } = address === null ? { channel: '', thread: null } : readJson(Address, address)
    const indexes = [keys.conversations, keys.threads, keys.questions, keys.runs]
    const due = [keys.due('conversation'), keys.due('outbox'), keys.due('run')]
    const mailboxes = [places.inbox, places.outbox, places.progress, places.questions]
    const rest = [places.messages, places.outcomes, places.answered, keys.trace(id)]
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
        gone += await sweep(keys.conversations, before, (id) => forgetConversation(workspace, id, before))
        gone += await sweep(keys.runs, before, (id) => forgetRun(workspace, id, before))
      }
      return gone
    },
  }
}
