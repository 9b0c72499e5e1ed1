import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Interaction } from '../../fakes/discord/interactions.ts'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel, Guild, Message } from '../../fakes/discord/world.ts'
import { type Running, startInDiscord } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'
const ours = /I only work for members of this team/
const unknown = /couldn’t check who you are just now/
const role = '300000000000000001'

describe('people without the members’ role in Discord', () => {
  let discord: FakeDiscord
  let running: Running
  let guild: Guild
  let general: Channel
  let ana: Person
  const outsiders: Record<string, Person> = {}
  beforeAll(async () => {
    discord = await startFakeDiscord()
    guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    ana = discord.person('Ana')
    const [plain, other, gone] = ['Ben', 'Cara', 'Dan'].map((name) => discord.person(name))
    Object.assign(outsiders, { 'no role': plain, 'another role': other, 'no member': gone })
    guild.members = new Map([
      [ana.id, [role]],
      [plain?.id ?? '', []],
      [other?.id ?? '', ['300000000000000009']],
    ])
    running = await startInDiscord({ discord, env: { DISCORD_MEMBER_ROLES: role } })
    await discord.until(() => discord.commands.has(''), 'the commands')
  })
  afterAll(() => running.stop())

  const mine = (place: Channel) =>
    place.messages.filter(({ author }) => author.id === discord.world.bot.id)
  const said = (place: Channel, words: RegExp) =>
    discord.until(() => mine(place).find((one) => words.test(textOf(one))), `words like ${words}`)
  const mention = (text: string) => `<@${discord.world.bot.id}> ${text}`
  const refused = (gesture: Interaction, words = ours) =>
    discord.until(() => gesture.ephemeral.some((text) => words.test(text)), 'a private word')

  interface Waiting {
    request: Message
    thread: Channel
    question: Message
  }
  /** A task of Ana's that waits for an answer. */
  async function waiting(): Promise<Waiting> {
    const request = ana.says(general, mention(offsite))
    const thread = await discord.until(() => discord.world.channels.get(request.id), 'a thread')
    return { request, thread, question: await said(thread, /Which city/) }
  }
  const choiceOf = (question: Message) => labelsOf(question)[0] ?? ''

  /** Each way in on which somebody could do something to a thread whose question waits. */
  const waysIn: Record<string, (who: Person, at: Waiting) => unknown> = {
    mention: (who) => who.says(general, mention(offsite)),
    'direct message': (who) => who.says(who.dm(), offsite),
    reply: (who, { thread }) => who.says(thread, 'Lisbon'),
    stop: (who, { thread }) => who.says(thread, 'stop'),
    click: (who, { question }) => refused(who.clicks(question, choiceOf(question))),
    async form(who, { question }) {
      const opened = who.clicks(question, 'own words')
      await discord.until(() => opened.answered?.type === 9, 'the form')
      await refused(who.submits(opened, 'Lisbon'))
    },
    reaction: (who, { question }) => who.reacts(question),
    edit(who) {
      const message = who.says(general, 'Only talk')
      who.edits(message, mention(offsite))
    },
    command: (who) => refused(who.runs(general, ['task', 'start'], { goal: offsite })),
    'menu to ask': (who, { request }) => refused(who.picks(request, 'Ask Clew about this')),
    'menu to stop': (who, { request }) => refused(who.picks(request, 'Stop')),
  }

  it.each(Object.keys(waysIn))(
    'begin, answer and stop nothing on this way in, whichever they are: %s (S35)',
    async (way) => {
      const at = await waiting()
      const before = new Set(discord.world.channels.keys())
      for (const who of Object.values(outsiders)) await waysIn[way]?.(who, at)
      // What Ana says next is taken after all of it.
      ana.clicks(at.question, choiceOf(at.question))
      await said(at.thread, /✅ Ana: /)
      await said(at.thread, /This was a demo/)
      const opened = [...discord.world.channels.values()].filter(({ id }) => !before.has(id))
      expect(opened.filter(({ type }) => type !== 1)).toEqual([])
      expect(mine(general).map(textOf)).toEqual([])
      for (const who of Object.values(outsiders))
        expect(mine(who.dm()).filter((one) => !ours.test(textOf(one)))).toEqual([])
    },
  )

  it('are told once for a server and once for direct messages, in private, however often they write', () => {
    for (const who of Object.values(outsiders))
      expect(mine(who.dm()).filter((one) => ours.test(textOf(one)))).toHaveLength(2)
  })

  it('are outsiders by a role of a server where Clew is not', async () => {
    const theirs = discord.guild('Others')
    const elsewhere = discord.channel(theirs, 'secret', { denied: new Set(['view']) })
    const eve = discord.person('Eve')
    theirs.members = new Map([[eve.id, [role]]])
    await refused(eve.picks(ana.says(elsewhere, offsite), 'Ask Clew about this'))
    await refused(eve.runs(elsewhere, ['todo', 'add'], { text: 'Pay me' }))
  })

  it.each<[string, Parameters<FakeDiscord['fault']>[0]]>([
    ['an error', (_, path) => (path.includes('/members/') ? { status: 500 } : null)],
    ['no answer', (_, path) => (path.includes('/members/') ? 'lose' : null)],
  ])(
    'somebody whose roles cannot be looked up is asked to try again, and is no member: %s (S38)',
    async (name, fault) => {
      const fay = discord.person(`Fay ${name}`)
      guild.members?.set(fay.id, [role])
      discord.fault(fault)
      fay.says(fay.dm(), offsite)
      await said(fay.dm(), unknown)
      await refused(fay.runs(fay.dm(), ['todo', 'add'], { text: 'Pay me' }), unknown)
      expect(mine(fay.dm()).filter((one) => !unknown.test(textOf(one)))).toEqual([])
      discord.fault(() => null)
      fay.says(fay.dm(), offsite)
      await said(fay.dm(), /Which city/)
    },
  )
})
