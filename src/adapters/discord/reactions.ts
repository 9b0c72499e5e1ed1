import { Routes } from 'discord.js'
import { assertNever } from '../../agent/domain/assert.ts'
import type { Outcome } from '../../agent/domain/message.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Discord } from './context.ts'

export const emoji = { seen: '👀', joined: '👍', answer: '✅', failed: '⚠️', refused: '🚫' } as const

/** What became of a person's message, as a mark on it. A mark that cannot be made is no loss. */
export async function mark(discord: Discord, ref: string | null, outcome: Outcome): Promise<Sent> {
  const [channelId, messageId] = ref?.split('/') ?? []
  if (channelId === undefined || messageId === undefined) return { kind: 'sent', ref: '' }
  const put = (sign: string) =>
    discord.api.call('PUT', Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(sign)))
  const drop = (sign: string) =>
    discord.api.call('DELETE', Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(sign)))
  const answer = await markFor(outcome, put, drop)
  return answer?.kind === 'later' ? answer : { kind: 'sent', ref: ref ?? '' }
}

function markFor(outcome: Outcome, put: (sign: string) => ReturnType<Discord['api']['call']>, drop: typeof put) {
  switch (outcome.kind) {
    // What these came to is seen in the thread.
    case 'waiting':
    case 'answered':
    case 'started':
    case 'command':
      return null
    case 'joined':
      return put(emoji.joined)
    case 'answer':
      return put(emoji.answer)
    case 'failed':
      return put(emoji.failed)
    case 'ignored':
      return outcome.reason === 'not_allowed' ? put(emoji.refused) : drop(emoji.seen)
    default:
      return assertNever(outcome)
  }
}
