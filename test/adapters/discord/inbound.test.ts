import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiscordChannel } from '../../../src/adapters/discord/adapter.ts'
import { newConversation } from '../../../src/agent/domain/conversation.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Channel as Adapter, IntakeResult, Look } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel } from '../../fakes/discord/world.ts'
import { stopwatch } from '../../support/processor-time.ts'
import { createMemory, depsFor } from './memory.ts'

describe('what comes in from Discord', () => {
  let discord: FakeDiscord
  let guild: Guild
  let general: Channel
  let ana: Person
  let memory: ReturnType<typeof createMemory>
  let adapter: Adapter
  let events: InboundEvent[]
  let answer: IntakeResult
  beforeEach(async () => {
    discord = await startFakeDiscord()
    guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    ana = discord.person('Ana')
    memory = createMemory()
    events = []
    answer = { kind: 'accepted', conversationId: 'c', messageId: 'm', entryId: 'e' }
    adapter = createDiscordChannel(depsFor(discord, memory, createSystemClock()))
    await adapter.start(async (event) => {
      events.push(event)
      return answer
    })
    await discord.until(() => adapter.health().ok, 'a connection')
  })
  afterEach(async () => {
    await adapter.stop()
    expect(discord.violations).toEqual([])
    await discord.stop()
  })
  const mention = (text: string, part: Parameters<Person['says']>[2] = {}) =>
    ana.says(general, `<@${discord.world.bot.id}> ${text}`, part)
  const nth = (count: number) => discord.until(() => events[count - 1], `event ${count}`)

  it('names people and roles as the server names them now (C999)', async () => {
    const ben = discord.person('Ben')
    guild.nicks = new Map([[ben.id, 'Captain']])
    const role = { id: '222222222222222222', name: 'ops' }
    const names = ['ops', 'sre']
    for (const [index, type] of ['GUILD_ROLE_CREATE', 'GUILD_ROLE_UPDATE'].entries()) {
      const name = names[index]
      discord.gateway.tell(general, type, { guild_id: guild.id, role: { ...role, name } })
      mention(`ask <@${ben.id}> or <@&${role.id}>`)
      const event = await nth(index + 1)
      expect(event.content).toMatchObject({ text: `ask @Captain or @${name}` })
    }
  })

  it('reads what people attach when its turn comes, images in the words of a model that sees (P4)', async () => {
    mention('summarise this', {
      files: [
        {
          name: 'notes.md',
          type: 'text/markdown',
          bytes: Buffer.from('The code word is albatross.'),
        },
        { name: 'photo.png', type: 'image/png', bytes: Buffer.from([1, 2, 3]) },
      ],
    })
    const event = await nth(1)
    expect(event.content).toMatchObject({
      text: 'summarise this',
      files: [{ name: 'notes.md' }, { name: 'photo.png' }],
    })
    const words =
      'File notes.md:\n```\nThe code word is albatross.\n```\n\nImage photo.png, as the model sees it:\n```\nA chart of sign-ups, image/png\n```'
    const look: Look = async ({ type }) => ({ kind: 'seen', words: `A chart of sign-ups, ${type}` })
    const read = () => adapter.attachments?.(event, 'en', AbortSignal.timeout(5_000), look)
    expect(await read()).toBe(words)
    // A day later their addresses have changed.
    for (const { attachments } of general.messages)
      for (const one of attachments)
        Object.assign(one, { id: `9${one.id}`, url: one.url.replace(one.id, `9${one.id}`) })
    expect(await read()).toBe(words)
  })

  it('is seen to be writing within a second, in the channel too, for as long as it thinks (C180)', async () => {
    await adapter.stop()
    let isWaiting = true
    const system = createSystemClock()
    // Eight seconds are eight hundredths of one here.
    const clock = {
      ...system,
      sleep: (ms: number, signal?: AbortSignal) => system.sleep(ms / 100, signal),
    }
    const inbox = [{ version: 1 as const, id: 'e', messageId: 'm' }]
    const state = async () => (isWaiting ? { inbox } : { inbox: [] }) as never
    adapter = createDiscordChannel(
      depsFor(discord, memory, clock, {
        conversations: { ...depsFor(discord, memory, clock).conversations, state },
      }),
    )
    await adapter.start(async () => answer)
    await discord.until(() => adapter.health().ok, 'a connection')
    const passed = stopwatch()
    const said = mention('which city is best?')
    const typed = () => discord.log.filter(({ path }) => path === `/channels/${general.id}/typing`)
    await discord.until(() => typed().length > 0 && said.reactions.has('👀'), 'the signs')
    expect(passed()).toBeLessThan(1_000)
    await discord.until(() => typed().length > 3, 'the sign to be kept up')
    isWaiting = false
    const before = typed().length
    await system.sleep(400)
    expect(typed().length - before).toBeLessThan(2)
  })

  it('hands on what was changed and what was taken back, under the name of the message (R149)', async () => {
    const said = mention('compare three venues')
    await nth(1)
    await discord.until(() => said.reactions.has('👀'), 'the mark')
    ana.edits(said, `<@${discord.world.bot.id}> compare four venues`)
    const changed = await nth(2)
    const key = events[0]?.keys[0]
    expect(changed.content).toEqual({
      kind: 'edited',
      key,
      text: 'compare four venues',
      addressed: true,
    })
    expect(changed.keys).not.toEqual(events[0]?.keys)
    ana.deletes(said)
    expect(await nth(3)).toMatchObject({
      author: { id: ana.id },
      content: { kind: 'deleted', key: events[0]?.keys[0] },
    })
  })

  it('takes what begins with somebody else’s name for its own when it is named too, or alone with them (R146)', async () => {
    const ben = discord.person('Ben')
    ana.says(general, `<@${ben.id}> <@${discord.world.bot.id}> compare the venues`)
    expect((await nth(1)).content).toMatchObject({ addressed: true, forSomeoneElse: false })
    ana.says(ana.dm(), `<@${ben.id}> is leaving, draft a farewell`)
    expect((await nth(2)).content).toMatchObject({ addressed: true, forSomeoneElse: false })
  })

  it('tells who may not use it so, directly and once', async () => {
    answer = { kind: 'ignored', reason: 'not_allowed' }
    mention('one')
    const dm = ana.dm()
    await discord.until(() => discord.texts(dm).length > 0, 'a direct message')
    mention('two')
    await nth(2)
    mention('three')
    await nth(3)
    expect(discord.texts(dm)).toEqual([expect.stringMatching(/not on the list of people/)])
    expect(discord.texts(general)).toEqual([])
  })

  it('knows a person again by zone and language', async () => {
    await memory.put('discord:people', `zone:${ana.id}`, 'Asia/Tokyo', null)
    await memory.put('discord:people', `locale:${ana.id}`, 'zh-CN', null)
    mention('hello')
    expect(await nth(1)).toMatchObject({ timeZone: 'Asia/Tokyo', locale: 'zh-CN' })
  })

  it('says which conversation opened a thread of its own, before the thread is bound (R148)', async () => {
    const conversation = newConversation({
      id: 'c_report',
      address: { workspace: `discord:${guild.id}`, channel: general.id, thread: null },
      title: 'The weekly report',
      at: 1,
    })
    const body = {
      kind: 'message' as const,
      messageId: 'm',
      text: 'The weekly report',
      runId: 'r_1',
    }
    const sent = await adapter.send(
      { version: 1, id: 'd_1', conversationId: 'c_report', at: Date.now(), body },
      conversation,
    )
    const thread = discord.world.channels.get(sent.kind === 'sent' ? (sent.thread ?? '') : '')
    if (thread === undefined) throw new Error('no thread was opened')
    ana.says(thread, 'Why is that?')
    expect(await nth(1)).toMatchObject({
      openedFor: 'c_report',
      thread: thread.id,
      channel: general.id,
    })
  })

  it('looks again at a reply that was quicker than the note of whose thread it is (R148)', async () => {
    const thread = makeChannel(discord.world, {
      type: 11,
      guild_id: guild.id,
      parent_id: general.id,
      owner_id: discord.world.bot.id,
    })
    answer = { kind: 'ignored', reason: 'not_addressed' }
    ana.says(thread, 'Why is that?')
    await nth(1)
    await memory.put(`discord:${guild.id}`, `opened:${thread.id}`, 'c_report', null)
    answer = { kind: 'accepted', conversationId: 'c_report', messageId: 'm', entryId: 'e' }
    expect(await nth(2)).toMatchObject({ openedFor: 'c_report', keys: events[0]?.keys })
  })

  it('greets a server that it has just come to, once, with three things to try', async () => {
    const fresh = discord.guild('New')
    const lobby = discord.channel(fresh, 'lobby')
    fresh.joinedAt = new Date().toISOString()
    fresh.systemChannelId = lobby.id
    discord.join(fresh)
    await discord.until(() => discord.texts(lobby).length > 0, 'a greeting')
    discord.join(fresh)
    mention('hello')
    await nth(1)
    expect(discord.texts(lobby)).toHaveLength(1)
    expect(discord.texts(lobby)[0]?.match(/^- <@/gm)).toHaveLength(3)
    expect(discord.texts(general)).toEqual([])
  })

  it('reads the files of what is forwarded, also when their addresses have changed (C387)', async () => {
    const ben = discord.person('Ben')
    const notes = { name: 'notes.md', type: 'text/markdown', bytes: Buffer.from('Bonn is full.') }
    const told = ben.says(discord.channel(guild, 'venues'), 'The list', { files: [notes] })
    ana.says(ana.dm(), '', { forwards: told })
    const event = await nth(1)
    expect(event.content).toMatchObject({
      text: '',
      addressed: true,
      shared: [{ text: 'The list' }],
      files: [{ name: 'notes.md' }],
    })
    const read = () => adapter.attachments?.(event, 'en', AbortSignal.timeout(5_000))
    expect(await read()).toContain('Bonn is full.')
    if (event.content.kind !== 'message') throw new Error('is no message')
    for (const file of event.content.files ?? []) file.url = `${file.url}x`
    expect(await read()).toContain('Bonn is full.')
  })

  it('hears nothing of other bots as people (S9)', async () => {
    discord.bot('Other').says(general, `<@${discord.world.bot.id}> hello`)
    expect((await nth(1)).author.bot).toBe(true)
  })
})
