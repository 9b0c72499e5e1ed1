import { describe, expect, it } from 'vitest'
import { closes, decides, ends, held, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew } from '../../support/agent.ts'

const start = useClew()
const rest = ['Compare', 'Book']
const other = ['Book', 'Call Ben']

/** A task that thinks about the first of three steps; `release` lets it close that step. */
async function thinking(): Promise<TestClew & { release(): void }> {
  const clew = await start({ limits: { replanSkips: 9 } })
  const first = held(closes('Two venues'))
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find', ...rest))
  clew.model.on('thought', first)
  clew.model.answer(({ contract }) => (contract === 'replan' ? ends('Booked.') : closes('ok')))
  await clew.say('Book the offsite')
  await clew.idle(1)
  return Object.assign(clew, { release: first.release })
}
const items = async (clew: TestClew) => (await clew.task()).planItems.map(({ text }) => text)
const edits = async (clew: TestClew) =>
  (await clew.trace((await clew.run()).id)).filter(
    (one) => one.kind === 'replanned' && one.change?.by !== undefined,
  )

describe('a plan that a person changes', () => {
  it('is worked on as it is then, without a replan in between (C208, R7)', async () => {
    const clew = await thinking()
    await clew.editPlan(rest, other, { by: ben })
    await clew.idle(1)
    clew.release()
    await clew.idle()
    expect(await items(clew)).toEqual(['Find', ...other])
    expect((await clew.task()).conclusions.map(({ item }) => item)).toEqual(['Find', ...other])
    expect(clew.model.contracts()).toEqual([
      'decision',
      'plan',
      'thought',
      'thought',
      'thought',
      'replan',
    ])
    expect(await edits(clew)).toMatchObject([
      { change: { added: ['Call Ben'], dropped: ['Compare'], by: ben } },
    ])
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('stays as it is when a step began meanwhile, and the person alone is told (C208)', async () => {
    const clew = await thinking()
    const second = held(closes('ok'))
    clew.model.on('thought', second)
    clew.release()
    await clew.idle(1)
    await clew.editPlan(rest, other, { by: ben })
    await clew.idle(1)
    second.release()
    await clew.idle()
    expect(await items(clew)).toEqual(['Find', ...rest])
    expect(clew.texts().filter((text) => text.includes('changed in the meantime'))).toEqual([
      '(to ben) The plan for “Book the offsite” changed in the meantime, so I didn’t apply your change. Look at the remaining steps and try again.',
    ])
    expect(await edits(clew)).toEqual([])
  })

  it('is changed while the task is paused, and nothing else happens until somebody continues it (C208, C35)', async () => {
    const clew = await start({ limits: { maxSteps: 1, replanSkips: 9 } })
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find', ...rest))
    clew.model.on('thought', closes('Two venues'))
    await clew.say('Book the offsite')
    await clew.idle()
    const before = clew.texts()
    await clew.editPlan(['Book'], ['Pay'])
    await clew.idle()
    expect(await items(clew)).toEqual(['Find', 'Compare', 'Pay'])
    expect(clew.texts()).toEqual(before)
    expect((await clew.run()).status).toBe('paused')
    const paused = (await clew.trace((await clew.run()).id)).filter(
      (one) => one.kind === 'status' && one.status === 'paused',
    )
    expect(paused).toHaveLength(1)
  })

  it('of a task that has ended stays as it ended (C208, R102)', async () => {
    const clew = await thinking()
    clew.release()
    await clew.idle()
    await clew.editPlan([], ['More'])
    await clew.idle()
    expect(clew.texts().at(-1)).toContain('has already ended')
  })
})

describe('a change of a plan through a crash', () => {
  const cases = (['before', 'after'] as const).flatMap((when) =>
    [1, 2].map((n) => [when, n] as const),
  )

  it.each(cases)('%s commit %i is made once (C208, P1)', async (when, n) => {
    const clew = await thinking()
    const second = held(closes('ok'))
    clew.model.on('thought', second)
    clew.crashAt(`${when} commits.commit`, n)
    // A platform that hears nothing sends its event again.
    void clew.editPlan(rest, other, { keys: ['the change'] })
    await clew.idle(1)
    await clew.editPlan(rest, other, { keys: ['the change'] })
    await clew.idle(1)
    clew.release()
    await clew.idle(1)
    second.release()
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    expect(await items(clew)).toEqual(['Find', ...other])
    expect(await edits(clew)).toHaveLength(1)
    expect(clew.lives()).toBe(2)
  })
})
