import { expect, it } from 'vitest'
import type { WebHealth, WorkerState } from '../../../src/adapters/web/deps.ts'
import { healthInWords } from '../../../src/adapters/web/health-words.ts'
import { joinMetrics, type Report, withWorkers } from '../../../src/compose/worker-report.ts'
import { unlimited } from '../../support/agent.ts'

const now = Date.UTC(2026, 2, 4, 12)
const well: WebHealth = {
  ok: true,
  store: { ok: true, detail: '' },
  queue: { ok: true, detail: '' },
  channels: {},
  model: { ok: true, detail: 'not asked yet', name: 'gpt', rehearsal: false, last: null },
}
const stateOf = (number: number, state: WorkerState['state']): WorkerState => ({
  ...{ number, state, pid: 100 + number, restarts: 0, detail: 'a word' },
})
const reportOf = (model: Partial<Report['model']>): Report => ({
  ...{ ok: true, detail: '', untold: 0, allowances: {}, metrics: '' },
  model: { ok: true, detail: '', last: null, awayUntil: null, ...model },
})
const failed = { ok: false, last: { kind: 'key_refused', at: now }, awayUntil: now + 1 }

it('takes the newest word about the model from the workers, who ask it (C590)', () => {
  const answered = { last: { kind: 'answered', at: now - 5 } }
  for (const reports of [
    [reportOf(answered), reportOf(failed)],
    [reportOf(failed), reportOf(answered)],
  ]) {
    const { ok, model } = withWorkers(well, [stateOf(1, 'working')], reports)
    expect({ ok, model }).toMatchObject({ ok: false, model: { ...failed, name: 'gpt' } })
  }
  const own = { ...well.model, last: { kind: 'answered', at: now + 1 } }
  const { ok, model } = withWorkers(
    { ...well, model: own },
    [stateOf(1, 'working')],
    [reportOf(failed)],
  )
  expect({ ok, model }).toEqual({ ok: true, model: own })
})

it('is not ready where no worker answers, and names each that does not work (C590)', () => {
  const shown = (...states: WorkerState[]) => {
    const health = withWorkers(well, states, [])
    const backlog = { due: { count: 0, since: null }, outbox: { count: 0, since: null } }
    const lines = healthInWords({
      ...{ now, locale: 'en', timeZone: 'UTC', limits: unlimited, used: [], names: new Map() },
      ...{ health, backlog: { ...backlog, aside: 0, failed: 0 } },
    })
    const { level, text } = lines.find(({ name }) => name === 'Workers') ?? {}
    return [health.ok, level, text]
  }
  expect(shown(stateOf(1, 'working'))).toEqual([true, 'well', 'One worker runs.'])
  expect(shown(stateOf(1, 'working'), stateOf(2, 'silent'))).toEqual([
    ...[true, 'look', 'Worker 2 does not answer.'],
  ])
  expect(shown(stateOf(1, 'silent'), stateOf(2, 'silent'))).toEqual([
    ...[false, 'trouble', 'Worker 1 does not answer. Worker 2 does not answer.'],
  ])
  expect(shown(stateOf(1, 'starting'))).toEqual([true, 'trouble', 'Worker 1 is being started.'])
})

it('joins metrics under one name each, in the order in which they came (C590)', () => {
  const own = '# HELP a of a\n# TYPE a counter\na 1\n\n# HELP b of b\n# TYPE b gauge\n'
  const other =
    '# HELP b of b\n# TYPE b gauge\nb{worker="1"} 2\n\n# HELP c of c\n# TYPE c gauge\nc 3\n'
  expect(joinMetrics([own, other])).toBe(
    '# HELP a of a\n# TYPE a counter\na 1\n\n# HELP b of b\n# TYPE b gauge\nb{worker="1"} 2\n\n# HELP c of c\n# TYPE c gauge\nc 3\n',
  )
  expect(joinMetrics([own])).toBe(own)
})
