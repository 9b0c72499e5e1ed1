import { describe, expect, it } from 'vitest'
import type { Schedule } from '../../../src/agent/domain/schedule.ts'
import { ConflictingChange } from '../../../src/agent/kernel/change.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { createFire } from '../../../src/agent/schedules/fire.ts'
import { decides } from '../../fakes/model.ts'
import { type TestClew, type TestOptions, useClew, workspace } from '../../support/agent.ts'
import { asideOf, keyOf } from './aside.ts'

const start = useClew()
const hour = 3_600_000
const scope = 'channel:general'

const noteAt = (
  at: number,
  title: string,
  patch: Partial<Schedule> = {},
): Omit<Schedule, 'id' | 'version'> => ({
  title,
  work: 'note',
  when: { kind: 'every', start: at, minutes: 60, times: -1 },
  durationMinutes: 60,
  remind: { base: null, repeat: null },
  place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
  askedIn: null,
  createdBy: null,
  createdAt: at - hour,
  allow: [],
  paused: false,
  repeats: true,
  nextAt: at,
  remindAt: null,
  lastAt: null,
  lastRunId: null,
  fired: 0,
  asked: null,
  ...patch,
})

/** A bad one that is due first, and a good one behind it. */
async function due(bad: Partial<Schedule> = {}, options: TestOptions = {}): Promise<TestClew> {
  const clew = await start(options)
  const at = clew.clock.now() + hour
  await clew.store.schedules.add(workspace, scope, 'e1', noteAt(at, 'Bad \ud800', bad))
  await clew.store.schedules.add(workspace, scope, 'e2', noteAt(at + 1_000, 'Good \ud800'))
  return clew
}
const said = (clew: TestClew) =>
  clew.channel.shown.map(({ delivery: { body } }) => ('text' in body ? body.text : '')).join('\n')

describe('the alarms of a workspace', () => {
  it('are said with half a character in them (P11, P17)', async () => {
    const clew = await due()
    await clew.advance(hour + 5_000)
    expect(said(clew)).toMatch(/Bad \ufffd[\s\S]*Good \ufffd/)
    expect(await asideOf(clew)).toEqual([])
  })

  it.each(['half a row {', '{"version":1,"id":1}', '7'])(
    'that read %j are set aside, and the others go off (P18, P10)',
    async (row) => {
      const clew = await due()
      await clew.redis.hset(keyOf(`schedules:${scope}`), '1', row)
      await clew.redis.hset(keyOf(`todos:${scope}`), '5', row)
      await clew.redis.zadd(keyOf('alarms'), '1', `t|5|${scope}`)
      await clew.advance(hour + 5_000)
      expect(said(clew)).toContain('Good')
      expect((await asideOf(clew)).map(({ list, id }) => [list, id]).sort()).toEqual([
        ['alarms', `s|1|${scope}`],
        ['alarms', `t|5|${scope}`],
      ])
      expect(await clew.redis.zrange(keyOf('alarms'), '0', '-1')).toEqual([`s|2|${scope}`])
      expect(await clew.trace('all')).toHaveLength(2)
      // Where to-dos and schedules are listed the others are there too.
      expect(await clew.store.schedules.list(workspace, scope)).toHaveLength(1)
      expect(await clew.store.todos.list(workspace, scope)).toEqual([])
    },
  )

  it('that fail every time are set aside and said, and the others go off (P18, P10)', async () => {
    const clew = await due({
      when: { kind: 'cron', expression: '0 9 * * *', times: -1 },
      place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'Mars/Olympus' },
    })
    await clew.advance(hour + 5_000)
    expect(said(clew)).toContain('Good')
    expect(said(clew)).toContain('I couldn’t start “Bad \ufffd” when it was due.')
    expect(await asideOf(clew)).toMatchObject([{ list: 'alarms', id: `s|1|${scope}` }])
  })

  it.each([
    'half a row {"place":{"channel":"general","conversationId":"C"',
    '{"version":1,"askedIn":"C"}',
  ])('that read %j are told of in the thread that they name (P18)', async (row) => {
    const clew = await due()
    clew.model.on('decision', decides.reply('Hi'))
    await clew.say('Hello')
    await clew.idle()
    await clew.redis.hset(
      keyOf(`schedules:${scope}`),
      '1',
      row.replace('"C"', `"${clew.conversationId}"`),
    )
    await clew.advance(hour + 5_000)
    expect(clew.texts()).toEqual([
      'Hi',
      'I lost something here: work in progress, a schedule or a reminder. Check `/task list`, `/schedule list` and `/todo list`, and ask me again for what’s missing. An admin can see what it was.',
    ])
    expect(said(clew)).toContain('Good')
  })

  it('whose change contradicts itself are set aside, and the others go off (P18, P10)', async () => {
    const place = { channel: 'general', conversationId: 'c_bad', locale: 'en', timeZone: 'UTC' }
    const clew = await due({ place }, { scheduler: false })
    const { store, clock } = clew
    const state: Store['conversations']['state'] = async (inside, id, count) => {
      if (id === 'c_bad') throw new ConflictingChange('conversation')
      return await store.conversations.state(inside, id, count)
    }
    const fire = createFire({
      ...{ clock, leases: store.leases, nudges: new Map(), wakeups: { wake: async () => {} } },
      store: { ...store, conversations: { ...store.conversations, state } },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      timesIn: () => 'named',
      channelOf: () => null,
      freeSlots: () => 0,
      begin() {},
    })
    await clew.advance(hour + 5_000)
    await fire({ kind: 'schedules', workspace, id: 'all' }, new AbortController().signal)
    expect(await asideOf(clew)).toMatchObject([
      { id: `s|1|${scope}`, problem: expect.stringContaining('conversation') },
    ])
    await clew.advance(6_000)
    expect(said(clew)).toContain('Good')
  })

  it('of a newer version are left to it, and the others go off (P18, C59)', async () => {
    const clew = await due()
    await clew.redis.hset(keyOf(`schedules:${scope}`), '1', '{"version":2}')
    await clew.advance(hour + 5_000)
    expect(said(clew)).toContain('Good')
    expect(await asideOf(clew)).toEqual([])
    expect(await clew.redis.zscore(keyOf('alarms'), `s|1|${scope}`)).not.toBeNull()
    expect(clew.logs).toContainEqual(
      expect.objectContaining({ level: 'warn', line: expect.stringContaining('upgrade') }),
    )
  })
})
