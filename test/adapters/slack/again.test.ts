import { afterEach, beforeEach, expect, it } from 'vitest'
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
import { buttonsOf } from '../../fakes/slack/people.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

describeWith('redis-server', 'what a team would remember of Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  let model: ReturnType<typeof createFakeModel>
  beforeEach(async () => {
    server = await startRedis(program)
    model = createFakeModel()
    model.answer(({ contract, input }) => {
      if (contract === 'plan') return plans('Book')
      if (contract === 'replan') return ends('Booked.')
      if (contract !== 'decision') return closes('Booked it.')
      return input.message.includes('book') ? decides.run('Book') : decides.reply('Good morning.')
    })
    whole = await startWhole(server.url, 'socket', { around: { model } })
  })
  afterEach(async () => {
    await whole.stop()
    await server.stop()
  })
  const asking = (text: string) => {
    const { ts } = whole.slack.people.mention('C1', 'UANA', text)
    return { ts, ...threadOf(whole.slack, 'C1', ts) }
  }

  it('takes a colleague’s answer that meets one failure of the model (C335)', async () => {
    model.on('thought', asks('Which day?'))
    model.on('overheard', fails('unavailable'), decides.join())
    const { ts, saying } = asking('book it')
    await saying(/Which day/)
    whole.slack.people.say('C1', 'UBEN', '12 July', { thread: ts })
    await saying(/Booked\./)
    expect(model.contracts().filter((one) => one === 'overheard')).toHaveLength(2)
  })

  it('reports what was done where the model words no report (C338)', async () => {
    const unusable = Array.from({ length: 3 }, () => fails('bad_reply'))
    model.on('replan', ...unusable)
    const { own, plan, saying } = asking('book it')
    await saying(/: done\./)
    await until(() => plan()?.text.endsWith(': Done'))
    const labels = own().flatMap(({ blocks }) => buttonsOf(blocks).map(({ text }) => text))
    expect(labels).not.toContain('Continue')
  })

  it('offers to stop what works elsewhere in the channel (C334)', async () => {
    model.on('thought', hangs())
    const { plan, saying } = asking('book it')
    await until(() => plan()?.text.endsWith(': Working'))
    const offer = await asking('stop').saying(/Elsewhere in this channel/)
    await whole.slack.people.click('C1', 'UANA', offer.ts, buttonsOf(offer.blocks)[0]?.text ?? '')
    await saying(/Stopped by Ana/)
  })

  it('decides by the one clock of the thread, and has that of who writes beside it (C444)', async () => {
    const { ts, saying } = asking('good morning')
    await saying(/Good morning/)
    whole.slack.people.mention('C1', 'ULI', 'good evening', { thread: ts })
    await until(() => model.contracts().filter((one) => one === 'decision').length === 2)
    const zones = model.calls.flatMap(({ contract, input }) =>
      contract === 'decision' ? [[input.timeZone, input.own?.timeZone]] : [],
    )
    expect(zones).toEqual([
      ['Europe/Lisbon', undefined],
      ['Europe/Lisbon', 'Asia/Shanghai'],
    ])
  })

  it('helps who writes “help” alone into a thread, and posts a run of a schedule once (C445, C442)', async () => {
    const { ts, saying } = asking('todo list')
    await saying(/to-dos/)
    whole.slack.people.say('C1', 'UANA', 'help', { thread: ts })
    await saying(/\/schedule/)
    await whole.slack.people.command('C2', 'UANA', '/schedule', 'add every day at 9:00 book a room')
    await whole.slack.people.command('C2', 'UANA', '/schedule', 'run 1')
    const { state } = whole.slack
    const posts = () =>
      (state.channels.get('C2')?.messages ?? []).filter(({ user }) => user === state.bot.user)
    await until(() => posts().some(({ text }) => text.includes('Booked.')))
    expect(posts()).toHaveLength(1)
  })
})
