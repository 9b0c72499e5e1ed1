import { type Conversation, titleFrom } from '../domain/conversation.ts'
import type { InboundEvent } from '../domain/event.ts'
import type { Offer } from '../domain/message.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { ChangePart } from '../kernel/change.ts'
import type { LeaseDeps } from '../kernel/lease.ts'
import type { Store } from '../ports/store.ts'
import { answerWith, personOf, type TurnContext } from './context.ts'

export interface ElsewhereDeps extends Pick<LeaseDeps, 'wakeups'> {
  store: Pick<Store, 'conversations' | 'runs' | 'inbox'>
  defaults: { locale: string; timeZone: string }
}

/** Runs and threads of a workspace in which one's own work is looked for, newest first. */
const looked = { runs: 200, threads: 50, offers: 4 }

/**
 * C334: an order to stop that was given beside the thread in which the work goes on. A named run,
 * or the one that began with the message that the order replies to, is stopped; else what waits for
 * its Decision; else one's own tasks of this channel are offered. The order is handed to their
 * thread, as if it had been given there.
 *
 * @returns null where nothing of this person goes on in the channel.
 */
export async function stopElsewhere(
  deps: ElsewhereDeps,
  turn: TurnContext,
  named?: Run,
): Promise<ChangePart | null> {
  const { event } = turn.entry
  const { core } = turn.words
  const open = named === undefined ? await openRuns(deps, turn) : []
  const meant =
    named ??
    open.find(({ asked }) => event.repliesTo !== undefined && asked?.ref === event.repliesTo)
  if (meant !== undefined) {
    await hand(deps, turn, meant.conversationId ?? '', {
      kind: 'control',
      action: 'cancel',
      runId: meant.id,
    })
    return answerWith(turn, core.stopsThere(meant.title))
  }
  const deciding = await undecided(deps, turn)
  if (deciding !== null) {
    const text = turn.words.said.stop[0] ?? ''
    const said = { kind: 'message' as const, text, addressed: true, forSomeoneElse: false }
    await hand(deps, turn, deciding.id, said)
    return answerWith(turn, core.stopsThere(deciding.title))
  }
  const own = open.filter(({ requestedBy }) => requestedBy?.id === event.author.id)
  if (own.length === 0) return null
  const offers = own
    .slice(0, looked.offers)
    .map((run) => stopOffer(run, core.stopTitled(run.title)))
  return answerWith(turn, core.runsElsewhere(own.map(({ title }) => title)), undefined, offers)
}

/** Button that stops a task, wherever it is pressed. */
export const stopOffer = ({ id }: Run, label: string): Offer => ({
  label,
  command: `/task cancel ${id.replace('_', '')}`,
})

/** Tasks that go on in other threads of the same channel. */
async function openRuns({ store }: ElsewhereDeps, { state }: TurnContext): Promise<Run[]> {
  const { id, address } = state.conversation
  const runs = await store.runs.list(address.workspace, looked.runs)
  return runs.filter(
    ({ channel, conversationId, status }) =>
      channel === address.channel &&
      conversationId !== null &&
      conversationId !== id &&
      !hasEnded(status),
  )
}

/**
 * The newest thread of the channel in which words of this person, or those that the order replies
 * to, wait.
 */
async function undecided(
  { store }: ElsewhereDeps,
  turn: TurnContext,
): Promise<{ id: string; title: string } | null> {
  const { event } = turn.entry
  const { id, address } = turn.state.conversation
  const threads = await store.conversations.list(address.workspace, looked.threads)
  for (const { conversation, inbox } of threads) {
    if (conversation.id === id || conversation.address.channel !== address.channel) continue
    const waiting = inbox.find(
      ({ event: { content, author, ref } }) =>
        content.kind === 'message' &&
        (event.repliesTo === undefined ? author.id === event.author.id : ref === event.repliesTo),
    )
    if (waiting?.event.content.kind === 'message')
      return { id: conversation.id, title: titleFrom(waiting.event.content.text) }
  }
  return null
}

/** The same gesture is handed on once, however often the turn is tried. */
async function hand(
  { store, wakeups, defaults }: ElsewhereDeps,
  turn: TurnContext,
  conversationId: string,
  content: InboundEvent['content'],
) {
  const { event } = turn.entry
  const { workspace } = event
  const found = await store.conversations.state(workspace, conversationId, 0, 1)
  if (found === null) return
  const { channel, thread } = found.conversation.address
  await store.inbox.accept(
    {
      ...placeOf(found.conversation, thread),
      workspace,
      channel,
      keys: [`stop:${turn.entry.id}`],
      author: { ...event.author, ...personOf(turn) },
      whose: event.whose,
      at: event.at,
      content,
    },
    defaults,
  )
  await wakeups.wake({ kind: 'conversation', workspace, id: conversationId })
}

const placeOf = ({ id }: Conversation, thread: string | null) =>
  thread === null ? { thread, openedFor: id } : { thread }
