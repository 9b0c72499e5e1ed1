import type { Scene, Slack } from './context.ts'
import { limits } from './limits.ts'

interface Place {
  channel: string
  ts: string
}

export const keyOf = ({ channel, ts }: Place) => `${channel}:${ts}`

/** Note of a deletion, whose message may arrive after it: Slack promises no order (C336). */
const goneKey = (message: Place) => `gone:${keyOf(message)}`

/** True if a message is known to have been deleted, within the last minutes. */
export const isGone = async ({ deps }: Pick<Slack, 'deps'>, workspace: string, message: Place) =>
  (await deps.notes.get(workspace, goneKey(message))) !== null

/** Handles a deletion, also one that is only noticed later (C486). Throws if the store is down. */
export async function deleted(
  { deps, hand }: Slack,
  { workspace }: Pick<Scene, 'workspace'>,
  gone: Place & { thread: string; user: string },
): Promise<void> {
  const { channel, thread, user } = gone
  const key = keyOf(gone)
  const place = { workspace, channel, thread, keys: [`${key}:deleted`] }
  await deps.notes.put(workspace, goneKey(gone), '', limits.goneMs)
  if (!(await deps.inbox.knows(place))) return
  const author = { id: user, name: user, bot: false }
  const whose = { way: 'edited' as const, by: 'member' as const }
  await hand({ ...place, author, whose, at: deps.clock.now(), content: { kind: 'deleted', key } })
}
