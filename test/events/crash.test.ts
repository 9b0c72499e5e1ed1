import { expect, it } from 'vitest'
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
