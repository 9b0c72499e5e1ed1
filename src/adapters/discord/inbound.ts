import { Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { InboundEvent } from '../../agent/domain/event.ts'
import { texts } from '../../locales/texts.ts'
import { createOnce } from '../channel-kit/once.ts'
import type { Discord } from './context.ts'
import type { Cursors } from './cursors.ts'
import { workspaceOf } from './deps.ts'
import { isThread, type Place, types } from './directory.ts'
import { isAfter, limits, timeOf } from './limits.ts'
import { addressOf, Deleted, Message, messageKey, type Reader, readEdit, readMessage } from './parse.ts'
import { createPeople } from './people.ts'
import { emoji } from './reactions.ts'
import { nonceOf } from './render.ts'
import { directly } from './whisper.ts'

/** How long to wait before a channel whose messages could not be stored is read again; doubled up to the last. */
const againMs = { first: 1_000, last: 30_000 }
/** Threads that are no longer listed are looked at when something was said in them within this time. */
const quietForMs = 7 * 24 * 60 * 60_000
/** Authors of messages, for when one is taken back: Discord does not say who wrote it. */
const authorsKept = 5_000

/**
 * What people write, in the order of each channel, each message stored before the next is looked at. A message that
 * cannot be stored stops its channel: from then on the channel is read from Discord until everything is stored (P4).
 */
export function createInbound(discord: Discord, cursors: Cursors) {
  const { deps, api, directory } = discord
  const { clock, log } = deps
  const queues = new Map<string, Promise<void>>()
  const behind = new Map<string, number>()
  const unsure = new Set<string>()
  const authors = new LRUCache<string, InboundEvent['author']>({ max: authorsKept })
  const people = createPeople(discord)
  const once = createOnce({ notes: deps.store.notes, log })
  const stopping = new AbortController()

  /** One thing of a channel after the other. */
  function enqueue(channelId: string, work: () => Promise<void>): Promise<void> {
    const next = (queues.get(channelId) ?? Promise.resolve()).then(async () => {
      if (stopping.signal.aborted) return
      try {
        await work()
      } catch (error) {
        log.warn({ err: error, channel: channelId }, 'a message could not be stored; the channel is read again')
        fallBehind(channelId)
      }
    })
    queues.set(channelId, next)
    void next.then(() => queues.get(channelId) === next && queues.delete(channelId))
    return next
  }

  function fallBehind(channelId: string): void {
    const wait = Math.min(againMs.last, (behind.get(channelId) ?? againMs.first / 2) * 2)
    behind.set(channelId, wait)
    void clock.sleep(wait, stopping.signal).then(() => {
      if (!stopping.signal.aborted && behind.get(channelId) === wait) void enqueue(channelId, () => catchUp(channelId))
    })
  }

  /** Reads on from the last stored message until there is no newer one. */
  async function catchUp(channelId: string): Promise<void> {
    const place = await directory.find(channelId)
    if (place === 'away') throw new Error('Discord cannot be asked about the channel')
    unsure.delete(channelId)
    if (place === null) return void behind.delete(channelId)
    const workspace = workspaceOf(place.guild_id)
    for (let page = 0; page < limits.catchUpPages; page++) {
      const after = await cursors.of(workspace, channelId)
      const answer = await api.call('GET', Routes.channelMessages(channelId), { query: { after, limit: '100' } })
      if (answer.kind === 'failed') return void behind.delete(channelId)
      if (answer.kind !== 'ok') throw new Error('Discord cannot be asked for missed messages')
      const missed = z.array(z.unknown()).parse(answer.value).toReversed()
      for (const raw of missed) await take(raw, place, { live: false })
      if (missed.length < 100) return void behind.delete(channelId)
    }
    log.warn({ channel: channelId }, 'more was missed than is read in one go; the rest follows')
    throw new Error('there is more')
  }

  const reader = (): Reader => ({
    botId: discord.self()?.id ?? '',
    botOfRole: (id) => directory.botOfRole(id),
    now: clock.now(),
  })

  async function take(raw: unknown, place: Place, { live }: { live: boolean }): Promise<void> {
    const parsed = Message.safeParse(raw)
    if (!parsed.success) return
    const message = parsed.data
    const event = readMessage(message, place, reader())
    if (event !== null && concernsUs(event, place)) {
      const refusal = await hand(await withContext(event, place), live)
      if (refusal === 'not_addressed' && isOpening(place)) throw new Error('a thread of ours is not bound yet')
    }
    await cursors.advance(workspaceOf(place.guild_id), message.channel_id, message.id)
  }

  /** A message outside threads that does not name us can be for nobody but other people. */
  const concernsUs = ({ content }: InboundEvent, place: Place): boolean =>
    content.kind === 'message' && (content.addressed || isThread(place))

  const isOwn = (place: Place): boolean => isThread(place) && place.owner_id === discord.self()?.id

  /** A reply may be quicker than the note of which conversation opened the thread: it is looked at again (R148). */
  const isOpening = (place: Place): boolean => isOwn(place) && clock.now() - timeOf(place.id) < limits.openingMs

  /** What a person has told us about themselves, and whose thread this is. */
  async function withContext(event: InboundEvent, place: Place): Promise<InboundEvent> {
    const { notes } = deps.store
    if (event.author.bot) return event
    const [{ timeZone, locale }, openedFor] = await Promise.all([
      people.of(event.author.id),
      isOwn(place) ? notes.get(event.workspace, `opened:${place.id}`) : null,
    ])
    return {
      ...event,
      ...(timeZone === null ? {} : { timeZone }),
      ...(locale === null ? {} : { locale }),
      ...(openedFor === null ? {} : { openedFor }),
    }
  }

  /** Stores an event; answers why it was not taken, if it was not. */
  async function hand(event: InboundEvent, live: boolean) {
    const result = await discord.hand(event)
    if (result.kind === 'ignored') {
      if (result.reason === 'not_allowed' && event.content.kind === 'message' && event.content.addressed)
        void refuse(event, 'notAllowed')
      if (result.reason === 'too_many') void refuse(event, 'tooFast')
      return result.reason
    }
    authors.set(event.keys[0] ?? '', event.author)
    if (result.kind === 'accepted') void seen(event, live)
    return null
  }

  /** The first sign of life: the message is marked at once, and in a thread Clew is seen to be writing. */
  async function seen(event: InboundEvent, live: boolean): Promise<void> {
    const [channelId, messageId] = event.ref?.split('/') ?? []
    if (channelId === undefined || messageId === undefined || event.content.kind !== 'message') return
    const route = Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(emoji.seen))
    for (let tries = 0; tries < 3; tries++) {
      const answer = await api.call('PUT', route)
      if (answer.kind !== 'later' || stopping.signal.aborted) break
      await clock.sleep(answer.afterMs, stopping.signal)
    }
    if (live && channelId === event.thread) await api.call('POST', Routes.channelTyping(channelId))
  }

  /** Who may not use Clew is told so once a day, for their eyes only. */
  async function refuse({ author, workspace, locale, keys }: InboundEvent, why: 'notAllowed' | 'tooFast') {
    const { core } = texts(locale ?? deps.defaults.locale)
    const note = why === 'tooFast' ? { name: 'fast', keptMs: 60_000 } : { name: 'refused', keptMs: 24 * 60 * 60_000 }
    await once({ workspace, key: `${note.name}:${author.id}`, keptMs: note.keptMs }, () =>
      directly(discord, author.id, core[why], nonceOf('refused', keys[0] ?? '')),
    )
  }

  async function liveMessage(raw: unknown, channelId: string): Promise<void> {
    // What is behind, or has not been compared since the connection began anew, is read in order; this one is part of it.
    if (behind.has(channelId)) return await catchUp(channelId)
    const place = await directory.find(channelId)
    if (place === 'away') throw new Error('Discord cannot be asked about the channel')
    if (place === null) return
    if (unsure.has(channelId)) await catchUp(channelId)
    await take(raw, place, { live: true })
  }

  async function edited(raw: unknown): Promise<void> {
    const parsed = Message.safeParse(raw)
    const place = parsed.success ? await directory.find(parsed.data.channel_id) : null
    if (!parsed.success || place === null || place === 'away') return
    const event = readEdit(parsed.data, place, reader())
    if (event !== null) await hand(event, true)
  }

  async function deleted(raw: unknown): Promise<void> {
    const message = Deleted.safeParse(raw).data
    const author = message === undefined ? undefined : authors.get(messageKey(message.id))
    const place = message === undefined || author === undefined ? null : await directory.find(message.channel_id)
    if (message === undefined || author === undefined || place === null || place === 'away') return
    const key = messageKey(message.id)
    await hand(
      {
        ...addressOf(message, place),
        keys: [`x:${message.id}`],
        author,
        at: clock.now(),
        content: { kind: 'deleted', key },
      },
      true,
    )
  }

  const channelOf = (d: unknown) => z.object({ channel_id: z.string() }).safeParse(d).data?.channel_id ?? null

  return {
    message: (d: unknown) => inChannel(d, (channelId) => liveMessage(d, channelId)),
    edit: (d: unknown) => inChannel(d, () => edited(d)),
    remove: (d: unknown) => inChannel(d, () => deleted(d)),

    /** The connection began anew: nothing that was said since is taken for seen. */
    async began(): Promise<void> {
      const { channels } = await cursors.all(workspaceOf(null))
      for (const channelId of Object.keys(channels)) {
        unsure.add(channelId)
        void enqueue(channelId, () => (unsure.has(channelId) ? catchUp(channelId) : Promise.resolve()))
      }
    },

    /** A guild as it is now: what was said in its channels and threads since the last stored message is fetched. */
    async compare(workspace: string, places: readonly Place[]): Promise<void> {
      const { channels, first } = await cursors.all(workspace)
      if (first) return await settle(workspace, places)
      for (const place of places) {
        const after = await cursors.of(workspace, place.id)
        if (place.last_message_id && isAfter(place.last_message_id, after)) behindNow(place.id)
      }
      const listed = new Set(places.map(({ id }) => id))
      const oldest = clock.now() - quietForMs
      for (const [id, mark] of Object.entries(channels)) {
        if (!listed.has(id) && timeOf(mark) > oldest) behindNow(id)
      }
    },

    /** Resolves when everything that has come in so far has been looked at. */
    async idle(): Promise<void> {
      while (queues.size > 0) await Promise.all(queues.values())
    },

    stop(): void {
      stopping.abort()
    },
  }

  function inChannel(d: unknown, work: (channelId: string) => Promise<void>): void {
    const channelId = channelOf(d)
    if (channelId !== null) void enqueue(channelId, () => work(channelId))
  }

  function behindNow(channelId: string): void {
    unsure.add(channelId)
    void enqueue(channelId, () => (unsure.has(channelId) ? catchUp(channelId) : Promise.resolve()))
  }

  /** The first time in a guild nothing is caught up: what was said before Clew came is not for Clew. */
  async function settle(workspace: string, places: readonly Place[]): Promise<void> {
    for (const place of places)
      if (place.type !== types.forum && place.last_message_id)
        await cursors.advance(workspace, place.id, place.last_message_id)
    // From now on nothing may be taken for older than Clew.
    await cursors.flush(true)
  }
}
