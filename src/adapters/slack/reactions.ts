import type { Sent } from '../../agent/ports/channel.ts'
import type { Marks } from '../channel-kit/marks.ts'
import { Anything } from './api.ts'
import type { Slack } from './context.ts'

/** Sign that is added as soon as a message is stored. */
export const seen = 'eyes'
const gone = { remove: seen }
/** No change: the sign stays while a task works on the message. */
const stays = {}

export const marks: Marks = {
  seen,
  waiting: stays,
  started: stays,
  joined: { remove: seen, add: '+1' },
  answered: gone,
  answer: gone,
  command: gone,
  ignored: gone,
  not_allowed: gone,
  thanked: { remove: seen, add: 'yellow_heart' },
  succeeded: { remove: seen, add: 'white_check_mark' },
  failed: { remove: seen, add: 'warning' },
  given_up: { remove: seen, add: 'warning' },
  canceled: { remove: seen, add: 'black_square_for_stop' },
}

/** Adds or removes a reaction. Nothing waits for it, so a rate-limited one is dropped. */
export async function react(
  { api }: Slack,
  kind: 'add' | 'remove',
  name: string,
  { workspace, channel, ts }: { workspace: string; channel: string; ts: string },
): Promise<Sent> {
  await api.call(workspace, `reactions.${kind}`, { channel, timestamp: ts, name }, Anything, {
    minor: true,
  })
  return { kind: 'sent', ref: ts }
}
