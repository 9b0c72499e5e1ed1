import { z } from 'zod'
import { within } from '../deadline.ts'
import { cleanTexts } from '../domain/clean-text.ts'
import { entryIdOf, type InboundEvent } from '../domain/event.ts'
import { deriveId } from '../domain/id.ts'
import { asSaidInOrder, Overheard } from '../domain/overheard.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import type { ThreadReading } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Conversations } from '../ports/store.ts'
import type { Handler, TurnContext } from './context.ts'
import { keep } from './overheard.ts'

export interface HearDeps {
  /** Null where this process does not speak the platform, or Clew hears all that is said there. */
  readThread(event: InboundEvent, since: number, signal: AbortSignal): Promise<ThreadReading | null>
  conversations: Pick<Conversations, 'state'>
  clock: Clock
  log: Log
  /** 0: no thread is read. */
  threadTokens: number
}

/** How long reading a thread may keep its answer waiting. */
const readMs = 10_000
/** Of one message, in letters. */
const longestMessage = 4_000
/** So many of what was said to Clew are compared with what was read: as many as are read in one go, and some more. */
const messagesCompared = 500

/**
 * C69: called by its name, Clew first reads what was said there that it does not know: all of a thread that it did not follow,
 * and what it missed of one that it does. What was read is kept in the commit of the turn. C70: a thread that cannot be read
 * keeps nobody waiting for an answer; the model is told.
 */
export function hearing(deps: HearDeps, handler: Handler): Handler {
  return async (turn) => {
    const shared = sharedIn(turn)
    const reading = (await read(deps, turn)) ?? (shared.length === 0 ? null : nothingMore)
    if (turn.signal.aborted) return null
    const heard = reading === null ? null : await takeIn(deps, turn, reading, shared)
    const change = await handler(heard?.turn ?? turn)
    return change === null || heard === null ? change : mergeChanges(heard.change, change)
  }
}

const nothingMore: ThreadReading = { kind: 'read', said: [], gap: false }

async function read(deps: HearDeps, { entry: { event }, state, signal }: TurnContext): Promise<ThreadReading | null> {
  if (deps.threadTokens === 0 || event.content.kind !== 'message' || !event.content.addressed) return null
  const since = state.conversation.heard?.until ?? 0
  const done = await within(deps.clock, readMs, signal, async (until) => ({
    reading: await deps.readThread(event, since, until),
  }))
  return done === null ? { kind: 'unreadable', reason: 'away' } : done.reading
}

/** C158: what the message itself shares is known even where nothing else can be read. */
function sharedIn({ entry: { event } }: TurnContext): Overheard[] {
  const shared = event.content.kind === 'message' ? (event.content.shared ?? []) : []
  return shared.map(({ author, text }, index) => ({
    ...{ version: 1, key: `${event.keys[0]}:shared:${index}`, author: { id: '', name: author || '?' }, text },
    ...{ at: event.at, where: 'linked' },
  }))
}

/** The turn with what was read, and the part of its change that keeps it. */
async function takeIn(deps: HearDeps, turn: TurnContext, reading: ThreadReading, shared: readonly Overheard[]) {
  const { conversation } = turn.state
  const { until = 0, gap = false } = conversation.heard ?? {}
  if (reading.kind === 'unreadable') {
    deps.log.warn({ conversation: conversation.id, reason: reading.reason }, 'a thread could not be read')
    return withHeard(turn, await notKnown(deps, turn, shared), { until, gap, problem: reading.reason })
  }
  const news = await notKnown(deps, turn, [...reading.said, ...shared])
  return withHeard(turn, news, { until: turn.entry.event.at, gap: gap || reading.gap, problem: null })
}

type Heard = NonNullable<TurnContext['state']['conversation']['heard']>

async function withHeard(turn: TurnContext, news: readonly Overheard[], heard: Heard) {
  const { conversation } = turn.state
  const change: ChangePart = { conversation: { id: conversation.id, patch: { heard } } }
  const keys = new Set(news.map(({ key }) => key))
  const others = (await turn.overheard()).filter(({ key }) => !keys.has(key))
  const all = [...others, ...news].sort(asSaidInOrder)
  return {
    turn: { ...turn, state: { ...turn.state, conversation: { ...conversation, heard } }, overheard: async () => all },
    change: news.length === 0 ? change : mergeChanges(change, await keep(turn, news)),
  }
}

/** Of what was read: what is no part of the history, and does not wait to be taken in either. */
async function notKnown({ conversations }: HearDeps, turn: TurnContext, said: readonly Overheard[]) {
  if (said.length === 0) return []
  const { workspace } = turn.entry.event
  const { id, createdAt } = turn.state.conversation
  const state = await conversations.state(workspace, id, messagesCompared)
  const known = new Set((state?.messages ?? []).map((message) => message.id))
  const isKnown = ({ key, author, at }: Overheard) =>
    author === null ? at >= createdAt : known.has(deriveId('m', 'event', entryIdOf(workspace, key)))
  const news = z.array(Overheard).parse(cleanTexts(said.filter((one) => !isKnown(one))))
  return news.map((one) => ({ ...one, text: shortened(one.text) }))
}

const shortened = (text: string): string =>
  text.length <= longestMessage ? text : `${text.slice(0, longestMessage).toWellFormed().trimEnd()}…`
