import { expect, it } from 'vitest'
import { exportPlan } from '../../../src/agent/domain/plan-export.ts'
import type { Run, RunStatus } from '../../../src/agent/domain/run.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import { limits } from '../../support/limits.ts'

const task = step.start('Book the offsite', limits, false)
const planned = {
  ...task,
  planItems: [
    { text: 'Compare', done: true },
    { text: 'Book', done: false },
  ],
  currentPlanIndex: 1,
}
const of = (status: RunStatus) => exportPlan({ status, createdAt: 0, endedAt: null } as Run, planned, 1)

it.each([
  ['queued', 'running', 'running'],
  ['running', 'running', 'running'],
  ['awaiting_clarification', 'paused', 'running'],
  ['paused', 'paused', 'running'],
  ['succeeded', 'completed', 'pending'],
  ['failed', 'failed', 'pending'],
  ['canceled', 'failed', 'pending'],
] as const)('a run that is %s exports a plan that is %s (R75, C41)', (status, plan, current) => {
  expect(of(status)).toMatchObject({ status: plan, steps: [{ status: 'completed' }, { status: current }] })
})
