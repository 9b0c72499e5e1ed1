import { inTime } from './deadline.ts'
import { platformOf } from './domain/conversation.ts'
import type { createPool } from './kernel/pool.ts'
import type { Channel } from './ports/channel.ts'
import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'
import type { Item } from './ports/wakeups.ts'

export interface HearFirstDeps {
  channelOf(platform: string): Pick<Channel, 'heard'> | null
  store: { runs: Pick<Store['runs'], 'state'> }
  pool: Pick<ReturnType<typeof createPool>, 'ended'>
  clock: Clock
}

/**
 * Longest wait of a run for what was said while nobody listened, from the start of the process on.
 */
const hearWithinMs = 10_000

/**
 * C342: before a run goes on, what was said in its thread while Clew was away is stored and dealt
 * with. A “stop” among it comes in time. Never throws.
 */
export function createHearFirst({ channelOf, store, pool, clock }: HearFirstDeps) {
  const until = clock.now() + hearWithinMs
  async function heard(channel: Pick<Channel, 'heard'>, { workspace, id }: Item) {
    await channel.heard?.(workspace)
    const found = await store.runs.state(workspace, id)
    const conversation = found?.run.conversationId ?? null
    if (conversation !== null)
      await pool.ended({ kind: 'conversation', workspace, id: conversation })
  }
  return async (item: Item) => {
    const channel = channelOf(platformOf(item.workspace))
    const leftMs = until - clock.now()
    if (item.kind !== 'run' || channel?.heard === undefined || leftMs <= 0) return
    // What cannot be told holds up nothing.
    const hearing = heard(channel, item).catch(() => undefined)
    await inTime(clock, leftMs, hearing)
  }
}
