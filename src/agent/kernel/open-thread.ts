import type { Conversation } from '../domain/conversation.ts'

/** A conversation that Clew opens by itself: unread (R106), and without a thread until its first delivery has opened one. */
export function openThread(
  asked: Pick<Conversation, 'id' | 'title' | 'locale' | 'timeZone' | 'foreground'> & {
    workspace: string
    channel: string
    at: number
  },
): Conversation {
  const { id, title, locale, timeZone, foreground, workspace, channel, at } = asked
  return {
    version: 1,
    id,
    address: { workspace, channel, thread: null },
    title,
    createdAt: at,
    updatedAt: at,
    lastReadAt: null,
    foreground,
    locale,
    timeZone,
    remindAt: null,
  }
}
