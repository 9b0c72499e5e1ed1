import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { type Running, startInDiscord } from './whole.ts'

describe('words in a thread of Discord', () => {
  let running: Running
  let general: Channel
  let ana: Person
  beforeEach(async () => {
    const discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ana = discord.person('Ana')
    running = await startInDiscord({
      discord,
      env: { AGENT_TOOL_APPROVAL: 'todo=first', AGENT_REPLAN_SKIPS: '0' },
    })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  afterEach(() => running.stop())

  const asking = async (more = '') => {
    const { discord } = running
    const call = `<@${discord.world.bot.id}> `
    const asked = ana.says(
      general,
      `${call}Compare the three venues and book a date for the offsite. ${more}`,
    )
    const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    const shows = (words: RegExp) =>
      discord.until(
        () => thread.messages.find((one) => words.test(textOf(one))),
        `words like ${words}`,
      )
    const question = await shows(/Which city/)
    return { thread, shows, question }
  }

  it('answer by the name of a choice, and approve by consent (C331, C332)', async () => {
    const { thread, shows, question } = await asking()
    ana.says(thread, 'Lisbon, please')
    const approval = await shows(/Only Ana or an admin/)
    expect(question.content).toContain('✅ Ana: Lisbon')
    ana.says(thread, 'Yes, go ahead')
    await shows(/This was a demo/)
    expect(labelsOf(approval)).toEqual([])
    expect(approval.content).toMatch(/✅ Ana: Approve/)
  })

  it('approve for good by words, and a plan before it is acted on (C764, C770)', async () => {
    const { thread, shows } = await asking('Plan first.')
    ana.says(thread, 'Lisbon, please')
    const plan = await shows(/Here’s my plan/)
    expect(labelsOf(plan).slice(0, 2)).toEqual(['Approve', 'Change'])
    ana.says(thread, 'ok')
    await shows(/May I use the tool/)
    expect(plan.content).toMatch(/✅ Ana: Approve/)
    ana.says(thread, 'always here')
    await shows(/From now on I won’t ask again/)
    await shows(/This was a demo/)
  })

  it('stop the task (C330, C333)', async () => {
    const { thread, shows } = await asking()
    ana.says(thread, 'please stop now, wrong city')
    await shows(/^Stopped by Ana\. I’d finished 1 of 3/)
  })

  it('name who wrote them as that name is written (C333)', async () => {
    const { thread, shows } = await asking()
    const kim = running.discord.person('_Kim_ *★*')
    kim.says(thread, 'stop')
    await shows(/Stopped by \\_Kim\\_ \\\*★\\\*\./)
  })

  it.each(['at once', 'before its thread is open'])(
    'begin nothing when they are deleted %s (C336, C343)',
    async (when) => {
      const { discord } = running
      const { world } = discord
      const call = `<@${world.bot.id}> `
      const regretted = ana.says(general, `${call}Compare the three venues for the offsite`)
      if (when !== 'at once')
        await discord.until(() => regretted.reactions.has('👀'), 'the first sign')
      ana.deletes(regretted)
      const next = ana.says(general, `${call}/todo list`)
      const isReply = ({ author }: { author: { id: string } }) => author.id === world.bot.id
      await discord.until(
        () => [...general.messages, ...(world.channels.get(next.id)?.messages ?? [])].find(isReply),
        'an answer to what was said after it',
      )
      expect(world.channels.has(regretted.id)).toBe(false)
      expect(ana.dm().messages.filter(isReply).map(textOf)).toEqual([])
    },
  )
})
