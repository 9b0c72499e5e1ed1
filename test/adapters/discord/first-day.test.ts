import { expect, it } from 'vitest'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import { createFakeModel, decides } from '../../fakes/model.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { type Running, startInDiscord } from './whole.ts'

describeWith('redis-server', "the admin's first day in Discord", (program) => {
  it('does nothing again on the second start of a new store, and hears what is new (C440)', async () => {
    const discord = await startFakeDiscord()
    const server = await startRedis(program)
    const guild = discord.guild('Team')
    const general = discord.channel(guild, 'general')
    const plans = discord.channel(guild, 'plans')
    const ana = discord.person('Ana')
    const model = createFakeModel()
    model.answer((call) =>
      decides.reply(`Heard: ${'message' in call.input ? call.input.message : ''}`),
    )
    const heard = () =>
      model.calls.flatMap(({ input }) => ('message' in input ? [input.message] : []))
    const mention = (text: string, channel = general) =>
      ana.says(channel, `<@${discord.world.bot.id}> ${text}`)
    const until = (text: string) => discord.until(() => heard().includes(text), text)
    const start = (env: Record<string, string>) =>
      startInDiscord({ discord, env, around: { model } })
    const running: Running[] = []

    running.push(await start({}))
    for (const text of ['hello', 'what can you do?']) {
      mention(text)
      await until(text)
    }
    mention('in the plans', plans)
    await until('in the plans')
    await running[0]?.clew().stop()

    // A channel that Clew cannot see yet on the first start of the new store, as a private one.
    guild.channels.delete(plans.id)
    running.push(await start({ REDIS_URL: server.url }))
    mention('still there?')
    await until('still there?')
    guild.channels.set(plans.id, plans)
    await running[1]?.restart(() => void mention('while it was down'))
    await until('while it was down')
    mention('and now?', plans)
    await until('and now?')

    expect(heard()).toEqual([
      'hello',
      'what can you do?',
      'in the plans',
      'still there?',
      'while it was down',
      'and now?',
    ])
    await running[1]?.clew().stop()
    await running[0]?.stop()
    await server.stop()
  })
})
