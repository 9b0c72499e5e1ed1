import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import { startInDiscord } from './whole.ts'

it('a profile of a channel in Discord says whether outsiders may, above ALLOW_OUTSIDERS (C672)', async () => {
  const role = '300000000000000001'
  const folder = await mkdtemp(join(tmpdir(), 'clew-profiles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const discord = await startFakeDiscord()
  const guild = discord.guild('Team')
  const [shut, open] = [discord.channel(guild, 'shut'), discord.channel(guild, 'open')]
  const ben = discord.person('Ben')
  guild.members = new Map([[ben.id, []]])
  await mkdir(join(folder, 'channels'))
  const write = (id: string, outsiders: string) =>
    writeFile(join(folder, 'channels', `${id}.md`), `---\noutsiders: ${outsiders}\n---\n`)
  await write(shut.id, 'false')
  await write(open.id, 'true')
  const running = await startInDiscord({
    discord,
    env: { AGENT_HOME: folder, DISCORD_MEMBER_ROLES: role, ALLOW_OUTSIDERS: shut.id },
  })
  onTestFinished(() => running.stop())
  await discord.until(() => discord.commands.has(''), 'the commands')
  const mention = `<@${discord.world.bot.id}> Compare the three venues and book a date for the offsite`
  const request = ben.says(open, mention)
  const thread = await discord.until(() => discord.world.channels.get(request.id), 'a thread')
  await discord.until(() => thread.messages.find((one) => /Which city/.test(textOf(one))), 'a word')
  const refused = ben.says(shut, mention)
  const ours = ben.dm()
  await discord.until(
    () =>
      [...ours.messages, ...shut.messages].find((one) => /only work for members/.test(textOf(one))),
    'a refusal',
  )
  expect(discord.world.channels.get(refused.id)).toBeUndefined()
  ben.says(thread, '!about')
  const about = await discord.until(
    () => thread.messages.find((one) => /What holds in this channel/.test(textOf(one))),
    'what holds',
  )
  expect(textOf(about)).toMatch(/So can guests.*profile/)
})
