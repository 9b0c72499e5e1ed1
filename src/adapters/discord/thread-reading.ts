import { Routes } from 'discord.js'
import { z } from 'zod'
import type { Overheard } from '../../agent/domain/overheard.ts'
import { present } from '../../agent/domain/present.ts'
import type { Channel } from '../../agent/ports/channel.ts'
import { patiently } from '../channel-kit/patience.ts'
import { inChannel, withFiles } from '../channel-kit/thread-files.ts'
import { type Answer, type Failure, get } from './api.ts'
import { allWordsOf, filesOf } from './content.ts'
import type { Discord } from './context.ts'
import { limits, timeOf } from './limits.ts'
import { Message } from './message.ts'
import { authorOf, messageKey, type Reader } from './parse.ts'

/** Messages of a thread or channel, oldest first. `gap`: some of them are missing. */
export interface Excerpt {
  messages: Message[]
  gap: boolean
}

/**
 * C69: reads a thread, or the channel above a first mention. Direct messages need no reading, since
 * Clew receives all of them.
 */
export function createThreadReader(given: Discord): NonNullable<Channel['readThread']> {
  return async (event, since, signal) => {
    const discord = { ...given, api: patient(given, signal) }
    const { channel, thread, ref = '' } = event
    const [place = '', id = ''] = ref.split('/')
    if (place === '' || thread === channel) return { kind: 'read', said: [], gap: false }
    const isFirst = place !== thread
    const answer = await (isFirst
      ? above(discord, place, id)
      : inThread(discord, { channel, thread: place, id }, since))
    if (answer.kind !== 'ok') return problem(answer)
    const { messages, gap } = answer.value
    const said = messages
      .filter(({ type }) => saidTypes.includes(type))
      .map((told) => ({ heard: overheardFrom(discord, told), files: filesOf(told) }))
    const readable = said.filter(({ heard, files }) => heard.text !== '' || files.length > 0)
    // Without the Message Content Intent, messages are blank.
    if (said.length > 0 && readable.length === 0) return { kind: 'unreadable', reason: 'forbidden' }
    const lines = isFirst ? readable.map(inChannel) : readable
    const root = isFirst ? null : messageKey(place)
    return {
      kind: 'read',
      said: lines.map(({ heard }) => heard),
      gap,
      attached: withFiles(lines, root, event.at),
    }
  }
}

export const problem = ({ kind }: Failure) => ({
  kind: 'unreadable' as const,
  reason: kind === 'refused' ? ('forbidden' as const) : ('away' as const),
})

/** Waits out longer rate limits than the client does by itself (C158). */
export const patient = (
  { api, deps: { clock } }: Discord,
  signal: AbortSignal,
): Discord['api'] => ({
  ...api,
  call: (...request) => patiently(clock, signal, () => api.call(...request)),
})

/** Types of messages with text: ordinary ones, replies, and answers to commands. */
export const saidTypes = [0, 19, 20]

/** Fetches messages of a channel or thread, oldest first. */
export async function page(
  { api }: Discord,
  place: string,
  query: Record<string, string>,
): Promise<Answer<Message[]>> {
  const answer = await get(api, Routes.channelMessages(place), z.array(z.unknown()), query)
  if (answer.kind !== 'ok') return answer
  return {
    kind: 'ok',
    value: answer.value.flatMap((raw) => Message.safeParse(raw).data ?? []).reverse(),
  }
}

/** Fetches a message, or returns `null` if it is gone or cannot be fetched. */
export async function messageAt({ api }: Discord, ref: string): Promise<Message | null> {
  const [place = '', id = ''] = ref.split('/')
  const answer = await get(api, Routes.channelMessage(place, id), Message)
  return answer.kind === 'ok' ? answer.value : null
}

async function above(discord: Discord, place: string, id: string): Promise<Answer<Excerpt>> {
  const answer = await page(discord, place, { before: id, limit: String(limits.linesAbove) })
  if (answer.kind !== 'ok') return answer
  const oldest = timeOf(id) - limits.linesAboveMs
  return {
    kind: 'ok',
    value: { messages: answer.value.filter((told) => timeOf(told.id) > oldest), gap: false },
  }
}

interface Where {
  channel: string
  thread: string
  /** Message that mentions Clew. */
  id: string
}

/**
 * Reads a thread from its end, as Discord returns it. The beginning of a long thread is fetched
 * separately.
 */
export async function inThread(
  discord: Discord,
  { channel, thread, id }: Where,
  since: number,
): Promise<Answer<Excerpt>> {
  let newest: Message[] = []
  for (let pages = 0; pages < limits.threadPages; pages++) {
    const answer = await page(discord, thread, { before: newest[0]?.id ?? id, limit: '100' })
    if (answer.kind !== 'ok') return answer
    newest = [...answer.value, ...newest]
    if (answer.value.length < 100 || timeOf(newest[0]?.id ?? id) <= since)
      return await withStarter(discord, { channel, thread, id }, newest, since)
  }
  const begins = await page(discord, thread, {
    after: String(BigInt(thread) - 1n),
    limit: String(limits.threadFirst),
  })
  if (begins.kind !== 'ok') return begins
  const known = new Set(newest.map((told) => told.id))
  const first = begins.value.filter((told) => !known.has(told.id))
  const starter = first.some((told) => told.id === thread)
    ? null
    : await messageAt(discord, `${channel}/${thread}`)
  return {
    kind: 'ok',
    value: { messages: present([starter, ...first, ...newest]), gap: true },
  }
}

/**
 * Adds the message that a thread grew from, which is in the channel. An empty page may mean that
 * reading is forbidden here.
 */
async function withStarter(
  discord: Discord,
  { channel, thread, id }: Where,
  newest: Message[],
  since: number,
): Promise<Answer<Excerpt>> {
  const recent = newest.filter((told) => timeOf(told.id) > since)
  if (newest.length === 0 && (await messageAt(discord, `${thread}/${id}`)) === null)
    return { kind: 'refused', status: 403, code: 0, reason: 'nothing may be read here' }
  const isThere = since > 0 || newest.some((told) => told.id === thread)
  const starter = isThere ? null : await messageAt(discord, `${channel}/${thread}`)
  return {
    kind: 'ok',
    value: { messages: starter === null ? recent : [starter, ...recent], gap: false },
  }
}

export function overheardFrom({ self, directory, deps }: Discord, told: Message): Overheard {
  const botId = self()?.id ?? ''
  const reader: Reader = {
    botId,
    botOfRole: directory.botOfRole,
    nameOf: directory.nameOf,
    now: deps.clock.now(),
  }
  const { id, name } = authorOf(told)
  const files = filesOf(told).map(({ name }) => name)
  return {
    version: 1,
    key: messageKey(told.id),
    author: told.author.id === botId ? null : { id, name },
    text: allWordsOf(told, reader),
    ...byOf(told, deps.memberRoles),
    at: Math.min(timeOf(told.id), reader.now),
    files: files.length === 0 ? undefined : files,
  }
}

/**
 * Derives a speaker's standing. A history has no roles; if roles count, its authors are treated as
 * outsiders (S33).
 */
function byOf(told: Message, memberRoles: readonly string[]): Pick<Overheard, 'by'> {
  if (authorOf(told).bot) return { by: 'bot' }
  return memberRoles.length === 0 ? {} : { by: 'outsider' }
}
