import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buttonsOf } from '../../fakes/slack/people.ts'
import type { FakeUser } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'
const ours = 'I work here for the members of this team only'
/** People who are no members, each by one thing that Slack says of them. */
const outsiders: Record<string, Partial<FakeUser>> = {
  UGUEST: { is_restricted: true },
  USINGLE: { is_ultra_restricted: true },
  USTRANGE: { is_stranger: true },
  UPARTNER: { team_id: 'T9' },
  UOTHERGRID: { team_id: 'T9', enterprise_user: { enterprise_id: 'E9' } },
}

describeWith('redis-server', 'whose words count in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', {
      settings: { ADMIN_USERS: 'UANA', ALLOW_OUTSIDERS: 'C2' },
    })
    const { state } = whole.slack
    state.enterprise = 'E1'
    const { ts } = whole.slack.people.mention('C1', 'ULI', 'hello')
    await until(() => saidIn(ts).length > 0)
    const at = { locale: 'en-US', tz: 'Etc/UTC' }
    for (const [id, flags] of Object.entries(outsiders))
      state.users.set(id, { id, name: id, ...at, ...flags })
    state.users.set('UGRID', {
      ...{ id: 'UGRID', name: 'Gwen', ...at, team_id: 'T2' },
      enterprise_user: { enterprise_id: 'E1' },
    })
    for (const channel of state.channels.values())
      for (const id of state.users.keys()) channel.members.add(id)
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })
  const told = (user: string) =>
    whole.slack.state.ephemerals.filter((one) => one.user === user).map(({ text }) => text)
  const saidIn = (ts: string) =>
    threadOf(whole.slack, 'C1', ts)
      .said()
      .map(({ text }) => text)

  describe('what is handed over with Open task (S34)', () => {
    it.each(['privacy erase ULI --yes', '/privacy erase ULI --yes', '!privacy erase ULI --yes'])(
      'is no command of the admin who picks it: %s',
      async (text) => {
        const { people } = whole.slack
        const said = people.say('C1', 'UBEN', text)
        await people.shortcut('C1', 'UANA', said.ts, 'clew_open_task')
        await until(() => saidIn(said.ts).length > 0)
        expect(told('UANA').join()).not.toMatch(/Erased/i)
        const { reply } = await people.command('C1', 'UANA', '/privacy', 'export ULI')
        expect(JSON.stringify(reply)).toMatch(/messages to Clew and in its threads: 1/)
      },
    )

    it.each([
      ['UBEN', 'stop'],
      ['UBEN', 'cancel'],
      ['UBEN', 'Lisbon'],
    ])('answers and stops nothing: %s says %s', async (user, text) => {
      const { people } = whole.slack
      const { ts } = people.mention('C1', 'UANA', offsite)
      const asked = await threadOf(whole.slack, 'C1', ts).question()
      const said = people.write('C1', user, text, { thread: ts })
      await people.shortcut('C1', 'UANA', said.ts, 'clew_open_task')
      await until(() => told('UANA').length > 0)
      expect(buttonsOf(asked.blocks).length).toBeGreaterThan(0)
      expect(saidIn(ts).join()).not.toContain('canceled')
    })
  })

  describe('people who are no members (S35)', () => {
    it.each(Object.keys(outsiders))(
      'start nothing, and are told so once, in private: %s',
      async (user) => {
        const { people } = whole.slack
        const first = people.mention('C1', user, offsite)
        await until(() => told(user).some((text) => text.includes(ours)))
        const second = people.mention('C1', user, '/todo add Pay me')
        await second.delivered
        const reply = (await people.command('C1', user, '/todo', 'add Pay me')).reply
        expect(JSON.stringify(reply)).toContain(ours)
        expect(saidIn(first.ts)).toEqual([])
        expect(saidIn(second.ts)).toEqual([])
        expect(told(user).filter((text) => text.includes(ours))).toHaveLength(1)
      },
    )

    it('neither answer by a click, a form or a reply, nor stop', async () => {
      const { people, state } = whole.slack
      const { ts } = people.mention('C1', 'UANA', offsite)
      const asked = await threadOf(whole.slack, 'C1', ts).question()
      const [first] = buttonsOf(asked.blocks)
      await people.click('C1', 'UGUEST', asked.ts, first?.text ?? '')
      await people.say('C1', 'UGUEST', 'stop', { thread: ts }).delivered
      await people.shortcut('C1', 'UGUEST', ts, 'clew_stop')
      await people.react('C1', 'UGUEST', asked.ts)
      expect(buttonsOf(asked.blocks).length).toBeGreaterThan(0)
      expect(saidIn(ts).join()).not.toContain('canceled')
      expect(
        state.ephemerals.some(({ user, text }) => user === 'UGUEST' && text.includes(ours)),
      ).toBe(true)
      await people.click('C1', 'UANA', asked.ts, first?.text ?? '')
      await until(() => asked.text.startsWith('✅ Ana chose'))
    })

    it('colleagues of an Enterprise Grid are members, whatever their workspace', async () => {
      const { ts } = whole.slack.people.mention('C1', 'UGRID', offsite)
      await threadOf(whole.slack, 'C1', ts).question()
    })

    it('are members in the channels of ALLOW_OUTSIDERS', async () => {
      const { ts } = whole.slack.people.mention('C2', 'UGUEST', offsite)
      await threadOf(whole.slack, 'C2', ts).question()
    })
  })
})
