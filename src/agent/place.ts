import type { Place } from './contracts/input.ts'
import { type Conversation, platformOf } from './domain/conversation.ts'
import type { Channel } from './ports/channel.ts'

/** Where a conversation is, for a model (C148). Never throws. */
export type PlaceOf = (
  conversation: Pick<Conversation, 'address' | 'title'>,
  signal: AbortSignal,
) => Promise<Place>

/**
 * @param channelOf the channel that speaks a platform here; where none does, what people call the
 *   place is not known.
 */
export const createPlaceOf =
  (channelOf: (platform: string) => Channel | null): PlaceOf =>
  async ({ address: { workspace, channel }, title }, signal) => {
    const platform = platformOf(workspace)
    const name = await channelOf(platform)?.nameOf?.({ workspace, channel }, signal)
    return { platform, channel: name ?? null, thread: title }
  }
