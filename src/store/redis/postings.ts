import { Message } from '../../agent/domain/message.ts'
import { present } from '../../agent/domain/present.ts'
import type { Term } from '../../agent/domain/search-words.ts'
import type { Search } from '../../agent/ports/search.ts'
import { evaluate } from './client.ts'
import { readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { asWord } from './indexed-words.ts'
import { keysOf } from './keys.ts'
import { field, look, lookAll, lookThrough, number, type Read, scores, strings } from './look.ts'
import { type Listed, listed, newestIn, type Source } from './pages.ts'
import { AskedQuestion } from './states.ts'

/*
 * Threads of one workspace that have all words of a search. The index of words is in no order of
 * time, as each message would have to move all words of its thread. So the way depends on how many
 * entries a word has, which Redis answers at once. Rare ones are read whole, and only threads with
 * all of them are left. The others are looked up in each thread, the newest first.
 */

/** Most entries of the index that one search reads in one workspace: of one word, and of all. */
const entriesMost = { word: 5_000, all: 15_000 }
/** Entries or rows that one command reads; and scores, which take some 3 µs each. */
const page = 1_000
const scoresAtOnce = 500

/** A part of a search that lists its threads. */
interface Posting {
  count: Read<number>
  ids(): Promise<readonly string[]>
  /** Word that threads are asked for; null if the part is none. */
  word: Term | null
}

/** Threads in which a search may be met, and a filter of them for what is looked up in each. */
export async function matching(
  redis: Connection,
  workspace: string,
  search: Search,
): Promise<{
  source: Source
  areMet: (places: readonly Listed[]) => Promise<readonly boolean[]>
}> {
  const keys = keysOf(workspace)
  const postings = postingsOf(redis, workspace, search)
  const counts = await lookAll(redis, ...postings.map(({ count }) => count))
  const byCount = postings
    .map((posting, at) => ({ ...posting, entries: counts[at] ?? 0 }))
    .sort((a, b) => a.entries - b.entries)
  let left = entriesMost.all
  const { true: few = [], false: many = [] } = Object.groupBy(byCount, ({ entries }) => {
    left -= entries
    return `${entries <= entriesMost.word && left >= 0}`
  })
  const source = few.length === 0 ? newestIn(redis, workspace) : listed(await inAll(few))
  const words = many.flatMap(({ word }) => word ?? [])
  const isIndexed = postings.some(({ word }) => word !== null)
  const areMet = async (places: readonly Listed[]) => {
    const ids = places.map(({ name }) => name)
    const arranged = many.some(({ word }) => word === null) ? search.only : null
    const [holds, kept] = await Promise.all([
      isIndexed ? holding(redis, workspace, ids, words) : ids.map(() => true),
      arranged === null ? ids.map(() => 1) : look(redis, scores(keys[arranged], ids)),
    ])
    return ids.map((_, at) => holds[at] === true && kept[at] !== null)
  }
  return { source, areMet }

  /** Threads that all of these list. */
  async function inAll(all: readonly Posting[]) {
    const [first = new Set<string>(), ...others] = (
      await Promise.all(all.map((posting) => posting.ids()))
    ).map((ids) => new Set(ids))
    const ids = [...first].filter((id) => others.every((set) => set.has(id)))
    const found: Listed[] = []
    for (let at = 0; at < ids.length; at += scoresAtOnce) {
      const some = ids.slice(at, at + scoresAtOnce)
      const updated = await look(redis, scores(keys.conversations, some))
      for (const [place, name] of some.entries()) {
        const time = updated[place] ?? null
        if (time !== null) found.push({ workspace, name, at: time })
      }
    }
    return found
  }
}

function postingsOf(redis: Connection, workspace: string, search: Search): Posting[] {
  const keys = keysOf(workspace)
  const words = (['said', 'people', 'places'] as const).flatMap((kind) =>
    search[kind].map((term): Term => ({ ...term, word: asWord[kind] + term.word })),
  )
  const set = (key: string, ids: () => Promise<readonly string[]>): Posting => ({
    count: number('ZCARD', key),
    ids,
    word: null,
  })
  const { group } = search
  const arranged = search.only === null ? null : keys[search.only]
  return present([
    ...words.map((word) => ofWord(redis, keys.words.all, word)),
    arranged !== null && set(arranged, () => membersOf(redis, arranged)),
    group === 'needs_you' && set(keys.needs(), () => askedIn(redis, workspace)),
    group === 'working' && set(keys.due('run'), () => workedOn(redis, workspace)),
  ])
}

/** Character above every letter with which a word may go on. */
const top = '\u{10ffff}'

function ofWord(redis: Connection, key: string, word: Term): Posting {
  const from = word.whole ? `[${word.word}\0` : `[${word.word}`
  const to = word.whole ? `(${word.word}\x01` : `(${word.word}${top}`
  return {
    word,
    count: number('ZLEXCOUNT', key, from, to),
    async ids() {
      const ids: string[] = []
      for (let next = from; ; ) {
        const found = await redis.zrangebylex(key, next, to, 'LIMIT', 0, page)
        for (const member of found) ids.push(member.slice(member.indexOf('\0') + 1))
        const last = found.at(-1)
        if (last === undefined || found.length < page) return ids
        next = `(${last}`
      }
    },
  }
}

/** Members of a sorted set, by pages. */
async function membersOf(redis: Connection, key: string): Promise<string[]> {
  const all: string[] = []
  for (;;) {
    const found = await look(redis, strings('ZRANGE', key, all.length, all.length + page - 1))
    all.push(...found)
    if (found.length < page) return all
  }
}

/** Threads that wait for a person (C190). */
async function askedIn(redis: Connection, workspace: string): Promise<string[]> {
  const keys = keysOf(workspace)
  const ids: string[] = []
  const names = await membersOf(redis, keys.needs())
  const rowOf = (name: string) =>
    name.startsWith('q|')
      ? field(keys.questions, name.slice(2))
      : field(keys.run(name.slice(2)).row, 'conversationId')
  for (const name of names) if (name.startsWith('f|')) ids.push(name.slice(2))
  const referring = names.filter((name) => /^[qp]\|/.test(name))
  for await (const [name, row] of lookThrough(redis, referring, page, rowOf)) {
    const id = name.startsWith('q|')
      ? readOne(AskedQuestion, row)?.conversationId
      : readOne(Message.shape.id, row)
    if (id != null) ids.push(id)
  }
  return ids
}

/** Threads with work in progress. */
async function workedOn(redis: Connection, workspace: string): Promise<string[]> {
  const keys = keysOf(workspace)
  const ids = await membersOf(redis, keys.due('conversation'))
  const runs = await membersOf(redis, keys.due('run'))
  const rowOf = (run: string) => field(keys.run(run).row, 'conversationId')
  for await (const [, row] of lookThrough(redis, runs, page, rowOf)) {
    const id = readOne(Message.shape.id, row)
    if (id !== null) ids.push(id)
  }
  return ids
}

/**
 * KEYS stale, then own words of each conversation · ARGV number of words, each with '1' if it is
 * whole, then the conversations. Answers 1 for each that has all words and is not stale. It answers
 * fewer than asked for when it has looked at many words, so that others get their turn.
 */
const holdingScript = `
local count = tonumber(ARGV[1])
local function begins(own, word)
  local cursor = '0'
  repeat
    local found = redis.call('SSCAN', own, cursor, 'MATCH', word .. '*', 'COUNT', 1000)
    if #found[2] > 0 then return true end
    cursor = found[1]
  until cursor == '0'
  return false
end
local answers, looked = {}, 0
for i = 2, #KEYS do
  local holds = redis.call('SISMEMBER', KEYS[1], ARGV[2 * count + i]) == 0
  for word = 2, 2 * count, 2 do
    if holds and redis.call('SISMEMBER', KEYS[i], ARGV[word]) == 0 then
      holds = false
      if ARGV[word + 1] ~= '1' then
        looked = looked + redis.call('SCARD', KEYS[i])
        holds = begins(KEYS[i], ARGV[word])
      end
    end
  end
  answers[i - 1] = holds and 1 or 0
  if looked > 2000 then break end
end
return answers
`

/** True for each thread that has all words. One with a stale index has none until it is rebuilt. */
async function holding(
  redis: Connection,
  workspace: string,
  ids: readonly string[],
  words: readonly Term[],
): Promise<boolean[]> {
  const keys = keysOf(workspace)
  const args = words.flatMap(({ word, whole }) => [word, whole ? '1' : '0'])
  const holds: boolean[] = []
  while (holds.length < ids.length) {
    const some = ids.slice(holds.length)
    const own = some.map((id) => keys.conversation(id).words)
    const answers = await evaluate(
      redis,
      holdingScript,
      [keys.words.stale, ...own],
      [words.length, ...args, ...some],
    )
    if (!Array.isArray(answers) || answers.length === 0) throw new Error('no answer for a thread')
    holds.push(...answers.map((answer) => answer === 1))
  }
  return holds
}
