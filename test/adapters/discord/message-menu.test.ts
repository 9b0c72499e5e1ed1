import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, makeMessage } from '../../fakes/discord/world.ts'
import { askAbout, type Running, startInDiscord } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'

describe('the menu of a message in Discord (C186)', () => {
  let discord: FakeDiscord
  let running: Running
  let general: Channel
  let ana: Person
  let ben: Person
  beforeEach(async () => {
    discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ;[ana, ben] = [discord.person('Ana'), discord.person('Ben')]
    running = await startInDiscord({ discord })
    await discord.until(() => discord.commands.has(''), 'the commands')
  })
  afterEach(async () => {
    expect(discord.violations).toEqual([])
    await running.stop()
  })
  const ours = (place: Channel) =>
    place.messages.filter(({ author }) => author.id === discord.world.bot.id)
  const said = (place: Channel, words: RegExp) =>
    discord.until(() => ours(place).find((one) => words.test(textOf(one))), `words like ${words}`)

  it('hands a message to Clew in its thread, once, and stops what goes on there', async () => {
    const message = ben.says(general, offsite)
    const asked = await askAbout(discord, ana, message)
    const thread = await discord.until(() => discord.world.channels.get(message.id), 'a thread')
    await said(thread, /Which city/)
    await discord.until(
      () => asked.ephemeral.some((text) => text.includes(message.id)),
      'a private word with the way there',
    )
    expect(ours(general)).toEqual([])
    const stopped = ana.picks(message, 'Stop')
    await said(thread, /Stopped by/)
    await discord.until(() => stopped.ephemeral.length > 0, 'a private word')
  })

  it('hands over what an alert says, whose words stand in an embed', async () => {
    const alert = { content: '', embeds: [{ title: offsite, description: 'From the calendar' }] }
    const message = makeMessage(discord.world, general, ben, alert)
    await askAbout(discord, ana, message)
    const thread = await discord.until(() => discord.world.channels.get(message.id), 'a thread')
    await said(thread, /Which city/)
  })

  it('is there for a server and for a person, in servers and between people', () => {
    const all = discord.commands.get('') ?? []
    expect(all.filter(({ type }) => type === 3).map(({ name }) => name)).toEqual([
      'Ask Clew about this',
      'Stop',
    ])
    for (const one of all)
      expect(one).toMatchObject({ integration_types: [0, 1], contexts: [0, 1, 2] })
  })

  it('works in direct messages where Clew is not, and what does not is said plainly', async () => {
    const elsewhere = discord.channel(discord.guild('Others'), 'secret', {
      denied: new Set(['view']),
    })
    const message = ben.says(elsewhere, offsite)
    const dm = ana.dm()
    const asked = await askAbout(discord, ana, message)
    await said(dm, /Which city/)
    await discord.until(
      () =>
        asked.ephemeral.some((text) =>
          /not a member here, so I’ll answer in your direct/.test(text),
        ),
      'why',
    )
    const answers = [
      [ana.picks(message, 'Stop'), /not in this server/],
      // C447: what needs no server is done in their own direct messages.
      [ana.runs(elsewhere, ['todo', 'add'], { text: 'Buy milk' }), /Buy milk/],
      [ana.runs(elsewhere, ['help']), /todo/],
      [ana.runs(elsewhere, ['task', 'start'], { goal: offsite }), /answer in your direct/],
    ] as const
    for (const [{ ephemeral }, expected] of answers)
      await discord.until(() => ephemeral.some((text) => expected.test(text)), String(expected))
    const listed = ana.runs(dm, ['todo', 'list'])
    await discord.until(() => listed.ephemeral.some((text) => /Buy milk/.test(text)), 'the list')
    expect(ours(elsewhere)).toEqual([])
  })
})
