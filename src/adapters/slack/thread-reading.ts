import type { ChannelAddress } from '../../agent/domain/conversation.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Overheard } from '../../agent/domain/overheard.ts'
import type { Channel, WithFiles } from '../../agent/ports/channel.ts'
import { inChannel, withFiles } from '../channel-kit/thread-files.ts'
import type { Answer } from './api.ts'
import { contentOf, withAttached } from './content.ts'
import type { Scene, Slack } from './context.ts'
import { keyOf } from './gone.ts'
import { limits } from './limits.ts'
import { parseSaid, type SlackMessage } from './message.ts'
import { History, type HistoryMessage, patientAsk, readAll } from './paging.ts'

/** Messages of a thread or channel, oldest first. `gap`: some of them are missing. */
export interface Excerpt {
  messages: HistoryMessage[]
  gap: boolean
}

/**
 * C69: reads a thread, or the channel above its first message. Direct messages need no reading,
 * since Clew receives all of them.
 */
export function createThreadReader(slack: Slack): NonNullable<Channel['readThread']> {
  return async (event, since, signal) => {
    const { workspace, channel, thread, ref } = event
    if (thread === null || channel.startsWith('D')) return { kind: 'read', said: [], gap: false }
    const isFirst = thread === ref
    const answer = isFirst
      ? await above(slack, event, thread, signal)
      : await inThread(slack, { event, ts: thread, since, signal })
    if (answer.kind !== 'ok') return problem(answer)
    const { messages, gap } = answer.value
    const read = await linesIn(slack, { workspace, channel }, messages)
    const lines = isFirst ? read.map(inChannel) : read
    const root = isFirst ? null : keyOf({ channel, ts: thread })
    return {
      kind: 'read',
      said: lines.map(({ heard }) => heard),
      gap,
      attached: withFiles(lines, root, event.at),
    }
  }
}

export function problem(answer: Exclude<Answer<unknown>, { kind: 'ok' }>) {
  const isForbidden =
    answer.kind === 'refused' || (answer.kind === 'later' && answer.token !== undefined)
  return {
    kind: 'unreadable' as const,
    reason: isForbidden ? ('forbidden' as const) : ('away' as const),
  }
}

/** Reads the last lines of the channel above a message, and returns them oldest first. */
async function above(
  slack: Slack,
  { workspace, channel }: InboundEvent,
  ts: string,
  signal: AbortSignal,
): Promise<Answer<Excerpt>> {
  const oldest = (Number(ts) - limits.linesAboveSeconds).toFixed(6)
  const args = { channel, latest: ts, oldest, limit: limits.linesAbove }
  const answer = await patientAsk(slack, workspace, signal)('conversations.history', args, History)
  if (answer.kind !== 'ok') return answer
  return {
    kind: 'ok',
    value: { messages: answer.value.items.slice(0, limits.linesAbove).reverse(), gap: false },
  }
}

/**
 * Reads a thread's first and newest messages and drops the middle. Slack returns a thread from its
 * beginning.
 */
export async function inThread(
  slack: Slack,
  {
    event,
    ts,
    since,
    signal,
  }: {
    event: Pick<InboundEvent, 'workspace' | 'channel' | 'ref'>
    ts: string
    since: number
    signal: AbortSignal
  },
): Promise<Answer<Excerpt>> {
  const { workspace, channel, ref } = event
  const args = {
    channel,
    ts,
    limit: limits.threadMessages,
    oldest: (since / 1_000).toFixed(6),
    latest: ref,
  }
  const list = { method: 'conversations.replies', args, page: History }
  const read = await readAll(
    patientAsk(slack, workspace, signal),
    list,
    (count) => count === limits.threadPages,
  )
  const { items: all, gap, problem } = read
  if (problem !== null) return problem
  if (all.length <= limits.threadMessages) return { kind: 'ok', value: { messages: all, gap } }
  const newest = all.slice(limits.threadFirst - limits.threadMessages)
  return {
    kind: 'ok',
    value: { messages: [...all.slice(0, limits.threadFirst), ...newest], gap: true },
  }
}

/** Converts messages of the history into overheard lines. */
export const saidIn = async (...asked: Parameters<typeof linesIn>): Promise<Overheard[]> =>
  (await linesIn(...asked)).map(({ heard }) => heard)

async function linesIn(
  slack: Slack,
  { workspace, channel }: ChannelAddress,
  messages: readonly HistoryMessage[],
): Promise<WithFiles[]> {
  const botUserId = (await slack.installations.botOf(workspace).catch(() => null)) ?? ''
  const read = messages.map((raw) => overheardFrom(slack, { workspace, botUserId }, channel, raw))
  return (await Promise.all(read)).filter((one) => one !== null)
}

/** Converts a message of the history, or returns `null` if it has no words or files. */
async function overheardFrom(
  slack: Slack,
  scene: Scene,
  channel: string,
  raw: HistoryMessage,
): Promise<WithFiles | null> {
  const message = parseSaid(raw, channel)
  if (message === null) return null
  const content = await contentOf(slack, scene, withAttached(message))
  const files = message.files.map(({ name }) => name)
  if (content.text === '' && files.length === 0) return null
  const heard = {
    version: 1 as const,
    key: keyOf(message),
    ...(await speakerOf(slack, scene, message, raw)),
    text: content.text,
    at: Math.floor(Number(message.ts) * 1_000),
    files: files.length === 0 ? undefined : files,
  }
  return { heard, files: content.files ?? [] }
}

/** Returns the speaker of a message; the author is `null` for Clew itself. */
async function speakerOf(
  { people }: Slack,
  { workspace, botUserId }: Scene,
  message: SlackMessage,
  raw: HistoryMessage,
) {
  const { user, bot } = message
  if (user === botUserId) return { author: null }
  if (bot) {
    const name = raw.bot_profile?.name || raw.username || 'a bot'
    return { author: { id: user, name }, by: 'bot' as const }
  }
  const person = await people.who(workspace, user)
  const by = await people.standing(workspace, person)
  return { author: { id: user, name: person?.name ?? user }, by: by === 'member' ? undefined : by }
}
