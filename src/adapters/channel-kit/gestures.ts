import { assertNever } from '../../agent/domain/assert.ts'
import type { InboundEvent, Shared } from '../../agent/domain/event.ts'
import type { Opinion } from '../../agent/domain/feedback.ts'
import { feedbackReasons } from '../../agent/domain/feedback-reasons.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Question } from '../../agent/domain/question.ts'
import type { Standing, Way } from '../../agent/domain/words.ts'
import { parseObject } from '../../agent/model/json-text.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import type { ChannelContext, ChannelDeps } from './deps.ts'

/** Press, menu choice, form, shortcut or command of a person, before its meaning is looked up. */
export interface Gesture {
  workspace: string
  person: Author
  by: Standing
  locale: string
  timeZone?: string
  /** True if the zone is not known to be the person's own. */
  zoneUnset?: boolean
  /**
   * Idempotency key: the same for each arrival of this gesture, different for every other gesture
   * and person.
   */
  key: string
}

type Content = InboundEvent['content']
export type Control = Extract<Content, { kind: 'control' }>['action']

/**
 * Meaning of a press. `id` is opaque: it names a question, a run or a conversation. It is looked up
 * at each press, so an old button can be a no-op.
 */
export type Meaning =
  | { kind: 'choice'; id: string; index: number }
  | { kind: 'words'; id: string; text: string }
  /** Call that waits for approval, edited and approved. */
  | { kind: 'edited'; id: string; text: string }
  | ({ kind: 'feedback'; id: string } & Opinion)
  | { kind: 'keep_test'; id: string; right: string }
  | { kind: 'control'; id: string; action: Control }
  /** Command of a button, handled as if the person had written it in the conversation. */
  | { kind: 'offer'; id: string; command: string }

/** Opinion that a button of this name stands for; null: it is none. */
export function opinionOf(name: string): Opinion | null {
  if (name === 'good') return { good: true }
  if (name === 'bad') return { good: false }
  const reason = feedbackReasons.find((one) => one === name)
  return reason === undefined ? null : { good: false, reason }
}

type GestureOrigin = Pick<InboundEvent, 'channel' | 'thread' | 'openedFor' | 'ref'>

/** Hands the words of a gesture to the core, addressed to Clew. */
export const submitText = (
  channel: ChannelContext,
  gesture: Gesture,
  place: GestureOrigin,
  { text, way, ...more }: Submitted,
): Promise<IntakeResult> =>
  act(channel, gesture, place, { way, content: { ...words(text), ...more } })

export interface Submitted {
  text: string
  way: Way
  /** Messages by others that are attached to it. */
  shared?: Shared[]
}

/**
 * Hands a press to its conversation, wherever the button was shown. Returns `null` if the press has
 * no meaning any more.
 */
export async function press(
  channel: ChannelContext,
  gesture: Gesture,
  meaning: Meaning,
  options: {
    /** Thread of the pressed message, used while the conversation has no thread of its own yet. */
    thread: string | null
    /** Runs before the event is handed over, since an answer may arrive before intake returns. */
    before?(conversationId: string): Promise<void>
  },
): Promise<IntakeResult | null> {
  const found = await readMeaning(channel.deps, gesture.workspace, meaning)
  if (found === null) return null
  if (typeof found.in !== 'string') return await act(channel, gesture, found.in, found)
  const state = await channel.deps.conversations.state(gesture.workspace, found.in, 0)
  if (state === null) return null
  const { id, address } = state.conversation
  await options.before?.(id)
  const thread =
    address.thread === null ? { thread: options.thread, openedFor: id } : { thread: address.thread }
  return await act(channel, gesture, { channel: address.channel, ...thread }, found)
}

async function act(
  { deps, hand }: ChannelContext,
  gesture: Gesture,
  place: GestureOrigin,
  { way, content }: { way: Way; content: Content },
) {
  const { workspace, person, by, locale, timeZone, zoneUnset = false, key } = gesture
  const author = { ...person, bot: by === 'bot' }
  const zone = timeZone === undefined || zoneUnset ? {} : { timeZone }
  return await hand({
    workspace,
    ...place,
    keys: [key],
    author,
    whose: { way, by },
    at: deps.clock.now(),
    locale,
    ...zone,
    content,
  })
}

/**
 * Looks up a press's content and its conversation. A run without a conversation gets one when
 * somebody first speaks to it (R104).
 */
async function readMeaning(
  { conversations, runs }: ChannelDeps,
  workspace: string,
  meaning: Meaning,
): Promise<{ in: string | GestureOrigin; way: Way; content: Content } | null> {
  const way = meaning.kind === 'words' || meaning.kind === 'edited' ? 'form' : 'pressed'
  switch (meaning.kind) {
    case 'offer':
      return { in: meaning.id, way, content: words(meaning.command) }
    case 'control': {
      const { action, id: runId } = meaning
      const state = await runs.state(workspace, runId)
      if (state === null) return null
      const { conversationId, channel } = state.run
      return {
        in: conversationId ?? { channel, thread: null },
        way,
        content: { kind: 'control', action, runId },
      }
    }
    case 'feedback':
    case 'keep_test': {
      const { id: runId, ...said } = meaning
      const state = await runs.state(workspace, runId)
      const place = state?.run.conversationId ?? null
      return place === null ? null : { in: place, way, content: { ...said, runId } }
    }
    case 'choice':
    case 'words':
    case 'edited': {
      const { id: questionId } = meaning
      const found = await conversations.question(workspace, questionId)
      const content = found === null ? null : answerIn(found.question, meaning)
      return found === null || content === null ? null : { in: found.conversationId, way, content }
    }
    default:
      return assertNever(meaning)
  }
}

/** Returns the answer to a question, or `null` if the text is blank. */
function answerIn(
  question: Question,
  meaning: Extract<Meaning, { kind: 'choice' | 'words' | 'edited' }>,
): Content | null {
  const { id: questionId } = question
  const said = meaning.kind === 'choice' ? (question.choices[meaning.index] ?? '') : meaning.text
  if (said.trim() === '') return null
  if (meaning.kind !== 'edited') return { kind: 'answer', questionId, text: said }
  const isSame = said.trim() === editable(question).trim()
  return {
    kind: 'answer',
    questionId,
    text: question.choices[0] ?? '',
    edited: isSame ? undefined : said,
  }
}

/** C184: text of a call for a form: a JSON object one field a line, anything else unchanged. */
export function editable({ input = '' }: Question): string {
  const fields = parseObject(input)
  const laidOut = fields === null ? input : JSON.stringify(fields, null, 2)
  return laidOut.length <= editableMost ? laidOut : input
}

/** Longest laid-out call, in characters: the limit of Slack's forms, below that of Discord's. */
const editableMost = 3_000

const words = (text: string) => ({
  kind: 'message' as const,
  text,
  addressed: true,
  forSomeoneElse: false,
})
