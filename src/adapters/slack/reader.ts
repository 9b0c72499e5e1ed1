import { assertNever } from '../../agent/domain/assert.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Asker, ReadAnswer, Reader, ReadRequest } from '../../agent/ports/reader.ts'
import { withLinked } from '../channel-kit/linked.ts'
import type { Slack } from './context.ts'
import { limits } from './limits.ts'
import { type Ask, History, Members, patientAsk, readAll, Users } from './paging.ts'
import { createThreadReader, type Excerpt, inThread, problem, saidIn } from './thread-reading.ts'

/**
 * Scopes that each kind of reading needs; without them the tool is not offered. Private channels
 * and group messages need their own (C159).
 */
const readingScopes = {
  thread: ['channels:history', 'channels:read'],
  history: ['channels:history', 'channels:read'],
  people: ['users:read'],
} as const satisfies Record<ReadRequest['kind'], readonly string[]>

const forbidden: ReadAnswer = { kind: 'unreadable', reason: 'forbidden' }

/**
 * C159: reads for a person what that person may see: channels that they are in, and their own
 * direct messages.
 */
function createReader(slack: Slack): Reader {
  return {
    offers(workspace, kind) {
      const granted = slack.api.scopes(workspace)
      return granted !== null && readingScopes[kind].every((scope) => granted.includes(scope))
    },
    async read(asker, request, signal) {
      const ask = patientAsk(slack, asker.workspace, signal)
      switch (request.kind) {
        case 'thread':
          return await linked(slack, ask, asker, request.link, signal)
        case 'history':
          return (
            (await maySee(ask, asker, asker.channel)) ?? (await history(slack, ask, asker, request))
          )
        case 'people':
          return await peopleNamed(ask, request.name)
        default:
          return assertNever(request)
      }
    },
  }
}

/** Reads threads when Clew is mentioned, and channels and people on request. */
export const createReading = (slack: Slack) =>
  withLinked(createReader(slack), (link) => readLink(link) !== null, createThreadReader(slack))

/**
 * Returns `null` if the person may see the channel. A person who has left it may not, even if Clew
 * is in it.
 */
async function maySee(
  ask: Ask,
  { channel: own, person }: Asker,
  channel: string,
): Promise<ReadAnswer | null> {
  if (channel.startsWith('D')) return channel === own ? null : forbidden
  const list = { method: 'conversations.members', args: { channel, limit: 1_000 }, page: Members }
  const isThere = (members: readonly string[]) => members.includes(person.id)
  const found = await readAll(
    ask,
    list,
    (count, members) => isThere(members) || count === limits.memberPages,
  )
  if (found.problem !== null) return problem(found.problem)
  return isThere(found.items) ? null : forbidden
}

/**
 * Parses a link to a message, `/archives/C1/p1700000000000100`. A reply's link has a `thread_ts`.
 */
function readLink(link: string): { channel: string; ts: string } | null {
  const url = URL.parse(link)
  const [, channel, seconds, micros] =
    /^\/archives\/([CDG][A-Z0-9]+)\/p(\d{10})(\d{6})$/.exec(url?.pathname ?? '') ?? []
  const thread = url?.searchParams.get('thread_ts') ?? null
  if (channel === undefined) return null
  return {
    channel,
    ts: thread !== null && /^\d{10}\.\d{6}$/.test(thread) ? thread : `${seconds}.${micros}`,
  }
}

async function linked(
  slack: Slack,
  ask: Ask,
  asker: Asker,
  link: string,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const place = readLink(link)
  if (place === null) return { kind: 'unreadable', reason: 'not_a_link' }
  const refused = await maySee(ask, asker, place.channel)
  if (refused !== null) return refused
  const { workspace } = asker
  const answer = await inThread(slack, {
    event: { workspace, channel: place.channel },
    ts: place.ts,
    since: 0,
    signal,
  })
  return answer.kind === 'ok'
    ? await told(slack, workspace, place.channel, answer.value)
    : problem(answer)
}

async function history(
  slack: Slack,
  ask: Ask,
  { workspace, channel }: Asker,
  { from, to, by }: Extract<ReadRequest, { kind: 'history' }>,
): Promise<ReadAnswer> {
  const times = {
    oldest: (from / 1_000).toFixed(6),
    latest: (to / 1_000).toFixed(6),
    inclusive: true,
  }
  const list = {
    method: 'conversations.history',
    args: { channel, ...times, limit: 200 },
    page: History,
  }
  const found = await readAll(ask, list, (count) => count === limits.historyPages)
  if (found.problem !== null) return problem(found.problem)
  const answer = await told(slack, workspace, channel, {
    messages: found.items.reverse(),
    gap: found.gap,
  })
  if (by === null || answer.kind !== 'said') return answer
  return { ...answer, said: answer.said.filter(({ author }) => isNamed(author?.name ?? '', by)) }
}

const told = async (
  slack: Slack,
  workspace: string,
  channel: string,
  { messages, gap }: Excerpt,
): Promise<ReadAnswer> => ({
  kind: 'said',
  said: await saidIn(slack, { workspace, channel }, messages),
  gap,
})

const isNamed = (name: string, part: string) =>
  name.toLowerCase().includes(part.replace(/^@/, '').toLowerCase())

/** Looks for people by a part of one of their names. */
export async function peopleNamed(ask: Ask, name: string): Promise<ReadAnswer> {
  const found: Author[] = []
  const list = { method: 'users.list', args: { limit: 200 }, page: Users }
  const all = await readAll(ask, list, (count) => count === limits.memberPages)
  if (all.problem !== null) return problem(all.problem)
  for (const { id, name: handle, real_name: real, profile, deleted, is_bot: isBot } of all.items) {
    const names = [profile?.display_name, profile?.real_name, real, handle].filter(
      (one) => one != null && one !== '',
    )
    if (deleted !== true && isBot !== true && names.some((one) => isNamed(one ?? '', name)))
      found.push({ id, name: names[0] ?? id })
  }
  return {
    kind: 'people',
    people: found.slice(0, limits.peopleFound),
    gap: all.gap || found.length > limits.peopleFound,
  }
}
