import { entryIdOf, type InboundEvent } from '../../agent/domain/event.ts'
import { deriveId } from '../../agent/domain/id.ts'
import type { ChannelContext, ChannelDeps } from './deps.ts'

/** For so long the inbox itself knows every message that was taken, with some room (P3). */
const knownForMs = 23 * 60 * 60_000
const messagesCompared = 1_000
/** Threads in which an open question is looked for. */
const threadsSeen = 1_000
/** Nobody who is away for less is thought to have missed a click. */
export const longAwayMs = 10 * 60_000

type MissedMessage = Pick<
  InboundEvent,
  'workspace' | 'channel' | 'thread' | 'openedFor' | 'keys'
> & { at: number }

/** Whether a message that is read later was taken in at its time; of the last day the inbox tells by itself, of older ones the thread does. */
export async function wasTaken(
  { inbox, conversations, clock }: ChannelDeps,
  place: MissedMessage,
): Promise<boolean> {
  if (place.at > clock.now() - knownForMs) return false
  const { workspace, keys } = place
  const [key = ''] = keys
  const id = await inbox.knows(place)
  if (id === null) return false
  const own = deriveId('m', 'event', entryIdOf(workspace, key))
  const state = await conversations.state(workspace, id, messagesCompared)
  if (state?.messages.some((message) => message.id === own)) return true
  return (await conversations.overheard(workspace, id)).some((one) => one.key === key)
}

/**
 * C156: clicks and commands of an outage are gone with it, so what is still open is asked again, behind all that was said meanwhile.
 *
 * @param since when the outage began: of one outage each question is asked again once.
 */
export async function askAgain(
  { deps, hand }: ChannelContext,
  workspace: string,
  since: number,
): Promise<void> {
  for (const { conversation, questions } of await deps.conversations.list(workspace, threadsSeen)) {
    const [open] = questions
    const { channel, thread } = conversation.address
    if (open === undefined || thread === null) continue
    await hand({
      ...{ workspace, channel, thread, keys: [`again:${open.id}:${since}`] },
      author: { id: '', name: '', bot: false },
      whose: { way: 'program', by: 'member' },
      // Nobody did it: it is no sign that somebody has read the thread (C51).
      at: conversation.lastReadAt ?? 0,
      content: { kind: 'ask_again', questionId: open.id },
    })
  }
}
