import { assertNever } from '../../agent/domain/assert.ts'
import type { FileRef, InboundEvent } from '../../agent/domain/event.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Intake, IntakeResult } from '../../agent/ports/channel.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Conversations, Runs } from '../../agent/ports/store.ts'

/** What a person did with a button, a menu, a form, a shortcut or a command, before it is known what for. */
export interface Gesture {
  workspace: string
  person: Author
  /** Done by a program. */
  bot: boolean
  locale: string
  timeZone?: string
  /** One gesture has one key, however often it arrives; somebody else's is another. */
  key: string
}

type Content = InboundEvent['content']
export type Control = Extract<Content, { kind: 'control' }>['action']

/**
 * What a press means. `id` is opaque: of a question, a run or a conversation. What it stands for is looked up, so that an
 * old button can do nothing.
 */
export type Meaning =
  | { kind: 'choice'; id: string; index: number }
  | { kind: 'words'; id: string; text: string }
  | { kind: 'control'; id: string; action: Control }
  /** A button's command, as if the person had written it in the conversation. */
  | { kind: 'offer'; id: string; command: string }

type Place = Pick<InboundEvent, 'channel' | 'thread' | 'openedFor' | 'ref'>

/** Gestures as events for intake. */
export function createGestures<G extends Gesture>(deps: {
  clock: Pick<Clock, 'now'>
  conversations: Pick<Conversations, 'state' | 'question'>
  runs: Pick<Runs, 'state'>
  hand: Intake
  /** The thread of what was pressed, for a conversation whose own is not known yet. */
  threadOf?(gesture: G): string | null
  /** What has to be noted before intake knows: an answer may come before it returns. */
  before?(gesture: G, conversationId: string): Promise<void>
}) {
  const { clock, conversations, runs, hand } = deps

  async function act(gesture: G, place: Place, content: Content): Promise<IntakeResult> {
    const { workspace, person, bot, locale, timeZone, key } = gesture
    return await hand({
      workspace,
      ...place,
      keys: [key],
      author: { ...person, bot },
      at: clock.now(),
      locale,
      ...(timeZone === undefined ? {} : { timeZone }),
      content,
    })
  }

  async function meant(
    workspace: string,
    meaning: Exclude<Meaning, { kind: 'said' }>,
  ): Promise<{ in: string | null; content: Content } | null> {
    switch (meaning.kind) {
      case 'offer':
        return { in: meaning.id, content: words(meaning.command) }
      case 'control': {
        const { action, id: runId } = meaning
        const state = await runs.state(workspace, runId)
        return state === null ? null : { in: state.run.conversationId, content: { kind: 'control', action, runId } }
      }
      case 'choice':
      case 'words': {
        const { id: questionId } = meaning
        const found = await conversations.question(workspace, questionId)
        const text = meaning.kind === 'words' ? meaning.text : (found?.question.choices[meaning.index] ?? '')
        if (found === null || text.trim() === '') return null
        return { in: found.conversationId, content: { kind: 'answer', questionId, text } }
      }
      default:
        return assertNever(meaning)
    }
  }

  return {
    /** What a gesture says in a place, in words; it is for Clew. */
    say: (gesture: G, place: Place, { text, ...more }: { text: string; files?: FileRef[] }) =>
      act(gesture, place, { ...words(text), ...more }),

    /** Hands a press on to the conversation that it belongs to, wherever it was shown; null when it means nothing any more. */
    async press(gesture: G, meaning: Meaning): Promise<IntakeResult | null> {
      const { workspace } = gesture
      const found = await meant(workspace, meaning)
      const state = found?.in == null ? null : await conversations.state(workspace, found.in, 0)
      if (found === null || state === null) return null
      const { id, address } = state.conversation
      await deps.before?.(gesture, id)
      const opening = { thread: deps.threadOf?.(gesture) ?? null, openedFor: id }
      const thread = address.thread === null ? opening : { thread: address.thread }
      return await act(gesture, { channel: address.channel, ...thread }, found.content)
    },
  }
}

const words = (text: string) => ({ kind: 'message' as const, text, addressed: true, forSomeoneElse: false })
