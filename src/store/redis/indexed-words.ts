import { setImmediate as othersFirst } from 'node:timers/promises'
import { Address, type Conversation } from '../../agent/domain/conversation.ts'
import { Message } from '../../agent/domain/message.ts'
import { wordsIn } from '../../agent/domain/search-words.ts'
import type { Client } from './client.ts'
import { readGood, readOne } from './codec.ts'
import { keysOf } from './keys.ts'
import { behind, fields, list, look, lookAll, number } from './look.ts'

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
  const words = new Set(wordsFrom({ address, title }).split(' '))
  for (let at = 0; at < row.said.length; at += messagesAtOnce) {
    const messages = readGood(Message, row.said.slice(at, at + messagesAtOnce))
    for (const word of wordsFrom({ messages }).split(' ')) words.add(word)
    await othersFirst()
  }
  return [...words].join(' ')
}

/**
 * Rebuilds the index of some stale conversations, so that nobody waits for all. Answers their
 * number.
 */
export async function reindexStale(
  client: Client,
  workspace: string,
  most: number,
): Promise<number> {
  const ids = await client.redis.srandmember(keysOf(workspace).words.stale, most)
  for (const id of ids) await reindex(client, workspace, id)
  return ids.length
}

/** Conversations that are looked at in one go. */
const batch = 200

/**
 * Marks conversations that are older than the index as stale, some of them behind a place. Answers
 * the place of the last one, or null if there are no more.
 *
 * The oldest come first: what is talked in meanwhile moves ahead, and is met again there.
 */
export async function markUnindexed(
  { redis }: Client,
  workspace: string,
  from: { at: number; name: string } | null,
): Promise<{ at: number; name: string } | null> {
  const { conversation, conversations, words } = keysOf(workspace)
  if ((await redis.exists(words.built)) === 1) return null
  const places = await look(
    redis,
    behind(conversations, from, { newestFirst: false, limit: batch }),
  )
  const known = await lookAll(
    redis,
    ...places.map(({ name }) => number('SCARD', conversation(name).words)),
  )
  const unknown = places.flatMap(({ name }, at) => (known[at] === 0 ? [name] : []))
  if (unknown.length > 0) await redis.sadd(words.stale, unknown)
  const last = places.at(-1)
  if (places.length >= batch && last !== undefined) return last
  await redis.set(words.built, '1')
  return null
}

/** True if the index holds words that none of what stays there has. */
export function isStale(words: readonly string[], stays: Parameters<typeof wordsFrom>[0]): boolean {
  const kept = new Set(wordsFrom(stays).split(' '))
  return words.some((word) => !kept.has(word))
}
