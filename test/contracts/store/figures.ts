import { expect, it } from 'vitest'
import { noFigures } from '../../../src/agent/domain/figures.ts'
import type { Change } from '../../../src/agent/ports/store.ts'
import type { Parts } from '../store.ts'
import { ana, at, changeOf, claim, itemOf, openRun, runOf, workspace } from './rows.ts'

const day = '2026-03-04'
const counts = { promptTokens: 50, completionTokens: 7, cost: 3 }
const used = { day, person: ana.id, channel: 'general', ...counts }
const schedule = { scope: 'channel:general', id: 3, slot: at, allow: [] }
const place = { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' }
const started = runOf({ startedAt: at, requestedBy: ana, title: 'What is due' })

/** A run that ends after a minute, and how it ends. */
const ending = (status: 'succeeded' | 'failed', run = started): Partial<Change> => ({
  ended: [run],
  runs: [
    { id: run.id, patch: { status, endedAt: at + 60_000 } },
    { id: run.id, patch: { conversationId: 'c_1' } },
  ],
})

export function describeFigures(parts: Parts) {
  const figures = async (...days: string[]) =>
    (await parts.store.usage.figures(workspace, days.length === 0 ? [day] : days)).toSorted(
      (one, other) =>
        `${one.day}${one.by}${one.id}` < `${other.day}${other.by}${other.id}` ? -1 : 1,
    )
  async function held() {
    const { run } = await openRun(parts.store)
    const lease = await claim(parts.store, itemOf('run', run.id))
    return async (change: Partial<Change>) =>
      await parts.store.commits.commit(lease, changeOf(change))
  }

  it('counts tokens by person, channel, schedule and model, and runs by how they ended, in the commit itself and once (C226, C699, P8)', async () => {
    const commit = await held()
    const models = [
      { model: 'small', ...counts, promptTokens: 20 },
      { model: 'gpt-5.5', ...counts, promptTokens: 30 },
    ]
    const change = {
      id: 'k_used',
      usage: { ...used, name: 'Ana', schedule: 'channel:general#3', models },
    }
    for (let n = 0; n < 2; n++) expect(await commit(change)).toMatchObject({ kind: 'committed' })
    const scheduled = { ...started, requestedBy: null, schedule: { ...schedule, place } }
    const early = { ...started, steps: { done: 1, total: 3 } }
    for (let n = 0; n < 2; n++) await commit({ id: 'k_end', ...ending('succeeded', early) })
    await commit(ending('failed', scheduled))
    const row = { day, name: null, ...noFigures }
    const once = { ...row, ...counts, ms: 60_000 }
    expect(await figures()).toEqual([
      { ...once, by: 'channel', id: 'general', succeeded: 1, early: 1, failed: 1, ms: 120_000 },
      { ...row, by: 'model', id: 'gpt-5.5', ...counts, promptTokens: 30 },
      { ...row, by: 'model', id: 'small', ...counts, promptTokens: 20 },
      { ...once, by: 'person', id: ana.id, name: 'Ana', succeeded: 1, early: 1 },
      { ...once, by: 'schedule', id: 'channel:general#3', name: 'What is due', failed: 1 },
      { ...once, by: 'team', id: '', succeeded: 1, early: 1, failed: 1, ms: 120_000 },
    ])
    expect(await figures('2026-03-03', '2026-03-05')).toEqual([])
  })

  it('counts nothing of a commit that is refused, and the month as before (C226, P6)', async () => {
    const commit = await held()
    const expect_ = [{ kind: 'mailbox' as const, count: 9 }]
    expect(await commit({ expect: expect_, usage: used, ...ending('succeeded') })).toEqual({
      kind: 'conflict',
    })
    expect(await figures()).toEqual([])
    await commit({ usage: used })
    const { month } = await parts.store.usage.ofDay(workspace, day, {
      person: ana.id,
      channel: null,
    })
    expect(month).toMatchObject({ person: counts, team: counts })
  })

  it('hands out what was counted of a person and erases it; the sums of the others stay (C231, C117, C118)', async () => {
    const { store } = parts
    const commit = await held()
    const own = {
      ...started,
      id: 'r_own',
      requestedBy: null,
      schedule: { ...schedule, scope: `user:${ana.id}`, place },
    }
    await commit({ usage: { ...used, name: 'Ana' } })
    await commit(ending('succeeded', own))
    await commit({ usage: { ...used, person: 'u1.2' } })
    await commit({ warned: { period: day, name: `person_day:${ana.id}` } })
    const kept = await store.privacy.kept(workspace, ana.id)
    expect(kept.filter(({ kind }) => kind === 'usage')).toMatchObject([
      { text: day, input: { ...counts, succeeded: 0 } },
    ])
    await store.privacy.erase(workspace, ana.id)
    expect((await figures()).map(({ by, id, promptTokens }) => [by, id, promptTokens])).toEqual([
      ['channel', 'general', 100],
      ['person', 'u1.2', 50],
      ['team', '', 100],
    ])
    const { month } = await store.usage.ofDay(workspace, day, { person: ana.id, channel: null })
    expect(month).toMatchObject({ person: { promptTokens: 0 }, team: { promptTokens: 100 } })
    expect(
      (await store.privacy.kept(workspace, ana.id)).filter(({ kind }) => kind === 'usage'),
    ).toEqual([])
  })
}
