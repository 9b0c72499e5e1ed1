import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { createFakeModel, decides, hangs, plans } from '../../fakes/model.ts'
import { type Running, startInDiscord } from './whole.ts'

describe('a task in Discord whose Clew is away', () => {
  let running: Running
  let model: ReturnType<typeof createFakeModel>
  let general: Channel
  beforeEach(async () => {
    const discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    model = createFakeModel()
    model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Book', 'Book')
      return contract === 'plan' ? plans('Book', 'Pay') : hangs()
    })
    running = await startInDiscord({ discord, around: { model } })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  afterEach(() => running.stop())

  const said = (channel: Channel, words: RegExp) =>
    running.discord.until(
      () => channel.messages.find((one) => words.test(textOf(one))),
      `words like ${words}`,
    )

  it.each(['a thread', 'direct messages'])(
    'does not go on before a “stop” is read that was written meanwhile in %s (C342)',
    async (where) => {
      const { discord } = running
      const ana = discord.person('Ana')
      const isDirect = where === 'direct messages'
      const asked = ana.says(
        isDirect ? ana.dm() : general,
        isDirect ? 'book one' : `<@${discord.world.bot.id}> book one`,
      )
      const place = isDirect
        ? ana.dm()
        : await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
      await said(place, /0 of 2 done/)
      await model.received(3)
      await running.restart(() => void ana.says(place, 'please stop'))
      await said(place, /Stopped by Ana/)
      expect(model.calls).toHaveLength(3)
    },
  )
})
