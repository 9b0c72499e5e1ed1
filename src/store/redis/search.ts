import { groupOf, isArchived } from '../../agent/domain/conversation.ts'
import { Message } from '../../agent/domain/message.ts'
import { countIn, type Term } from '../../agent/domain/search-words.ts'
import type { Search } from '../../agent/ports/search.ts'
import type { FoundThread, Searches, ThreadLine } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readGood } from './codec.ts'
import type { Connection } from './connection.ts'
import { markUnindexed, reindexStale } from './indexed-words.ts'
import { keysOf, workspacesKey } from './keys.ts'
import { list, look } from './look.ts'
import { bounded, firstOf, only, seenIn, since, together, type Walked, walk } from './pages.ts'
import { matching } from './postings.ts'

/** Threads that one search looks at for each that is asked for; and at least. */
const lookedFor = { one: 100, least: 2_000 }
/** The same where the line of each has to be read. */
const readFor = { one: 20, least: 400 }

export function createSearches(client: Client): Searches {
  const { redis } = client
  const marked = new Map<string, { at: number; name: string } | 'all'>()
  return {
    async find(workspaces, search, before, limit, sees) {
      await Promise.all(workspaces.map((workspace) => reindexStale(client, workspace, 10)))
      const first = before ?? (search.until === null ? null : { at: search.until, id: '' })
      const { one, least } = search.group === null ? lookedFor : readFor
      const looked = Math.max(least, one * limit)
      const ways = await Promise.all(
        workspaces.map(async (one) => [one, await matching(redis, one, search)] as const),
      )
      const all = together(ways.map(([, { source }]) => source))
      const { source, end } = bounded(since(all, search.from ?? 0), looked)
      const own = new Map(ways)
      const met = only(source, async (one, places) => (await own.get(one)?.areMet(places)) ?? [])
      const walked = walk(redis, seenIn(redis, met, sees), first, limit)
      const { found, next } = await firstOf(fitting(walked, search), limit)
      const rest = next === null ? end() : null
      return {
        found: await withMessages(redis, found, search.said),
        next: next ?? rest,
        looked: rest && looked,
      }
    },
    async build() {
      for (const workspace of await redis.smembers(workspacesKey)) {
        const from = marked.get(workspace) ?? null
        if (from !== 'all') {
          marked.set(workspace, (await markUnindexed(client, workspace, from)) ?? 'all')
          return true
        }
        if ((await reindexStale(client, workspace, 20)) > 0) return true
      }
      return false
    },
  }
}

/** Yields the threads that match what is not indexed of a search. */
async function* fitting(walked: AsyncIterable<Walked>, search: Search): AsyncGenerator<Walked> {
  for await (const one of walked) if (fits(one.line, search)) yield one
}

function fits(line: ThreadLine, { group, only }: Search): boolean {
  if (only === 'archived' && !isArchived(line.conversation)) return false
  return group === null || groupOf(line.conversation, line.status, line) === group
}

/** Most of the newest messages that are searched for the one to show, by pages. */
const messagesMost = 1_000
const page = 100
/** Most candidates among them that are parsed. */
const readMost = 50

const withMessages = (
  redis: Connection,
  found: readonly Walked[],
  said: readonly Term[],
): Promise<FoundThread[]> =>
  Promise.all(
    found.map(async ({ line }) => {
      const { id, address } = line.conversation
      const { messages } = keysOf(address.workspace).conversation(id)
      return { line, message: await bestOf(redis, messages, said) }
    }),
  )

/** The newest of the messages that have most of the words. */
async function bestOf(redis: Connection, key: string, said: readonly Term[]) {
  let best = { message: null as Message | null, count: 0 }
  const choose = (texts: readonly string[]) => {
    for (const message of readGood(Message, texts)) {
      const count = countIn(message.text, said)
      if (count > best.count) best = { message, count }
    }
  }
  let newest: readonly string[] = []
  let left = readMost
  for (let at = 0; at < messagesMost && left > 0 && best.count < said.length; at += page) {
    const texts = (await look(redis, list(key, -at - page, -at - 1))).reverse()
    if (at === 0) newest = texts
    const likely = texts
      .filter((text) => said.some(({ word }) => text.toLowerCase().includes(word)))
      .slice(0, left)
    left -= likely.length
    choose(likely)
    if (texts.length < page) break
  }
  // Words with accents are written otherwise in the row.
  if (best.message === null && said.length > 0) choose(newest.slice(0, readMost))
  return best.message
}
