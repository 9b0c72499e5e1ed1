import { PermissionFlagsBits as bits } from 'discord.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel } from '../../fakes/discord/world.ts'
import { acts, closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { type Running, startInDiscord } from './whole.ts'

const seeing = String(bits.ViewChannel | bits.ReadMessageHistory)

describe('what was decided before, asked in Discord', () => {
  let running: Running
  let guild: Guild
  let ana: Person
  let ben: Person
  /** Input of the search; null: Clew only answers. */
  let next: string | null = null
  /** What the search showed to the model. */
  let seen = ''
  let count = 0
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision')
      return next === null ? decides.reply(`Noted ${count}.`) : decides.run('Look it up')
    if (contract === 'plan') return plans('Look')
    if (contract !== 'thought') return ends(`Noted ${count}. ${/https?:\S+/.exec(seen)?.[0]}`)
    const [first] = 'observations' in input ? input.observations : []
    if (first === undefined) return acts(next ?? '', 'team_search')
    seen = first.result
    return closes('Looked')
  })

  beforeAll(async () => {
    const discord = await startFakeDiscord()
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    guild = discord.guild('Team')
    guild.everyone = seeing
    running = await startInDiscord({ discord, around: { model } })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  afterAll(() => running.stop())

  /** Says something to Clew and waits for its answer. */
  async function say(person: Person, channel: Channel, text: string, input: string | null = null) {
    const { discord } = running
    const { world } = discord
    next = input
    seen = ''
    count += 1
    person.says(channel, channel.type === 1 ? text : `<@${world.bot.id}> ${text}`)
    const answer = new RegExp(`Noted ${count}\\.`)
    const ours = () =>
      [...world.channels.values()]
        .flatMap(({ messages }) => messages)
        .find((one) => one.author.id === world.bot.id && answer.test(textOf(one)))
    return textOf(await discord.until(ours, `an answer like ${answer}`))
  }
  const hide = (channel: Channel, who: string, ...but: Person[]) => {
    channel.permission_overwrites = [
      { id: who, type: who === guild.id ? 0 : 1, allow: '0', deny: String(bits.ViewChannel) },
      ...but.map(({ id }) => ({ id, type: 1, allow: seeing, deny: '0' })),
    ]
  }

  it('is found with its link where all who read along may see it, and alone what the asker may (C820, S83, S84)', async () => {
    const { discord } = running
    const [general, plan, board, sales] = ['general', 'plans', 'board', 'sales'].map((name) =>
      discord.channel(guild, name),
    ) as [Channel, Channel, Channel, Channel]
    hide(board, guild.id, ana, ben)
    hide(sales, guild.id, ben)
    await say(ben, plan, 'Pricing: we go with 49 euros')
    await say(ben, board, 'Pricing: the board wants 39 euros')
    await say(ben, sales, 'Pricing: sales wants 29 euros')
    const amounts = async (channel: Channel, person = ana) => {
      const report = await say(person, channel, 'what did we decide about pricing?', 'pricing')
      expect(report).toContain(`https://discord.com/channels/${guild.id}/`)
      return [...new Set(seen.match(/\d+(?= euros)/g))].sort()
    }
    expect(await amounts(general)).toEqual(['49'])
    expect(await amounts(board)).toEqual(['39', '49'])
    expect(await amounts(ana.dm())).toEqual(['39', '49'])
    expect(await amounts(ben.dm(), ben)).toEqual(['29', '39', '49'])
    hide(plan, ana.id)
    expect(await amounts(ana.dm()), 'not what was hidden from her meanwhile').toEqual(['39'])
  })

  it('is of a private thread only for those in it, and only where they are alone (S83, S84)', async () => {
    const { discord } = running
    const team = discord.channel(guild, 'team')
    const hidden = makeChannel(discord.world, {
      ...{ type: 12, guild_id: guild.id, parent_id: team.id, name: 'Between us' },
    })
    hidden.joined = new Set([ben.id, discord.world.bot.id])
    await say(ben, hidden, 'The ceiling is 5000 crowns')
    for (const [person, place, isThere] of [
      [ana, team, false],
      [ana, ana.dm(), false],
      [ben, team, false],
      [ben, ben.dm(), true],
    ] as const) {
      await say(person, place, 'what is the ceiling?', 'ceiling')
      expect(seen.includes('5000 crowns'), `${person.id} in ${place.id}`).toBe(isThere)
    }
  })
})
