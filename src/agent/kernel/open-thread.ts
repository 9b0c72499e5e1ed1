import { conversationIdOf, newConversation } from '../domain/conversation.ts'
import { deriveId } from '../domain/id.ts'
import type { Run } from '../domain/run.ts'
import type { Destination } from '../domain/schedule.ts'
import type { ChangePart } from './change.ts'
import type { Cause } from './messages.ts'
import type { Thread } from './questions.ts'

/** Cause that opens a thread: a run, or the words of a schedule or to-do by their key. */
type Opener = Cause & { kind: 'run' | 'schedule' }

/**
 * The id follows from what opens the thread, so that opening it twice makes one. A run's id is its
 * own in every workspace.
 */
export const openedBy = ({ kind, refId }: Opener, workspace: string): string =>
  kind === 'run' ? deriveId('c', kind, refId) : deriveId('c', kind, workspace, refId)

interface Opening extends Pick<Run, 'workspace' | 'channel' | 'title'> {
  locale: string
  timeZone: string
  at: number
  /** Thread of a message, in which it opens (C784); absent: the platform makes a new one. */
  within?: string | undefined
}

/**
 * Conversation of a place where there is no other: the one of the message's thread, if any (C784).
 */
export const conversationAt = (
  workspace: string,
  { conversationId, channel, thread }: Destination,
): string | null =>
  thread === undefined ? conversationId : conversationIdOf(workspace, channel, thread)

/**
 * R106: work without a thread opens one, unread, with the first thing that it says; the thread of a
 * run shows its plan.
 *
 * @param thread the one that it has; then nothing is opened.
 */
export function openThread(
  thread: Thread | null,
  opener: Opener,
  { workspace, channel, within, ...rest }: Opening,
): { shown: Thread; opening: ChangePart } {
  if (thread !== null) return { shown: thread, opening: {} }
  const id =
    within === undefined
      ? openedBy(opener, workspace)
      : conversationIdOf(workspace, channel, within)
  const foreground = opener.kind === 'run' ? opener.refId : null
  const address = { workspace, channel, thread: within ?? null }
  const conversation = newConversation({ ...rest, id, address, foreground })
  return {
    shown: { conversation, questions: [] },
    opening: {
      conversation: { open: conversation },
      conversationId: id,
      runs: foreground === null ? undefined : [{ id: foreground, patch: { conversationId: id } }],
    },
  }
}
