import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../../fakes/clock.ts'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, isThread } from '../../fakes/discord/world.ts'
import { closes, createFakeModel, decides, ends, type FakeModel, plans } from '../../fakes/model.ts'
import { type Running, startInDiscord } from './whole.ts'

describe('work that starts by itself in Discord', () => {
  let discord: FakeDiscord
  let guild: Guild
  let ana: Person
  let clock: ManualClock
  let model: FakeModel
  let running: Running
  beforeEach(async () => {
    discord = await startFakeDiscord()
    guild = discord.guild('Team')
    ana = discord.person('Ana')
    clock = createManualClock({ start: Date.now() })
    model = createFakeModel()
    model.answer(({ contract }) => {
      if (contract === 'plan') return plans('Count')
      return contract === 'thought' ? closes('42 orders') : ends('There were **42 orders**.')
    })
    discord.channel(guild, 'general')
    running = await startInDiscord({ discord, around: { clock, model } })
    await discord.until(() => discord.commands.has(''), 'the commands')
  })
  afterEach(async () => {
    expect(discord.violations).toEqual([])
    await running.stop()
  })

  /** Time passes here and in Discord. */
  async function pass(ms: number): Promise<void> {
    discord.world.advance(ms)
    await clock.advance(ms)
    await wait(5)
  }
  const sixMinutes = async () => {
    for (let passed = 0; passed < 6 * 60_000; passed += 5_000) await pass(5_000)
  }
  /** Lets time pass, slower than leases end, until there is something to see. */
  async function later<T>(look: () => T | undefined | false | null, what: string): Promise<T> {
    for (let tries = 0; tries < 2_000; tries++) {
      const found = look()
      if (found !== undefined && found !== false && found !== null) return found
      await pass(100)
    }
    throw new Error(`nothing came of: ${what}`)
  }
  /** What a command answers to the person alone. */
  async function run(
    place: Channel,
    path: string[],
    options: Parameters<Person['runs']>[2] = {},
  ): Promise<string> {
    const { ephemeral } = ana.runs(place, path, options)
    return await discord.until(() => ephemeral[0], `an answer to /${path.join(' ')}`)
  }
  const ours = (place: Channel) =>
    place.messages.filter(({ author }) => author.id === discord.world.bot.id)
  const threadsOf = (place: Channel) =>
    [...discord.world.channels.values()].filter(
      (one) => isThread(one) && one.parent_id === place.id,
    )

  /** A reply in a report's thread, without a mention, is answered by somebody who knows the report. */
  async function goesOn(report: Channel): Promise<void> {
    model.on('decision', decides.reply('Forty-two.'))
    ana.says(report, 'How many were there?')
    await later(
      () => ours(report).some(({ content }) => content === 'Forty-two.'),
      'an answer to the reply',
    )
    const asked = model.calls.find(({ contract }) => contract === 'decision')
    expect(JSON.stringify(asked?.input)).toContain('There were **42 orders**.')
  }

  it('opens a thread in its channel for its report, and goes on there knowing it (R106, R147, R148, R122)', async () => {
    const general = [...guild.channels.values()][0] as Channel
    const added = await run(general, ['schedule', 'add'], {
      when: 'in 5 minutes',
      what: 'Count the orders',
    })
    expect(added).toMatch(/Scheduled.*#1.*Count the orders/)
    await sixMinutes()
    const report = await later(() => threadsOf(general)[0], 'a thread')
    expect(report.name).toContain('Count the orders')
    // The thread hangs below the report itself.
    await later(
      () => ours(general).some((one) => textOf(one).includes('There were **42 orders**.')),
      'the report',
    )
    expect(general.messages.map(({ id }) => id)).toEqual([report.id])
    await goesOn(report)
    expect(threadsOf(general)).toHaveLength(1)
  })

  it('opens a post in a forum, and goes on there knowing the report (R106, R147, R148)', async () => {
    const forum = discord.channel(guild, 'reports', { type: 15 })
    discord.join(guild)
    const desk = discord.post(forum, ana, 'About the reports', 'What should be here?')
    await run(desk, ['schedule', 'add'], { when: 'in 5 minutes', what: 'Count the orders' })
    await sixMinutes()
    const report = await later(() => threadsOf(forum).find(({ id }) => id !== desk.id), 'a post')
    expect(report).toMatchObject({
      name: expect.stringContaining('Count the orders'),
      owner_id: discord.world.bot.id,
    })
    expect(textOf(report.messages[0] as Channel['messages'][number])).toContain(
      'There were **42 orders**.',
    )
    await goesOn(report)
  })

  it('posts into the thread that it was asked for in, when it is told so, its report alone (R105, R122, C442)', async () => {
    const general = [...guild.channels.values()][0] as Channel
    model.on('decision', decides.reply('Hello.\n'.repeat(400)))
    const asked = ana.says(general, `<@${discord.world.bot.id}> hello`)
    // An answer of several messages has a thread.
    const thread = await later(() => discord.world.channels.get(asked.id), 'a thread')
    await later(() => ours(thread).length === 2, 'the answer')
    await run(thread, ['schedule', 'add'], {
      when: 'in 5 minutes',
      what: 'Count the orders',
      here: true,
    })
    await sixMinutes()
    await later(
      () => ours(thread).some((one) => textOf(one).includes('There were **42 orders**.')),
      'the report',
    )
    await sixMinutes()
    expect(ours(thread)).toHaveLength(3)
    expect(threadsOf(general)).toHaveLength(1)
  })

  it('completes the ids of schedules, starts one by hand, and says what became of it (F13)', async () => {
    const general = [...guild.channels.values()][0] as Channel
    await run(general, ['schedule', 'add'], {
      when: 'every weekday at 9',
      what: 'Count the orders',
    })
    await run(general, ['schedule', 'add'], {
      when: 'tomorrow 9am',
      what: 'Send invitations',
      note: true,
    })
    const typed = ana.types(general, ['schedule', 'run'], 'id', 'orders')
    const { data } = await discord.until(() => typed.answered, 'choices')
    expect(data.choices).toEqual([{ name: '#1 Count the orders', value: '1' }])
    expect(await run(general, ['schedule', 'run'], { id: '1' })).toMatch(/Starting now/)
    await later(
      () => ours(general).some((one) => textOf(one).includes('There were **42 orders**.')),
      'the report',
    )
    expect(await run(general, ['schedule', 'slots'], { id: '1' })).toMatch(
      /on time.*started by hand|by hand/,
    )
    expect(
      await run(general, ['schedule', 'update'], { id: '2', what: 'Send all invitations' }),
    ).toMatch(/Updated.*all/)
    expect(await run(general, ['view'], { name: 'week', date: '2031-03-05' })).toMatch(
      /Count the orders/,
    )
  })

  it('shows a rule in words and keeps it where `/schedule update` leaves its time blank (C185, C315)', async () => {
    const general = [...guild.channels.values()][0] as Channel
    const what = 'Count the orders'
    const limits = 'starting tomorrow until 31 december 2099'
    for (const when of [`mon, wed and fri at 9:00 and 18:00 ${limits}`, 'every other tuesday at 9'])
      await run(general, ['schedule', 'add'], { when, what })
    const before = await run(general, ['schedule', 'list'])
    expect(before).toMatch(
      /#1.* every Monday, Wednesday and Friday at 09:00 and 18:00 starting \d{4}-\d\d-\d\d until 2099-12-31/,
    )
    expect(before).toMatch(/#2.* every 2 weeks from <t:\d+/)
    for (const id of ['1', '2'])
      expect(await run(general, ['schedule', 'update'], { id, what })).toMatch(/Updated/)
    expect(await run(general, ['schedule', 'list'])).toBe(before)
  })

  const minutes = (count: number) => pass(count * 60_000)
  const asksOf = () => model.calls.filter(({ contract }) => contract !== 'decision').length
  const directOf = (person: Person) =>
    [...discord.world.channels.values()]
      .filter(
        ({ type, recipients }) => type === 1 && recipients?.some(({ id }) => id === person.id),
      )
      .flatMap(ours)

  const isPause = (one: Channel['messages'][number]) => textOf(one).includes('#1 is paused')

  it.each([
    ['Count the orders', false],
    ['Water the plants', true],
  ])(
    'spends nothing where its channel is deleted, pauses, and tells its owner once: %s (C378)',
    async (what, note) => {
      const general = [...guild.channels.values()][0] as Channel
      await run(general, ['schedule', 'add'], { when: 'every 10 minutes', what, note })
      discord.world.channels.delete(general.id)
      guild.channels.delete(general.id)
      await minutes(11)
      const told = await later(() => directOf(ana).find(isPause), 'a word')
      expect(textOf(told)).toContain('the place it posts to is gone')
      await minutes(11)
      await minutes(11)
      expect([asksOf(), directOf(ana).filter(isPause).length]).toEqual([0, 1])
    },
  )

  it('is paused where its owner left, says so in its place, and is theirs who resumes it (C378)', async () => {
    const general = [...guild.channels.values()][0] as Channel
    const ben = discord.person('Ben')
    await run(general, ['schedule', 'add'], { when: 'every 10 minutes', what: 'Count the orders' })
    guild.left = new Set([ana.id])
    await minutes(11)
    await later(
      () =>
        threadsOf(general)
          .flatMap(ours)
          .concat(ours(general))
          .some((one) => textOf(one).includes('has left')),
      'a word in the channel',
    )
    expect(asksOf()).toBe(0)
    const slots = ben.runs(general, ['schedule', 'slots'], { id: '1' }).ephemeral
    expect(await discord.until(() => slots[0], 'slots')).toContain('its owner has left')
    const resumed = ben.runs(general, ['schedule', 'resume'], { id: '1' }).ephemeral
    await discord.until(() => resumed[0], 'an answer')
    await minutes(11)
    await later(() => asksOf() > 0, 'work')
  })
})
