import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { inTime } from '../../agent/deadline.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import type { Channel } from '../../agent/ports/channel.ts'
import type { Api } from './api.ts'
import type { SlackDeps } from './deps.ts'
import { limits } from './limits.ts'

const Info = z.looseObject({
  channel: z.looseObject({
    name: z.string().optional(),
    is_mpim: z.boolean().optional(),
    is_private: z.boolean().optional(),
  }),
})

/** Channel as people call it. `isPublic`: everybody in the workspace may know its name. */
const Place = z.object({ called: z.string(), isPublic: z.boolean() })
type Place = z.infer<typeof Place>

interface At {
  workspace: string
  channel: string
}

/** C148: looks up channel names. Like people's names, they are cached for all processes. */
export function createChannelNames({ notes, clock }: Pick<SlackDeps, 'notes' | 'clock'>, api: Api) {
  const memory = new LRUCache<string, Place, At>({
    max: limits.profilesInMemory,
    ttl: limits.profileKeptMs,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: async (_name, _stale, { context }) => await ask(context),
  })

  async function ask({ workspace, channel }: At): Promise<Place | undefined> {
    const noted = await notes.get(workspace, `place:${channel}`)
    const known = Place.safeParse(jsonIn(noted ?? '')).data
    if (known !== undefined) return known
    const answer = await api.call(workspace, 'conversations.info', { channel }, Info)
    if (answer.kind !== 'ok') return undefined
    const { name, is_mpim: isGroup, is_private: isPrivate } = answer.value.channel
    const own = name === undefined ? null : `#${name}`
    const called = isGroup ? 'a group message' : own
    if (called === null) return undefined
    const place = { called, isPublic: !isGroup && isPrivate !== true }
    await notes.put(workspace, `place:${channel}`, JSON.stringify(place), limits.profileKeptMs)
    return place
  }

  async function placeAt(at: At): Promise<Place | null> {
    const key = `${at.workspace} ${at.channel}`
    const asked = memory.fetch(key, { context: at }).catch(() => undefined)
    return (await inTime(clock, limits.profileMs, asked)) ?? null
  }

  const nameOf: NonNullable<Channel['nameOf']> = async ({ workspace, channel }) =>
    channel.startsWith('D')
      ? 'a direct message'
      : ((await placeAt({ workspace, channel }))?.called ?? null)

  return {
    nameOf,
    /** Returns the name of a channel that a message mentions; `null` if it is not public (C978). */
    async mentioned(at: At): Promise<string | null> {
      const place = await placeAt(at)
      return place?.isPublic === true ? place.called.slice(1) : null
    },
  }
}
export type ChannelNames = ReturnType<typeof createChannelNames>
