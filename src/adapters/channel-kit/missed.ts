import type { Address } from '../../agent/domain/conversation.ts'
import { entryIdOf, type InboundEvent } from '../../agent/domain/event.ts'
import { deriveId } from '../../agent/domain/id.ts'
import { hasEnded } from '../../agent/domain/run.ts'
import type { ChannelContext, ChannelDeps } from './deps.ts'

/** Age up to which the inbox itself deduplicates a message, with a margin (P3). */
const knownForMs = 23 * 60 * 60_000
const messagesCompared = 1_000
/** Threads that are searched for an open question. */
const threadsSeen = 1_000
/** Shortest outage after which clicks may have been lost. */
export const longAwayMs = 10 * 60_000

/** Newest runs that are searched for open ones. */
const runsSeen = 200

/** Most open tasks whose requests are looked for (C486). */
const requestsSeen = 50

type Worked = Pick<ChannelDeps, 'runs' | 'conversations'>

/** Returns the places with unfinished tasks in a workspace. They are caught up first (C342). */
export async function workedIn(deps: Worked, workspace: string): Promise<Address[]> {
  return (await worksIn(deps, workspace)).map(({ address }) => address)
}

/**
 * Returns the messages that asked for unfinished tasks, by their platform's name, and where each
 * task goes on. They may have been deleted while Clew was away (C486).
 */
export async function requestsIn(
  deps: Worked,
  workspace: string,
): Promise<{ ref: string; address: Address }[]> {
  const asked = (await worksIn(deps, workspace)).flatMap(({ refs, address }) =>
    refs.map((ref) => ({ ref, address })),
  )
  return asked.slice(0, requestsSeen)
}

async function worksIn({ runs, conversations }: Worked, workspace: string) {
  const open = (await runs.list(workspace, runsSeen)).filter(({ status }) => !hasEnded(status))
  const found = await Promise.all(
    [...Map.groupBy(open, ({ conversationId: id }) => id)].map(async ([id, going]) => {
      const state = id === null ? null : await conversations.state(workspace, id, 0)
      const refs = going.flatMap(({ asked }) => (asked === undefined ? [] : [asked.ref]))
      return state === null ? [] : [{ address: state.conversation.address, refs }]
    }),
  )
  return found.flat()
}

/**
 * Tracks the workspaces whose missed messages are stored. `heard` resolves once `note` is called
 * for a workspace.
 */
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

/**
 * True if a message that is read late was already taken when it was written. Returns `false` for
 * messages of the last day, which the inbox dedupes; older ones are looked up in their thread.
 */
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
 * C156: asks open questions again after an outage, below everything said meanwhile, because the
 * platform does not redeliver clicks and commands.
 *
 * @param since start of the outage. Each question is asked again once per outage.
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
      workspace,
      channel,
      thread,
      keys: [`again:${open.id}:${since}`],
      author: { id: '', name: '', bot: false },
      whose: { way: 'program', by: 'member' },
      // No person did this, so it does not count as reading the thread (C51).
      at: conversation.lastReadAt ?? 0,
      content: { kind: 'ask_again', questionId: open.id },
    })
  }
}
