import { z } from 'zod'
import type { AskingDeps } from '../asking.ts'
import { within } from '../deadline.ts'
import { cleanTexts } from '../domain/clean-text.ts'
import { platformOf } from '../domain/conversation.ts'
import { entryIdOf } from '../domain/event.ts'
import type { FileRef } from '../domain/file-ref.ts'
import { deriveId } from '../domain/id.ts'
import { filesKey, isFiles, Overheard, quoteKey } from '../domain/overheard.ts'
import { present } from '../domain/present.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import type { Channel, ThreadReading } from '../ports/channel.ts'
import type { Handler, TurnContext } from './context.ts'
import { allOverheard, keep } from './overheard.ts'

/** Where no token may be spent on it, no thread is read. */
export interface HearDeps extends Pick<AskingDeps, 'store' | 'clock' | 'log' | 'threadTokens'> {
  /** Null where this process does not speak the platform. */
  channelOf(platform: string): Pick<Channel, 'readThread'> | null
}

/** Longest time that an answer waits for a thread to be read, in ms. */
const readMs = 10_000
/** Longest text of one message, in letters. */
const longestMessage = 4_000
/**
 * So many of what was said to Clew are compared with what was read: as many as are read in one go,
 * and some more.
 */
const messagesCompared = 500

/**
 * C69: called by its name, Clew first reads what was said there that it does not know: all of a
 * thread that it did not follow, and what it missed of one that it does. What was read is kept in
 * the commit of the turn. C70: a thread that cannot be read keeps nobody waiting for an answer; the
 * model is told.
 */
export function hearing(deps: HearDeps, handler: Handler): Handler {
  return {
    needs: handler.needs,
    async take(turn) {
      const shared = await sharedIn(turn)
      const reading = (await read(deps, turn)) ?? (shared.length === 0 ? null : nothingMore)
      if (turn.signal.aborted) return null
      const heard = reading && (await takeIn(deps, turn, reading, shared))
      const change = await handler.take(heard?.turn ?? turn)
      return change === null || heard === null ? change : mergeChanges(heard.change, change)
    },
  }
}

const nothingMore: ThreadReading = { kind: 'read', said: [], gap: false }

async function read(
  deps: HearDeps,
  { entry: { event }, state, signal }: TurnContext,
): Promise<ThreadReading | null> {
  if (deps.threadTokens === 0 || event.content.kind !== 'message' || !event.content.addressed)
    return null
  const since = state.conversation.heard?.until ?? 0
  const done = await within(deps.clock, readMs, signal, async (until) => ({
    // Null, too, where Clew hears all that is said there.
    reading:
      (await deps.channelOf(platformOf(event.workspace))?.readThread?.(event, since, until)) ??
      null,
  }))
  return done === null ? { kind: 'unreadable', reason: 'away' } : done.reading
}

/**
 * C158, C975: messages that this message shares or replies to, known even where nothing else can be
 * read. Attachments are words of that message's author too (C285).
 */
async function sharedIn(turn: TurnContext): Promise<Overheard[]> {
  const { event } = turn.entry
  if (event.content.kind !== 'message') return []
  const { shared = [], replied } = event.content
  const own = event.keys[0] ?? ''
  const quotes = shared.map(({ author, ...said }, index) => ({
    ...said,
    author: { id: '', name: author || '?' },
    key: `${own}:shared:${index}`,
    where: 'linked' as const,
  }))
  const known = replied !== undefined && isSaidTo(turn, replied.key)
  const answered = replied && {
    ...replied,
    files: known ? [] : replied.files,
    key: quoteKey(replied.key, own),
    where: 'replied_to' as const,
  }
  const heard = present([...quotes, answered]).map((one) => quoted(turn, one))
  return (await Promise.all(heard)).flat()
}

type Quote = Pick<Overheard, 'key' | 'author' | 'by' | 'text' | 'where'> & {
  files?: FileRef[] | undefined
}

/** A message of others inside a message, and what is attached to it. */
async function quoted(
  { entry: { event }, attachmentsOf }: TurnContext,
  { files = [], ...said }: Quote,
): Promise<Overheard[]> {
  const one = { ...said, version: 1 as const, at: event.at }
  if (files.length === 0 || event.content.kind !== 'message') return [one]
  const text = await attachmentsOf({ ...event, content: { ...event.content, files } })
  return [one, { ...one, key: filesKey(said.key), text }]
}

/** Adds the texts of files to the lines that were read, unless they were read before (C976). */
async function withFilesRead(
  turn: TurnContext,
  { said, attached = [] }: Extract<ThreadReading, { kind: 'read' }>,
): Promise<readonly Overheard[]> {
  if (attached.length === 0) return said
  const known = new Set((await turn.overheard()).map(({ key }) => key))
  const news = attached.filter(
    ({ heard: { key } }) => !known.has(filesKey(key)) && !isSaidTo(turn, key),
  )
  const counts = new Map(news.map(({ heard, files }) => [heard.key, files.length]))
  const texts = news.map(async ({ heard, files }) => {
    const [, ...read] = await quoted(turn, { ...heard, files: [...files] })
    return read
  })
  // The names of a message's files stand for those that were not read.
  const lines = said.map((one) => ({ ...one, files: one.files?.slice(counts.get(one.key) ?? 0) }))
  return [...lines, ...(await Promise.all(texts)).flat()]
}

/** True if the history has the message of this key, with its attachments. */
function isSaidTo({ entry, state }: TurnContext, key: string): boolean {
  const id = deriveId('m', 'event', entryIdOf(entry.event.workspace, key))
  return state.messages.some((message) => message.id === id)
}

/** The turn with what was read, and the part of its change that keeps it. */
async function takeIn(
  deps: HearDeps,
  turn: TurnContext,
  reading: ThreadReading,
  shared: readonly Overheard[],
) {
  const { conversation } = turn.state
  const { until = 0, gap = false } = conversation.heard ?? {}
  if (reading.kind === 'unreadable') {
    deps.log.warn({ conversation: conversation.id, reason: reading.reason }, 'thread not read')
    return withHeard(turn, await notKnown(deps, turn, shared), {
      until,
      gap,
      problem: reading.reason,
    })
  }
  const read = await withFilesRead(turn, reading)
  const news = await notKnown(deps, turn, [...read, ...shared])
  return withHeard(turn, news, {
    until: turn.entry.event.at,
    gap: gap || reading.gap,
    problem: null,
  })
}

type Heard = NonNullable<TurnContext['state']['conversation']['heard']>

async function withHeard(turn: TurnContext, news: readonly Overheard[], heard: Heard) {
  const { conversation } = turn.state
  const change: ChangePart = { conversation: { id: conversation.id, patch: { heard } } }
  const all = await allOverheard(turn, news)
  return {
    turn: {
      ...turn,
      state: { ...turn.state, conversation: { ...conversation, heard } },
      overheard: async () => all,
    },
    change: news.length === 0 ? change : mergeChanges(change, await keep(turn, news)),
  }
}

/** Returns the messages that are neither in the history nor waiting in the inbox, shortened. */
async function notKnown({ store }: HearDeps, turn: TurnContext, said: readonly Overheard[]) {
  if (said.length === 0) return []
  const { workspace } = turn.entry.event
  const { id, createdAt } = turn.state.conversation
  const state = await store.conversations.state(workspace, id, messagesCompared)
  const known = new Set((state?.messages ?? []).map((message) => message.id))
  const isKnown = ({ key, author, at, where }: Overheard) =>
    author === null
      ? at >= createdAt && where !== 'replied_to'
      : known.has(deriveId('m', 'event', entryIdOf(workspace, key)))
  const news = z.array(Overheard).parse(cleanTexts(said.filter((one) => !isKnown(one))))
  // A document has its own limit, which says that there is more.
  return news.map((one) => (isFiles(one) ? one : { ...one, text: shortened(one.text) }))
}

const shortened = (text: string) =>
  text.length <= longestMessage
    ? text
    : `${text.slice(0, longestMessage).toWellFormed().trimEnd()}…`
