import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel, Message } from '../../fakes/discord/world.ts'
import {
  asks,
  closes,
  createFakeModel,
  decides,
  ends,
  fails,
  hangs,
  plans,
} from '../../fakes/model.ts'
import { type Running, startInDiscord } from './whole.ts'

describe('what a team would remember of Discord', () => {
  let running: Running
  let model: ReturnType<typeof createFakeModel>
  let general: Channel
  let ana: Person
  beforeEach(async () => {
    const discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ana = discord.person('Ana')
    model = createFakeModel()
    model.answer(({ contract, input }) => {
      if (contract === 'plan') return plans('Book')
      if (contract === 'replan') return ends('Booked.')
      if (contract !== 'decision') return closes('Booked it.')
      return input.message.includes('book') ? decides.run('Book') : decides.reply('Good morning.')
    })
    running = await startInDiscord({ discord, around: { model } })
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  afterEach(() => running.stop())

  const shows = (channel: Channel, words: RegExp) =>
    running.discord.until(
      () => channel.messages.find((one) => one.author.id !== ana.id && words.test(textOf(one))),
      `words like ${words}`,
    )
  async function asking(text: string) {
    const { discord } = running
    const asked = ana.says(general, `<@${discord.world.bot.id}> ${text}`)
    const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    return { asked, thread }
  }

  it('takes a colleague’s answer that meets one failure of the model (C335)', async () => {
    model.on('thought', asks('Which day?'))
    model.on('overheard', fails('unavailable'), decides.join())
    const { thread } = await asking('book it')
    await shows(thread, /Which day/)
    running.discord.person('Ben').says(thread, '12 July')
    await shows(thread, /Booked\./)
    expect(model.contracts().filter((one) => one === 'overheard')).toHaveLength(2)
  })

  it('reports what was done where the model words no report (C338)', async () => {
    model.on('replan', ...Array.from({ length: 3 }, () => fails('bad_reply')))
    const { thread } = await asking('book it')
    await shows(thread, /\nDone\n/)
    expect(thread.messages.flatMap(labelsOf)).not.toContain('Continue')
  })

  it('stops the task whose message a “stop” replies to, beside its thread (C334)', async () => {
    model.on('thought', hangs())
    const { asked, thread } = await asking('book it')
    await shows(thread, /Working/)
    ana.says(general, `<@${running.discord.world.bot.id}> stop`, { replyTo: asked })
    await shows(thread, /Stopped by Ana/)
  })

  it.each([
    ['by who wrote it', (asked: Message) => ana.deletes(asked)],
    [
      'with others, by a moderator',
      ({ id, channel_id }: Message) => {
        const ids = ['100000000000000007', id]
        const told = { ids, channel_id, guild_id: general.guild_id }
        running.discord.gateway.tell(general, 'MESSAGE_DELETE_BULK', told)
      },
    ],
  ])(
    'stops the task whose request is deleted %s, and says its words no more (C336)',
    async (_, deletes) => {
      model.on('thought', hangs())
      const { asked, thread } = await asking('book it')
      const plan = await shows(thread, /Working/)
      deletes(asked)
      await shows(thread, /was deleted, so I’ve stopped/)
      await running.discord.until(() => /Stopped/.test(textOf(plan)), 'the plan to be stopped')
      expect(textOf(plan)).toContain('Deleted request')
    },
  )

  it('decides by the one clock of the thread, and has that of who writes beside it (C444)', async () => {
    const ben = running.discord.person('Ben')
    await running.discord.until(() => running.discord.commands.size > 0, 'the commands')
    ben.runs(general, ['timezone'], { zone: 'Asia/Shanghai' })
    const { thread } = await asking('book it')
    await shows(thread, /Booked\./)
    ben.says(thread, `<@${running.discord.world.bot.id}> good evening`)
    await running.discord.until(
      () => model.contracts().filter((one) => one === 'decision').length === 2,
      'a second Decision',
    )
    const zones = model.calls.flatMap(({ contract, input }) =>
      contract === 'decision' ? [[input.timeZone, input.own?.timeZone]] : [],
    )
    expect(zones).toEqual([
      ['UTC', undefined],
      ['UTC', 'Asia/Shanghai'],
    ])
  })

  it('helps who writes “help” alone into a thread (C445)', async () => {
    const { thread } = await asking('book it')
    await shows(thread, /Booked\./)
    ana.says(thread, 'help')
    await shows(thread, /\/schedule/)
  })
})
