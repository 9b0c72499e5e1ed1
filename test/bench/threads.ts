import type { Redis } from 'ioredis'
import { conversationIdOf, newConversation } from '../../src/agent/domain/conversation.ts'
import { personMessage } from '../../src/agent/domain/message.ts'
import { encode, fieldsOf } from '../../src/store/redis/codec.ts'
import { wordsFrom } from '../../src/store/redis/indexed-words.ts'
import { keysOf, workspacesKey } from '../../src/store/redis/keys.ts'

/*
 * Threads of one message with 40 words, some words as common as “the” and most of them rare. They are written as the store writes
 * them, but by hundreds, so that 100,000 take a minute.
 */

const vocabulary = Array.from({ length: 20_000 }, (_, n) => `${syllables(n)}${n % 97}`)
export const rare = (n: number) => vocabulary[(n * 7_919) % vocabulary.length] ?? ''
export const common = (n: number) => vocabulary[n % 20] ?? ''
/** A word of one thread in a hundred or two. */
export const middling = (n: number) => vocabulary[200 + (n % 100)] ?? ''

const together = 500

export async function fillThreads(redis: Redis, workspace: string, threads: number, now: number) {
  await redis.sadd(workspacesKey, workspace)
  const keys = keysOf(workspace)
  await redis.mset(keys.words.built, '1', `${keys.needs()}:built`, '1')
  for (let from = 0; from < threads; from += together) {
    const batch = redis.pipeline()
    for (let n = from; n < Math.min(from + together, threads); n++) {
      const address = { workspace, channel: `C${n % 30}`, thread: `t${n}` }
      const id = conversationIdOf(workspace, address.channel, address.thread)
      const at = now - (threads - n) * 60_000
      const author = { id: `U${n % 40}`, name: `Person${n % 40}`, bot: false }
      const message = personMessage(`m${n}`, author, textOf(n), at)
      const thread = newConversation({ id, address, at, title: `Thread ${n}`, lastReadAt: at })
      const words = wordsFrom({ address, title: thread.title, messages: [message] }).split(' ')
      const own = keys.conversation(id)
      batch.hset(own.row, ...fieldsOf(thread))
      batch.rpush(own.messages, encode(message))
      batch.sadd(own.words, ...words)
      batch.zadd(keys.words.all, ...words.flatMap((word) => [0, `${word}\0${id}`]))
      batch.zadd(keys.conversations, at, id)
    }
    await batch.exec()
  }
}

/** Forty words; the word of rank r about as often as 1/r. */
function textOf(n: number): string {
  let seed = n + 1
  const words = Array.from({ length: 40 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return vocabulary[Math.floor(vocabulary.length ** (seed / 2_147_483_648)) - 1]
  })
  return `The ${words.join(' ')}`
}

function syllables(n: number): string {
  const parts = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'zo']
  return [n % 14, Math.floor(n / 14) % 14, Math.floor(n / 196) % 14].map((at) => parts[at]).join('')
}
