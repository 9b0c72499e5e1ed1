import type { Sent } from '../../agent/ports/channel.ts'
import type { Marks } from '../channel-kit/marks.ts'
import { Anything } from './api.ts'
import type { Slack } from './context.ts'

/** Set as soon as a message is stored. */
export const seen = 'eyes'
const gone = { remove: seen }
/** While a task works on a message, it is under somebody's eyes. */
const stays = {}

export const marks: Marks = {
  seen,
  ...{ waiting: stays, started: stays },
  joined: { remove: seen, add: '+1' },
  ...{ answered: gone, answer: gone, command: gone, ignored: gone, not_allowed: gone },
  thanked: { remove: seen, add: 'yellow_heart' },
  succeeded: { remove: seen, add: 'white_check_mark' },
  failed: { remove: seen, add: 'warning' },
  canceled: { remove: seen, add: 'black_square_for_stop' },
}

/** Nothing ever waits for a reaction: one that Slack does not take now is left out. */
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
