import { ChannelType } from 'discord.js'
import { hasEnded, mayBeginAgain, type Run } from '../../agent/domain/run.ts'
import type { Discord } from './context.ts'
import { type AnyChannel, isThread } from './directory.ts'

/** What `/task` can do to a task that is named, and to which ones. */
export const taskActions: Readonly<Record<string, (run: Run) => boolean>> = {
  show: () => true,
  stop: ({ status }) => !hasEnded(status),
  continue: ({ status }) => status === 'paused',
  retry: ({ status }) => status === 'failed' || status === 'canceled',
  again: (run) => mayBeginAgain(run) && run.conversationId !== null,
}

/** The channel to which a thread belongs: to-dos and schedules are the channel's. */
export const homeOf = (place: AnyChannel): string =>
  isThread(place) ? (place.parent_id ?? place.id) : place.id

/** The conversation of a thread or of direct messages; null where Clew does not work. */
export async function conversationIn(
  { deps }: Pick<Discord, 'deps'>,
  workspace: string,
  place: AnyChannel,
): Promise<string | null> {
  if (!isThread(place) && place.type !== ChannelType.DM) return null
  const openedFor = await deps.notes.get(workspace, `opened:${place.id}`)
  const address = { workspace, channel: homeOf(place), thread: place.id, keys: [] }
  return await deps.inbox.knows({ ...address, ...(openedFor === null ? {} : { openedFor }) })
}

/** Tasks of a conversation or, outside one, of the whole channel, newest first. */
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
