import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { everyTaskLooks } from '../../events/support.ts'
import { createFakeModel } from '../../fakes/model.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

describeWith('redis-server', 'work that starts by what happens in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  const model = createFakeModel()
  let before = 0
  const calls = () => model.calls.slice(before)
  const plans = () => calls().filter(({ contract }) => contract === 'plan').length
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'http', { around: { model } })
    everyTaskLooks(model)
  })
  beforeEach(() => {
    before = model.calls.length
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })

  /** A rule of a channel; answers its number. */
  async function rule(channel: string, line: string): Promise<string> {
    const said = whole.slack.people.mention(channel, 'UANA', `schedule add ${line}`)
    const { own } = threadOf(whole.slack, channel, said.ts)
    return JSON.stringify(await until(() => own()[0]))
  }
  const reports = (channel: string, ts: string) =>
    threadOf(whole.slack, channel, ts)
      .own()
      .filter(({ text }) => text.includes('Looked into it.'))
  async function slots(channel: string, id: number): Promise<string> {
    const said = whole.slack.people.mention(channel, 'UANA', `schedule slots ${id}`)
    const { own } = threadOf(whole.slack, channel, said.ts)
    return JSON.stringify(await until(() => own()[0]))
  }

  it('a reaction starts a task on its message once, in the message’s thread (C781, C784)', async () => {
    const { people } = whole.slack
    const receipt = await rule('C1', 'Look into it --event reaction::mag:')
    expect(receipt).toContain('at each reaction `mag`')
    const said = people.say('C1', 'UBEN', 'The login page is blank')
    await said.delivered
    for (const user of ['UANA', 'UBEN', 'UANA', 'UANA'])
      await people.react('C1', user, said.ts, 'mag')
    await people.react('C1', 'UANA', said.ts, 'heart')
    await until(() => reports('C1', said.ts).length === 1)
    expect(JSON.stringify(calls()[0]?.input)).toContain('The login page is blank')
    expect(await slots('C1', 1)).toContain('at an event')
    expect(plans()).toBe(1)
    // In a thread that Clew knows by now.
    const later = people.say('C1', 'UBEN', 'It is back', { thread: said.ts })
    await later.delivered
    await people.react('C1', 'UBEN', later.ts, 'mag')
    await until(() => reports('C1', said.ts).length === 2)
  })

  it('📌 makes one to-do of a message, and says so to who reacted (C785)', async () => {
    const { people, state } = whole.slack
    const text = 'Pay "rent" --due tomorrow --owner ben\n/todo delete 1'
    const said = people.say('C1', 'UBEN', text)
    await said.delivered
    await people.react('C1', 'UANA', said.ts, 'pushpin')
    await people.react('C1', 'UBEN', said.ts, 'pushpin')
    const told = () => state.ephemerals.filter((one) => one.text.includes('Pay rent'))
    await until(() => told().length === 2)
    const list = people.mention('C1', 'UANA', 'todo list')
    const { own } = threadOf(whole.slack, 'C1', list.ts)
    const shown = JSON.stringify(await until(() => own()[0]))
    expect(shown).toContain('Pay rent --due tomorrow --owner ben /todo delete 1')
    expect(shown).not.toContain('#2')
    expect(calls()).toEqual([])
  })

  it('a message of a watched channel that matches starts a task in its thread; others and outsiders cost nothing (C782, S80)', async () => {
    const { people } = whole.slack
    await rule('C2', 'Look into it --event channel --match "text contains refund"')
    const other = people.say('C2', 'UBEN', 'lunch?')
    const asked = people.say('C2', 'UBEN', 'Where is my Refund?')
    const beep = people.say('C2', 'UOTHERBOT', 'refund 7 failed', { bot: true, app: 'AALERT' })
    const { state } = whole.slack
    state.users.set('UGUEST', {
      id: 'UGUEST',
      name: 'Guest',
      locale: 'en-US',
      tz: 'UTC',
      is_restricted: true,
    })
    state.channels.get('C2')?.members.add('UGUEST')
    const guest = people.say('C2', 'UGUEST', 'refund me')
    await Promise.all([other, asked, beep, guest].map(({ delivered }) => delivered))
    await people.react('C2', 'UGUEST', other.ts, 'pushpin')
    await until(() => reports('C2', asked.ts).length === 1)
    const reply = people.say('C2', 'UBEN', 'refund, please', { thread: other.ts })
    await reply.delivered
    expect(await slots('C2', 1)).toContain('One event didn’t match.')
    expect(state.ephemerals.filter(({ user }) => user === 'UGUEST')).toEqual([])
    expect(plans()).toBe(1)
  })

  it('a named bot’s message starts a task; what may answer Clew never does (C783, R149)', async () => {
    const { people } = whole.slack
    await rule('C2', 'Look into it --event bot:AALERT')
    const bot = (text: string, more: object = {}) =>
      people.say('C2', 'UOTHERBOT', text, { bot: true, app: 'AALERT', ...more })
    const first = bot('disk is full')
    await first.delivered
    await until(() => reports('C2', first.ts).length === 1)
    const answers = [
      bot('thanks, Clew', { thread: first.ts }),
      bot('what do you mean?'),
      bot(`<@${whole.slack.state.bot.user}> and now?`),
    ]
    await Promise.all(answers.map(({ delivered }) => delivered))
    const others = people.say('C2', 'UOTHERBOT', 'beep', { bot: true, app: 'AELSE' })
    await others.delivered
    expect(await slots('C2', 2)).toContain('it may have been an answer to Clew')
    expect(plans()).toBe(1)
  })
})
