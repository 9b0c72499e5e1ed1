import { expect, it } from 'vitest'
import { conversationIdOf } from '../../src/agent/domain/conversation.ts'
import type { Condition } from '../../src/agent/domain/schedule.ts'
import { createHooks } from '../../src/agent/hooks.ts'
import { scheduleOf } from '../agent/schedules/rows.ts'
import { closes, ends, plans } from '../fakes/model.ts'
import { useClew, workspace } from '../support/agent.ts'

const start = useClew()
const source = { name: 'ci', channels: [{ workspace, channel: 'general' }], perMinute: 30 }

it.each([
  ...([1, 2, 3] as const).map((n) => ['before commits.commit', n] as const),
  ...([1, 2, 3] as const).map((n) => ['after commits.commit', n] as const),
  ['after leases.claim', 1],
  ['before leases.release', 1],
] as const)(
  'starts one task for each event, ×4 and out of order, killed at %s %i (C641, P1)',
  async (point, n) => {
    const clew = await start()
    clew.model.answer(({ contract }) => {
      if (contract === 'plan') return plans('Look')
      return contract === 'thought' ? closes('looked') : ends('Looked.')
    })
    const {
      version: _,
      id: __,
      ...row
    } = scheduleOf({
      when: { kind: 'event', source: 'ci', match: [] },
      title: 'Look into it',
      place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
    })
    await clew.store.schedules.add(workspace, 'channel:general', 'e1', row)
    await clew.idle()
    const hooks = createHooks({
      store: clew.store,
      schedules: clew.store.schedules,
      clock: clew.clock,
    })
    const lives = clew.lives()
    clew.crashAt(point, n)
    for (const id of ['c', 'a', 'b', 'a', 'c', 'c', 'b', 'a', 'b', 'a', 'b', 'c']) {
      await hooks.arrive(source, { id, kind: null, body: id, data: { id } })
      await clew.advance(1_000)
    }
    await clew.advance(60_000)
    await clew.idle()
    expect(clew.lives(), 'it was killed').toBe(lives + 1)
    const runs = await clew.store.runs.list(workspace, 100)
    expect(runs.map(({ event }) => event?.text).sort()).toEqual([
      '{"id":"a"}',
      '{"id":"b"}',
      '{"id":"c"}',
    ])
    expect(runs.every(({ status }) => status === 'succeeded')).toBe(true)
    const slots = await clew.store.schedules.slots(workspace, 'channel:general', 1, 100)
    expect(slots.map(({ runId }) => runId).sort()).toEqual(runs.map(({ id }) => id).sort())
  },
)

/** One thing that happens in the team's own places, by its number; and the rule that starts by it. */
const happenings = [
  ['reaction:📌', 'general', false],
  ['channel', 'general', false],
  ['bot:alerts', 'general', true],
  ['folder:contracts', null, false],
] as const

it.each(
  happenings.flatMap((one) =>
    (['before commits.commit', 'after commits.commit', 'after leases.claim'] as const).map(
      (point) => [...one, point] as const,
    ),
  ),
)(
  'starts one task for each %s, ×4 and out of order, killed (C780, C786, P1)',
  async (source, channel, byBot, point) => {
    const { clew, hooks, tell } = await watching(source)
    const lives = clew.lives()
    clew.crashAt(point, 2)
    const orders = byBot ? ['a', 'a', 'a', 'a'] : [...'cabaccbabbbc']
    for (const id of orders) {
      const what = { workspace, channel, sources: [source], at: clew.clock.now(), byBot }
      await hooks.happened(what, tell(id))
      await clew.advance(1_000)
    }
    await clew.advance(60_000)
    await clew.idle()
    expect(clew.lives(), 'it was killed').toBe(lives + 1)
    const runs = await clew.store.runs.list(workspace, 100)
    const ids = [...new Set(orders)].sort()
    expect(runs.map(({ event }) => event?.text).sort()).toEqual(ids.map((id) => `{"text":"${id}"}`))
    expect(runs.every(({ status }) => status === 'succeeded')).toBe(true)
    // Each is reported in the thread of its message.
    expect(runs.map(({ conversationId }) => conversationId).sort()).toEqual(
      ids.map((id) => conversationIdOf(workspace, 'general', id)).sort(),
    )
  },
)

it('costs no model call for 1,000 messages that do not match, and counts them (C782)', async () => {
  const { clew, hooks, tell } = await watching('channel', [
    { path: 'text', test: 'contains', values: ['refund'] },
  ])
  const what = { workspace, channel: 'general', sources: ['channel'], at: clew.clock.now() }
  for (let n = 0; n < 1_000; n += 1) await hooks.happened(what, tell(`message ${n}`))
  await clew.advance(60_000)
  await clew.idle()
  expect(clew.model.calls).toEqual([])
  const [rule] = await clew.store.events.list(workspace)
  expect(rule?.passed).toBe(1_000)
})

it('leaves a bot’s words that may answer its own, takes later ones, and says both (C783)', async () => {
  const { clew, hooks, tell } = await watching('bot:alerts')
  const say = async (id: string) => {
    const at = clew.clock.now()
    const what = { workspace, channel: 'general', sources: ['bot:alerts'], at, byBot: true }
    await hooks.happened(what, tell(id))
    await clew.advance(5_000)
    await clew.idle()
  }
  for (const id of ['a', 'b', 'c']) await say(id)
  expect(await clew.store.runs.list(workspace, 9)).toHaveLength(1)
  await clew.advance(60_000)
  await say('d')
  expect(await clew.store.runs.list(workspace, 9)).toHaveLength(2)
  const slots = await clew.store.schedules.slots(workspace, 'channel:general', 1, 9)
  expect(slots.map(({ reason }) => reason)).toEqual(['event', 'may_answer', 'may_answer', 'event'])
})

it('leaves what is more than 30 in a minute, and says so in the ledger (C782)', async () => {
  const { clew, hooks, tell } = await watching('channel')
  const what = { workspace, channel: 'general', sources: ['channel'], at: clew.clock.now() }
  for (let n = 0; n < 32; n += 1) await hooks.happened(what, tell(`${n}`))
  await clew.advance(5_000)
  await clew.idle()
  const slots = await clew.store.schedules.slots(workspace, 'channel:general', 1, 99)
  expect(slots.filter(({ reason }) => reason === 'too_many')).toHaveLength(2)
  expect(await clew.store.runs.list(workspace, 99)).toHaveLength(30)
})

it('starts nothing by what was said before the rule, or elsewhere (C780)', async () => {
  const { clew, hooks, tell } = await watching('channel')
  const what = { workspace, channel: 'general', sources: ['channel'], at: clew.clock.now() }
  await hooks.happened({ ...what, at: -1 }, tell('a'))
  await hooks.happened({ ...what, channel: 'random' }, tell('b'))
  await hooks.happened({ ...what, sources: ['bot:channel'] }, tell('c'))
  await clew.advance(5_000)
  expect(await clew.store.runs.list(workspace, 9)).toEqual([])
})

it('says nothing in the thread of a message that a quiet rule has nothing to say about (C784)', async () => {
  const { clew, hooks, tell } = await watching('channel', [], { quiet: true })
  clew.model.answer(({ contract }) => {
    if (contract === 'plan') return plans('Look')
    return contract === 'thought' ? closes('looked') : ends('NOTHING_TO_REPORT')
  })
  const what = { workspace, channel: 'general', sources: ['channel'], at: clew.clock.now() }
  await hooks.happened(what, tell('a'))
  await clew.advance(5_000)
  await clew.idle()
  const id = conversationIdOf(workspace, 'general', 'a')
  expect(await clew.store.conversations.state(workspace, id, 0)).toBeNull()
  expect(await clew.store.runs.list(workspace, 9)).toMatchObject([{ status: 'succeeded' }])
})

async function watching(source: string, match: Condition[] = [], more: object = {}) {
  const clew = await start()
  clew.model.answer(({ contract }) => {
    if (contract === 'plan') return plans('Look')
    return contract === 'thought' ? closes('looked') : ends('Looked.')
  })
  const {
    version: _,
    id: __,
    ...row
  } = scheduleOf({
    when: { kind: 'event', source, match },
    title: 'Look into it',
    createdAt: 0,
    place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
    ...more,
  })
  await clew.store.schedules.add(workspace, 'channel:general', 'e1', row)
  await clew.idle()
  const { store, clock } = clew
  const hooks = createHooks({ store, schedules: store.schedules, clock })
  const tell = (id: string) => async () => ({ id, thread: id, data: { text: id } })
  return { clew, hooks, tell }
}
