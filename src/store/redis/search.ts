import { groupOf, isArchived } from '../../agent/domain/conversation.ts'
import { Message } from '../../agent/domain/message.ts'
import { countIn, type Term } from '../../agent/domain/search-words.ts'
import type { Search } from '../../agent/ports/search.ts'
import type { Found, Searches, ThreadLine } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readGood, readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { asWord, buildWords, reindexStale } from './indexed-words.ts'
import { keysOf, workspacesKey } from './keys.ts'
import { combine, field, fields, list, look, lookAll, scores } from './look.ts'
import { byNewest, firstOf, type Listed, newestOf, seenIn, type Walked, walk } from './pages.ts'
import { AskedQuestion } from './states.ts'

export function createSearches(client: Client): Searches {
  const { redis } = client
  return {
    async find(workspaces, search, before, limit, sees) {
      await Promise.all(workspaces.map((workspace) => reindexStale(client, workspace)))
      const first = before ?? (search.until === null ? null : { at: search.until, id: '' })
      const source = seenIn(redis, await sourceOf(redis, workspaces, search), sees)
      const { found, next } = await firstOf(
        fitting(walk(redis, source, first, limit), search),
        limit,
      )
      return { found: await withMessages(redis, found, search.said), next }
    },
    async build() {
      for (const workspace of await redis.smembers(workspacesKey))
        await buildWords(client, workspace)
    },
  }
}

/** Yields the threads that match a search, up to the first that is too old. */
async function* fitting(walked: AsyncIterable<Walked>, search: Search): AsyncGenerator<Walked> {
  for await (const one of walked) {
    if (one.place.at < (search.from ?? 0)) return
    if (fits(one.line, search)) yield one
  }
}

function fits(line: ThreadLine, { group, only }: Search): boolean {
  if (only === 'archived' && !isArchived(line.conversation)) return false
  return group === null || groupOf(line.conversation, line.status, line) === group
}

/** Threads that match all indexed terms of the search; all threads if no term is indexed. */
async function sourceOf(redis: Connection, workspaces: readonly string[], search: Search) {
  const named = await Promise.all(
    workspaces.map((workspace) => candidates(redis, workspace, search)),
  )
  if (named.some((places) => places === null)) return newestOf(redis, workspaces)
  const until = search.until ?? Infinity
  const all = named.flatMap((places) => places ?? []).filter(({ at }) => at < until)
  all.sort(byNewest)
  return async (before: { at: number; id: string } | null) => {
    const behind = ({ at, name }: Listed) =>
      before === null || at < before.at || (at === before.at && name < before.id)
    return { places: all.filter(behind), isLast: true }
  }
}

/** Threads that match all indexed terms; null if no term is indexed. */
async function candidates(
  redis: Connection,
  workspace: string,
  search: Search,
): Promise<Listed[] | null> {
  const keys = keysOf(workspace)
  const terms = (['said', 'people', 'places'] as const).flatMap((kind) =>
    search[kind].map((term) => ({ ...term, word: asWord[kind] + term.word })),
  )
  const sets = await Promise.all([
    ...terms.map((term) => threadsWith(redis, keys.words.all, term)),
    ...(search.only === null ? [] : [redis.zrange(keys[search.only], '0', '-1')]),
    ...(search.group === 'needs_you' ? [askedIn(redis, workspace)] : []),
    ...(search.group === 'working' ? [workedOn(redis, workspace)] : []),
  ])
  const [first, ...others] = sets.map((ids) => new Set(ids)).sort((a, b) => a.size - b.size)
  if (first === undefined) return null
  // Until a stale thread is reindexed, it is unknown if it still has the words.
  const stale = new Set(terms.length === 0 ? [] : await redis.smembers(keys.words.stale))
  const ids = [...first].filter((id) => !stale.has(id) && others.every((set) => set.has(id)))
  const updated = await look(redis, scores(keys.conversations, ids))
  return ids.flatMap((name, place) => {
    const at = updated[place] ?? null
    return at === null ? [] : [{ workspace, name, at }]
  })
}

/** Character above every letter with which a word may go on. */
const top = '\u{10ffff}'

async function threadsWith(
  redis: Connection,
  key: string,
  { word, whole }: Term,
): Promise<string[]> {
  const found = await redis.zrangebylex(
    key,
    whole ? `[${word}\0` : `[${word}`,
    whole ? `(${word}\x01` : `(${word}${top}`,
  )
  return found.map((member) => member.slice(member.indexOf('\0') + 1))
}

/** Threads that wait for a person (C190). */
async function askedIn(redis: Connection, workspace: string): Promise<string[]> {
  const keys = keysOf(workspace)
  const names = await redis.zrange(keys.needs(), '0', '-1')
  const of = (letter: string) =>
    names.flatMap((name) => (name.startsWith(`${letter}|`) ? [name.slice(2)] : []))
  const [asked, paused] = await lookAll(
    redis,
    fields(keys.questions, of('q')),
    combine(...of('p').map((run) => field(keys.run(run).row, 'conversationId'))),
  )
  return [
    ...of('f'),
    ...readGood(AskedQuestion, asked).map(({ conversationId }) => conversationId),
    ...paused.flatMap((id) => readOne(Message.shape.id, id) ?? []),
  ]
}

/** Threads with work in progress. */
async function workedOn(redis: Connection, workspace: string): Promise<string[]> {
  const keys = keysOf(workspace)
  const [heard, runs] = await Promise.all(
    (['conversation', 'run'] as const).map((kind) => redis.zrange(keys.due(kind), '0', '-1')),
  )
  const rows = await lookAll(
    redis,
    ...(runs ?? []).map((run) => field(keys.run(run).row, 'conversationId')),
  )
  return [...(heard ?? []), ...rows.flatMap((id) => readOne(Message.shape.id, id) ?? [])]
}

/** Most of the newest messages that are searched for the one to show. */
const messagesMost = 1_000
/** Most candidates among them that are parsed. */
const readMost = 50

async function withMessages(
  redis: Connection,
  found: readonly Walked[],
  said: readonly Term[],
): Promise<Found[]> {
  return await Promise.all(
    found.map(async ({ line }) => {
      if (said.length === 0) return { line, message: null }
      const { id, address } = line.conversation
      const { messages: key } = keysOf(address.workspace).conversation(id)
      const texts = (await look(redis, list(key, -messagesMost, -1))).reverse()
      const likely = texts.filter((text) =>
        said.some(({ word }) => text.toLowerCase().includes(word)),
      )
      const messages = readGood(Message, (likely.length > 0 ? likely : texts).slice(0, readMost))
      let best = { message: null as Message | null, count: 0 }
      for (const message of messages) {
        const count = countIn(message.text, said)
        if (count > best.count) best = { message, count }
      }
      return { line, message: best.message }
    }),
  )
}
