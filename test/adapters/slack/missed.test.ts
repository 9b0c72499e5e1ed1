import { afterEach, beforeEach, expect, it } from 'vitest'
import { limits } from '../../../src/adapters/slack/limits.ts'
import { acts, asks, createFakeModel, decides, ends, hangs, plans } from '../../fakes/model.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createLeapingClock, until } from './support.ts'
import { joinWhole, startWhole, threadOf, type Whole } from './whole.ts'

const minute = 60_000
const hour = 60 * minute

describeWith('redis-server', 'an outage of Clew in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  let clock: ReturnType<typeof createLeapingClock>
  let model: ReturnType<typeof createFakeModel>
  const messages = () =>
    model.calls.flatMap(({ contract, input }) =>
      contract === 'decision' && 'message' in input ? [input.message] : [],
    )

  // After a day a reminder is due, too, and may come before the answer that was missed is read.
  const settings = { QUESTION_REMINDER_HOURS: '0', AGENT_REPLAN_SKIPS: '0' }
  beforeEach(async () => {
    server = await startRedis(program)
    clock = createLeapingClock()
    model = createFakeModel()
    model.answer(({ contract, input }) => {
      if (contract === 'plan') return plans('Book')
      if (contract === 'thought')
        return 'clarifications' in input && input.clarifications.length > 0
          ? ends('Booked.')
          : asks('Which city?', ['Lisbon', 'Porto'])
      if (contract !== 'decision' || !('message' in input)) return ends('Booked.')
      return input.message.includes('book')
        ? decides.run('Book', 'Book')
        : decides.reply(`Heard: ${input.message}`)
    })
    whole = await startWhole(server.url, 'socket', {
      ...{ settings, around: { model, clock } },
      slack: { now: clock.now, minuteMs: null },
    })
  })
  afterEach(async () => {
    await whole.stop()
    await server.stop()
  })

  /** Nothing that Slack sends reaches Clew, nor comes again; of what was taken before a day nobody knows any more. */
  async function away(ms: number): Promise<void> {
    await whole.clew.stop()
    clock.leap(ms)
    if (ms < 24 * hour) return
    const redis = server.connect()
    for (const key of await redis.keys('*:seen:*')) await redis.del(key)
  }
  async function back(): Promise<void> {
    whole.clew = await joinWhole(server.url, 'socket', whole.slack, 0, {
      settings,
      around: { model, clock },
    })
  }

  it.each(['in its thread', 'in direct messages'])(
    'reads a “stop” that was written %s before the task goes on (C342)',
    async (where) => {
      const { people } = whole.slack
      model.answer(({ contract }) => {
        if (contract === 'decision') return decides.run('Book', 'Book')
        return contract === 'plan' ? plans('Book', 'Pay') : hangs()
      })
      const asked =
        where === 'in its thread'
          ? { ...people.mention('C1', 'UANA', 'book one'), channel: 'C1' }
          : people.direct('UANA', 'book one')
      await model.received(3)
      await away(minute)
      const thread = where === 'in its thread' ? { thread: asked.ts } : {}
      people.write(asked.channel, 'UANA', 'please stop', thread)
      await back()
      const { channels } = whole.slack.state
      await until(() =>
        channels.get(asked.channel)?.messages.some(({ text }) => /Stopped/.test(text)),
      )
      expect(model.calls).toHaveLength(3)
    },
  )

  it.each(['a channel', 'a thread of its own', 'direct messages'])(
    'stops a task whose request was deleted in %s, with what it did, and repeats no word of it (C486, C336)',
    async (where) => {
      const { people, state } = whole.slack
      model.answer(({ contract, input }) => {
        if (contract === 'decision') return decides.run('Book', 'Book')
        if (contract === 'plan') return plans('Book', 'Pay')
        const isDone = 'observations' in input && input.observations.length > 0
        return isDone ? hangs() : acts('add Call the venue')
      })
      const isDirect = where === 'direct messages'
      const first = isDirect
        ? people.direct('UANA', 'book the moat')
        : { ...people.mention('C1', 'UANA', 'book the moat'), channel: 'C1' }
      await model.received(4)
      let { ts } = first
      if (where === 'a thread of its own') {
        people.say('C1', 'UANA', 'stop', { thread: ts })
        await threadOf(whole.slack, 'C1', ts).saying(/Stopped by Ana/)
        ts = people.say('C1', 'UANA', '<@U0CLEW> book the castle', { thread: ts }).ts
        await model.received(8)
      }
      const calls = model.calls.length
      const place = () => state.channels.get(first.channel)?.messages ?? []
      const before = new Set(place().map((one) => one.ts))
      await away(minute)
      await people.remove(first.channel, ts)
      await back()
      const told = await until(() =>
        place().find(({ text }) => /The message that asked for this was deleted/.test(text)),
      )
      expect(told.text).toMatch(/already done.*\n.*todo.*Call the venue/)
      const after = place().filter((one) => !before.has(one.ts))
      expect(JSON.stringify(after)).not.toMatch(/moat|castle/)
      expect(model.calls).toHaveLength(calls)
    },
  )

  it('goes on with a task whose request is still there (C486)', async () => {
    model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Book', 'Book')
      return contract === 'plan' ? plans('Book', 'Pay') : hangs()
    })
    const asked = whole.slack.people.mention('C1', 'UANA', 'book one')
    await model.received(3)
    await away(minute)
    await back()
    await model.received(4)
    const thread = threadOf(whole.slack, 'C1', asked.ts)
    expect(thread.own().some(({ text }) => /deleted|Stopped/.test(text))).toBe(false)
  })

  it.each([
    ['an hour', hour],
    ['a day and more', 26 * hour],
  ])(
    'of %s loses and doubles no mention, answer or direct message, and asks again what is open (C155, C156)',
    async (_, ms) => {
      const { people, state } = whole.slack
      // What was said before.
      const earlier = people.mention('C1', 'UANA', 'good morning')
      await threadOf(whole.slack, 'C1', earlier.ts).saying(/good morning/)
      const direct = people.direct('UANA', 'hello')
      await threadOf(whole.slack, direct.channel, direct.ts).saying(/hello/)
      const answered = people.mention('C1', 'UANA', 'book one')
      const open = people.mention('C2', 'UBEN', 'book two')
      await threadOf(whole.slack, 'C1', answered.ts).question()
      const asked = await threadOf(whole.slack, 'C2', open.ts).question()
      const unfollowed = people.write('C1', 'UBEN', 'nothing for Clew')

      await away(ms)
      const said = {
        mention: people.write('C1', 'UBEN', '<@U0CLEW> a mention').ts,
        inThread: people.write('C1', 'UBEN', '<@U0CLEW> a mention below', { thread: unfollowed.ts })
          .ts,
        answer: people.write('C1', 'UANA', 'Lisbon', { thread: answered.ts }).ts,
        follow: people.write('C1', 'UANA', 'and you?', { thread: earlier.ts }).ts,
      }
      const first = directChannel(state, 'ULI')
      const word = people.write(first.id, 'ULI', 'a first word')
      people.write('C1', 'UBEN', 'still nothing for Clew')
      // Slack's own last try of one of them comes while it is read.
      const late = people.mention('C2', 'UBEN', 'comes twice')
      await back()
      await late.delivered

      await threadOf(whole.slack, 'C1', answered.ts).saying(/Booked/)
      await threadOf(whole.slack, 'C1', said.mention).saying(/a mention/)
      await threadOf(whole.slack, 'C1', unfollowed.ts).saying(/a mention below/)
      await threadOf(whole.slack, 'C1', earlier.ts).saying(/and you/)
      await threadOf(whole.slack, first.id, word.ts).saying(/a first word/)
      await threadOf(whole.slack, 'C2', late.ts).saying(/comes twice/)
      const again = await until(() =>
        threadOf(whole.slack, 'C2', open.ts)
          .own()
          .find(
            (one) =>
              one.ts !== asked.ts && buttonsOf(one.blocks).some(({ text }) => text === 'Porto'),
          ),
      )
      await until(() => asked.text.includes('asked this again below'))
      expect(buttonsOf(asked.blocks)).toEqual([])
      await people.click('C2', 'UBEN', again.ts, 'Porto')
      await threadOf(whole.slack, 'C2', open.ts).saying(/Booked/)

      expect(messages().toSorted()).toEqual([
        'a first word',
        'a mention',
        'a mention below',
        'and you?',
        'book one',
        'book two',
        'comes twice',
        'good morning',
        'hello',
      ])
      const asksIn = (thread: ReturnType<typeof threadOf>) =>
        thread.own().filter(({ blocks }) => JSON.stringify(blocks).includes('Which city?'))
      expect(
        [
          asksIn(threadOf(whole.slack, 'C1', answered.ts)),
          asksIn(threadOf(whole.slack, 'C2', open.ts)),
        ].map(({ length }) => length),
      ).toEqual([1, 2])
    },
  )

  it('begins anew when a socket is open again, waits for as long as Slack says, and leaves out what it may not read (C155)', async () => {
    const { slack } = whole
    const kept = slack.people.mention('C1', 'UANA', 'good morning')
    await threadOf(slack, 'C1', kept.ts).saying(/good morning/)
    slack.cut()
    await until(() => slack.events.sockets.size === 0)
    const missed = slack.people.write('C2', 'UANA', '<@U0CLEW> while the wire was cut')
    slack.fail('conversations.history', '429', '500_before', '429')
    slack.state.bot.scopes.delete('groups:read')
    slack.mend()
    await threadOf(slack, 'C2', missed.ts).saying(/while the wire was cut/)
    expect(messages()).toEqual(['good morning', 'while the wire was cut'])
  })

  it('keeps what stands before a page that Slack refuses (C155)', async () => {
    const { slack } = whole
    const kept = slack.people.mention('C1', 'UANA', 'good morning')
    await threadOf(slack, 'C1', kept.ts).saying(/good morning/)
    slack.cut()
    await until(() => slack.events.sockets.size === 0)
    // Slack tells the newest first, so the first page ends before the oldest of these.
    for (let count = 0; count < limits.missedPage; count++)
      slack.people.write('C2', 'UBEN', 'nothing for Clew')
    const missed = slack.people.write('C2', 'UANA', '<@U0CLEW> behind all of that')
    slack.fail('conversations.history?cursor', 'refused')
    slack.mend()
    await threadOf(slack, 'C2', missed.ts).saying(/behind all of that/)
    expect(slack.calls.filter(({ outcome }) => outcome === 'channel_not_found')).toHaveLength(1)
  })
})
