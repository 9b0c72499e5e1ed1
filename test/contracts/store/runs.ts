import { expect, it } from 'vitest'
import type { Parts } from '../store.ts'
import { at, itemOf, openThread, runOf, workspace } from './rows.ts'

/** Runs that nobody's turn made (C120). */
export function describeRuns(parts: Parts) {
  const inputsOf = async (id: string) => (await parts.store.runs.state(workspace, id))?.inputs
  const end = async (id: string) => {
    const item = itemOf('run', id)
    const lease = await parts.store.leases.claim(item, 10_000)
    if (lease === null) throw new Error('it is held')
    await parts.store.commits.commit(lease, {
      id: 'k_end',
      at,
      runs: [{ id, patch: { status: 'succeeded' } }],
    })
  }

  it('stores a run once, however many send it at the same time, and says which of them did (R116, C120)', async () => {
    const run = runOf({ requestedBy: null, connector: { name: 'ci', silent: true } })
    const answers = await Promise.all(Array.from({ length: 5 }, () => parts.open().runs.admit(run)))
    expect(answers.sort()).toEqual(['accepted', 'known', 'known', 'known', 'known'])
    expect((await parts.store.runs.state(workspace, run.id))?.run).toEqual(run)
    expect(await parts.store.runs.list(workspace, 10)).toEqual([run])
    expect(await parts.store.runs.trace(workspace, run.id)).toEqual([
      { at, what: { kind: 'created', runId: run.id, type: run.type, parentRunId: null } },
    ])
    // The sweep finds it, whatever became of its wake.
    expect(await parts.store.leases.due(10)).toEqual([itemOf('run', run.id)])
  })

  it('changes nothing of a run that goes on already', async () => {
    const run = runOf()
    await parts.store.runs.admit(run)
    await end(run.id)
    expect(await parts.store.runs.admit({ ...run, title: 'again' })).toBe('known')
    expect((await parts.store.runs.state(workspace, run.id))?.run).toMatchObject({
      title: run.title,
      status: 'succeeded',
    })
  })

  it('lists it in its conversation', async () => {
    const conversationId = await openThread(parts.store)
    await parts.store.runs.admit(runOf({ id: 'r_connected', conversationId }))
    expect(
      (await parts.store.runs.list(workspace, 10, conversationId)).map(({ id }) => id),
    ).toEqual(['r_connected'])
  })

  it('tells the run that gathers its group in the same write, once, and takes nothing for one that is over (C123)', async () => {
    const group = { gatherer: 'r_group', size: 3 }
    await parts.store.runs.admit(runOf({ id: 'r_group', type: 'gather' }))
    for (const id of ['r_1', 'r_2', 'r_1']) await parts.store.runs.admit(runOf({ id }), group)
    expect(await inputsOf('r_group')).toEqual([
      { kind: 'gathered', entryId: 'r_1' },
      { kind: 'gathered', entryId: 'r_2' },
    ])
    await end('r_group')
    expect(await parts.store.runs.admit(runOf({ id: 'r_3' }), group)).toBe('closed')
    expect(await parts.store.runs.state(workspace, 'r_3')).toBeNull()
    expect(
      await parts.store.runs.admit(runOf({ id: 'r_3' }), { gatherer: 'r_none', size: 3 }),
      'nobody gathers',
    ).toBe('closed')
  })

  it('takes no more of a group than it has places, however many come at the same time (C123)', async () => {
    await parts.store.runs.admit(runOf({ id: 'r_group', type: 'gather' }))
    const member = (n: number) =>
      parts.open().runs.admit(runOf({ id: `r_${n}` }), { gatherer: 'r_group', size: 2 })
    const answers = await Promise.all([1, 2, 3, 4, 1].map(member))
    expect(answers.filter((one) => one === 'accepted')).toHaveLength(2)
    expect(answers.filter((one) => one === 'full').length).toBeGreaterThanOrEqual(2)
    expect(await inputsOf('r_group')).toHaveLength(2)
  })

  it('knows for a minute what enough runs of a channel took, for forecasts (C737)', async () => {
    const { store, clock } = parts
    const add = (id: string, createdAt: number, calls: number) =>
      store.runs.admit(runOf({ id, createdAt, channel: 'general', spent: { calls, ms: 1 } }))
    const { type } = runOf()
    const calls = async (limit: number, { runs } = store) =>
      (await runs.spent(workspace, { channel: 'general', type, limit })).map((one) => one.calls)
    await add('r_1', at, 1)
    expect([await calls(1), await calls(2)]).toEqual([[1], [1]])
    await add('r_2', at + 1, 2)
    expect([await calls(1), await calls(2)], 'too few are read again').toEqual([[1], [1, 2]])
    expect(await calls(1, parts.open())).toEqual([2])
    await clock.advance(60_001)
    expect(await calls(1)).toEqual([2])
  })
}
