import { Routes } from 'discord.js'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Marks } from '../channel-kit/marks.ts'
import type { Discord } from './context.ts'

export const seen = '👀'
/** What these came to is seen in the thread. */
const stays = {}

export const marks: Marks = {
  seen,
  ...{ waiting: stays, answered: stays, started: stays, command: stays },
  joined: { add: '👍' },
  thanked: { add: '💛', remove: seen },
  answer: { add: '✅' },
  failed: { add: '⚠️' },
  not_allowed: { add: '🚫' },
  ignored: { remove: seen },
}

/** A reaction that Discord takes now or later, or not at all: that is no loss. */
export async function react({ api }: Discord, kind: 'add' | 'remove', sign: string, ref: string): Promise<Sent> {
  const [channelId, messageId] = ref.split('/')
  if (channelId === undefined || messageId === undefined) return { kind: 'sent', ref }
  const route = Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(sign))
  const answer = await api.call(kind === 'add' ? 'PUT' : 'DELETE', route)
  return answer.kind === 'later' ? answer : { kind: 'sent', ref }
}
