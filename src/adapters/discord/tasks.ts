import { ChannelType } from 'discord.js'
import { hasEnded, hasFallenShort, mayBeginAgain, type Run } from '../../agent/domain/run.ts'
import type { Discord } from './context.ts'
import { type AnyChannel, isThread } from './directory.ts'

/** Actions of `/task` on a named task, with the tasks that each applies to. */
export const taskActions: Readonly<Record<string, (run: Run) => boolean>> = {
  show: () => true,
  stop: ({ status }) => !hasEnded(status),
  continue: ({ status }) => status === 'paused',
  retry: ({ status }) => hasFallenShort(status),
  again: (run) => mayBeginAgain(run) && run.conversationId !== null,
}

/** Returns the channel of a thread, which owns its to-dos and schedules. */
export const homeOf = (place: AnyChannel) =>
  isThread(place) ? (place.parent_id ?? place.id) : place.id

/** Returns the conversation of a thread or direct messages, or `null` if Clew has none there. */
export async function conversationIn(
  { deps }: Pick<Discord, 'deps'>,
  workspace: string,
  place: AnyChannel,
): Promise<string | null> {
  if (!isThread(place) && place.type !== ChannelType.DM) return null
  const openedFor = await deps.notes.get(workspace, `opened:${place.id}`)
  const address = { workspace, channel: homeOf(place), thread: place.id, keys: [] }
  return await deps.inbox.knows({ ...address, openedFor: openedFor ?? undefined })
}

/** Returns the tasks of a conversation, or else of the whole channel, newest first. */
export async function tasksIn(
  discord: Discord,
  workspace: string,
  place: AnyChannel,
): Promise<Run[]> {
  const { runs } = discord.deps
  const conversationId = await conversationIn(discord, workspace, place)
  if (conversationId !== null) return await runs.list(workspace, 200, conversationId)
  return (await runs.list(workspace, 200)).filter(({ channel }) => channel === homeOf(place))
}
