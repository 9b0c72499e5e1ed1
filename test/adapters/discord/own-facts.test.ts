import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { createRememberingModel } from '../twin-models.ts'
import { askAbout, type Running, startInDiscord } from './whole.ts'

const secret = 'allergic to nuts'

describe('what is remembered of one person alone in Discord (S47)', () => {
  let discord: FakeDiscord
  let running: Running
  let general: Channel
  let ana: Person
  let ben: Person
  const { model, asked } = createRememberingModel()
  beforeAll(async () => {
    discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ;[ana, ben] = [discord.person('Ana'), discord.person('Ben')]
    running = await startInDiscord({ discord, around: { model } })
    await discord.until(() => discord.commands.has(''), 'the commands')
    for (const place of [general, ana.dm()]) await remembered(place)
  })
  afterAll(() => running.stop())
  beforeEach(() => void asked.splice(0))

  async function remembered(place: Channel) {
    const told = ana.runs(place, ['memory', 'add'], { text: `I am ${secret}`, scope: 'me' })
    await discord.until(() => told.ephemeral.join().includes(secret), 'that it is remembered')
  }
  const own = (place: Channel) =>
    place.messages.filter(({ author }) => author.id === discord.world.bot.id)
  const done = (place: Channel) => own(place).filter((one) => /It is done/.test(textOf(one)))
  const ended = (place: Channel, count = 1) =>
    discord.until(() => done(place).length >= count, 'the end')
  const mention = (text: string) => `<@${discord.world.bot.id}> ${text}`
  const threadAt = (id: string) => discord.until(() => discord.world.channels.get(id), 'a thread')
  async function begun(text: string): Promise<Channel> {
    const thread = await threadAt(ana.says(general, mention(text)).id)
    await ended(thread)
    return thread
  }

  it('is in the prompts of their direct messages', async () => {
    ana.says(ana.dm(), 'What should I eat?')
    await ended(ana.dm())
    expect(asked.join()).toContain(secret)
  })

  /** Places in which somebody else can read, and how Ana speaks there. */
  const places: Record<string, (text: string) => Promise<Channel>> = {
    'a channel': begun,
    async 'a thread of hers in which Ben speaks'(text) {
      const thread = await begun('hello')
      ben.says(thread, 'And what of Ana?')
      ana.says(thread, mention(text))
      await ended(thread, 2)
      return thread
    },
    async 'a message that she asks about'(text) {
      const message = ben.says(general, 'What does Ana eat?')
      await askAbout(discord, ana, message, text)
      const thread = await threadAt(message.id)
      await ended(thread)
      return thread
    },
    async 'a thread in which she was shown it in private'(text) {
      const thread = await begun('hello')
      const shown = ana.runs(thread, ['memory', 'list'])
      await discord.until(() => shown.ephemeral.join().includes(secret), 'what is remembered')
      ana.says(thread, mention(text))
      await ended(thread, 2)
      return thread
    },
  }

  it.each(Object.keys(places))('is in no prompt of %s, and in nothing said there', async (name) => {
    const thread = await places[name]?.('What should Ana eat?')
    if (thread === undefined) throw new Error('nowhere')
    expect(own(thread).map(textOf).join('\n')).not.toContain(secret)
    expect(asked.length).toBeGreaterThan(4)
    expect(asked.filter((one) => one.includes(secret))).toEqual([])
  })
})
