import { Routes } from 'discord.js'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Marks } from '../channel-kit/marks.ts'
import type { Discord } from './context.ts'

export const seen = '👀'
/** No change: the sign stays while a task works on the message. */
const stays = {}
const gone = { remove: seen }

export const marks: Marks = {
  seen,
  waiting: stays,
  started: stays,
  answered: gone,
  command: gone,
  joined: { remove: seen, add: '👍' },
  thanked: { remove: seen, add: '💛' },
  answer: { remove: seen, add: '✅' },
  succeeded: { remove: seen, add: '✅' },
  failed: { remove: seen, add: '⚠️' },
  given_up: { remove: seen, add: '⚠️' },
  canceled: { remove: seen, add: '⏹️' },
  not_allowed: { add: '🚫' },
  ignored: gone,
}

/**
 * Signs on their way, by message: no removal overtakes what it removes, which a rate limit may hold
 * back.
 */
const underWay = new Map<string, Promise<Sent>>()

/**
 * Adds or removes a reaction, after those before it on the same message. A refused one is no loss.
 */
export async function react(
  { api }: Discord,
  kind: 'add' | 'remove',
  sign: string,
  ref: string,
): Promise<Sent> {
  const [channelId, messageId] = ref.split('/')
  if (channelId === undefined || messageId === undefined) return { kind: 'sent', ref }
  const route = Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(sign))
  const send = async (): Promise<Sent> => {
    const answer = await api.call(kind === 'add' ? 'PUT' : 'DELETE', route)
    return answer.kind === 'later' ? answer : { kind: 'sent', ref }
  }
  const own = underWay.get(ref)?.then(send, send) ?? send()
  underWay.set(ref, own)
  try {
    return await own
  } finally {
    if (underWay.get(ref) === own) underWay.delete(ref)
  }
}
