import { PermissionFlagsBits as bits } from 'discord.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel, Guild } from '../../fakes/discord/world.ts'
import { createElsewhereModel } from '../twin-models.ts'
import { type Running, startInDiscord } from './whole.ts'

const reading = bits.ViewChannel | bits.ReadMessageHistory

describe('what Clew says elsewhere in Discord', () => {
  let running: Running
  let guild: Guild
  let ana: Person
  let ben: Person
  let general: Channel
  let news: Channel
  const { model, call } = createElsewhereModel()

  beforeAll(async () => {
    const discord = await startFakeDiscord()
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    guild = discord.guild('Team')
    guild.everyone = String(reading | bits.SendMessages)
    guild.members = new Map([ana, ben].map(({ id }) => [id, []]))
    general = discord.channel(guild, 'general')
    news = discord.channel(guild, 'news')
    running = await startInDiscord({ discord, around: { model } })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  afterAll(() => running.stop())

  const ours = (test: RegExp) => {
    const { world } = running.discord
    return [...world.channels.values()]
      .flatMap(({ messages }) => messages)
      .filter((one) => one.author.id === world.bot.id && test.test(textOf(one)))
  }
  const saying = async (test: RegExp) =>
    await running.discord.until(() => ours(test).at(-1), `words like ${test}`)

  /** Ana asks for it, and approves it. */
  async function asks(input: string) {
    const { discord } = running
    call.next = input
    call.seen = ''
    call.count += 1
    ana.says(general, `<@${discord.world.bot.id}> say it elsewhere ${call.count}`)
    const over = () => saying(new RegExp(`Over ${call.count}:`))
    const approve = async (words: RegExp) => {
      const question = await saying(words)
      ana.clicks(question, 'Approve')
    }
    return { over, approve }
  }

  it('is posted once in a channel where who asks may write, and in no other (C840, S86, S87)', async () => {
    const task = await asks('tell #news\nVersion 2 is out @everyone')
    await task.approve(/post this in #news \(\d+\)[\s\S]*Version 2 is out/)
    await task.over()
    const inNews = (test: RegExp) =>
      ours(test).filter(({ channel_id: channel }) => channel === news.id)
    const [posted, ...more] = inNews(/Version 2 is out/)
    expect(more).toEqual([])
    expect(textOf(posted as never)).toContain('**Ana** asked me to pass this on')
    expect(posted?.called).toEqual([])

    news.permission_overwrites = [
      { id: ana.id, type: 1, allow: '0', deny: String(bits.SendMessages) },
    ]
    const silent = await asks('tell #news\nShe only reads here')
    await silent.over()
    news.permission_overwrites = []
    expect(call.seen).toContain('“#news”')
    expect(inNews(/She only reads/)).toEqual([])
    // Canvases are Slack's (C960).
    expect(call.offered).not.toContain('canvas')
  })

  it('is linked where it stands, and deleted there once who asked takes it back (C940)', async () => {
    const task = await asks('tell #news\nToo early to tell')
    await task.approve(/post this in #news \(\d+\)[\s\S]*Too early to tell/)
    await task.over()
    const inNews = () => ours(/Too early/).filter(({ channel_id: at }) => at === news.id)
    const posted = await running.discord.until(() => inNews()[0], 'the message')
    const note = await saying(/^Posted in/)
    expect(textOf(note as never)).toContain(`/${guild.id}/${news.id}/${posted.id}`)
    ana.clicks(note, 'Take it back')
    await running.discord.until(() => inNews().length === 0 || undefined, 'no message')
    await saying(/deleting it there/)
  })

  it('a reply to the question comes back, and nothing else that they write (C843, S87)', async () => {
    const task = await asks('ask @Ben\nHow many seats are sold?')
    await task.approve(/I’d ask @Ben[\s\S]*How many seats/)
    const question = await saying(/\*\*Ana\*\* asks you/)
    expect(question.channel_id).toBe(ben.dm().id)
    await saying(/I asked .{0,9}@Ben/)
    ben.says(ben.dm(), '42 of 60', { replyTo: question })
    await task.over()
    expect(call.seen).toBe('Ben answered: 42 of 60')
    const thanks = await saying(/passed it on to Ana/)
    expect(thanks.channel_id).toBe(ben.dm().id)
    expect(ours(/How many seats/).filter(({ channel_id: at }) => at === ben.dm().id)).toHaveLength(
      1,
    )
  })
})
