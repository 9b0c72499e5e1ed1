import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buttonsOf } from '../../fakes/slack/people.ts'
import type { FakeUser } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { openTask, startWhole, threadOf, type Whole } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'
const ours = 'I only work for members of this team'
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
      settings: { ADMIN_USERS: 'UANA,UWEI', ALLOW_OUTSIDERS: 'C2' },
    })
    const { state } = whole.slack
    state.enterprise = 'E1'
    const { ts } = whole.slack.people.mention('C1', 'ULI', 'hello')
    await until(() => saidIn(ts).length > 0)
    const at = { locale: 'en-US', tz: 'Etc/UTC' }
    state.users.set('UGONE', { id: 'UGONE', name: 'Gone', ...at })
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
        await openTask(whole.slack, 'UANA', said)
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
      await openTask(whole.slack, 'UANA', said)
      await until(() => told('UANA').length > 0)
      expect(buttonsOf(asked.blocks).length).toBeGreaterThan(0)
      expect(saidIn(ts).join()).not.toContain('canceled')
    })
  })

  it('an admin who is shown what goes erases it by the button, and nobody else does (C286)', async () => {
    const { people } = whole.slack
    await people.mention('C1', 'UGONE', 'hello').delivered
    const exported = async () =>
      JSON.stringify((await people.command('C1', 'UANA', '/privacy', 'export UGONE')).reply)
    await until(async () => (await exported()).includes('messages to Clew'))
    const { reply } = await people.command('C1', 'UANA', '/privacy', 'erase UGONE')
    const { blocks } = z.object({ blocks: z.array(z.unknown()) }).parse(reply)
    const [button] = buttonsOf(blocks)
    expect(button).toMatchObject({ value: '/privacy erase UGONE --yes' })
    const press = (user: string) =>
      people.press('C1', user, { ts: '1.1' }, button?.actionId ?? '', button?.value ?? '')
    for (const user of ['UBEN', 'UWEI']) await press(user)
    await until(() => told('UBEN').some((text) => text.includes('Only an admin')))
    await until(() => told('UWEI').some((text) => text.includes('还没有清除')))
    expect(await exported()).toContain('messages to Clew')
    await press('UANA')
    await until(() => told('UANA').some((text) => text.includes('I’ve erased this about')))
    expect(await exported()).toContain('I keep nothing here about')
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

    it.each(['user_not_visible', 'user_not_found'])(
      'are those too whom Slack does not show to Clew: %s (S98)',
      async (error) => {
        const { slack } = whole
        const user = `U${error.replaceAll('_', '').toUpperCase()}`
        slack.state.channels.get('C1')?.members.add(user)
        slack.fail('users.info', { error })
        const said = slack.people.mention('C1', user, offsite)
        await until(() => told(user).some((text) => text.includes(ours)))
        slack.mendCalls('users.info')
        expect(saidIn(said.ts)).toEqual([])
      },
    )

    /** Each way in on which somebody could do something to a thread whose question waits. */
    const waysIn: Record<string, (user: string, at: Waiting) => Promise<unknown>> = {
      mention: (user) => whole.slack.people.mention('C1', user, offsite).delivered,
      'direct message': (user) => whole.slack.people.direct(user, offsite).delivered,
      reply: (user, { ts }) =>
        whole.slack.people.say('C1', user, 'Lisbon', { thread: ts }).delivered,
      stop: (user, { ts }) => whole.slack.people.say('C1', user, 'stop', { thread: ts }).delivered,
      click: (user, { asked }) =>
        whole.slack.people.click('C1', user, asked.ts, buttonsOf(asked.blocks)[0]?.text ?? ''),
      async form(user, { asked }) {
        const { people } = whole.slack
        const [button] = buttonsOf(asked.blocks)
        await people.press('C1', user, asked, 'clew:words', button?.value ?? '')
        await until(() => whole.slack.state.forms.has(user))
        await people.submit(user, { text: 'Lisbon' })
      },
      reaction: (user, { asked }) => whole.slack.people.react('C1', user, asked.ts),
      async edit(user) {
        const { people } = whole.slack
        const said = people.say('C1', user, 'Only talk')
        await said.delivered
        await people.edit('C1', said.ts, `<@U0CLEW> ${offsite}`)
      },
      command: (user) => whole.slack.people.command('C1', user, '/task', offsite),
      'menu of a message': (user, { ts }) =>
        whole.slack.people.shortcut('C1', user, ts, 'clew_stop'),
    }
    interface Waiting {
      ts: string
      asked: Awaited<ReturnType<ReturnType<typeof threadOf>['question']>>
    }

    it.each(Object.keys(waysIn))(
      'begin, answer and stop nothing on this way in, whichever they are: %s',
      async (way) => {
        const { people, state } = whole.slack
        const { ts } = people.mention('C1', 'UANA', offsite)
        const asked = await threadOf(whole.slack, 'C1', ts).question()
        for (const user of Object.keys(outsiders)) await waysIn[way]?.(user, { ts, asked })
        // What Ana says next is taken after all of it.
        await people.click('C1', 'UANA', asked.ts, buttonsOf(asked.blocks)[0]?.text ?? '')
        await until(() => asked.text.startsWith('✅ Ana: '))
        await threadOf(whole.slack, 'C1', ts).saying(/Report|booked|Lisbon|Berlin|Porto/)
        const all = state.channels.get('C1')?.messages ?? []
        const theirs = new Set(all.filter(({ user }) => user in outsiders).map(({ ts: at }) => at))
        const below = all.filter((one) => isOwn(one) && theirs.has(one.thread_ts ?? one.ts))
        expect(below.map(({ text }) => text)).toEqual([])
        for (const user of Object.keys(outsiders))
          expect(state.channels.get(`D${user.slice(1)}`)?.messages.filter(isOwn) ?? []).toEqual([])
        expect(saidIn(ts).join()).not.toContain('canceled')
      },
    )
    const isOwn = ({ user }: { user: string }) => user === 'U0CLEW'

    it('colleagues of an Enterprise Grid are members, whatever their workspace', async () => {
      const { ts } = whole.slack.people.mention('C1', 'UGRID', offsite)
      await threadOf(whole.slack, 'C1', ts).question()
    })

    it('are members in the channels of ALLOW_OUTSIDERS', async () => {
      const { ts } = whole.slack.people.mention('C2', 'UGUEST', offsite)
      await threadOf(whole.slack, 'C2', ts).question()
    })
  })

  describe('somebody whom Slack does not tell about just now (S38)', () => {
    const unknown = 'I couldn’t check who you are just now'
    const add = (id: string, more: Partial<FakeUser> = {}) => {
      const { state } = whole.slack
      state.users.set(id, { id, name: id, locale: 'en-US', tz: 'Etc/UTC', ...more })
      for (const channel of state.channels.values()) channel.members.add(id)
    }
    const cases: [string, Partial<FakeUser>][] = [
      ['UNEWGUEST', { is_restricted: true }],
      ['UNEWGRID', { team_id: 'T2', enterprise_user: { enterprise_id: 'E1' } }],
      ['UNEWMEMBER', {}],
    ]

    it.each(cases)(
      'is neither a member nor an outsider, and is asked to try again: %s',
      async (id, flags) => {
        const { people } = whole.slack
        add(id, flags)
        whole.slack.fail('users.info', 'refused', 'refused', 'refused', 'refused')
        const said = people.mention('C1', id, offsite)
        await until(() => told(id).some((text) => text.includes(unknown)))
        const { reply } = await people.command('C1', id, '/todo', 'add Pay me')
        expect(JSON.stringify(reply)).toContain(unknown)
        expect(saidIn(said.ts)).toEqual([])
        expect(told(id).join()).not.toContain(ours)
        // Slack tells again.
        whole.slack.mendCalls('users.info')
        const again = people.mention('C1', id, offsite)
        if (id === 'UNEWGUEST') await until(() => told(id).some((text) => text.includes(ours)))
        else await threadOf(whole.slack, 'C1', again.ts).question()
      },
    )
  })
})
