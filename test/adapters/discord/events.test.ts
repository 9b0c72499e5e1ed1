import { afterEach, beforeEach, expect, it } from 'vitest'
import { everyTaskLooks } from '../../events/support.ts'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel, Message } from '../../fakes/discord/world.ts'
import { createFakeModel, type FakeModel } from '../../fakes/model.ts'
import { type Running, startInDiscord } from './whole.ts'

let discord: FakeDiscord
let general: Channel
let ana: Person
let model: FakeModel
let running: Running
beforeEach(async () => {
  discord = await startFakeDiscord()
  ana = discord.person('Ana')
  general = discord.channel(discord.guild('Team'), 'general')
  model = createFakeModel()
  everyTaskLooks(model)
  running = await startInDiscord({ discord, around: { model } })
})
afterEach(async () => {
  expect(discord.violations).toEqual([])
  await running.stop()
})

const us = () => `<@${discord.world.bot.id}>`
const ours = ({ messages }: Channel) =>
  messages.filter(({ author }) => author.id === discord.world.bot.id).map(textOf)
const answer = async (text: string, wanted: RegExp) => {
  const { length } = ours(general)
  ana.says(general, `${us()} ${text}`)
  const found = () =>
    ours(general)
      .slice(length)
      .find((one) => wanted.test(one))
  return await discord.until(found, `an answer to ${text}`)
}
/** Asks for the schedule's times again until what was said before is among them: nothing tells when Clew has taken it in. */
async function slots(wanted: RegExp) {
  for (;;) {
    const said = await answer('schedule slots 1', /./)
    if (wanted.test(said)) return
  }
}
const report = (said: Message) =>
  discord.until(() => {
    const thread = discord.world.channels.get(said.id)
    return thread !== undefined && ours(thread).some((one) => one.includes('Looked into it.'))
  }, 'the report')
const plans = () => model.calls.filter(({ contract }) => contract === 'plan').length

it('a reaction in Discord starts a task on its message once, in a thread of it (C781, C784)', async () => {
  await answer('schedule add Look into it --event reaction:🔍', /at each reaction `🔍`/)
  const ben = discord.person('Ben')
  const said = ben.says(general, 'The login page is blank')
  for (const person of [ana, ben, ana, discord.bot('Other')]) person.reacts(said, '🔍')
  ana.reacts(said, '👍')
  await report(said)
  expect(JSON.stringify(model.calls[0]?.input)).toContain('The login page is blank')
  await slots(/at an event/)
  expect(plans()).toBe(1)
})

it('📌 in Discord makes one to-do of a message, and says so to who reacted (C785)', async () => {
  const said = discord.person('Ben').says(general, 'Pay the rent')
  ana.reacts(said, '📌')
  await discord.until(() => ours(ana.dm()).some((one) => one.includes('Pay the rent')), 'a line')
  await answer('todo list', /Pay the rent/)
  expect(model.calls).toEqual([])
})

it('a message of a watched channel in Discord starts a task if it matches, also one that came while Clew was away (C782)', async () => {
  await answer('schedule add Look into it --event channel --match "text contains refund"', /#1/)
  const ben = discord.person('Ben')
  ben.says(general, 'lunch?')
  let asked: Message | null = null
  await running.restart(() => {
    asked = ben.says(general, 'Where is my Refund?')
    discord.bot('Alerts').says(general, 'refund 7 failed')
  })
  if (asked === null) throw new Error('nothing was said')
  await report(asked)
  await slots(/One event didn’t match/)
  expect(plans()).toBe(1)
})

it('a named bot’s message in Discord starts a task; two bots in a loop get one reply (C783)', async () => {
  await answer('schedule add Look into it --event "bot:Alerts"', /message by the bot `alerts`/)
  const bot = discord.bot('Alerts')
  const first = bot.says(general, 'disk is full')
  await report(first)
  const thread = discord.world.channels.get(first.id)
  if (thread === undefined) throw new Error('there is no thread')
  bot.says(thread, 'thanks')
  bot.says(general, 'what do you mean?')
  bot.says(general, `${us()} and now?`)
  discord.bot('Else').says(general, 'beep')
  await slots(/may have been an answer to Clew/)
  expect(plans()).toBe(1)
})
