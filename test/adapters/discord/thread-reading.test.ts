import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel, makeMessage } from '../../fakes/discord/world.ts'
import { aboutAll, createReader, linesIn, sumUp, threads } from '../../fakes/threads.ts'
import { everythingValidates } from './support.ts'
import { type Running, startInDiscord } from './whole.ts'

const { requests, recording, requestOf } = createReader()

describe('called into a thread in Discord, Clew', () => {
  let running: Running
  let guild: Guild
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    const discord = await startFakeDiscord()
    guild = discord.guild('Team')
    discord.channel(guild, 'general')
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    running = await startInDiscord({ discord, around: { model: recording } })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  everythingValidates(() => running.discord)
  afterAll(() => running.stop())
  beforeEach(() => requests.splice(0))

  const call = (text: string) => `<@${running.discord.world.bot.id}> ${text}`
  const reported = (channel: () => Channel | undefined) =>
    running.discord.until(
      () => channel()?.messages.some((one) => textOf(one).includes('Here is what was said')),
      'a report',
    )
  const channelNamed = (name: string, part: Partial<Channel> = {}) => {
    const channel = Object.assign(running.discord.channel(guild, name), part)
    running.discord.gateway.tell(channel, 'CHANNEL_CREATE', {
      ...channel,
      messages: undefined,
      denied: undefined,
    })
    return channel
  }
  /** A thread that Ben has grown from a message of his. */
  function threadOf(channel: Channel, first: string): Channel {
    const { world } = running.discord
    const root = makeMessage(world, channel, ben, { content: first })
    return makeChannel(world, {
      ...{
        id: root.id,
        type: 11,
        guild_id: guild.id,
        parent_id: channel.id,
        name: 'A thread',
        owner_id: ben.id,
      },
      thread_metadata: {
        archived: false,
        locked: false,
        auto_archive_duration: 1440,
        archive_timestamp: '',
      },
    })
  }

  it.each(threads)(
    'has read what was said in $count messages when it answers “$ask” (C69, C70)',
    async ({ count, line, ask }) => {
      const thread = threadOf(channelNamed(`room-${count}`), line(0))
      for (let n = 1; n < count; n++)
        makeMessage(running.discord.world, thread, ben, { content: line(n) })
      ana.says(thread, call(ask))
      await reported(() => thread)
      for (const contract of ['decision', 'plan']) {
        const request = requestOf(contract)
        const read = Array.from({ length: count }, (_, n) => line(n)).filter((one) =>
          request.includes(`${one}\n`),
        )
        expect(read[0]).toBe(line(0))
        expect(read.at(-1)).toBe(line(count - 1))
        expect(read.length).toBeGreaterThanOrEqual(Math.min(count, 200))
        expect(request.includes('More was said')).toBe(count > 200)
      }
      const report = thread.messages
        .map(textOf)
        .find((text) => text.includes('Here is what was said'))
      expect(report).toContain(aboutAll(line, linesIn(requestOf('plan')).length, count - 1))
      const list = ana.runs(thread, ['todo', 'list'])
      await running.discord.until(
        () => list.ephemeral.some((text) => text.includes(line(count - 1))),
        'the to-do',
      )
    },
  )

  it('knows the last lines of the channel when it is first named there, and what the message replies to (C69)', async () => {
    const { discord } = running
    const channel = channelNamed('printers')
    const old = makeMessage(discord.world, channel, ben, { content: 'Floor 2 has the old printer' })
    for (let n = 0; n < 15; n++) makeMessage(discord.world, channel, ben, { content: `line ${n}` })
    const said = ana.says(channel, call('who can mend it?'), { replyTo: old })
    await reported(() => discord.world.channels.get(said.id))
    const request = requestOf('decision')
    expect(request).toContain('Ben, in the channel above: line 14')
    expect(request).not.toContain('line 4\n')
    expect(request).toContain('Ben, in the message that is replied to: Floor 2 has the old printer')
  })

  const decided = (text: string) =>
    running.discord.until(
      () => requests.find((one) => one.startsWith('decision') && one.includes(text)),
      'a Decision',
    )

  it('knows which message is replied to, in its own thread and in direct messages (C975)', async () => {
    const { discord } = running
    const asked = ana.says(channelNamed('replies'), call('sum this up'))
    const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    await reported(() => thread)
    const report = thread.messages.find((one) => textOf(one).includes('Here is what was said'))
    ana.says(thread, 'explain that', { replyTo: report })
    const own = /You, in the message that is replied to: .*Here is what was said.*explain that/s
    expect(await decided('explain that')).toMatch(own)
    const first = ana.says(ana.dm(), 'Porto by train')
    await decided('Porto by train')
    ana.says(ana.dm(), 'and Lisbon')
    ana.says(ana.dm(), 'how long does it take?', { replyTo: first, untold: true })
    const inDirect = /Ana, in the message that is replied to: Porto by train.*how long does/s
    expect(await decided('how long does it take?')).toMatch(inDirect)
  })

  it('reads the file of the message that is replied to (C975)', async () => {
    const channel = channelNamed('files')
    const bytes = Buffer.from('The venue has 80 seats')
    const plan = ben.says(channel, '', { files: [{ name: 'plan.txt', type: 'text/plain', bytes }] })
    ana.says(channel, call('what does it say?'), { replyTo: plan })
    const request = await decided('what does it say?')
    expect(request).toMatch(/Ben, in the message that is replied to: .*The venue has 80 seats/s)
  })

  it('reads the files that a thread is about, until they are deleted (C976)', async () => {
    const fileOf = (name: string, text: string) => ({
      files: [{ name, type: 'text/plain', bytes: Buffer.from(text) }],
    })
    const root = ben.says(channelNamed('menus'), 'menu', fileOf('menu.txt', 'Soup of the day'))
    const thread = ben.opens(root)
    const plan = ben.says(thread, '', fileOf('plan.txt', 'On Monday'))
    ana.says(thread, call('what is there to eat?'))
    const request = await decided('what is there to eat?')
    expect(request).toContain('Soup of the day')
    expect(request).toContain('On Monday')
    await reported(() => thread)
    ben.deletes(plan)
    ana.says(thread, call('once more?'))
    const later = await decided('once more?')
    expect(later).toContain('Soup of the day')
    expect(later).not.toContain('On Monday')
  })

  it('knows by their names the channels that are mentioned, unless they are hidden from some (C978)', async () => {
    const { discord } = running
    const [place, plans] = [channelNamed('asking'), channelNamed('plans')]
    const overwrite = { id: guild.id, type: 0, allow: '0', deny: String(1n << 10n) }
    const secret = channelNamed('secret', { permission_overwrites: [overwrite] })
    const said = ana.says(place, call(`sum up <#${plans.id}> and <#${secret.id}>`))
    await reported(() => discord.world.channels.get(said.id))
    expect(requestOf('decision')).toContain(`sum up #plans and <#${secret.id}>`)
  })

  it('reads along what a mention links, for those who may see it (C119)', async () => {
    const { discord } = running
    Object.assign(guild, {
      everyone: String((1n << 10n) | (1n << 16n)),
      members: new Map([[ana.id, []]]),
    })
    const [place, other] = [channelNamed('offers'), channelNamed('questions')]
    const offer = makeMessage(discord.world, place, ben, { content: 'The offer is 950' })
    const link = `https://discord.com/channels/${guild.id}/${place.id}/${offer.id}`
    const said = ana.says(other, call(`is ${link} good?`))
    await reported(() => discord.world.channels.get(said.id))
    expect(requestOf('decision')).toContain('Ben, in what is linked or shared: The offer is 950')
  })

  it('answers all the same where it may not read the history, and says so to the model (C70)', async () => {
    const thread = threadOf(channelNamed('closed'), 'a secret plan')
    makeMessage(running.discord.world, thread, ben, { content: 'more of it' })
    thread.denied.add('history')
    ana.says(thread, call('sum this up'))
    await reported(() => thread)
    expect(requestOf('decision')).toContain('you are not allowed to read it')
  })

  it('sums up what was only overheard, too, and forgets what its author takes back, quoted too (C71, C73, C129, C975)', async () => {
    const { discord } = running
    const thread = threadOf(channelNamed('regrets'), 'hello')
    const regretted = makeMessage(discord.world, thread, ben, { content: 'my password is 1234' })
    ana.says(thread, call(sumUp), { replyTo: regretted })
    await reported(() => thread)
    expect(requestOf('decision')).toContain('1234')
    expect(requestOf('conversation_summary')).toContain('1234')
    ben.deletes(regretted)
    ana.says(thread, call('once more'))
    await discord.until(
      () => requests.filter((one) => one.startsWith('decision')).length === 2,
      'another Decision',
    )
    expect(requestOf('decision')).not.toContain('1234')
  })
})
