import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CodingTask } from '../../../src/agent/domain/task.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import { holding, itKeepsTheRules, mostly, words } from './random.ts'

const step = fc.record({ title: words, description: words, constraints: words, expected: words })
const replies = fc.record({
  mission: mostly(fc.record({ steps: fc.array(step, { maxLength: 4 }) })),
  evaluate: mostly(
    fc.record({
      decision: fc.constantFrom('next', 'next', 'retry', 'replan', 'abort'),
      evidence: words,
      instruction: words,
      project_context: words,
    }),
  ),
  mission_report: mostly(fc.record({ report: words })),
})
const holds = holding(strategies.coding, replies)

describe('every mission with a random model and a random coding agent', () => {
  itKeepsTheRules(holds)

  it('has one task in hand at a time, each under a name of its own (P12, R125)', () => {
    holds(({ steps }) => {
      const sent: number[] = []
      for (const { before, action, event } of steps) {
        const { order } = before as CodingTask
        if (action.kind === 'hand_over') expect(order?.sentAt).toBe(null)
        if (action.kind === 'await_report') expect(order?.sentAt).not.toBe(null)
        if (action.kind === 'call_model') expect(order).toBe(null)
        if (event.kind === 'order_sent') sent.push(order?.ordinal ?? 0)
      }
      expect(sent).toEqual([...new Set(sent)].sort((a, b) => a - b))
    })
  })

  it('retries a step no more often than it may, and after so many given up in a row asks or ends (P12, R131, R134, F32)', () => {
    holds(({ steps }) => {
      for (const { after } of steps) {
        const task = after as CodingTask
        expect(task.retries).toBeLessThanOrEqual(task.limits.maxRetries ?? 3)
        const most = task.limits.maxFailedSteps ?? 3
        expect(task.failedInRow).toBeLessThanOrEqual(most)
        if (task.failedInRow === most && task.settled === null)
          expect(task.awaitingClarification || task.reached === false).toBe(true)
      }
    })
  })

  it('does no finished step again, whatever is planned anew (P12, R130, R132)', () => {
    holds(({ steps }) => {
      for (const step of steps) {
        const [before, after] = [step.before as CodingTask, step.after as CodingTask]
        const done = (task: CodingTask) =>
          task.steps.filter(({ state }) => state === 'done').map(({ title }) => title)
        expect(done(after).slice(0, done(before).length)).toEqual(done(before))
        if (step.action.kind === 'hand_over')
          expect(before.steps[before.currentPlanIndex]?.state).toBe('open')
      }
    })
  })
})
