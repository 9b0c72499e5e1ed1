import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { told } from '../../../src/adapters/channel-kit/findings.ts'
import { examineDiscord } from '../../../src/adapters/discord/doctor.ts'
import { permissions } from '../../../src/adapters/discord/permissions.ts'
import { texts } from '../../../src/locales/texts.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'

describe('the doctor, about Discord', () => {
  let discord: FakeDiscord
  beforeEach(async () => {
    discord = await startFakeDiscord()
  })
  afterEach(async () => {
    expect(discord.violations).toEqual([])
    await discord.stop()
  })
  const examine = async (part: Partial<Parameters<typeof examineDiscord>[0]> = {}) => {
    const findings = await examineDiscord({
      token: discord.token,
      apiUrl: discord.url,
      guildIds: [],
      ...part,
    })
    return findings
      .map((finding) => told(finding, texts('en'), (text) => text))
      .map(({ verdict, line, mend = '' }) => `${verdict}: ${line} ${mend}`)
  }

  it('says that nothing is set up, or where to get a token that is taken', async () => {
    expect(await examine({ token: null })).toEqual([
      expect.stringMatching(/^note: Discord: not set up.*docs\/discord.md/),
    ])
    expect(await examine({ token: 'wrong' })).toEqual([
      expect.stringMatching(/^bad: DISCORD_TOKEN.*Reset Token/),
    ])
  })

  it('tells a wrong token from no network, and what was copied along with one (C446)', async () => {
    expect(await examine({ token: 'wrong' })).toEqual([
      expect.stringMatching(/^bad: DISCORD_TOKEN: Discord does not know.*Reset Token/),
    ])
    const [away = ''] = await examine({ apiUrl: 'http://127.0.0.1:1/api' })
    expect(away).toMatch(/^bad: Discord cannot be reached.*network/)
    expect(away).not.toContain('Reset Token')
    for (const token of [`"${discord.token}"`, `Bot ${discord.token}`, `‘${discord.token}’`])
      expect(await examine({ token })).toEqual([expect.stringMatching(/^bad: .*Write the token/)])
  })

  it('tells once what the role lacks, and how many servers it looked at (C446)', async () => {
    const guild = discord.guild('Team')
    for (let count = 0; count < 12; count++) discord.channel(guild, `room-${count}`)
    for (let count = 0; count < 10; count++) discord.guild(`Other ${count}`)
    guild.permissions = String(permissions & ~(1n << 35n))
    const lines = await examine()
    const lacking = lines.filter((line) => line.startsWith('bad: Team'))
    expect(lacking).toHaveLength(1)
    expect(lacking[0]).toMatch(/Clew’s role lacks Create Public Threads\. .*oauth2\/authorize/)
    expect(lines.join('\n')).toMatch(/10 of 11 servers/)
  })

  it('finds everything in order, with the invite link', async () => {
    discord.channel(discord.guild('Team'), 'general')
    const lines = await examine()
    expect(lines.filter((line) => line.startsWith('bad'))).toEqual([])
    expect(lines.join('\n')).toMatch(/good: Team: Clew has every permission/)
    expect(lines.join('\n')).toContain(
      `client_id=${discord.world.applicationId}&scope=bot+applications.commands&permissions=309237763136`,
    )
  })

  it('looks at the permissions of the bot, whose id need not be the application’s (C114)', async () => {
    discord.channel(discord.guild('Team'), 'general')
    discord.world.applicationId = '99999999999999999'
    expect((await examine()).join('\n')).toMatch(/good: Team: Clew has every permission/)
  })

  it('names the intent, the permissions channel by channel, and servers that Clew is not in', async () => {
    discord.gateway.settings.messageContent = false
    const guild = discord.guild('Team')
    discord.channel(guild, 'general')
    const deny = String((1n << 35n) | (1n << 6n))
    discord.channel(guild, 'secret', {
      permission_overwrites: [{ id: `${guild.id}1`, type: 0, allow: '0', deny }],
    })
    const lines = (await examine({ guildIds: ['123456789012345678'] })).join('\n')
    expect(lines).toMatch(
      /bad: Discord: the Message Content Intent is off.*Privileged Gateway Intents/,
    )
    expect(lines).toMatch(/bad: Team: in #secret Clew lacks Create Public Threads, Add Reactions\./)
    expect(lines).toMatch(/bad: DISCORD_GUILD_IDS: Clew is not in 123456789012345678/)
  })

  it('asks for exactly what it uses', () => {
    const bits = [6n, 10n, 11n, 14n, 15n, 16n, 35n, 38n]
    expect(permissions).toBe(bits.reduce((sum, bit) => sum | (1n << bit), 0n))
  })
})
