import { newConversation } from '../domain/conversation.ts'
import { deriveId } from '../domain/id.ts'
import type { Run } from '../domain/run.ts'
import type { ChangePart } from './change.ts'
import type { Cause } from './messages.ts'
import type { Thread } from './questions.ts'

/** Cause that opens a thread: a run, or the words of a schedule or to-do by their key. */
type Opener = Cause & { kind: 'run' | 'schedule' }

/** The id follows from what opens the thread, so that opening it twice makes one. A run's id is its own in every workspace. */
export const openedBy = ({ kind, refId }: Opener, workspace: string): string =>
  kind === 'run' ? deriveId('c', kind, refId) : deriveId('c', kind, workspace, refId)

interface Opening extends Pick<Run, 'workspace' | 'channel' | 'title'> {
  locale: string
  timeZone: string
  at: number
}

/**
 * R106: work without a thread opens one, unread, with the first thing that it says; the thread of a run shows its plan.
 *
 * @param thread the one that it has; then nothing is opened.
 */
export function openThread(
  thread: Thread | null,
  opener: Opener,
  { workspace, channel, ...rest }: Opening,
): { shown: Thread; opening: ChangePart } {
  if (thread !== null) return { shown: thread, opening: {} }
  const id = openedBy(opener, workspace)
  const foreground = opener.kind === 'run' ? opener.refId : null
  const address = { workspace, channel, thread: null }
  const conversation = newConversation({ ...rest, id, address, foreground })
  return {
    shown: { conversation, questions: [] },
    opening: {
      conversation: { open: conversation },
      conversationId: id,
      ...(foreground === null ? {} : { runs: [{ id: foreground, patch: { conversationId: id } }] }),
    },
  }
}
