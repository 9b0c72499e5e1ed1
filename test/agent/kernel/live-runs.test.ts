import { expect, it } from 'vitest'
import type { Run } from '../../../src/agent/domain/run.ts'
import { createLiveRuns } from '../../../src/agent/kernel/live-runs.ts'

const running = (n: number) => ({ id: `r_${n}`, status: 'running' }) as Run

it('lets no run go that is driven here, however many there are', () => {
  const live = createLiveRuns(3_000)
  for (let n = 0; n < 3_000; n++) live.note(`k_${n}`, running(n), null)
  expect(live.of({ runId: 'r_0', revision: 'k_0' })).toMatchObject({ run: { id: 'r_0' } })
})
