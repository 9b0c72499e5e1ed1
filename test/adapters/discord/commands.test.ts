import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lineOf } from '../../../src/adapters/channel-kit/chosen-command.ts'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel } from '../../fakes/discord/world.ts'
import { everythingValidates } from './support.ts'
import { type Running, startInDiscord } from './whole.ts'

describe('native commands', () => {
  let running: Running
  let guild: Guild
  let general: Channel
  let thread: Channel
  let ana: Person
  beforeAll(async () => {
    const discord = await startFakeDiscord()
    guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    thread = makeChannel(discord.world, {
      type: 11,
      guild_id: guild.id,
      parent_id: general.id,
      name: 'A thread',
      owner_id: discord.world.bot.id,
      thread_metadata: {
        archived: false,
        locked: false,
        auto_archive_duration: 1440,
        archive_timestamp: '',
      },
    })
    ana = discord.person('Ana')
    running = await startInDiscord({ discord })
    await discord.until(() => discord.commands.has(''), 'the commands')
  })
  everythingValidates(() => running.discord)
  afterAll(() => running.stop())

  const ours = (channel: Channel) =>
    channel.messages.filter(({ author }) => author.id === running.discord.world.bot.id)

  /** What the person alone sees of an answer, once it is there. */
  async function run(
    channel: Channel,
    path: string[],
    options: Parameters<Person['runs']>[2] = {},
  ) {
    const interaction = ana.runs(channel, path, options)
    const [text = ''] = await running.discord.until(
      () => interaction.ephemeral.length > 0 && interaction.ephemeral,
      `an answer to /${path.join(' ')}`,
    )
    expect(interaction.answered).toMatchObject({ type: 5, data: { flags: 64 } })
    expect(interaction.answered?.afterMs).toBeLessThan(3_000)
    return text
  }
  async function choicesOf(interaction: ReturnType<Person['types']>) {
    const { type, data } = await running.discord.until(() => interaction.answered, 'choices')
    expect(type).toBe(8)
    return data.choices as { name: string; value: string }[]
  }
  async function complete(channel: Channel, path: string[], focused: string, text: string) {
    const interaction = ana.types(channel, path, focused, text)
    return (await choicesOf(interaction)).map(({ name }) => name)
  }

  it('answer with options in a channel and in its threads, for the person alone, and say whose clock it is (R1, C44, C171, C139)', async () => {
    const added = await run(general, ['todo', 'add'], {
      text: 'Call Ana -- today',
      tag: 'work',
      priority: 1,
      due: '2031-03-08 18:00',
    })
    expect(added).toMatch(/Added.*#1.*Call Ana -- today/)
    // C139: once.
    expect(added).toContain(
      'I took 18:00 as UTC time, because I don’t know your time zone. Set it with `/timezone`.',
    )
    expect(
      await run(thread, ['todo', 'update'], { id: '1', due: '2031-03-08 19:00' }),
    ).not.toContain('time zone')
    expect(await run(thread, ['todo', 'list'])).toMatch(/Call Ana -- today/)
    expect(await run(thread, ['todo', 'update'], { id: '1', text: 'Call Ben' })).toMatch(
      /Updated.*Call Ben/,
    )
    expect(await run(general, ['view'], { name: 'all' })).toMatch(/Call Ben/)
    expect(await run(general, ['todo', 'done'], { id: '1' })).toMatch(/Done/)
    expect(await run(general, ['help'])).toMatch(/todo/)
    expect(ours(general)).toEqual([])
    expect(ours(thread)).toEqual([])
  })

  it('say what would be right in the fields of their form, and work where they are offered (C168)', async () => {
    const wrong = await run(general, ['todo', 'add'], { text: 'Call Ana', due: 'someday' })
    expect(wrong).toMatch(/`\/todo add .*due: /)
    expect(wrong).not.toContain('--')
    expect(await run(general, ['help'])).toContain('type `/` and choose one')
    expect(await run(general, ['memory', 'add'], { text: 'We meet in Lisbon' })).toMatch(
      /Remembered: `channel-\d/,
    )
  })

  it('complete ids, tags, zones and tasks while they are typed', async () => {
    await run(general, ['todo', 'add'], { text: 'Book the venue', tag: 'offsite' })
    await run(general, ['todo', 'add'], { text: 'Send invitations', tag: 'offsite' })
    expect(await complete(general, ['todo', 'done'], 'id', 'venue')).toEqual([
      expect.stringMatching(/^#\d+ Book the venue$/),
    ])
    expect(await complete(thread, ['todo', 'list'], 'tag', 'off')).toEqual(['offsite'])
    expect(await complete(general, ['timezone'], 'zone', 'lisbon')).toEqual(['Europe/Lisbon'])
    expect(await complete(general, ['task', 'stop'], 'id', '')).toEqual([])
    expect((await complete(general, ['timezone'], 'zone', '')).length).toBe(25)
  })

  it('keep the time zone of a person once it is told', async () => {
    expect(await run(general, ['timezone'], { zone: 'Mars/Olympus' })).toMatch(/don’t know/)
    expect(await run(general, ['timezone'], { zone: 'Asia/Tokyo' })).toMatch(/Asia\/Tokyo/)
  })

  it('start a task in a thread of its own, with a link to it, list it, change its plan and stop it (C83, C252)', async () => {
    const { discord } = running
    expect(await run(general, ['task', 'list'])).toMatch(/Nothing is running/)
    const told = await run(general, ['task', 'start'], {
      goal: 'Compare the three venues and book a date for the offsite',
    })
    const asked = await discord.until(
      () => ours(general).find(({ content }) => content.includes('**Ana**')),
      'the request for all to see',
    )
    const grown = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    expect(told).toContain(`/${general.guild_id}/${grown.id}/`)
    await discord.until(() => ours(grown).find((one) => labelsOf(one).length > 1), 'a question')
    expect(await run(general, ['task', 'list'])).toMatch(
      new RegExp(`Compare the three venues.*Waiting for an answer · .*${grown.id}`),
    )
    // What it settles is the thread's: it holds, and all see it (C168).
    expect(await run(grown, ['strategy'], { strategy: 'batch' })).toMatch(
      /several steps at once in this thread/,
    )
    await discord.until(
      () => ours(grown).find((one) => /several steps at once/.test(textOf(one))),
      'it to be settled',
    )
    // C252: what is done to a plan is the thread's as well, and the card says who did it.
    const [, step = ''] = /from step (\d+) on/.exec(await run(grown, ['task', 'plan'])) ?? []
    expect(await run(grown, ['task', 'skip'], { step: 99 })).toMatch(
      /Step 99 has started or doesn’t exist/,
    )
    expect(await run(grown, ['task', 'skip'], { step: Number(step) })).toMatch(
      /I’m changing the plan/,
    )
    await discord.until(
      () => ours(grown).find((one) => /Ana changed the plan: 1 dropped/.test(textOf(one))),
      'the plan as Ana changed it',
    )
    const typed = ana.types(general, ['task', 'stop'], 'id', 'venues')
    const [choice] = await choicesOf(typed)
    expect(await run(grown, ['task', 'stop'], { id: choice?.value ?? '' })).toMatch(/Stopping/)
    await discord.until(() => ours(grown).find((one) => /Stopped by/.test(textOf(one))), 'the end')
  })

  it('speak of a thread only where one is opened, not in one or in direct messages (C114)', async () => {
    expect(await run(thread, ['task', 'start'], { goal: 'Hello' })).toBe('I’ll take it from here.')
  })

  it('speak the language of the person', async () => {
    const li = running.discord.person('李雷', { locale: 'zh-CN' })
    const interaction = li.runs(general, ['task', 'list'])
    await running.discord.until(
      () => interaction.ephemeral[0]?.includes('没有进行中的任务'),
      'Chinese',
    )
    const [todo] = running.discord.commands.get('')?.filter(({ name }) => name === 'todo') ?? []
    expect(todo).toMatchObject({ description_localizations: { 'zh-CN': '这个频道的待办' } })
  })

  it('are registered again only when they changed', async () => {
    expect(running.discord.commandWrites).toEqual([''])
    await running.restart()
    await running.discord.until(
      () => running.discord.gateway.counts.identified === 2,
      'the second start',
    )
    expect(await run(general, ['help'])).toMatch(/todo/)
    expect(running.discord.commandWrites).toEqual([''])
  })
})

describe('a native command as a line', () => {
  it.each([
    [
      { name: 'todo', sub: 'add', values: { text: 'Call Ana', tag: 'work', priority: 2 } },
      '/todo add Call Ana --tag work --priority 2',
    ],
    [
      { name: 'todo', sub: 'add', values: { text: '--tag is a word', due: 'tomorrow 9am' } },
      '/todo add "--tag is a word" --due "tomorrow 9am"',
    ],
    [{ name: 'todo', sub: 'update', values: { text: 'New', id: '3' } }, '/todo update 3 New'],
    [
      { name: 'todo', sub: 'search', values: { words: 'venue', tag: 'x' } },
      '/todo search venue --tag x',
    ],
    [{ name: 'view', sub: null, values: { name: 'today' } }, '/view today'],
    [
      {
        name: 'schedule',
        sub: 'add',
        values: { when: 'every weekday at 9', what: 'post what is due', here: true },
      },
      '/schedule add every weekday at 9 post what is due --here',
    ],
    [{ name: 'schedule', sub: 'view', values: { period: 'week' } }, '/schedule view week'],
    [{ name: 'other', sub: null, values: { line: 'one two' } }, '/other one two'],
  ])('says the same (C44): %j', (chosen, line) => {
    expect(lineOf(chosen)).toBe(line)
  })
})
