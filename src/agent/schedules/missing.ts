import { LRUCache } from 'lru-cache'
import { platformOf } from '../domain/conversation.ts'
import type { Schedule } from '../domain/schedule.ts'
import type { Channel, Missing } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Alarm, Conversations } from '../ports/store.ts'

export interface MissingDeps {
  /** The channel of a platform, if this process plays its role. */
  channelOf(platform: string): Channel | null
  store: { conversations: Pick<Conversations, 'state'> }
  clock: Pick<Clock, 'now'>
}

/**
 * Finds the places and owners of due schedules that are gone, by the names of their alarms. Never
 * throws because of a platform.
 */
export type MissingOf = (
  workspace: string,
  alarms: readonly Alarm[],
) => Promise<ReadonlyMap<string, Missing>>

/** A place that was there is taken to be there for so long. */
const thereForMs = 60_000
const max = 5_000

/**
 * C378: looked for before anything is begun, once for every place and person, so that nothing is
 * spent where nobody hears of it.
 */
export function createMissingOf({ channelOf, store, clock }: MissingDeps): MissingOf {
  const there = new LRUCache<string, true>({
    max,
    ttl: thereForMs,
    ttlResolution: 0,
    perf: clock,
  })

  async function addressOf(workspace: string, { channel, conversationId }: Schedule['place']) {
    if (conversationId === null) return { workspace, channel, thread: null }
    const found = await store.conversations.state(workspace, conversationId, 0)
    return found?.conversation.address ?? { workspace, channel, thread: null }
  }

  async function look(channel: Channel, workspace: string, { place, createdBy }: Schedule) {
    const missing = await channel.missing?.(await addressOf(workspace, place), createdBy)
    return missing ?? null
  }

  return async (workspace, alarms) => {
    const channel = channelOf(platformOf(workspace))
    if (channel?.missing === undefined) return new Map()
    const asked = new Map<string, Promise<Missing | null>>()
    const found = await Promise.all(
      alarms.map(async (alarm) => {
        if (alarm.kind === 'todo' || isHeld(alarm.schedule)) return []
        const { place, createdBy } = alarm.schedule
        const parts = [workspace, place.channel, place.conversationId, createdBy?.id]
        const key = JSON.stringify(parts)
        if (there.has(key)) return []
        const answer = asked.get(key) ?? look(channel, workspace, alarm.schedule)
        asked.set(key, answer)
        const missing = await answer
        if (missing === null) there.set(key, true)
        return missing === null ? [] : [[alarm.name, missing] as const]
      }),
    )
    return new Map(found.flat())
  }
}

/** Nothing is begun by it now. */
const isHeld = ({ paused, asked }: Schedule) => paused && asked === null
