import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { acts, createFakeModel, decides, hangs, plans } from '../../fakes/model.ts'
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

  it.each(['a channel', 'a thread of its own', 'direct messages'])(
    'stops where its request was deleted meanwhile in %s, with what it did, and repeats no word of it (C486, C336)',
    async (where) => {
      const { discord } = running
      model.answer(({ contract, input }) => {
        if (contract === 'decision') return decides.run('Book', 'Book')
        if (contract === 'plan') return plans('Book', 'Pay')
        const isDone = 'observations' in input && input.observations.length > 0
        return isDone ? hangs() : acts('add Call the venue')
      })
      const ana = discord.person('Ana')
      const mention = `<@${discord.world.bot.id}>`
      const thread = async (id: string) =>
        await discord.until(() => discord.world.channels.get(id), 'a thread')
      let asked = ana.says(
        where === 'direct messages' ? ana.dm() : general,
        `${mention} book the moat`,
      )
      const place = where === 'direct messages' ? ana.dm() : await thread(asked.id)
      await said(place, /0 of 2 done/)
      await model.received(4)
      if (where === 'a thread of its own') {
        ana.says(place, 'stop')
        await said(place, /Stopped by Ana/)
        asked = ana.says(place, `${mention} book the castle`)
        await model.received(8)
      }
      const before = new Set(place.messages)
      await running.restart(() => ana.deletes(asked))
      const told = await said(place, /The message that asked for this was deleted/)
      expect(textOf(told)).toMatch(/already done.*\n.*todo.*Call the venue/)
      const calls = model.calls.length
      const after = place.messages.filter((one) => !before.has(one)).map(textOf)
      expect(after.join()).not.toMatch(/moat|castle/)
      expect(model.calls).toHaveLength(calls)
    },
  )

  it('goes on where its request is still there (C486)', async () => {
    const { discord } = running
    const ana = discord.person('Ana')
    const asked = ana.says(general, `<@${discord.world.bot.id}> book one`)
    const place = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    await said(place, /0 of 2 done/)
    await model.received(3)
    await running.restart()
    await model.received(4)
    expect(place.messages.map(textOf).join()).not.toMatch(/deleted|Stopped/)
  })
})
