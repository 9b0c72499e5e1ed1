import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { directChannel, type FakeChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createLeapingClock, until } from './support.ts'
import { startWhole, type Whole } from './whole.ts'

const rehearsal = createRehearsalModel({ clock: createSystemClock(), paceMs: 0 })
const minute = 60_000

describeWith('redis-server', 'schedules in Slack whose place or owner is gone', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  const clock = createLeapingClock()
  const asked: string[] = []
  /** Called once, while the model is asked next. */
  let meanwhile = () => {}
  const model: Model = {
    ...rehearsal,
    call(contract, input, signal) {
      asked.push(contract)
      meanwhile()
      return rehearsal.call(contract, input, signal)
    },
  }
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', { around: { clock, model } })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })

  async function dueSoon(channel: string, user: string, what: string): Promise<void> {
    const { reply } = await whole.slack.people.command(
      channel,
      user,
      '/schedule',
      `add every 10 minutes ${what}`,
    )
    expect(JSON.stringify(reply)).toMatch(/Scheduled|remind you|已安排/)
  }
  const place = (channel: string) => {
    const found = whole.slack.state.channels.get(channel)
    if (found === undefined) throw new Error(`no ${channel}`)
    return found
  }
  const said = (channel: FakeChannel) => channel.messages.map(({ text }) => text)

  describe.each([
    [
      'is archived',
      'C1',
      'UANA',
      'Count the orders',
      () => Object.assign(place('C1'), { archived: true }),
    ],
    [
      'is left by Clew',
      'C2',
      'UBEN',
      '--note Water the plants',
      () => place('C2').members.delete('U0CLEW'),
    ],
  ] as const)('in a channel that %s', (_, channel, user, what, goes) => {
    it('spend nothing, pause, and tell their owner once (C378)', async () => {
      await dueSoon(channel, user, what)
      goes()
      clock.leap(11 * minute)
      const direct = directChannel(whole.slack.state, user)
      await until(() => said(direct).some((text) => text.includes('is paused')))
      clock.leap(20 * minute)
      const slots = await whole.slack.people.command(channel, user, '/schedule', 'slots 1')
      expect(JSON.stringify(slots.reply)).toContain('the place it posts into is gone')
      expect(said(direct).filter((text) => text.includes('is paused'))).toHaveLength(1)
      expect(asked).toEqual([])
    })
  })
  it('say in their channel that their owner’s account was closed, and begin nothing (C378)', async () => {
    const { state, people } = whole.slack
    await people.invite('C3', 'ULI')
    await dueSoon('C3', 'UWEI', 'Count the orders')
    Object.assign(state.users.get('UWEI') ?? {}, { deleted: true })
    clock.leap(11 * minute)
    await until(() => said(place('C3')).some((text) => /has left|已离开/.test(text)))
    expect(asked).toEqual([])
  })
  it('bring the report of a run that was going on to who made them (R122)', async () => {
    const { state, people } = whole.slack
    await people.invite('C4', 'UBEN')
    await people.command('C4', 'UBEN', '/schedule', 'add every day at 9:00 List what is open')
    meanwhile = () => place('C4').members.delete('U0CLEW')
    await people.command('C4', 'UBEN', '/schedule', 'run 1')
    const report = await until(() =>
      directChannel(state, 'UBEN').messages.find(({ text }) => text.includes('List what is open')),
    )
    expect(JSON.stringify(report.blocks)).toContain('I can’t post in <#C4>')
    expect(report.text).toContain('is paused')
    meanwhile = () => {}
  })
})
