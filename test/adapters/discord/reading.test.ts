import { PermissionFlagsBits as bits } from 'discord.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApi } from '../../../src/adapters/discord/api.ts'
import type { Discord } from '../../../src/adapters/discord/context.ts'
import { createDirectory } from '../../../src/adapters/discord/directory.ts'
import { createReader } from '../../../src/adapters/discord/reader.ts'
import type { ReadAnswer, Reader, ReadRequest } from '../../../src/agent/ports/reader.ts'
import { createSystemClock } from '../../../src/clock.ts'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel, makeMessage } from '../../fakes/discord/world.ts'
import { silent } from '../../support/silent.ts'

const seeing = String(bits.ViewChannel | bits.ReadMessageHistory)

describe('what Clew reads for somebody in Discord', () => {
  let discord: FakeDiscord
  let guild: Guild
  let general: Channel
  let ana: Person
  let ben: Person
  let reader: Reader
  beforeAll(async () => {
    discord = await startFakeDiscord()
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    const clock = createSystemClock()
    const { token, url: apiUrl, world } = discord
    const api = createApi({ token, apiUrl, clock, log: silent, onRefused: () => undefined })
    const self = () => ({
      id: world.bot.id,
      applicationId: world.applicationId,
      flags: discord.gateway.flags(),
    })
    reader = createReader({
      deps: { clock, memberRoles: [] },
      api,
      directory: createDirectory(api),
      self,
    } as unknown as Discord)
  })
  afterAll(() => discord.stop())
  beforeEach(() => {
    guild = discord.guild('Team')
    guild.everyone = seeing
    guild.members = new Map([ana, ben].map(({ id }) => [id, []]))
    general = discord.channel(guild, 'general')
    Object.assign(discord.gateway.settings, { messageContent: true, members: true })
  })

  const workspaceOf = ({ id }: Guild) => `discord:${id}`
  const asked = (request: ReadRequest, channel = general): Promise<ReadAnswer> => {
    const asker = {
      workspace: workspaceOf(guild),
      channel: channel.id,
      person: { id: ana.id, name: 'Ana' },
    }
    return reader.read(asker, request, new AbortController().signal)
  }
  const linkTo = (...ids: string[]) =>
    `https://discord.com/channels/${[guild.id, ...ids].join('/')}`
  const thread = (...ids: string[]) => asked({ kind: 'thread', link: linkTo(...ids) })
  const texts = (answer: ReadAnswer) =>
    answer.kind === 'said' ? answer.said.map(({ text }) => text) : answer
  const write = (channel: Channel, content: string) =>
    makeMessage(discord.world, channel, ben, { content })
  const forbidden = { kind: 'unreadable', reason: 'forbidden' }
  const hide = (channel: Channel, who: string) => {
    channel.permission_overwrites = [
      { id: who, type: 1, allow: '0', deny: String(bits.ViewChannel) },
    ]
  }
  const threadIn = (channel: Channel, part: Partial<Channel>) =>
    makeChannel(discord.world, {
      type: 11,
      guild_id: guild.id,
      parent_id: channel.id,
      name: 'A thread',
      ...part,
    })

  it('is a message, or all of a thread by its own link, the link of a message in it or of the one that it grew from (C119)', async () => {
    const root = write(general, 'The offer is 900')
    expect(texts(await thread(general.id, root.id))).toEqual(['The offer is 900'])
    const grown = threadIn(general, { id: root.id })
    const reply = write(grown, 'Too much')
    const all = ['The offer is 900', 'Too much']
    for (const link of [[general.id, root.id], [grown.id], [grown.id, reply.id]])
      expect(texts(await thread(...link))).toEqual(all)
    expect(await thread(general.id)).toEqual({ kind: 'unreadable', reason: 'not_a_link' })
    expect(await asked({ kind: 'thread', link: 'https://example.com/channels/1/2' })).toMatchObject(
      {
        reason: 'not_a_link',
      },
    )
  })

  it('is nothing that the person asking may not see at that moment, whatever Clew may see (C119)', async () => {
    const secret = write(general, 'The code is 4711')
    hide(general, ana.id)
    expect(await thread(general.id, secret.id)).toEqual(forbidden)
    expect(await asked({ kind: 'history', from: 0, to: discord.world.now(), by: null })).toEqual(
      forbidden,
    )
    // A role may see what everybody else may not.
    general.permission_overwrites = [
      { id: guild.id, type: 0, allow: '0', deny: String(bits.ViewChannel) },
      { id: `${guild.id}1`, type: 0, allow: String(bits.ViewChannel), deny: '0' },
    ]
    expect(await thread(general.id, secret.id)).toEqual(forbidden)
    guild.members?.set(ana.id, [`${guild.id}1`])
    expect(texts(await thread(general.id, secret.id))).toEqual(['The code is 4711'])
    guild.members?.delete(ana.id)
    expect(await thread(general.id, secret.id)).toEqual(forbidden)
  })

  it('is a private thread for those who are in it, and nothing of another server (C119, S5)', async () => {
    const closed = threadIn(general, { type: 12, joined: new Set([ben.id]) })
    write(closed, 'between us')
    expect(await thread(closed.id)).toEqual(forbidden)
    closed.joined?.add(ana.id)
    expect(texts(await thread(closed.id))).toEqual(['between us'])
    const home = guild
    guild = discord.guild('Another')
    guild.members = new Map([[ana.id, []]])
    expect(
      await asked({ kind: 'thread', link: `https://discord.com/channels/${home.id}/${closed.id}` }),
    ).toEqual(forbidden)
    expect(await asked({ kind: 'thread', link: linkTo(closed.id) })).toEqual(forbidden)
  })

  it('is the newest 200 messages of a channel by time and person, and says when there are more (C119, C129)', async () => {
    for (let n = 0; n < 230; n++) write(general, `line ${n}`)
    makeMessage(discord.world, general, ana, { content: 'mine' })
    const to = discord.world.now() + 1_000
    const all = await asked({ kind: 'history', from: 0, to, by: null })
    expect(all).toMatchObject({ kind: 'said', gap: true })
    expect(texts(all)).toHaveLength(200)
    expect(texts(all)).toContain('mine')
    expect(texts(await asked({ kind: 'history', from: 0, to, by: '@ana' }))).toEqual(['mine'])
    expect(await asked({ kind: 'history', from: 0, to: Date.UTC(2020, 1), by: null })).toEqual({
      ...{ kind: 'said', said: [], gap: false },
    })
  })

  it('is people by how their names begin (C119)', async () => {
    expect(await asked({ kind: 'people', name: '@be' })).toEqual({
      ...{ kind: 'people', people: [{ id: ben.id, name: 'Ben' }], gap: false },
    })
  })

  it('is offered in servers only, and only with the intents that it takes (C119)', () => {
    const kinds = ['thread', 'history', 'people'] as const
    const offered = (workspace = workspaceOf(guild)) =>
      kinds.filter((kind) => reader.offers(workspace, kind))
    expect(offered()).toEqual(kinds)
    expect(offered('discord:dm')).toEqual([])
    discord.gateway.settings.members = false
    expect(offered()).toEqual(['thread', 'history'])
    Object.assign(discord.gateway.settings, { messageContent: false, members: true })
    expect(offered()).toEqual(['people'])
  })
})
