import { type Address, type AskedHere, newConversation, titleFrom } from '../domain/conversation.ts'
import { errandThread } from '../domain/elsewhere.ts'
import { deriveId } from '../domain/id.ts'
import type { Author } from '../domain/message.ts'
import type { ConversationState, Store } from '../ports/store.ts'
import { type LeaseDeps, leaseMs } from './lease.ts'
import { postMessage, runOrigin } from './messages.ts'

export interface SayElsewhereDeps extends Pick<LeaseDeps, 'wakeups' | 'clock'> {
  store: Pick<Store, 'leases' | 'commits' | 'conversations'>
}

export interface Saying {
  workspace: string
  channel: string
  text: string
  /** Person in whose name it is said; what its place refuses goes to them (C85). */
  by: Author
  runId: string
  effectId: string
  locale: string
  timeZone: string
  asks: AskedHere | null
}

/** The thread of a call's message, if it was said already. */
export async function saidElsewhere(
  { conversations }: Pick<Store, 'conversations'>,
  { workspace, effectId }: Pick<Saying, 'workspace' | 'effectId'>,
): Promise<ConversationState | null> {
  const state = await conversations.state(workspace, errandThread(effectId), 1, 1)
  return state !== null && state.messages.length > 0 ? state : null
}

/** Time between tries to claim the thread, which a dead process may still hold, in ms. */
const claimEveryMs = 500

/**
 * Opens a thread in another place with one message, through its outbox.
 *
 * Contract: said once for each effect id, whatever crashes. Throws where the store does, and when
 * the signal aborts first.
 */
export async function sayElsewhere(
  deps: SayElsewhereDeps,
  saying: Saying,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, wakeups } = deps
  const { workspace, channel, effectId, text, by, locale, timeZone, asks } = saying
  const id = errandThread(effectId)
  const at = clock.now()
  const address = { workspace, channel, thread: null }
  const onBehalf = { by }
  const opened = { id, address, title: titleFrom(text), at, locale, timeZone, asks, onBehalf }
  await store.conversations.open(newConversation(opened))
  const lease = await claimed(deps, { kind: 'conversation', workspace, id }, signal)
  if ((await saidElsewhere(store, saying)) === null) {
    const origin = { ...runOrigin(saying.runId, id, at), to: by }
    const { messages, deliveries } = postMessage(origin, `elsewhere:${effectId}`, text)
    // A question is withdrawn where it was asked for (C844).
    const may = asks === null ? { withdrawable: true as const } : {}
    // It is no line of the run's own thread.
    const alone = deliveries.map((one) => ({
      ...one,
      body: { ...one.body, runId: null, ...may },
    }))
    const change = { id: deriveId('k', effectId), at, conversationId: id, messages }
    const done = await store.commits.commit(lease, { ...change, deliveries: alone })
    if (done.kind !== 'committed') throw new Error(`the message was not stored: ${done.kind}`)
  }
  await store.leases.park(lease, at)
  await wakeups.wake({ kind: 'outbox', workspace, id })
}

/** Times that a platform is given to post a message, and the time between two looks, in ms. */
const looks = { most: 20, everyMs: 250 }

/** Address of what was said elsewhere, once its platform has it; null: not within 5 s. */
export async function postedAt(
  { store, clock }: Pick<SayElsewhereDeps, 'store' | 'clock'>,
  { workspace, effectId }: Pick<Saying, 'workspace' | 'effectId'>,
  signal: AbortSignal,
): Promise<Address | null> {
  for (let look = 0; look < looks.most; look++) {
    const state = await store.conversations.state(workspace, errandThread(effectId), 0, 0)
    const address = state?.conversation.address
    if (address != null && address.thread !== null) return address
    await clock.sleep(looks.everyMs, signal)
    if (signal.aborted) return null
  }
  return null
}

export async function claimed(
  { store, clock }: Pick<SayElsewhereDeps, 'clock'> & { store: Pick<Store, 'leases'> },
  item: Parameters<Store['leases']['claim']>[0],
  signal: AbortSignal,
) {
  for (;;) {
    signal.throwIfAborted()
    const lease = await store.leases.claim(item, leaseMs)
    if (lease !== null) return lease
    await clock.sleep(claimEveryMs, signal)
  }
}
