import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { everythingValidates } from './support.ts'
import { type Running, startInDiscord } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'

describe('the standard task in Discord: a mention, a plan of three steps, a question, an answer, a report', () => {
  let running: Running
  let discord: FakeDiscord
  let general: Channel
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ana = discord.person('Ana')
    ben = discord.person('Ben')
    running = await startInDiscord({ discord })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  everythingValidates(() => discord)
  afterAll(() => running.stop())

  const ours = (channel: Channel) =>
    channel.messages.filter(({ author }) => author.id === discord.world.bot.id)
  const said = (channel: Channel, wanted: RegExp) =>
    discord.until(
      () => ours(channel).find((one) => wanted.test(textOf(one))),
      `words like ${wanted}`,
    )
  async function asking() {
    const asked = ana.says(general, `<@${discord.world.bot.id}> ${offsite}`)
    const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    const question = await said(thread, /Which city/)
    return { asked, thread, question, plan: await said(thread, /Waiting for an answer/) }
  }

  it('is the plan, the question and the report, and the last two call the person who asked (C81, C82)', async () => {
    const { asked, thread, question, plan } = await asking()
    expect(question.called).toEqual([ana.id])
    ben.clicks(question, labelsOf(question)[0] ?? '')
    const report = await said(thread, /This was a demo/)
    await discord.until(() => /\nDone\n/.test(textOf(plan)), 'the plan to be done')
    expect(
      ours(thread)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([plan.id, question.id, report.id].sort())
    expect(report.called).toEqual([ana.id])
    await discord.until(
      () => asked.reactions.has('✅') && !asked.reactions.has('👀'),
      'the mark of the end',
    )
    expect(plan.called).toEqual([])
    expect(ours(thread).filter((one) => textOf(one).includes(offsite))).toEqual([plan])
    expect(textOf(plan)).not.toMatch(/3 of 3|3\/3/)
  })

  it('of ten by five people ends in each plan at most 6 s after the last report, each in three messages (C441)', async () => {
    const people = ['Ana', 'Ben', 'Dan', 'Li', 'Wei'].map((name) => discord.person(name))
    const asked = [...people, ...people].map((one) =>
      one.says(general, `<@${discord.world.bot.id}> ${offsite}`),
    )
    const threads = await Promise.all(
      asked.map(({ id }) => discord.until(() => discord.world.channels.get(id), 'a thread')),
    )
    await Promise.all(
      threads.map(async (thread) => {
        const question = await said(thread, /Which city/)
        ana.clicks(question, labelsOf(question)[0] ?? '')
      }),
    )
    await Promise.all(threads.map((thread) => said(thread, /This was a demo/)))
    const reported = performance.now()
    await Promise.all(threads.map((thread) => said(thread, /\nDone\n/)))
    expect(performance.now() - reported).toBeLessThanOrEqual(6_000)
    for (const thread of threads) expect(ours(thread)).toHaveLength(3)
  })

  it('is stopped in one line, with one button to try it again; the question is closed, the mark changes (C81, C82, C84)', async () => {
    const { asked, thread, plan, question } = await asking()
    ben.says(thread, 'stop')
    const stopped = await said(thread, /Stopped by/)
    await discord.until(() => /Stopped/.test(textOf(plan)), 'the plan to be stopped')
    expect(textOf(stopped)).toBe(`<@${ana.id}> Stopped by Ben. I’d finished 1 of 3 steps.`)
    expect(stopped.called).toEqual([ana.id])
    expect(
      ours(thread)
        .flatMap(labelsOf)
        .filter((label) => label === 'Retry'),
    ).toHaveLength(1)
    // C84: what stands there is true.
    await discord.until(
      () => /Stopped; no answer needed/.test(question.content),
      'the question to be closed',
    )
    expect(labelsOf(question)).toEqual([])
    await discord.until(
      () => asked.reactions.has('⏹️') && !asked.reactions.has('👀'),
      'the mark of the end',
    )
  })

  it('is an answer to its author directly where Clew may not write (C85)', async () => {
    const closed = discord.channel(discord.guild('Board'), 'closed')
    closed.denied.add('send')
    ana.says(closed, `<@${discord.world.bot.id}> todo list`)
    const answer = await said(ana.dm(), /No to-dos|To-dos/)
    expect(answer.channel_id).toBe(ana.dm().id)
    expect(ours(ana.dm()).map(textOf)[0]).toContain('I can’t write in')
  })

  it('is a short answer without a thread where nothing was to be done: a reply, which calls nobody (C81)', async () => {
    const asked = ana.says(general, `<@${discord.world.bot.id}> todo list`)
    const answer = await said(general, /No to-dos|To-dos/)
    expect(answer.message_reference?.message_id).toBe(asked.id)
    expect(answer.called).toEqual([])
    expect(discord.world.channels.get(asked.id)).toBeUndefined()
  })
})
