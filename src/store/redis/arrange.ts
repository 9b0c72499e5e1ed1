import { entryText } from '../../agent/domain/audit.ts'
import { Message } from '../../agent/domain/message.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Conversations } from '../../agent/ports/store.ts'
import { keptEntry } from './audit.ts'
import type { Client } from './client.ts'
import { encode, readGood } from './codec.ts'
import { channelIn } from './connection.ts'
import { reindex, wordsFrom } from './indexed-words.ts'
import { keysOf, pageEvents, threadMemory, uploadKeys } from './keys.ts'
import { lookAll, number, strings } from './look.ts'
import { forgetConversation } from './retention.ts'

/** Actions of people on a whole conversation: arranging, reading its contents, removing. */
export function createArrangements(
  client: Client,
  clock: Clock,
): Pick<Conversations, 'arrange' | 'contents' | 'remove'> {
  const { redis } = client
  return {
    async arrange(
      workspace,
      id,
      { title, archived, pinned = archived === true ? false : undefined },
      at,
    ) {
      const keys = keysOf(workspace)
      const { row, words } = keys.conversation(id)
      const named = title === undefined ? ['', ''] : [encode(title), wordsFrom({ title })]
      const flag = (wanted: boolean | undefined) =>
        wanted === undefined ? '' : String(Number(wanted))
      const news = channelIn(redis, keys.news)
      const places = [
        row,
        keys.pinned,
        keys.archived,
        news,
        keys.words.all,
        words,
        keys.words.stale,
      ]
      const done = await client.run('arrange', places, [
        id,
        at,
        ...named,
        flag(pinned),
        flag(archived),
      ])
      if (done === 1 && title !== undefined) await reindex(client, workspace, id)
      return done === 1
    },
    async contents(workspace, id) {
      const { row, messages, runs, files } = keysOf(workspace).conversation(id)
      const [there, said, made, kept, names] = await lookAll(
        redis,
        number('EXISTS', row),
        number('LLEN', messages),
        number('LLEN', runs),
        number('HLEN', files),
        strings('HKEYS', threadMemory(workspace, id).rows),
      )
      const facts = names.filter((name) => /^f\d/.test(name)).length
      return there === 0 ? null : { messages: said, runs: made, files: kept, facts }
    },
    async remove(workspace, id, effect) {
      const { conversations, aside, conversation } = keysOf(workspace)
      if ((await redis.zscore(conversations, id)) === null) return 'unknown'
      // Drops all page events, which may quote the conversation; pages then fetch again.
      await redis.xtrim(pageEvents, 'MAXLEN', 0)
      const all = { client, workspace, before: Number.MAX_SAFE_INTEGER, now: clock.now(), clock }
      const said = readGood(Message, await redis.lrange(conversation(id).messages, 0, -1))
      const done = {
        workspace,
        what: 'thread' as const,
        scope: `thread:${id}`,
        id,
        change: 'remove',
      }
      const row = effect === undefined ? null : keptEntry(effect, done, '')
      const text = row === null ? '' : entryText(row.entry, all.now)
      if (!(await forgetConversation(all, id, text))) return 'busy'
      const attached = uploadKeys(workspace, said)
      if (attached.length > 0) await redis.del(...attached)
      const given = (await redis.zrange(aside, '0', '-1')).filter((row) => row.includes(id))
      if (given.length > 0) await redis.zrem(aside, ...given)
      return 'removed'
    },
  }
}
