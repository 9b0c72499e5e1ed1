import type { AskedHere } from '../domain/conversation.ts'
import { isReply } from '../domain/elsewhere.ts'
import type { InboundEvent } from '../domain/event.ts'
import { hasEnded } from '../domain/run.ts'
import { typedHere } from '../domain/words.ts'
import type { Store } from '../ports/store.ts'
import type { LeaseDeps } from './lease.ts'

export interface PassOnDeps extends Pick<LeaseDeps, 'wakeups'> {
  store: Pick<Store, 'conversations' | 'runs' | 'inbox'>
  defaults: { locale: string; timeZone: string }
}

type Asked = Pick<AskedHere, 'questionId' | 'runId' | 'of'>
type Reply = Pick<InboundEvent, 'at' | 'whose'> & { text: string }

/**
 * Hands somebody's answer to the thread that asked, once, however often it is tried (C843).
 *
 * @returns `settled`: nobody there waits for it any more.
 */
export async function passOn(
  { store, wakeups, defaults }: PassOnDeps,
  workspace: string,
  { questionId, runId, of }: Asked,
  { text, at, whose }: Reply,
): Promise<'passed' | 'settled'> {
  const asked = await store.conversations.question(workspace, questionId)
  // The task looks for it itself once its question stands there.
  if (asked === null) return (await goesOn(store, workspace, runId)) ? 'passed' : 'settled'
  if (asked.answered !== null) return asked.answered.author.id === of.id ? 'passed' : 'settled'
  const there = await store.conversations.state(workspace, asked.conversationId, 0, 1)
  if (there === null || !there.questions.some(({ id }) => id === questionId)) return 'settled'
  const { id, address } = there.conversation
  const opened = address.thread === null ? { openedFor: id } : {}
  const event: InboundEvent = {
    ...address,
    ...opened,
    keys: [`asked:${questionId}`],
    author: { ...of, bot: false },
    whose,
    at,
    content: { kind: 'answer', questionId, text },
  }
  const { conversationId } = await store.inbox.accept(event, defaults)
  await wakeups.wake({ kind: 'conversation', workspace, id: conversationId })
  return 'passed'
}

async function goesOn({ runs }: PassOnDeps['store'], workspace: string, id: string) {
  const state = await runs.state(workspace, id)
  return state !== null && !hasEnded(state.run.status)
}

/** Question to somebody in a thread of its own. */
export interface AskedElsewhere {
  workspace: string
  thread: string
  asked: Asked
}

/** Messages of a thread among which an answer is looked for. */
const looked = 50

/** Passes on the first answer in the thread where somebody was asked, if there is one. */
export async function passEarlierOn(
  deps: PassOnDeps,
  { workspace, thread, asked }: AskedElsewhere,
): Promise<void> {
  const there = await deps.store.conversations.state(workspace, thread, looked, 1)
  const said = there?.messages.find(
    ({ author, text }) => author?.id === asked.of.id && isReply(text),
  )
  if (said !== undefined) await passOn(deps, workspace, asked, { ...said, whose: typedHere })
}
