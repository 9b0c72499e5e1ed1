import { deriveId } from '../domain/id.ts'
import type { Author } from '../domain/message.ts'
import type { ConversationState } from '../ports/store.ts'
import { delivery, runOrigin } from './messages.ts'
import { claimed, type SayElsewhereDeps } from './say-elsewhere.ts'

export interface TakingBack {
  workspace: string
  /** Thread that Clew opened for the message. */
  thread: string
  by: Author
  /** Words for them, where the platform does not delete it. */
  failed: string
}

/**
 * Result of taking a message back. `answered`: somebody has said something there. `theirs`: it was
 * said in another person's name. `unknown`: there is no such message.
 */
export type TakenBack = 'taken' | 'answered' | 'theirs' | 'unknown'

/** Messages of its thread among which an answer is looked for. */
const looked = 50

/**
 * Takes back a message that Clew said elsewhere in a person's name: it leaves the history, and its
 * place deletes it through the outbox (C940).
 *
 * Contract: done once, however often it is tried. Throws where the store does, and when the signal
 * aborts first.
 */
export async function takeBack(
  deps: SayElsewhereDeps,
  taking: TakingBack,
  signal: AbortSignal,
): Promise<TakenBack> {
  const { store, clock, wakeups } = deps
  const { workspace, thread: id } = taking
  const look = () => store.conversations.state(workspace, id, looked, 1)
  const before = refusal(await look(), taking)
  if (before !== null) return before
  const lease = await claimed(deps, { kind: 'conversation', workspace, id }, signal)
  const at = clock.now()
  const state = await look()
  const now = refusal(state, taking)
  if (state !== null && now === null) {
    const done = await store.commits.commit(lease, changeOf(state, taking, at))
    if (done.kind !== 'committed') throw new Error(`it was not taken back: ${done.kind}`)
  }
  await store.leases.park(lease, at)
  await wakeups.wake({ kind: 'outbox', workspace, id })
  return now ?? 'taken'
}

/** Null: it may be taken back. */
function refusal(state: ConversationState | null, { by }: TakingBack): TakenBack | null {
  const onBehalf = state?.conversation.onBehalf ?? null
  if (state === null || onBehalf === null) return 'unknown'
  if (onBehalf.by.id !== by.id) return 'theirs'
  if (onBehalf.takenBack) return 'taken'
  const isSaid = state.messages.some(({ role }) => role === 'user')
  return isSaid || state.overheardCount > 0 || state.inbox.length > 0 ? 'answered' : null
}

function changeOf(
  { conversation, messages }: ConversationState,
  { workspace, by, failed }: TakingBack,
  at: number,
) {
  const { id } = conversation
  const [first] = messages
  const messageId = first?.id ?? ''
  const origin = { ...runOrigin(first?.source.refId ?? '', id, at), to: by }
  const effect = deriveId('k', id, 'taken back')
  const body = { kind: 'withdrawn' as const, messageId, failed }
  const entry = {
    version: 1 as const,
    workspace,
    thread: id,
    by: by.id,
    kind: 'kept' as const,
    what: 'message' as const,
    scope: `thread:${id}`,
    id: messageId,
    change: 'taken_back',
    effect,
  }
  return {
    id: effect,
    at,
    conversationId: id,
    conversation: { id, patch: { title: '', onBehalf: { by, takenBack: true as const } } },
    unsaid: messages,
    deliveries: [delivery(origin, `withdrawn:${messageId}`, body)],
    audit: [{ entry }],
  }
}
