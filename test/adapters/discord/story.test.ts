import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { timeOf } from '../../../src/adapters/discord/limits.ts'
import { conversationIdOf, isUnread } from '../../../src/agent/domain/conversation.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import type { Around } from '../../../src/compose/clew.ts'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import type { Channel, Message } from '../../fakes/discord/world.ts'
import { stopwatch } from '../../support/processor-time.ts'
import { everythingValidates } from './support.ts'
import { type Running, startInDiscord } from './whole.ts'

/** Words of a report that nobody else says. */
const reported = /This was a demo/

describe('a team in Discord', () => {
  let running: Running
  let rows: Pick<Store, 'conversations' | 'runs'>
  let general: Channel
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    const { startFakeDiscord } = await import('../../fakes/discord/server.ts')
    const discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    const kept: Partial<Store> = {}
    const around: Partial<Around> = {
      wrap(_name, port) {
        if ('markRead' in port) Object.assign(kept, { conversations: port })
        if ('trace' in port) Object.assign(kept, { runs: port })
        return port
      },
    }
    running = await startInDiscord({ discord, around })
    if (kept.conversations === undefined || kept.runs === undefined)
      throw new Error('there is no store')
    rows = { conversations: kept.conversations, runs: kept.runs }
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  everythingValidates(() => running.discord)
  afterAll(() => running.stop())

  const ours = (channel: Channel) =>
    channel.messages.filter(({ author }) => author.id === running.discord.world.bot.id)
  const threadOf = (message: Message) =>
    running.discord.until(
      () => running.discord.world.channels.get(message.id),
      'a thread from the message',
    )
  const said = (channel: Channel, wanted: RegExp) =>
    running.discord.until(
      () => ours(channel).find((one) => wanted.test(textOf(one))),
      `words like ${wanted}`,
    )

  it('answers a mention with a thread, a plan, a question, a click, another plan and a report (R146, R145, R38)', async () => {
    const { discord } = running
    const asked = ana.says(
      general,
      `<@${discord.world.bot.id}> Compare the three venues and book a date for the offsite`,
    )
    await discord.until(() => asked.reactions.has('👀'), 'the mark of receipt')
    const thread = await threadOf(asked)
    expect(thread).toMatchObject({
      parent_id: general.id,
      name: expect.stringContaining('Compare the three venues'),
    })

    const question = await discord.until(
      () => ours(thread).find((one) => labelsOf(one).length > 1 && /\?/.test(one.content)),
      'a question',
    )
    expect(question.called).toEqual([ana.id])
    const plan = await said(thread, /\d+ of \d+ done/)
    const [choice = ''] = labelsOf(question)
    const click = ben.clicks(question, choice)
    await discord.until(() => question.content.includes('✅ Ben'), 'the question to be closed')
    expect(click.answered?.afterMs).toBeLessThan(3_000)
    expect(labelsOf(question)).toEqual([])

    await said(thread, reported)
    await discord.until(() => /Done/.test(textOf(plan)), 'the plan to be done')
    // The answer has changed it.
    expect(textOf(plan)).toContain(`(${choice})`)
    expect(ours(general)).toEqual([])
  })

  it('offers commands as buttons; a press is answered where it was made, and once (F30, C166)', async () => {
    const asked = ana.says(
      general,
      `<@${running.discord.world.bot.id}> /memory add We meet in Lisbon --key city`,
    )
    const kept = await said(general, /^Remembered: /)
    expect(kept.message_reference?.message_id).toBe(asked.id)
    expect(labelsOf(kept)).toEqual(['Forget it'])
    const before = structuredClone(kept)
    ben.clicks(kept, 'Forget it')
    const { discord } = running
    await discord.until(
      () => /^Remembered: .*\n\nForgotten, as Ben asked: /s.test(textOf(kept)),
      'the same message',
    )
    expect(labelsOf(kept)).toEqual(['Undo'])
    const late = ana.clicks(before, 'Forget it')
    await discord.until(
      () => late.ephemeral.some((text) => text === 'Ben has already taken care of this.'),
      'a private line',
    )
    expect(ours(general)).toHaveLength(1)
    ana.clicks(kept, 'Undo')
    await discord.until(() => labelsOf(kept).includes('Forget it'), 'it to be remembered again')
    expect(ours(general)).toHaveLength(1)
  })

  /** A task that has asked its question. */
  async function asking(channel: Channel = general, by = ana) {
    const { discord } = running
    const asked = by.says(
      channel,
      `<@${discord.world.bot.id}> Compare the three venues and book a date for the offsite`,
    )
    const thread = channel.type === 0 ? await threadOf(asked) : channel
    const question = await discord.until(
      () =>
        ours(thread).find(
          (one) =>
            BigInt(one.id) > BigInt(asked.id) &&
            /Which city/.test(one.content) &&
            labelsOf(one).length > 1,
        ),
      'a question',
    )
    return { asked, thread, question }
  }

  it('takes an answer in other words through a form, and tells a late click privately (C47, P13)', async () => {
    const { discord } = running
    const { thread, question } = await asking()
    const late = { ...question, components: structuredClone(question.components) }
    const opened = ben.clicks(question, 'Answer in my own words')
    const form = await discord.until(() => opened.answered?.type === 9 && opened, 'a form')
    expect(form.answered?.data).toMatchObject({ title: 'Your answer' })
    const sent = ben.submits(opened, 'Somewhere by the sea')
    await discord.until(
      () => question.content.includes('✅ Ben: Somewhere by the sea'),
      'the question to be closed',
    )
    expect(sent.answered?.type).toBe(6)

    const [choice = ''] = labelsOf(late)
    const press = ana.clicks(late, choice)
    await discord.until(
      () => press.ephemeral.some((text) => /Ben has already answered/.test(text)),
      'a private line',
    )
    await said(thread, reported)
    expect(ours(thread).filter(({ content }) => /already answered/.test(content))).toEqual([])
  })

  it('takes a plain reply in the thread as the answer, without a mention (R146, R123)', async () => {
    const { thread, question } = await asking()
    const reply = ben.says(thread, 'Lisbon')
    await running.discord.until(
      () => question.content.includes('✅ Ben: Lisbon'),
      'the question to be closed',
    )
    await running.discord.until(() => reply.reactions.has('✅'), 'the mark on the answer')
    await said(thread, reported)
  })

  it('leaves a reply alone that speaks to somebody else, and talk outside its threads (R146, R149)', async () => {
    const { discord } = running
    const { thread, question } = await asking()
    const aside = ben.says(thread, `<@${ana.id}> what do you think?`)
    ben.says(general, 'Lunch?')
    discord.bot('Other').says(thread, 'beep')
    await discord.until(() => aside.reactions.size === 0, 'the mark to be taken off')
    expect(labelsOf(question).length).toBeGreaterThan(1)
    const plan = await said(thread, /Waiting for an answer/)
    ben.clicks(plan, 'Stop')
    const ending = await said(thread, /Stopped by/)
    expect(labelsOf(ending)).toEqual(['Retry'])
  })

  it('keeps quiet where people talk to each other in its thread, and marks there only what it works on (C76, C77)', async () => {
    const { discord } = running
    const { thread } = await asking()
    ana.says(thread, 'stop')
    await said(thread, /Stopped by/)
    const talk = [
      'Did you see the game?',
      'Ana, lunch later?',
      'thanks!',
      `and <@${ana.id}> knows the place`,
    ].map((text) => ben.says(thread, text))
    const work = ben.says(thread, 'Compare the three venues and book a date for the offsite')
    const since = (one: Message) => BigInt(one.id) > BigInt(work.id)
    await discord.until(
      () => ours(thread).some((one) => since(one) && /Which city/.test(one.content)),
      'a question',
    )
    await discord.until(() => work.reactions.has('👀'), 'the mark on what it works on')
    for (const { reactions } of talk) expect([...reactions.keys()]).toEqual([])
    ben.says(thread, 'stop')
    await discord.until(
      () => ours(thread).some((one) => since(one) && /Stopped by/.test(one.content)),
      'the end',
    )
  })

  it.each(['in a channel', 'in direct messages', 'in its thread'] as const)(
    'takes a person’s reaction for a sign that it is read up to there, and does nothing else, %s (C51, C115)',
    async (where) => {
      const { discord } = running
      const workspace =
        where === 'in direct messages' ? 'discord:dm' : `discord:${general.guild_id}`
      const place = {
        'in a channel': general,
        'in direct messages': ana.dm(),
        'in its thread': null,
      }[where]
      const { thread } = place === null ? await asking() : { thread: place }
      const root = place === null ? null : ana.says(place, `<@${discord.world.bot.id}> todo list`)
      // What comes after it is counted, so all that the task has to show is there.
      if (root === null) await said(thread, /Waiting for an answer/)
      const home = root === null ? general.id : thread.id
      const opened = root === null || where === 'in direct messages' ? thread.id : root.id
      const id = conversationIdOf(workspace, home, opened)
      const asked = root ?? ana.says(thread, 'stop')
      // The plan above says it too, and earlier.
      const answer = await discord.until(
        () => ours(thread).findLast((one) => one.id > asked.id),
        'an answer',
      )
      if (root === null) expect(textOf(answer)).toMatch(/Stopped by/)
      const marked = async () => {
        const state = await rows.conversations.state(workspace, id, 0)
        if (state === null) throw new Error('there is no such conversation')
        return { lastReadAt: state.conversation.lastReadAt, unread: isUnread(state.conversation) }
      }
      const before = await marked()
      expect(before.unread).toBe(true)
      const count = [thread.messages.length, (await rows.runs.list(workspace, 99)).length]
      if (root !== null) ben.reacts(root)
      discord.bot('Other').reacts(answer)
      // Of a channel one thing is done after the other.
      const older = ours(thread)[0]
      if (where === 'in its thread' && older !== undefined) ben.reacts(older)
      ana.reacts(answer)
      await vi.waitUntil(async () => !(await marked()).unread, { timeout: 20_000, interval: 10 })
      expect((await marked()).lastReadAt).toBe(timeOf(answer.id))
      expect([thread.messages.length, (await rows.runs.list(workspace, 99)).length]).toEqual(count)
    },
  )

  it('takes an edit that adds a mention for a message to it, in a channel and in its thread (C78)', async () => {
    const us = `<@${running.discord.world.bot.id}>`
    const first = ben.says(general, 'todo add buy bread')
    ben.edits(first, `${us} todo add buy bread`)
    await said(general, /buy bread/)
    const { thread } = await asking()
    const before = ours(thread).length
    const aside = ben.says(thread, `<@${ana.id}> todo add buy milk`)
    ben.edits(aside, `${us} todo add buy milk`)
    await said(thread, /buy milk/)
    ben.edits(aside, `${us} todo add buy milk!`)
    ben.says(thread, '!todo get 1')
    await running.discord.until(() => ours(thread).length === before + 2, 'both answers')
  })

  it('is stopped by its button within 3 s and tried again by another (R104, F27)', async () => {
    const { discord } = running
    const { thread } = await asking()
    const plan = await said(thread, /Waiting for an answer/)
    const passed = stopwatch()
    ana.clicks(plan, 'Stop')
    const ending = await said(thread, /Stopped by/)
    expect(passed()).toBeLessThan(3_000)
    ana.clicks(ending, 'Retry')
    await said(thread, /where it stopped/)
    await discord.until(
      () => ours(thread).filter(({ content }) => /Which city/.test(content)).length > 1,
      'the question again',
    )
    ana.says(thread, 'stop')
    await discord.until(
      () => ours(thread).filter(({ content }) => /Stopped by/.test(content)).length > 1,
      'the second end',
    )
  })

  it('works in direct messages, where everything is for it', async () => {
    const { discord } = running
    const dm = ana.dm()
    ana.says(dm, 'Compare the three venues and book a date for the offsite')
    const question = await discord.until(
      () => ours(dm).find((one) => labelsOf(one).length > 1),
      'a question',
    )
    ana.clicks(question, labelsOf(question)[0] ?? '')
    await said(dm, reported)
    ana.says(dm, 'todo list')
    await said(dm, /No to-dos here yet|To-dos/)
  })

  it('takes a bare line in a direct message for the answer to its open question, and a command for one (C79)', async () => {
    const eva = running.discord.person('Eva')
    const { question } = await asking(eva.dm(), eva)
    eva.says(eva.dm(), 'todo list')
    await said(eva.dm(), /No to-dos here yet|To-dos/)
    expect(labelsOf(question).length).toBeGreaterThan(1)
    eva.says(eva.dm(), 'Lisbon')
    await said(eva.dm(), reported)
    expect(question.content).toContain('✅ Eva')
  })

  /** A question that Clew could only send directly, since it may not see its place any more. */
  const askedDirectly = async (name: string) => {
    const { discord } = running
    const person = discord.person(name)
    const place = discord.channel(discord.guild(`Of ${name}`), 'shut')
    const call = `<@${discord.world.bot.id}> `
    const asked = person.says(
      place,
      `${call}Compare the three venues and book a date for the offsite`,
    )
    // Before Clew hears that there is a thread it may not see it any more.
    while (!discord.world.channels.has(asked.id))
      await new Promise((resolve) => setImmediate(resolve))
    const thread = await threadOf(asked)
    for (const channel of [place, thread]) channel.denied.add('view')
    const question = await discord.until(
      () =>
        [...ours(person.dm()), ...ours(thread)].find(
          (one) => labelsOf(one).length > 1 && one.content,
        ),
      'a question',
    )
    expect(question.channel_id).toBe(person.dm().id)
    expect(textOf(question)).toContain('Choose, or reply to this message.')
    return { person, question }
  }

  it('takes a press for the answer to a question that could only be sent directly (P2, C47)', async () => {
    const { person, question } = await askedDirectly('Cy')
    const press = person.clicks(question, labelsOf(question)[0] ?? '')
    await said(person.dm(), reported)
    expect(press.ephemeral.join()).not.toMatch(/not open/)
  })

  it('takes a reply to it, in any words, for its answer too (C340)', async () => {
    const { person, question } = await askedDirectly('Dan')
    person.says(person.dm(), 'The cheapest one', { replyTo: question })
    await said(person.dm(), reported)
    expect(question.content).toContain('✅ Dan')
  })

  it('takes the words of a choice for its answer too, and other words for a new request (C340)', async () => {
    const { person, question } = await askedDirectly('Eli')
    person.says(person.dm(), 'todo list')
    await said(person.dm(), /No to-dos here yet|To-dos/)
    expect(labelsOf(question).length).toBeGreaterThan(1)
    person.says(person.dm(), (labelsOf(question)[0] ?? '').toLowerCase())
    await said(person.dm(), reported)
    expect(question.content).toContain('✅ Eli')
  })

  it.each([
    ['a reply', 'voice', ''],
    ['a reply with a mention', 'voice', 'mention'],
    ['a reply', 'threads', ''],
    ['a reply with a mention', 'in threads', 'mention'],
    ['a reply', 'in threads', ''],
  ])(
    'takes %s to a question in a channel without threads (%s) for its answer (C340, C341)',
    async (_, kind, how) => {
      const { discord } = running
      const guild = discord.guild(`Without ${kind} ${how}`)
      const place = discord.channel(guild, 'flat', kind === 'voice' ? { type: 2 } : {})
      if (kind !== 'voice') place.denied.add(kind)
      const fay = discord.person('Fay')
      const call = `<@${discord.world.bot.id}> `
      fay.says(place, `${call}Compare the three venues and book a date for the offsite`)
      const question = await discord.until(
        () => ours(place).find((one) => labelsOf(one).length > 1 && one.content),
        'a question',
      )
      expect(textOf(question)).toContain('Choose, or reply to this message.')
      const reply = fay.says(place, `${how === '' ? '' : call}The cheapest one`, {
        replyTo: question,
      })
      await said(place, reported)
      expect(question.content).toContain('✅ Fay')
      expect(reply.reactions.has('✅') || reply.reactions.has('👀')).toBe(true)
      const named = ours(place).filter((one) => textOf(one).includes('Send Messages in Threads'))
      expect(named).toHaveLength(kind === 'in threads' ? 1 : 0)
      expect(ours(fay.dm())).toEqual([])
      const threads = [...discord.world.channels.values()].filter(
        (one) => one.parent_id === place.id,
      )
      expect(threads.flatMap(({ messages }) => messages)).toEqual([])
    },
  )

  it('shares nothing among direct messages, which belong to no team (S5, R142)', async () => {
    ana.says(ana.dm(), '!memory add The merger is on 3 May --scope team')
    await said(ana.dm(), /In a direct message I can’t tell which team/)
    ben.says(ben.dm(), '!memory list')
    const list = await said(ben.dm(), /remember/i)
    expect(textOf(list)).not.toContain('merger')
  })

  it('works in a forum: a post that mentions it is its thread', async () => {
    const { discord } = running
    const guild = [...discord.world.guilds.values()][0]
    if (guild === undefined) throw new Error('no guild')
    const forum = discord.channel(guild, 'ideas', { type: 15 })
    discord.join(guild)
    const post = discord.post(
      forum,
      ana,
      'An offsite',
      `<@${discord.world.bot.id}> Compare the three venues and book a date for the offsite`,
    )
    const question = await discord.until(
      () => ours(post).find((one) => labelsOf(one).length > 1),
      'a question',
    )
    ben.clicks(question, labelsOf(question)[0] ?? '')
    await said(post, reported)
  })

  it('takes a mention of its role for a mention, and an empty one for a greeting', async () => {
    ana.says(general, `<@${running.discord.world.bot.id}>`)
    await said(general, /Tell me what you need/)
  })

  it('goes on from where it was after a restart, and hears what was said meanwhile once (P1, P3)', async () => {
    const { discord } = running
    const { thread, question } = await asking()
    let reply: Message | undefined
    await running.restart(() => {
      reply = ben.says(thread, 'Lisbon')
    })
    await discord.until(
      () => question.content.includes('✅ Ben: Lisbon'),
      'the answer that came while it was away',
    )
    await said(thread, reported)
    expect(reply?.reactions.has('✅')).toBe(true)
    expect(ours(thread).filter(({ content }) => reported.test(content))).toHaveLength(1)
  })
})
