import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createFakeModel, decides, failsAs, held } from '../../fakes/model.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { stopwatch } from '../../support/processor-time.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

describeWith('redis-server', 'what Slack shows of Clew’s own accord', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  let thought: ReturnType<typeof held>
  let model: ReturnType<typeof createFakeModel>
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    model = createFakeModel()
    thought = held(decides.reply('Lisbon is best.'))
    model.answer(() => thought)
    whole = await startWhole(server.url, 'socket', { around: { model } })
  })
  afterEach(async () => {
    thought.release()
    await whole.stop()
    await server.connect().flushall()
  })

  it.each(['C1', 'DANA'])(
    'says within a second that it thinks, until its first word: in %s (C180)',
    async (channel) => {
      const { people, state } = whole.slack
      directChannel(state, 'UANA')
      const text = channel === 'C1' ? '<@U0CLEW> which city is best?' : 'which city is best?'
      const passed = stopwatch()
      const said = people.say(channel, 'UANA', text)
      const thread = threadOf(whole.slack, channel, said.ts)
      const line = await until(() => state.thinking.find((one) => one.thread === said.ts))
      expect(passed()).toBeLessThan(1_000)
      expect(line).toMatchObject({ channel, status: 'is thinking…', until: null })
      await until(() => thread.reactions(said.ts).includes('eyes'))
      expect(passed()).toBeLessThan(1_000)
      thought.release()
      await thread.saying(/Lisbon is best/)
      expect(line.until).not.toBeNull()
      // Nothing of it is said again once the words are there.
      expect(state.thinking.filter((one) => one.thread === said.ts)).toHaveLength(1)
    },
  )

  it('takes that back where a mark is all that comes of it (C180)', async () => {
    const { people, state } = whole.slack
    thought.release()
    const said = people.mention('C1', 'UANA', 'which city is best?')
    await threadOf(whole.slack, 'C1', said.ts).saying(/Lisbon/)
    const thanks = people.mention('C1', 'UANA', 'thanks!', { thread: said.ts })
    await until(() =>
      threadOf(whole.slack, 'C1', said.ts).reactions(thanks.ts).includes('yellow_heart'),
    )
    await until(() => state.thinking.every(({ until: end }) => end !== null))
  })

  it('says why nothing could be decided and who can do what, with one button that tries it again (C198)', async () => {
    const { people } = whole.slack
    thought.release()
    model.on('decision', failsAs('key_refused'))
    const said = people.mention('C1', 'UANA', 'which city is best?')
    const { saying } = threadOf(whole.slack, 'C1', said.ts)
    const apology = await saying(/doesn’t accept my key\. An admin can set a valid one/)
    expect(buttonsOf(apology.blocks).map(({ text }) => text)).toEqual(['Retry'])
    await people.click('C1', 'UBEN', apology.ts, 'Retry')
    await saying(/Lisbon is best/)
    await until(() => apology.text.includes('Ben asked me to try again'))
    expect(buttonsOf(apology.blocks)).toEqual([])
  })

  it('suggests what is due to a person who opens their messages, and nothing to one without anything (C187)', async () => {
    const { people, state } = whole.slack
    const { id } = directChannel(state, 'UANA')
    await people.openMessages('UBEN')
    await people.command(id, 'UANA', '/todo', 'add send the invoice --due today')
    await people.command(id, 'UANA', '/todo', 'add call the bank --due today')
    await people.command(id, 'UANA', '/todo', 'add pay the rent --due today')
    await people.command(id, 'UANA', '/todo', 'add plan the party --due 2099-01-01')
    await people.command(id, 'UANA', '/schedule', 'add every weekday at 9:00 List what is due')
    await people.openMessages('UANA')
    const prompts = await until(() => state.prompts.get(id))
    expect(prompts).toEqual([
      { title: 'Due: send the invoice', message: 'Help me finish this to-do: send the invoice' },
      { title: 'Due: call the bank', message: 'Help me finish this to-do: call the bank' },
      { title: expect.stringMatching(/^Run now: List what is due/), message: 'schedule run 1' },
    ])
    expect([...state.prompts.keys()]).toEqual([id])
  })
})
