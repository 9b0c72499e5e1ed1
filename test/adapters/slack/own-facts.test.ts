import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createRememberingModel } from '../twin-models.ts'
import { until } from './support.ts'
import { openTask, startWhole, threadOf, type Whole } from './whole.ts'

const secret = 'allergic to nuts'

describeWith('redis-server', 'what is remembered of one person alone in Slack (S47)', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  const { model, asked } = createRememberingModel()
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', { around: { model }, slack: { minuteMs: null } })
    const { people, state } = whole.slack
    state.channels.set('G1', {
      ...{ id: 'G1', kind: 'mpim', archived: false, messages: [] },
      members: new Set(['UANA', 'UBEN', state.bot.user]),
    })
    const line = `add "I am ${secret}" --scope me`
    const { reply } = await people.command('C1', 'UANA', '/memory', line)
    expect(JSON.stringify(reply)).toContain(secret)
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })
  beforeEach(() => void asked.splice(0))

  /** So many tasks of a thread have reported. */
  const answered = (channel: string, ts: string, count = 1) =>
    until(() => {
      const said = threadOf(whole.slack, channel, ts).said()
      return said.filter(({ text }) => text.includes('It is done')).length >= count
    })

  it('is in the prompts of their direct messages', async () => {
    const { ts, channel } = whole.slack.people.direct('UANA', 'hello')
    await answered(channel, ts)
    expect(asked.join()).toContain(secret)
  })

  /** Places in which somebody else can read, and how Ana speaks there. */
  const places: Record<string, (text: string) => Promise<{ channel: string; ts: string }>> = {
    async 'a channel'(text) {
      const { ts } = whole.slack.people.mention('C1', 'UANA', text)
      await answered('C1', ts)
      return { channel: 'C1', ts }
    },
    async 'a group’s direct messages'(text) {
      const { ts } = whole.slack.people.mention('G1', 'UANA', text)
      await answered('G1', ts)
      return { channel: 'G1', ts }
    },
    async 'a thread of hers in which Ben speaks'(text) {
      const { ts } = whole.slack.people.mention('C1', 'UANA', 'hello')
      await answered('C1', ts)
      await whole.slack.people.say('C1', 'UBEN', 'And what of Ana?', { thread: ts }).delivered
      whole.slack.people.mention('C1', 'UANA', text, { thread: ts })
      await answered('C1', ts, 2)
      return { channel: 'C1', ts }
    },
    async 'a message that she hands over'(text) {
      const { ts } = whole.slack.people.write('C1', 'UBEN', 'What does Ana eat?')
      await openTask(whole.slack, 'UANA', { ts, text })
      await answered('C1', ts)
      return { channel: 'C1', ts }
    },
    async 'a thread in which she was shown it in private'(text) {
      const { ts } = whole.slack.people.mention('C1', 'UANA', 'hello')
      await answered('C1', ts)
      const shown = () =>
        whole.slack.state.ephemerals.filter((one) => JSON.stringify(one).includes(secret)).length
      const before = shown()
      whole.slack.people.say('C1', 'UANA', '!memory list', { thread: ts })
      await until(() => shown() > before)
      whole.slack.people.mention('C1', 'UANA', text, { thread: ts })
      await answered('C1', ts, 2)
      return { channel: 'C1', ts }
    },
  }

  it.each(Object.keys(places))('is in no prompt of %s, and in nothing said there', async (name) => {
    const at = await places[name]?.('What should Ana eat?')
    if (at === undefined) throw new Error('nowhere')
    const said = threadOf(whole.slack, at.channel, at.ts).own()
    expect(JSON.stringify(said.map(({ text, blocks }) => [text, blocks]))).not.toContain(secret)
    expect(asked.length).toBeGreaterThan(4)
    expect(asked.filter((one) => one.includes(secret))).toEqual([])
  })
})
