import type { InboundEvent } from '../../agent/domain/event.ts'
import type { ChannelContext } from './deps.ts'

/**
 * A person reacted to something that Clew said in a thread: it is read up to there (C51, C115). Nothing is stored but the mark, so
 * nothing is started, answered or asked; an older mark than the one that is kept changes nothing. What people wrote was read by
 * being written.
 *
 * @param at when the message was said that they reacted to.
 * @throws what the store throws.
 */
export async function markReadBy(
  { deps }: ChannelContext,
  person: string,
  place: Pick<InboundEvent, 'workspace' | 'channel' | 'thread' | 'openedFor'>,
  at: number,
): Promise<void> {
  if (!deps.mayUse(person, place.channel)) return
  const id = await deps.inbox.knows({ ...place, keys: [] })
  // A clock of ours that is behind must not take for read what is still to come.
  if (id !== null) await deps.conversations.markRead(place.workspace, id, Math.min(at, deps.clock.now()))
}
