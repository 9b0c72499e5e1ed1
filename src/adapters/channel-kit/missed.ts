import type { Address } from '../../agent/domain/conversation.ts'
import { entryIdOf, type InboundEvent } from '../../agent/domain/event.ts'
import { deriveId } from '../../agent/domain/id.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { ChannelContext, ChannelDeps } from './deps.ts'

/** For so long the inbox itself knows every message that was taken, with some room (P3). */
const knownForMs = 23 * 60 * 60_000
const messagesCompared = 1_000
/** Threads in which an open question is looked for. */
const threadsSeen = 1_000
/** Nobody who is away for less is thought to have missed a click. */
export const longAwayMs = 10 * 60_000

/** Runs in which those are looked for that go on. */
const runsSeen = 200

/** Places where tasks of a workspace go on: what was said there is read first (C342). */
export async function workedIn(
  { runs, conversations }: Pick<ChannelDeps, 'runs' | 'conversations'>,
  workspace: string,
): Promise<Address[]> {
  const open = (await runs.list(workspace, runsSeen)).filter(({ status }) => !hasEnded(status))
  const ids = new Set(open.flatMap(({ conversationId: id }) => (id === null ? [] : [id])))
  const found = await Promise.all([...ids].map((id) => conversations.state(workspace, id, 0)))
  return found.flatMap((state) => (state === null ? [] : [state.conversation.address]))
}

/** Workspaces where what was said is known to be stored; `note` says so of one. */
export function createHeard() {
  const known = new Map<string, PromiseWithResolvers<void>>()
  function of(workspace: string): PromiseWithResolvers<void> {
    const one = known.get(workspace) ?? Promise.withResolvers<void>()
    known.set(workspace, one)
    return one
  }
  return {
    heard: (workspace: string): Promise<void> => of(workspace).promise,
    note: (workspace: string): void => of(workspace).resolve(),
  }
}

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
