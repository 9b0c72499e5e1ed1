import { PermissionFlagsBits as bits } from 'discord.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDiscordMembers } from '../../../src/adapters/discord/members.ts'
import type { Members, SignIn } from '../../../src/agent/ports/members.ts'
import { createSystemClock } from '../../../src/clock.ts'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel, makeMessage } from '../../fakes/discord/world.ts'
import { silent } from '../../support/silent.ts'

const redirectUri = 'https://clew.test/sign-in/discord/back'

describe('members of Discord', () => {
  let discord: FakeDiscord
  let members: Members
  let guild: Guild
  let general: Channel
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    discord = await startFakeDiscord()
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    const { token, url: apiUrl, world } = discord
    const client = { clientId: world.applicationId, clientSecret: 'secret' }
    members = createDiscordMembers({
      memberRoles: [],
      ...client,
      token,
      apiUrl,
      clock: createSystemClock(),
      log: silent,
    })
    discord.authorizations.redirects.add(redirectUri)
  })
  afterAll(() => discord.stop())
  beforeEach(() => {
    guild = discord.guild('Team')
    guild.everyone = String(bits.ViewChannel | bits.ReadMessageHistory)
    guild.members = new Map([ana, ben].map(({ id }) => [id, []]))
    general = discord.channel(guild, 'general')
  })
  const workspace = () => `discord:${guild.id}`
  const rooms = async (person: Person, where = workspace()) => {
    const answer = await members.rooms(where, person.id)
    return answer === null || answer === 'away' ? { has: async () => answer } : answer
  }
  const deny = (who: string, bit: bigint) => [{ id: who, type: 1, allow: '0', deny: String(bit) }]
  const secret = 'a-verifier-of-this-sign-in-of-forty-three-characters'
  const signIn = (more: Partial<SignIn> = {}): SignIn => ({
    ...{ redirectUri, state: 'state', nonce: 'nonce', verifier: secret },
    ...more,
  })

  it('sign in by a code that is bound to their browser (PKCE), and are where Clew is, too (S25)', async () => {
    const elsewhere = discord.guild('Without Ana')
    const began = await members.begin(signIn())
    expect(new URL(began).searchParams.get('scope')).toBe('identify guilds')
    const back = () => new URL(discord.authorizations.agree(began, ana.id))
    const signedIn = await members.finish(signIn(), back())
    expect(signedIn).toMatchObject({
      kind: 'member',
      member: { key: `discord:${ana.id}`, person: { id: ana.id, name: 'Ana' } },
    })
    const { workspaces } = signedIn.kind === 'member' ? signedIn.member : { workspaces: [] }
    expect(workspaces).toEqual(expect.arrayContaining([workspace(), 'discord:dm']))
    expect(workspaces).not.toContain(`discord:${elsewhere.id}`)
    expect(await members.finish(signIn({ verifier: `${secret}x` }), back())).toEqual({
      kind: 'failed',
    })
    expect(await members.finish(signIn({ state: 'another' }), back())).toEqual({ kind: 'failed' })
    const from = { redirectUri: 'https://elsewhere.test/back' }
    expect(await members.finish(signIn(from), back())).toEqual({ kind: 'failed' })
    const used = back()
    expect(await members.finish(signIn(), used)).toMatchObject({ kind: 'member' })
    expect(await members.finish(signIn(), used)).toEqual({ kind: 'failed' })
    const no = new URL(discord.authorizations.agree(began, null))
    expect(await members.finish(signIn(), no)).toEqual({ kind: 'refused' })
    const xena = discord.person('Xena')
    const hers = new URL(discord.authorizations.agree(began, xena.id))
    expect(await members.finish(signIn(), hers)).toEqual({ kind: 'stranger' })
  })

  it('see the channels that they may open and read, and of private threads those that they are in (S26)', async () => {
    const closed = discord.channel(guild, 'closed', {
      permission_overwrites: deny(ana.id, bits.ViewChannel),
    })
    const mute = discord.channel(guild, 'mute', {
      permission_overwrites: deny(ana.id, bits.ReadMessageHistory),
    })
    const thread = (part: Partial<Channel>) =>
      makeChannel(discord.world, {
        type: 11,
        guild_id: guild.id,
        parent_id: general.id,
        name: 'A thread',
        ...part,
      })
    const archived = {
      archived: true,
      locked: false,
      auto_archive_duration: 1440,
      archive_timestamp: new Date(0).toISOString(),
    }
    const open = thread({})
    const hidden = thread({ type: 12, joined: new Set([ben.id]) })
    const old = thread({ type: 12, joined: new Set([ben.id]), thread_metadata: archived })
    const lone = makeMessage(discord.world, general, ben, { content: 'Hello' })
    const [hers, his] = [await rooms(ana), await rooms(ben)]
    const seen = async (channel: Channel, at: string | null) => [
      await hers.has(channel.id, at),
      await his.has(channel.id, at),
    ]
    expect(await seen(general, null)).toEqual([true, true])
    expect(await seen(general, open.id)).toEqual([true, true])
    expect(await seen(general, lone.id), 'a message that has no thread yet').toEqual([true, true])
    expect(await seen(general, hidden.id)).toEqual([false, true])
    expect(await seen(general, old.id)).toEqual([false, true])
    expect(await seen(closed, null)).toEqual([false, true])
    expect(await seen(mute, null)).toEqual([false, true])
    expect(await seen(general, discord.world.nextId()), 'what is not there').toEqual([false, false])
    guild.members?.delete(ana.id)
    expect(await members.rooms(workspace(), ana.id)).toBeNull()
    expect(await members.rooms('discord:100000000000000009', ben.id)).toBeNull()
  })

  it('see their own direct messages with Clew alone, and nothing while Discord does not answer (S26, S28)', async () => {
    const [hers, his] = [ana, ben].map((person) =>
      makeChannel(discord.world, { type: 1, recipients: [person] }),
    )
    const direct = await rooms(ana, 'discord:dm')
    expect([await direct.has(hers?.id ?? '', null), await direct.has(his?.id ?? '', null)]).toEqual(
      [true, false],
    )
    discord.cut()
    expect(await members.rooms(workspace(), ana.id)).toBe('away')
    expect(await members.rooms('discord:dm', ana.id)).toBe('away')
    discord.mend()
  })
})
