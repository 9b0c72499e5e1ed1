import { expect, it } from 'vitest'
import { exportPlan } from '../../../src/agent/domain/plan-export.ts'
import type { Run, RunStatus } from '../../../src/agent/domain/run.ts'
import { declare, emptyPlan, tick } from '../../../src/agent/domain/tracked-plan.ts'
import { free } from '../../../src/agent/strategies/free.ts'
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
const of = (status: RunStatus) =>
  exportPlan({ status, createdAt: 0, endedAt: null } as Run, planned, 1)

it.each([
  ['queued', 'running', 'running'],
  ['running', 'running', 'running'],
  ['awaiting_clarification', 'paused', 'running'],
  ['paused', 'paused', 'running'],
  ['succeeded', 'completed', 'pending'],
  ['failed', 'failed', 'failed'],
  ['canceled', 'failed', 'pending'],
] as const)(
  'a run that is %s exports a plan that is %s (R75, C41, C113)',
  (status, plan, current) => {
    expect(of(status)).toMatchObject({
      status: plan,
      steps: [{ status: 'completed' }, { status: current }],
    })
  },
)

it('a step that was given up is failed, and one that is worked on says how far it is (C113, R74, R75)', () => {
  const run = { status: 'running', createdAt: 0, endedAt: null } as Run
  const givenUp = { step: 1, item: 'Compare', text: null, ok: false }
  const items = planned.planItems.map(({ text }) => ({ text, done: false }))
  const { steps } = exportPlan(run, { ...planned, planItems: items, conclusions: [givenUp] }, 1)
  expect(steps.map(({ status }) => status)).toEqual(['failed', 'running'])
  const plan = tick(declare(emptyPlan, ['Look', 'Book']), 2)
  const tracked = exportPlan(run, { ...free.start('Book', limits, false), plan }, 1)
  expect(tracked.steps.map(({ progress }) => progress)).toEqual([
    { current: 2, total: 5 },
    undefined,
  ])
})
