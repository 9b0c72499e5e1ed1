import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSystemClock } from '../../../src/clock.ts'
import { type Clew, startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import { labelsOf, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { describeWith } from '../../support/programs.ts'
import { silent } from '../../support/silent.ts'

describeWith('redis-server', 'two processes that both speak to Discord', (program) => {
  it('work each mention, press and command once, and go on when one ends (P3, P6)', async () => {
    const redis = await startNativeRedis(program)
    const discord = await startFakeDiscord()
    const folders = ['a', 'b'].map((name) => mkdtempSync(join(tmpdir(), `clew-${name}-`)))
    const running: Clew[] = []
    try {
      const general = discord.channel(discord.guild('Team'), 'general')
      for (const folder of folders) {
        const env = {
          DATA_DIR: folder,
          REDIS_URL: redis.url(0),
          PORT: '0',
          ROLES: 'discord,worker,scheduler',
          DISCORD_TOKEN: discord.token,
          DISCORD_API_URL: discord.url,
          OPENAI_MODEL: 'rehearsal',
          REHEARSAL_PACE_MS: '0',
        }
        running.push(await startClew(readConfig(env), { clock: createSystemClock(), log: silent }))
      }
      await discord.until(
        () => discord.gateway.connected() === 2 && discord.commands.has(''),
        'two connections',
      )
      const ours = (channel: Channel) =>
        channel.messages.filter(({ author }) => author.id === discord.world.bot.id)
      const ana = discord.person('Ana')

      const asked = ana.says(
        general,
        `<@${discord.world.bot.id}> Compare the three venues and book a date for the offsite`,
      )
      const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
      const question = await discord.until(
        () => ours(thread).find((one) => labelsOf(one).length > 1),
        'a question',
      )
      const added = ana.runs(general, ['todo', 'add'], { text: 'Call Ben' })
      await discord.until(() => added.ephemeral.length > 0, 'an answer to the command')
      await running.shift()?.stop()
      ana.clicks(question, labelsOf(question)[0] ?? '')
      await discord.until(
        () => ours(thread).some((one) => /This was a demo/.test(textOf(one))),
        'the report',
      )

      const listed = ana.runs(general, ['todo', 'search'], { words: 'Ben' })
      await discord.until(() => listed.ephemeral.length > 0, 'the list')
      expect(listed.ephemeral.join().match(/Call Ben/g)).toHaveLength(1)
      expect(added.ephemeral).toHaveLength(1)
      expect(ours(thread).filter((one) => /This was a demo/.test(textOf(one)))).toHaveLength(1)
      expect(
        ours(thread).filter((one) => /^(?:<@\d+>\s*)?Which city/.test(one.content)),
      ).toHaveLength(1)
      expect(discord.violations).toEqual([])
    } finally {
      for (const one of running) await one.stop()
      await discord.stop()
      await redis.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    }
  })
})
