import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiscordChannel } from '../../../src/adapters/discord/adapter.ts'
import { type Conversation, newConversation } from '../../../src/agent/domain/conversation.ts'
import type { DeliveryBody } from '../../../src/agent/domain/delivery.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Channel as Adapter, Sent } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeMessage } from '../../fakes/discord/world.ts'
import { createMemory, depsFor } from './memory.ts'

describe('Discord as it really is (C178, C179)', () => {
  let discord: FakeDiscord
  let guild: Guild
  let general: Channel
  let ana: Person
  let adapter: Adapter
  let events: InboundEvent[]
  let ahead = 0
  beforeEach(async () => {
    discord = await startFakeDiscord()
    guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    ana = discord.person('Ana')
    events = []
    ahead = 0
    const clock = createSystemClock()
    adapter = createDiscordChannel(
      depsFor(discord, createMemory(), { ...clock, now: () => clock.now() + ahead }),
    )
    await adapter.start(async (event) => {
      events.push(event)
      return { kind: 'ignored', reason: 'bot' }
    })
    await discord.until(() => adapter.health().ok, 'a connection')
  })
  afterEach(async () => {
    await adapter.stop()
    expect(discord.violations).toEqual([])
    await discord.stop()
  })

  const says = (text: string): DeliveryBody => ({
    kind: 'message',
    messageId: 'm',
    text,
    runId: 'r',
  })
  const send = (id: string, body: DeliveryBody, conversation: Conversation): Promise<Sent> =>
    adapter.send(
      { version: 1, id, conversationId: conversation.id, at: Date.now(), body },
      conversation,
    )
  /** The thread that would grow from what Ana asks now. */
  function asked(id: string): Conversation {
    const { id: thread } = makeMessage(discord.world, general, ana, { content: 'please' })
    return newConversation({
      id,
      address: { workspace: `discord:${guild.id}`, channel: general.id, thread },
      title: 'please',
      at: Date.now(),
      updatedAt: 1,
      lastReadAt: 1,
    })
  }

  it('is asked fifty times a second at most, and what was over waits (C178)', async () => {
    const places = Array.from({ length: 40 }, (_, n) => asked(`c_${n}`))
    const sent = await Promise.all(
      places.map((place, n) => send(`d_${n}`, says(`hello ${n}`), place)),
    )
    for (const [n, one] of sent.entries())
      if (one.kind === 'later') await send(`d_${n}`, says(`hello ${n}`), places[n] ?? asked('c'))
    expect(discord.limits.invalid()).toBeLessThan(20)
    const seconds = new Map<number, number>()
    for (const { at, path } of discord.log)
      if (path.startsWith('/channels/'))
        seconds.set(Math.floor(at / 1_000), (seconds.get(Math.floor(at / 1_000)) ?? 0) + 1)
    expect(Math.max(...seconds.values())).toBeLessThanOrEqual(100)
    expect(
      places.every(
        ({ address }) => discord.world.channels.get(address.thread ?? '')?.messages.length === 1,
      ),
    ).toBe(true)
  })

  it('that bans an address is left alone until the ban is over, and has then everything once (C178)', async () => {
    const place = asked('c_1')
    general.denied.add('view')
    discord.limits.settings.invalidMost = 1
    await send('d_0', says('forbidden'), place)
    expect(discord.limits.ban()).toBeGreaterThan(3_000)
    const before = discord.log.length
    for (let again = 0; again < 5; again++)
      expect(await send('d_1', says('hello'), asked('c_2'))).toMatchObject({ kind: 'later' })
    expect(discord.log.length - before).toBeLessThanOrEqual(1)
    discord.limits.lift()
    general.denied.clear()
    ahead = 2 * 60 * 60_000
    const later = asked('c_2')
    expect(await send('d_1', says('hello'), later)).toMatchObject({ kind: 'sent' })
    expect(
      discord.texts(discord.world.channels.get(later.address.thread ?? '') ?? general),
    ).toEqual(['hello'])
  })

  it('with as many threads as it can have is answered in the channel, below what was asked (C178)', async () => {
    guild.threadsMost = 0
    const place = asked('c_1')
    expect(await send('d_1', says('hello'), place)).toMatchObject({ kind: 'sent' })
    const [, answer] = general.messages
    expect(answer).toMatchObject({
      content: 'hello',
      message_reference: { message_id: place.address.thread },
    })
  })

  // As Discord sends them, with everything that they carry.
  const plain = {
    ...{
      type: 0,
      tts: false,
      pinned: false,
      mention_everyone: false,
      mention_roles: [],
      embeds: [],
      attachments: [],
    },
    ...{ components: [], edited_timestamp: null, flags: 0, position: 0 },
  }
  const programs: [string, (bot: string) => Record<string, unknown>][] = [
    [
      'a webhook, which is its own author, of a name that it chose, and does not say that it is a bot',
      () => ({
        webhook_id: '1310217845432209418',
        author: {
          id: '1310217845432209418',
          username: 'Ana',
          avatar: null,
          discriminator: '0000',
          public_flags: 0,
          flags: 0,
        },
      }),
    ],
    [
      'a webhook of the channels that it follows',
      () => ({
        flags: 2,
        webhook_id: '1310217845432209419',
        message_reference: {
          type: 0,
          channel_id: '1310217845432209420',
          guild_id: '1310217845432209421',
          message_id: '1310217845432209422',
        },
        author: {
          id: '1310217845432209419',
          username: 'News #updates',
          avatar: 'a',
          discriminator: '0000',
          bot: true,
          global_name: null,
        },
      }),
    ],
    [
      'what another application answers to a command',
      () => ({
        type: 20,
        application_id: '1310217845432209423',
        webhook_id: '1310217845432209423',
        author: {
          id: '1310217845432209423',
          username: 'poll',
          bot: true,
          discriminator: '5555',
          global_name: null,
          avatar: null,
        },
        interaction_metadata: {
          id: '1310217845432209424',
          type: 2,
          user: { id: '1310217845432209425', username: 'ana' },
        },
      }),
    ],
    [
      'another bot, which replies and names Clew',
      (bot) => ({
        type: 19,
        author: {
          id: '1310217845432209426',
          username: 'other',
          bot: true,
          discriminator: '1234',
          global_name: null,
          avatar: null,
        },
        message_reference: {
          type: 0,
          channel_id: general.id,
          message_id: general.messages[0]?.id ?? bot,
        },
        member: {
          roles: [],
          nick: null,
          joined_at: '2024-01-01T00:00:00.000000+00:00',
          deaf: false,
          mute: false,
          flags: 0,
        },
      }),
    ],
    [
      'Clew itself, as its follow-ups come back',
      (bot) => ({ webhook_id: bot, application_id: bot, author: discord.world.bot }),
    ],
  ]
  it.each(programs)('tells of %s; nobody is answered (C179, R149, S9)', async (_, payload) => {
    const bot = discord.world.bot
    const id = discord.world.nextId()
    makeMessage(discord.world, general, ana, { content: 'before' })
    discord.gateway.tell(general, 'MESSAGE_CREATE', {
      ...plain,
      ...{
        id,
        channel_id: general.id,
        guild_id: guild.id,
        content: `<@${bot.id}> hello`,
        mentions: [bot],
      },
      ...{ timestamp: '2026-11-22T12:00:00.000000+00:00', ...payload(bot.id) },
    })
    ana.says(general, `<@${bot.id}> a person`)
    await discord.until(() => events.some(({ author }) => !author.bot), 'the person')
    // What reaches intake says that a program wrote it, and intake takes nothing of programs.
    expect(events.filter(({ author }) => !author.bot).map(({ author }) => author.id)).toEqual([
      ana.id,
    ])
    expect(discord.texts(general)).toEqual([])
  })
})
