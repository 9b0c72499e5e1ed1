import { fullStops, withoutEnding } from '../../locales/sentence-end.ts'
import { texts } from '../../locales/texts.ts'
import type { InboundEvent, InboxEntry } from '../domain/event.ts'
import type { Author } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import type { ProfileIn } from '../domain/profile.ts'
import type { ConversationState } from '../ports/store.ts'
import { withoutQuotes } from '../said/quotes.ts'

/**
 * When Clew answers: also in its own thread as far as words there are for it (`auto`), or only when
 * named or alone with a person.
 */
export type AnswersTo = 'auto' | 'mention'

/** In every channel, and in single ones instead, by the platform's id of the channel (C154). */
export interface AnswersSetting {
  usual: AnswersTo
  channels: Readonly<Record<string, AnswersTo>>
  /** Profiles of channels, which outweigh both (C760). */
  profileIn?: ProfileIn
}

export const answersIn = (
  { usual, channels, profileIn }: AnswersSetting,
  channel: string,
): AnswersTo => profileIn?.(channel)?.speaks ?? channels[channel] ?? usual

/**
 * Whom words are meant for, as far as that can be told without a model. `clew`: they are never
 * ignored. `unclear`: people may be talking to each other, or to Clew.
 */
export type MeantFor = 'clew' | 'others' | 'thanks' | 'unclear'

interface ReceivedMessage {
  entry: InboxEntry
  text: string
  /**
   * The newest messages of the thread, this one among them or not; whether a question is open
   * there: an answer may mention people.
   */
  state: Pick<ConversationState, 'messages' | 'questions' | 'conversation'>
  /** Reads the messages of people to each other there. */
  overheard(): Promise<readonly Overheard[]>
}

/**
 * C77: talk to Clew in a direct message, in its own thread, or by mentioning it; where people talk
 * to each other it listens and keeps quiet.
 */
export async function meantFor(
  { entry, text: said, state, overheard }: ReceivedMessage,
  setting: AnswersSetting,
): Promise<MeantFor> {
  const text = withoutQuotes(said)
  const { content, author } = entry.event
  if (content.kind !== 'message') return 'clew'
  if (content.forSomeoneElse || wasBefore(entry.event, state.conversation)) return 'others'
  const thanked = content.files === undefined ? thankedIn(text) : null
  const isThanks = thanked === '' || thanked === 'clew'
  if (content.addressed || callsClew(text) || thanked === 'clew')
    return isThanks ? 'thanks' : 'clew'
  const before = [
    ...state.messages.filter(({ id }) => id !== entry.messageId),
    ...(await overheard()),
  ]
  const others = before.flatMap((one) =>
    one.author === null || one.author.id === author.id ? [] : [one.author.name],
  )
  if (content.namesOthers === true)
    return others.length > 0 && state.questions.length === 0 ? 'others' : 'unclear'
  if (others.some((name) => isCalled(name, thanked) || isCalled(name, nameIn(text))))
    return 'others'
  if (isThanks) return others.length === 0 || isOfClew(before) ? 'thanks' : 'others'
  // Who is alone with an open question talks to the one who asked.
  const isHeard =
    state.questions.length > 0 || answersIn(setting, state.conversation.address.channel) === 'auto'
  return isHeard && others.length === 0 && !callsSomebody(text) ? 'clew' : 'unclear'
}

/**
 * C77: what people said before Clew was called into their thread. It was read with the thread, and
 * comes once more when a platform is caught up with.
 */
const wasBefore = (
  { at, content }: InboundEvent,
  { heard, createdAt }: ConversationState['conversation'],
): boolean =>
  heard != null && at < createdAt && content.kind === 'message' && content.addressed !== true

const isOfClew = (said: readonly { author: Author | null; at: number }[]) =>
  said.toSorted((one, other) => one.at - other.at).at(-1)?.author === null

/**
 * Name that a message thanks, in lower case; empty if it names nobody. Null if the message says
 * more than thanks and praise.
 */
function thankedIn(text: string): string | null {
  const bare = withoutEnding(
    text
      .replace(/\p{Extended_Pictographic}|\u{fe0f}|\u{200d}|:[a-z][\w+-]{1,40}:/gu, '')
      .toLowerCase(),
    fullStops,
  ).trim()
  const [praise, thanked] = [wordsOf('praise'), wordsOf('thanksWords')]
  const said = bare
    .split(/[,，.!。！]\s*/u)
    .filter((part) => part !== '' && !praise.includes(part.trim()))
    .filter((part, at) => at === 0 || !thanked.includes(part.trim()))
    .join(', ')
  const thanks = thanked.find(
    (word) => said === word || (/^[\s,，]/u.test(said.slice(word.length)) && said.startsWith(word)),
  )
  return thanks === undefined ? null : said.slice(thanks.length).replace(/^[\s,，]+/u, '')
}

const wordsOf = (list: 'praise' | 'thanksWords'): readonly string[] =>
  ['en', 'zh'].flatMap((locale) => texts(locale).core[list])

/** Text before the first comma or colon, without a greeting; `null` if there is none. */
function calledIn(text: string): string | null {
  const [head = '', mark] = text
    .trim()
    .slice(0, longestCall)
    .split(/([,:，、：])/u, 2)
  return mark === undefined ? null : head.replace(/^(?:hey|hi|hello|dear|嗨|你好)\s*/iu, '').trim()
}

/** A greeting and a name of three words. */
const longestCall = 60

/** Words before a name that is called: “thanks Ben, …”, “ok Clew, …”. */
const beforeName = /^(?:(?:ok|okay|yes|yeah|no|sorry|please)\s+|(?:好的?|不是?|对|多?谢谢?)\s*)/iu

/** Name that a text begins with, behind thanks and such words too. */
function nameIn(text: string): string | null {
  const head = calledIn(text)
  if (head === null) return null
  return (thankedIn(head) || head).replace(beforeName, '')
}

/** “Clew, …”, “thanks Clew, …”, “hey Clew …”, “…, Clew?” and “Clew?”. */
const callsClew = (text: string) =>
  nameIn(text)?.toLowerCase() === 'clew' ||
  /^(?:hey|hi|hello|嗨|你好)\s*clew\b/iu.test(text.trim()) ||
  /(?:^|[,，])\s*clew\s*[.!?…。！？]*$/iu.test(text.trim())

/** By the whole name or its first word: “Ben, …” and “Ben Li: …”. */
function isCalled(name: string, called: string | null): boolean {
  const whole = name.toLowerCase()
  return called !== null && [whole, whole.split(' ', 1)[0]].includes(called.toLowerCase())
}

/** True if words end by calling one of these people: “see you there, Ben!” */
export function endsCalling(text: string, names: readonly string[]): boolean {
  const comma = Math.max(text.lastIndexOf(','), text.lastIndexOf('，'))
  const end = comma < 0 ? '' : text.slice(comma + 1).trim()
  const called = /^([^.!?…。！？]{1,60})[.!?…。！？]*$/u.exec(end)?.[1]?.trim() ?? null
  return names.some((name) => isCalled(name, called))
}

/**
 * It begins as if it called somebody by a name that nobody here has: that may be a name, or not.
 */
function callsSomebody(text: string): boolean {
  const called = calledIn(text) ?? ''
  if (/^(?:[小老阿]\p{Script=Han}{1,2}|\p{Script=Han}{1,3}(?:哥|姐|总|老师|经理))$/u.test(called))
    return true
  return /^\p{Lu}\p{L}+$/u.test(called) && !isOpener(called)
}

const isOpener = (word: string) =>
  ['en', 'zh'].some((locale) => texts(locale).core.openers.includes(word.toLowerCase()))
