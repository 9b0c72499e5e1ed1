import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiscordChannel } from '../../../src/adapters/discord/adapter.ts'
import { newConversation } from '../../../src/agent/domain/conversation.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Channel as Adapter } from '../../../src/agent/ports/channel.ts'
import type { Log } from '../../../src/agent/ports/log.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createManualClock } from '../../fakes/clock.ts'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel, makeMessage } from '../../fakes/discord/world.ts'
import { silent } from '../../support/silent.ts'
import { createMemory, depsFor } from './memory.ts'

/** An inbox as the store has one: what was taken in, and what came again. */
function createInbox() {
  const taken: InboundEvent[] = []
  let broken = false
  return {
    taken,
    texts: () => taken.flatMap(({ content }) => (content.kind === 'message' ? [content.text] : [])),
    break: (on: boolean) => {
      broken = on
    },
    async intake(event: InboundEvent) {
      if (broken) throw new Error('the store is away')
      const ids = { conversationId: 'c', messageId: 'm', entryId: 'e' }
      if (taken.some(({ keys }) => keys.some((key) => event.keys.includes(key))))
        return { kind: 'duplicate' as const, ...ids }
      taken.push(event)
      return { kind: 'accepted' as const, ...ids }
    },
  }
}

describe('a connection to Discord that breaks', () => {
  let discord: FakeDiscord
  let guild: Guild
  let general: Channel
  let thread: Channel
  let ana: Person
  let memory: ReturnType<typeof createMemory>
  let inbox: ReturnType<typeof createInbox>
  let adapter: Adapter
  const lines: string[] = []
  const log: Log = {
    ...silent,
    info: (_, line) => void lines.push(line),
    warn: (_, line) => void lines.push(line),
    error: (_, line) => void lines.push(line),
  }

  async function begin(clock = createSystemClock()) {
    adapter = createDiscordChannel(depsFor(discord, memory, clock, { log }))
    await adapter.start(inbox.intake)
    await discord.until(() => adapter.health().ok, 'a connection')
  }
  const mention = (text: string) => ana.says(general, `<@${discord.world.bot.id}> ${text}`)
  const all = (...texts: string[]) =>
    discord.until(() => texts.every((one) => inbox.texts().includes(one)), texts.join(', '))

  beforeEach(async () => {
    lines.length = 0
    discord = await startFakeDiscord()
    guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    ana = discord.person('Ana')
    memory = createMemory()
    inbox = createInbox()
    await begin()
    const first = mention('one')
    await all('one')
    thread = makeChannel(discord.world, {
      id: first.id,
      type: 11,
      guild_id: guild.id,
      parent_id: general.id,
      name: 'one',
      owner_id: discord.world.bot.id,
      thread_metadata: {
        archived: false,
        locked: false,
        auto_archive_duration: 1440,
        archive_timestamp: '',
      },
    })
  })
  afterEach(async () => {
    await adapter.stop()
    expect(discord.violations).toEqual([])
    await discord.stop()
  })

  /** Whatever came meanwhile is there once, in the order of its channel. */
  async function expectEachOnce() {
    await all('two', 'three', 'four')
    mention('five')
    await all('five')
    const texts = inbox.texts()
    expect(texts.toSorted()).toEqual(['five', 'four', 'one', 'three', 'two'])
    expect(texts.indexOf('two')).toBeLessThan(texts.indexOf('four'))
  }
  function meanwhile() {
    mention('two')
    ana.says(thread, 'three')
    mention('four')
  }

  it('hears what a resumed session missed (P3)', async () => {
    discord.gateway.drop()
    await discord.until(() => discord.gateway.connected() === 0, 'the cut')
    meanwhile()
    await expectEachOnce()
    expect(discord.gateway.counts).toMatchObject({ resumed: 1 })
  })

  it('fetches what was said while its session was invalid (P3)', async () => {
    discord.gateway.drop()
    await discord.until(() => discord.gateway.connected() === 0, 'the cut')
    discord.gateway.forget()
    meanwhile()
    await expectEachOnce()
    expect(discord.gateway.counts).toMatchObject({ identified: 2, resumed: 0 })
  })

  it('goes on when it is told that its session is gone, or to come again (P3)', async () => {
    discord.gateway.askToReconnect()
    await discord.until(() => discord.gateway.counts.resumed === 1, 'the resume')
    discord.gateway.invalidate()
    meanwhile()
    await expectEachOnce()
  })

  it('fetches what was said while the process was away, and what came twice is taken once (P3, P4)', async () => {
    await adapter.stop()
    meanwhile()
    ana.says(general, 'not for Clew')
    await begin()
    await expectEachOnce()
    expect(inbox.taken).toHaveLength(5)
  })

  it('fetches direct messages that came while it was away (P3)', async () => {
    ana.says(ana.dm(), 'hello')
    await all('hello')
    await adapter.stop()
    ana.says(ana.dm(), 'are you there?')
    await begin()
    await all('are you there?')
  })

  it('is not woken by what was said before it came to a server', async () => {
    const other = discord.guild('Other')
    const channel = discord.channel(other, 'general')
    makeMessage(discord.world, channel, ana, { content: `<@${discord.world.bot.id}> long ago` })
    discord.join(other)
    ana.says(channel, `<@${discord.world.bot.id}> now`)
    await all('now')
    expect(inbox.texts()).not.toContain('long ago')
  })

  it('hears what was first said in a silent server while it was away', async () => {
    const silentServer = discord.channel(discord.guild('Silent'), 'general')
    await adapter.stop()
    await begin()
    await adapter.stop()
    ana.says(silentServer, `<@${discord.world.bot.id}> two`)
    await begin()
    await all('two')
  })

  it('reads a channel again until the store has everything, in order (P4)', async () => {
    inbox.break(true)
    mention('two')
    await discord.until(
      () => lines.some((line) => /message not stored/.test(line)),
      'a failed write',
    )
    mention('three')
    inbox.break(false)
    mention('four')
    await all('two', 'three', 'four')
    expect(inbox.texts()).toEqual(['one', 'two', 'three', 'four'])
  })

  it('hears what it missed where somebody says something before it knows what that was (P3)', async () => {
    await adapter.stop()
    mention('two')
    const known = Promise.withResolvers<void>()
    const { get } = memory
    memory.get = async (workspace, key) => {
      if (key === 'marks') await known.promise
      return await get(workspace, key)
    }
    await begin()
    ana.says(general, 'nothing for Clew')
    const behind = ana.runs(general, ['timezone'], { zone: 'UTC' })
    await discord.until(() => behind.answered !== null, 'that both have come in')
    known.resolve()
    await all('two')
  })

  it('goes on with that when the store was away for the first look (P4)', async () => {
    await adapter.stop()
    mention('two')
    const { get } = memory
    let isAway = true
    memory.get = async (workspace, key) => {
      if (isAway && key === 'marks') throw new Error('the store is away')
      return await get(workspace, key)
    }
    await begin()
    const behind = ana.runs(general, ['timezone'], { zone: 'UTC' })
    await discord.until(() => behind.answered !== null, 'that it has come in')
    isAway = false
    await all('two')
  })

  it('throws away a connection whose resume is never answered', async () => {
    await adapter.stop()
    const clock = createManualClock({ start: Date.now() })
    await begin(clock)
    discord.gateway.settings.deafToResume = true
    discord.gateway.drop()
    await discord.until(() => !adapter.health().ok, 'the cut')
    meanwhile()
    for (let tick = 0; tick < 14; tick++) await clock.advance(5_000)
    await expectEachOnce()
    expect(lines).toContain('Discord connection hangs; reconnecting')
  })

  it('names the intent that is missing and where to turn it on, and works by mention without it', async () => {
    await adapter.stop()
    discord.gateway.settings.messageContent = false
    await begin()
    expect(lines.join('\n')).toMatch(/Message Content Intent.*Developer Portal/)
    expect(adapter.health()).toEqual({ ok: true, detail: 'connected, by mention only' })
    mention('two')
    await all('two')
  })

  it('says clearly that its token is refused and stops trying, at the start and later', async () => {
    discord.revokeToken()
    const sent = await adapter.send(
      {
        version: 1,
        id: 'd_1',
        conversationId: 'c',
        at: Date.now(),
        body: { kind: 'message', messageId: 'm', text: 'hello', runId: null },
      },
      conversationIn(guild, general, thread),
    )
    expect(sent.kind).toBe('later')
    await discord.until(
      () => /does not take DISCORD_TOKEN/.test(adapter.health().detail),
      'the line',
    )
    await adapter.stop()
    const identified = discord.gateway.counts.identified
    adapter = createDiscordChannel(
      depsFor(discord, memory, createSystemClock(), { log, token: 'wrong.token.here' }),
    )
    await adapter.start(inbox.intake)
    await discord.until(
      () => /does not take DISCORD_TOKEN/.test(adapter.health().detail),
      'the line again',
    )
    expect(discord.gateway.counts.identified).toBe(identified)
  })

  it('connects as many shards as Discord recommends, and hears every server once', async () => {
    await adapter.stop()
    discord.gateway.settings.shards = 2
    discord.world.advance(1)
    const far = discord.channel(discord.guild('Far'), 'general')
    await begin()
    await discord.until(() => discord.gateway.connected() === 2, 'both shards')
    ana.says(far, `<@${discord.world.bot.id}> two`)
    mention('three')
    await all('two', 'three')
    expect(inbox.taken).toHaveLength(3)
  })

  it('spreads its shards over processes, each hearing its own servers', async () => {
    await adapter.stop()
    discord.gateway.settings.shards = 2
    const far = discord.channel(discord.guild('Far'), 'general')
    const shardOf = (id: string) => Number((BigInt(id) >> 22n) % 2n)
    const heard: string[][] = [[], []]
    const processes = await Promise.all(
      [0, 1].map(async (index) => {
        const deps = depsFor(discord, createMemory(), createSystemClock(), {
          share: { index, of: 2 },
        })
        const one = createDiscordChannel(deps)
        await one.start(async (event) => {
          heard[index]?.push(event.channel)
          return inbox.intake(event)
        })
        await discord.until(() => one.health().ok, 'a connection')
        return one
      }),
    )
    expect(discord.gateway.connected()).toBe(2)
    ana.says(far, `<@${discord.world.bot.id}> two`)
    mention('three')
    await all('two', 'three')
    await Promise.all(processes.map((one) => one.stop()))
    for (const place of [far, general])
      expect(heard[shardOf(place.guild_id ?? '')]).toContain(place.id)
    expect(heard.flat().toSorted()).toEqual([far.id, general.id].toSorted())
  })
})

function conversationIn(guild: Guild, channel: Channel, thread: Channel) {
  const address = { workspace: `discord:${guild.id}`, channel: channel.id, thread: thread.id }
  return newConversation({
    id: 'c',
    address,
    title: 'one',
    at: 1,
    lastReadAt: 1,
  })
}
