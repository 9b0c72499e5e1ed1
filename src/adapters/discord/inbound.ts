import { ChannelType, Routes } from 'discord.js'
import { z } from 'zod'
import { createHeard, requestsIn, workedIn } from '../channel-kit/missed.ts'
import { get } from './api.ts'
import type { Discord } from './context.ts'
import type { Cursors } from './cursors.ts'
import { workspaceOf } from './deps.ts'
import type { AnyChannel } from './directory.ts'
import { createMessages } from './inbound-messages.ts'
import { isAfter, limits, timeOf } from './limits.ts'
import { createQueues } from './queues.ts'
import { patient } from './thread-reading.ts'

/** Age up to which an unlisted thread is checked for missed messages. */
const quietForMs = 7 * 24 * 60 * 60_000

/**
 * Stores what people write, in order within each channel, each message before the next. A message
 * that cannot be stored stops its channel, which is then read from Discord until everything is
 * stored (P4).
 */
export function createInbound(discord: Discord, cursors: Cursors, stopping: AbortSignal) {
  const messages = createMessages(discord, cursors, stopping)
  const queues = createQueues(discord.deps, stopping, catchUp)
  /** Channels not yet compared with Discord since the last reconnect. */
  const unsure = new Set<string>()
  const comparing = createComparing(discord, stopping, compareLater)
  const front = createHeard()

  /** Reads a channel from its last stored message to the newest. */
  async function catchUp(channelId: string): Promise<void> {
    const place = await placeOf(discord, channelId)
    unsure.delete(channelId)
    if (place !== null) await readMissed(discord, cursors, messages, place)
    queues.caughtUp(channelId)
  }

  function compareLater(channelIds: readonly string[]): void {
    for (const channelId of channelIds) {
      unsure.add(channelId)
      queues.enqueue(channelId, () =>
        unsure.has(channelId) ? catchUp(channelId) : Promise.resolve(),
      )
    }
  }

  /**
   * Catches up a workspace, places with open tasks first, and their deleted requests (C342, C486).
   */
  async function compare(
    workspace: string,
    missed: () => Promise<readonly string[]>,
  ): Promise<void> {
    const worked = new Set<string>()
    await comparing.begin(workspace, async () => {
      for (const { channel, thread } of await workedIn(discord.deps, workspace))
        worked.add(thread ?? channel)
      const all = await missed()
      return [...all.filter((id) => worked.has(id)), ...all.filter((id) => !worked.has(id))]
    })
    const missing = insist(discord, stopping, async () => {
      for (const gone of await deletedRequests(discord, workspace, stopping)) {
        worked.add(gone.channel_id)
        queues.enqueue(gone.channel_id, () => messages.deleted(gone))
      }
    })
    void missing
      .then(() => Promise.all([...worked].map(queues.done)))
      .then(() => front.note(workspace))
  }

  async function live(raw: unknown, channelId: string): Promise<void> {
    // A channel that is behind is read in order, including this message.
    if (queues.isBehind(channelId)) return await catchUp(channelId)
    const place = await placeOf(discord, channelId)
    if (place === null) return
    const workspace = workspaceOf(place.guild_id)
    await comparing.done(workspace)
    const id = Named.safeParse(raw).data?.id
    if (id !== undefined) await cursors.hold(workspace, channelId, id)
    if (unsure.has(channelId)) await catchUp(channelId)
    await messages.said(raw, place, { live: true })
  }

  return {
    message: inChannel(queues, live),
    edit: inChannel(queues, messages.edited),
    remove: inChannel(queues, messages.deleted),
    react: inChannel(queues, messages.reacted),
    idle: queues.idle,
    /** Compares the direct messages after a reconnect, since any of them may have been missed. */
    began: () => compare(direct, async () => Object.keys((await cursors.all(direct)).channels)),
    /** Catches up a guild's channels and threads from the last stored message. */
    compare: (workspace: string, places: readonly AnyChannel[]) =>
      compare(workspace, () => missedIn(discord, cursors, workspace, places)),
    heard: front.heard,
  }
}

const direct = workspaceOf(null)

/**
 * Finds the requests of open tasks that are gone: Discord redelivers no deletion (C486).
 *
 * @throws Error if Discord cannot be asked.
 */
async function deletedRequests(discord: Discord, workspace: string, stopping: AbortSignal) {
  const api = patient(discord, stopping)
  const gone: { channel_id: string; id: string }[] = []
  for (const { ref } of await requestsIn(discord.deps, workspace)) {
    const [channel_id = '', id = ''] = ref.split('/')
    const answer = await get(api, Routes.channelMessage(channel_id, id), z.unknown())
    if (answer.kind === 'refused' && answer.code === unknownMessage) gone.push({ channel_id, id })
    else if (answer.kind === 'later' || answer.kind === 'unknown')
      throw new Error('Discord cannot be asked for a request')
  }
  return gone
}

/** Discord's code for a message that is not there. */
const unknownMessage = 10_008

/** Does what needs Discord and the store, until both answer. */
async function insist(
  { deps }: Discord,
  stopping: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (; !stopping.aborted; await deps.clock.sleep(limits.noteEveryMs, stopping))
    try {
      return await work()
    } catch (error) {
      deps.log.warn({ err: error }, 'Discord history not read yet; retrying')
    }
}

/**
 * Delays new messages of a workspace until its missed ones are known; otherwise the cursor would
 * skip them. Retries until the store answers.
 */
function createComparing(
  discord: Discord,
  stopping: AbortSignal,
  found: (channelIds: readonly string[]) => void,
) {
  const comparing = new Map<string, Promise<void>>()
  return {
    done: async (workspace: string): Promise<void> => comparing.get(workspace),
    async begin(workspace: string, missed: () => Promise<readonly string[]>): Promise<void> {
      const looking = insist(discord, stopping, async () => found(await missed()))
      comparing.set(workspace, looking)
      await looking
    },
  }
}

const Named = z.object({ id: z.string() })
const InChannel = z.object({ channel_id: z.string() })

/** Creates a dispatch handler that runs in the channel's queue. */
const inChannel =
  (
    { enqueue }: ReturnType<typeof createQueues>,
    work: (d: unknown, channelId: string) => Promise<void>,
  ) =>
  (d: unknown) => {
    const channelId = InChannel.safeParse(d).data?.channel_id
    if (channelId !== undefined) enqueue(channelId, () => work(d, channelId))
  }

/** Finds a channel. @throws Error if Discord cannot be asked. */
async function placeOf({ directory }: Discord, channelId: string): Promise<AnyChannel | null> {
  const place = await directory.find(channelId)
  if (place === 'away') throw new Error('Discord cannot be asked about the channel')
  return place
}

/**
 * Reads a channel's missed messages. @throws Error if Discord cannot be asked, or if there are more
 * than one run reads.
 */
async function readMissed(
  { api, deps }: Discord,
  cursors: Cursors,
  messages: ReturnType<typeof createMessages>,
  place: AnyChannel,
): Promise<void> {
  for (let page = 0; page < limits.catchUpPages; page++) {
    const after = await cursors.of(workspaceOf(place.guild_id), place.id)
    const answer = await get(api, Routes.channelMessages(place.id), z.array(z.unknown()), {
      after,
      limit: '100',
    })
    if (answer.kind === 'refused') return
    if (answer.kind !== 'ok') throw new Error('Discord cannot be asked for missed messages')
    for (const raw of answer.value.toReversed()) await messages.said(raw, place, { live: false })
    if (answer.value.length < 100) return
  }
  deps.log.warn({ channel: place.id }, 'Discord history longer than one read; continuing')
  throw new Error('there is more')
}

/** Lists channels and threads with newer messages than the last stored one. */
async function missedIn(
  { deps }: Discord,
  cursors: Cursors,
  workspace: string,
  places: readonly AnyChannel[],
) {
  const { channels, first } = await cursors.all(workspace)
  // On the first start nothing is caught up: earlier messages were not for Clew.
  if (first) {
    await passOver(cursors, workspace, places)
    return []
  }
  const missed: string[] = []
  for (const { id, last_message_id: last } of places)
    if (last && isAfter(last, await cursors.of(workspace, id))) missed.push(id)
  const listed = new Set(places.map(({ id }) => id))
  const oldest = deps.clock.now() - quietForMs
  const unlisted = Object.entries(channels).filter(
    ([id, mark]) => !listed.has(id) && timeOf(mark) > oldest,
  )
  return [...missed, ...unlisted.map(([id]) => id)]
}

async function passOver(
  cursors: Cursors,
  workspace: string,
  places: readonly AnyChannel[],
): Promise<void> {
  for (const { id, type, last_message_id: last } of places)
    if (type !== ChannelType.GuildForum && last) await cursors.advance(workspace, id, last)
  // Written at once, so that no later message counts as older than Clew's start.
  await cursors.flush(true)
}
