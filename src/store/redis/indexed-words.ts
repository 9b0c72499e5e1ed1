import { setImmediate as othersFirst } from 'node:timers/promises'
import { Address, type Conversation } from '../../agent/domain/conversation.ts'
import { Message } from '../../agent/domain/message.ts'
import { wordsIn } from '../../agent/domain/search-words.ts'
import type { Client } from './client.ts'
import { readGood, readOne } from './codec.ts'
import { keysOf } from './keys.ts'
import { fields, list, lookAll, number } from './look.ts'

/** Prefixes in the index, by kind of word: in a message, of its author, of its place. */
export const asWord = { said: '', people: '@', places: '#' } as const

/** All words of a conversation, or of a part of it, separated by blanks. */
export function wordsFrom({ address, title = '', messages = [] }: WordSource): string {
  const named = (sign: string, ...names: string[]) =>
    names.flatMap(wordsIn).map((word) => sign + word)
  const words = [
    ...(address === undefined ? [] : named(asWord.places, address.workspace, address.channel)),
    ...wordsIn(title),
    ...messages.flatMap(({ author, text }) => [
      ...wordsIn(text),
      ...(author === null ? [] : named(asWord.people, author.id, author.name)),
    ]),
  ]
  return [...new Set(words)].join(' ')
}

interface WordSource {
  address?: Pick<Conversation['address'], 'workspace' | 'channel'>
  title?: string
  messages?: readonly Pick<Message, 'author' | 'text'>[]
}

/** Most tries while people go on writing in the thread; then the next search does it. */
const triesMost = 5

/**
 * Rebuilds the index of one conversation from all that it holds. If it was deleted, its words are
 * removed.
 */
export async function reindex(
  { redis, run }: Client,
  workspace: string,
  id: string,
): Promise<void> {
  const keys = keysOf(workspace)
  const { row, messages, words } = keys.conversation(id)
  for (let tries = 0; tries < triesMost; tries++) {
    const [[title = null, address = null], said] = await lookAll(
      redis,
      fields(row, ['title', 'address']),
      list(messages, 0, -1),
    )
    const found = await wordsOf({ title, address, said })
    const own = [keys.words.all, keys.words.stale, words, row, messages]
    if ((await run('reindex', own, [id, title ?? '', said.length, said.at(-1) ?? '', found])) === 1)
      return
  }
  await redis.sadd(keys.words.stale, id)
}

/** Messages that are split into words in one go, so that others get their turn (S11). */
const messagesAtOnce = 10

/** All words of a conversation, from its stored rows. */
async function wordsOf(row: {
  title: string | null
  address: string | null
  said: readonly string[]
}) {
  const address = readOne(Address, row.address) ?? undefined
  const title = readOne(Message.shape.text, row.title) ?? ''
  const words = new Set(wordsFrom({ ...(address && { address }), title }).split(' '))
  for (let at = 0; at < row.said.length; at += messagesAtOnce) {
    const messages = readGood(Message, row.said.slice(at, at + messagesAtOnce))
    for (const word of wordsFrom({ messages }).split(' ')) words.add(word)
    await othersFirst()
  }
  return [...words].join(' ')
}

const batch = 100

/** Rebuilds the index of some stale conversations, so that a search need not wait for all. */
export async function reindexStale(client: Client, workspace: string): Promise<void> {
  const ids = await client.redis.srandmember(keysOf(workspace).words.stale, batch)
  await Promise.all(ids.map((id) => reindex(client, workspace, id)))
}

/** Builds the index of conversations that are older than the index, and of all stale ones. */
export async function buildWords(client: Client, workspace: string): Promise<void> {
  const { redis } = client
  const { conversation, conversations, words } = keysOf(workspace)
  const isBuilt = (await redis.exists(words.built)) === 1
  const ids = isBuilt ? [] : await redis.zrange(conversations, '0', '-1')
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    const known = await lookAll(redis, ...some.map((id) => number('SCARD', conversation(id).words)))
    const unknown = some.filter((_, place) => known[place] === 0)
    if (unknown.length > 0) await redis.sadd(words.stale, unknown)
  }
  if (!isBuilt) await redis.set(words.built, '1')
  for (let left = await redis.scard(words.stale); left > 0; left -= batch)
    await reindexStale(client, workspace)
}

/** True if the index holds words that none of what stays there has. */
export function isStale(words: readonly string[], stays: Parameters<typeof wordsFrom>[0]): boolean {
  const kept = new Set(wordsFrom(stays).split(' '))
  return words.some((word) => !kept.has(word))
}
