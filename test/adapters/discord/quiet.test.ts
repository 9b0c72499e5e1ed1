import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { type Running, startInDiscord } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'
/** `SUPPRESS_NOTIFICATIONS` */
const silent = 1 << 12

let discord: FakeDiscord
let general: Channel
let ana: Person
let running: Running
beforeEach(async () => {
  discord = await startFakeDiscord()
  ana = discord.person('Ana')
  general = discord.channel(discord.guild('Team'), 'general')
  running = await startInDiscord({ discord })
  await discord.until(() => discord.commands.has(''), 'the commands')
})
afterEach(async () => {
  expect(discord.violations).toEqual([])
  await running.stop()
})

const told = async (hours?: string): Promise<string> => {
  const { ephemeral } = ana.runs(general, ['quiet'], hours === undefined ? {} : { hours })
  return await discord.until(() => ephemeral[0], 'an answer to /quiet')
}

async function asked() {
  const said = ana.says(general, `<@${discord.world.bot.id}> ${offsite}`)
  const thread = await discord.until(() => discord.world.channels.get(said.id), 'a thread')
  const question = () => thread.messages.find((message) => textOf(message).includes('Which city?'))
  return await discord.until(question, 'the question')
}

it('what is posted in quiet hours in Discord mentions nobody and makes no sound until `/quiet off` (C490)', async () => {
  expect(await told('every day')).toContain('Ana, your quiet hours are set: always')
  const quiet = await asked()
  expect(textOf(quiet)).not.toContain(`<@${ana.id}>`)
  expect(quiet.flags & silent).toBe(silent)
  expect(await told('6 to 9am')).toContain('Write them like 18:00-9:00')
  expect(await told()).toContain('Your quiet hours: always')
  await told('off')
  const loud = await asked()
  expect(textOf(loud)).toContain(`<@${ana.id}>`)
  expect(loud.flags & silent).toBe(0)
})

it('a person’s hours in Discord hold in every server, also if they were set in a direct message (C490)', async () => {
  const { ephemeral } = ana.runs(ana.dm(), ['quiet'], { hours: 'every day' })
  await discord.until(() => ephemeral[0], 'an answer to /quiet')
  expect(textOf(await asked())).not.toContain(`<@${ana.id}>`)
})
