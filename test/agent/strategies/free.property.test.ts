import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FreeTask } from '../../../src/agent/domain/task.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import { calls, holding, itKeepsTheRules, mostly } from './random.ts'

const line = fc.constantFrom(
  '[Step] Find venues',
  '[Step] Compare',
  '[Step] Book it',
  '[Done]',
  'Next I look.',
  'I do not go on now.',
  '[step] lower case',
  '```\n[Step] code\n```',
  '',
)
const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'))
const turn = fc.oneof(
  { weight: 8, arbitrary: fc.record({ text, calls: calls(4, 'input') }) },
  { weight: 1, arbitrary: fc.record({ text, calls: fc.constant([]) }) },
)
const holds = holding(strategies.free, fc.record({ act: mostly(turn) }))

describe('every free task with a random model', () => {
  itKeepsTheRules(holds)

  it('has a plan exactly when a tool was called (P12, R73)', () => {
    holds(({ steps }) => {
      for (const { after } of steps) {
        const { plan, observations, intent } = after as FreeTask
        expect(plan !== null).toBe(observations.length > 0 || intent !== null)
      }
    })
  })

  it('completes one step an iteration, several only by a text without a call, in order, and none that is declared later or twice (P12, R82, R71, R86, C545)', () => {
    holds(({ steps }) => {
      for (const step of steps) {
        const [before, after] = [(step.before as FreeTask).plan, (step.after as FreeTask).plan]
        if (after === null) continue
        expect(after.current - (before?.current ?? 0)).toBeGreaterThanOrEqual(0)
        const isText = JSON.stringify(step.event).includes('"calls":[]')
        const most = isText ? after.steps.length : 1
        expect(after.current - (before?.current ?? 0)).toBeLessThanOrEqual(most)
        after.steps.forEach(({ status, id }, index) => {
          expect(id).toBe(`step_${index + 1}`)
          const should =
            index < after.current
              ? /completed|failed/
              : index === after.current
                ? /running/
                : /pending/
          expect(status).toMatch(should)
        })
        expect(new Set(after.steps.map((one) => one.description)).size).toBe(after.steps.length)
      }
    })
  })

  it('has no more iterations than it may, and stays in no step for more than five (P12, R87, R81)', () => {
    holds(({ steps }) => {
      for (const { after } of steps) {
        const used = after.spent.modelCalls - after.allowanceFrom.modelCalls
        expect(used).toBeLessThanOrEqual(after.limits.maxIterations ?? 200)
        for (const step of (after as FreeTask).plan?.steps ?? [])
          expect(step.iterations).toBeLessThanOrEqual(5)
        expect((after as FreeTask).inStep ?? 0).toBeLessThan(5)
      }
    })
  })
})
