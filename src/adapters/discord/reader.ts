import { ChannelType, Routes } from 'discord.js'
import { z } from 'zod'
import { assertNever } from '../../agent/domain/assert.ts'
import { isTeam } from '../../agent/domain/conversation.ts'
import type { Asker, ReadAnswer, Reader, ReadRequest } from '../../agent/ports/reader.ts'
import { withLinked } from '../channel-kit/linked.ts'
import { get } from './api.ts'
import type { Discord } from './context.ts'
import { guildIn, workspaceOf } from './deps.ts'
import { AnyChannel, isThread } from './directory.ts'
import { idAt, limits, timeOf } from './limits.ts'
import { membersNamed } from './member-names.ts'
import { appFlags, heldBy, Overwrite } from './permissions.ts'
import {
  createThreadReader,
  type Excerpt,
  inThread,
  messageAt,
  overheardFrom,
  page,
  patient,
  problem,
  saidTypes,
} from './thread-reading.ts'

const AskedPlace = AnyChannel.extend({ permission_overwrites: z.array(Overwrite).default([]) })
type AskedPlace = z.infer<typeof AskedPlace>

const forbidden: ReadAnswer = { kind: 'unreadable', reason: 'forbidden' }

/**
 * C119: reads for a person what that person may see in the server where they ask. Each time,
 * Discord is asked for the member, their roles and the channel's overwrites. Direct messages read
 * nothing, since they are in no server.
 */
export function createReader(discord: Discord): Reader {
  return {
    offers: (workspace, kind) =>
      isTeam(workspace) &&
      ((discord.self()?.flags ?? 0) & appFlags[kind === 'people' ? 'members' : 'content']) !== 0,
    async read(asker, request, signal) {
      if (!isTeam(asker.workspace)) return forbidden
      const asking = { ...discord, api: patient(discord, signal) }
      switch (request.kind) {
        case 'thread':
          return await linked(asking, asker, request.link)
        case 'history':
          return await history(asking, asker, request)
        case 'people':
          return await people(asking, asker, request.name)
        default:
          return assertNever(request)
      }
    },
  }
}

/** Reads threads when Clew is mentioned, and channels and people on request. */
export const createReading = (discord: Discord) =>
  withLinked(createReader(discord), (link) => readLink(link) !== null, createThreadReader(discord))

/**
 * Parses a link, `/channels/<server>/<channel or thread>/<message>`. A link to a thread may omit
 * the message.
 */
function readLink(link: string): { guild: string; place: string; message: string | null } | null {
  const url = URL.parse(link)
  if (url === null || !/^(?:(?:ptb|canary)\.)?discord(?:app)?\.com$/.test(url.hostname)) return null
  const [, guild, place, message = null] =
    /^\/channels\/(\d{15,20})\/(\d{15,20})(?:\/(\d{15,20}))?\/?$/.exec(url.pathname) ?? []
  return guild === undefined || place === undefined ? null : { guild, place, message }
}

/** Returns a place if the person may read it now, or the reason why not. */
async function seenBy(
  discord: Discord,
  { workspace, person }: Asker,
  id: string,
): Promise<AskedPlace | ReadAnswer> {
  const found = await get(discord.api, Routes.channel(id), AskedPlace)
  if (found.kind !== 'ok') return problem(found)
  const place = found.value
  const guildId = place.guild_id ?? ''
  if (workspaceOf(guildId) !== workspace) return forbidden
  const [parent, held] = await Promise.all([
    isThread(place) ? get(discord.api, Routes.channel(place.parent_id ?? ''), AskedPlace) : found,
    heldBy(discord.api, guildId, person.id),
  ])
  if (parent.kind !== 'ok') return problem(parent)
  if (held.kind !== 'ok') return problem(held)
  const { reads, managesThreads } = held.value(parent.value.permission_overwrites)
  if (!reads) return forbidden
  if (place.type !== ChannelType.PrivateThread || managesThreads) return place
  const joined = await discord.api.call('GET', Routes.threadMembers(id, person.id))
  return joined.kind === 'ok' ? place : problem(joined)
}

async function linked(discord: Discord, asker: Asker, link: string): Promise<ReadAnswer> {
  const named = readLink(link)
  if (named === null) return { kind: 'unreadable', reason: 'not_a_link' }
  if (workspaceOf(named.guild) !== asker.workspace) return forbidden
  const place = await seenBy(discord, asker, named.place)
  if ('kind' in place) return place
  // A message and the thread that grew from it have the same id.
  const below =
    named.message === null || isThread(place) ? null : await seenBy(discord, asker, named.message)
  const grown = below === null || 'kind' in below ? null : below
  const thread = isThread(place) ? place : grown
  if (thread !== null) {
    const where = {
      channel: thread.parent_id ?? '',
      thread: thread.id,
      id: idAt(discord.deps.clock.now() + nextMs),
    }
    const answer = await inThread(discord, where, 0)
    return answer.kind === 'ok' ? told(discord, answer.value) : problem(answer)
  }
  if (named.message === null) return { kind: 'unreadable', reason: 'not_a_link' }
  const message = await messageAt(discord, `${named.place}/${named.message}`)
  return message === null ? forbidden : told(discord, { messages: [message], gap: false })
}
/** Margin for clock differences, so that the newest messages are read. */
const nextMs = 60_000

async function history(
  discord: Discord,
  asker: Asker,
  { from, to, by }: Extract<ReadRequest, { kind: 'history' }>,
): Promise<ReadAnswer> {
  const place = await seenBy(discord, asker, asker.channel)
  if ('kind' in place) return place
  const found: Excerpt = { messages: [], gap: true }
  for (let pages = 0; pages < limits.historyPages && found.gap; pages++) {
    const before = found.messages[0]?.id ?? idAt(to + 1)
    const answer = await page(discord, place.id, { before, limit: '100' })
    if (answer.kind !== 'ok') return problem(answer)
    found.messages = [...answer.value, ...found.messages]
    found.gap = answer.value.length === 100 && timeOf(answer.value[0]?.id ?? before) >= from
  }
  const answer = told(discord, {
    ...found,
    messages: found.messages.filter(({ id }) => timeOf(id) >= from),
  })
  if (by === null || answer.kind !== 'said') return answer
  const part = by.replace(/^@/, '').toLowerCase()
  return {
    ...answer,
    said: answer.said.filter(({ author }) => author?.name.toLowerCase().includes(part) ?? false),
  }
}

function told(discord: Discord, { messages, gap }: Excerpt): ReadAnswer {
  const said = messages
    .filter(({ type }) => saidTypes.includes(type))
    .map((one) => overheardFrom(discord, one))
  return {
    kind: 'said',
    said: said.filter(({ text, files }) => text !== '' || files !== undefined),
    gap,
  }
}

async function people(discord: Discord, { workspace }: Asker, name: string): Promise<ReadAnswer> {
  const answer = await membersNamed(discord.api, guildIn(workspace), name)
  if (answer.kind !== 'ok') return problem(answer)
  const { people: found, gap } = answer
  return { kind: 'people', people: found, gap }
}
