import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BatchTask } from '../../../src/agent/domain/task.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import { calls, holding, itKeepsTheRules, mostly, words } from './random.ts'

const replies = fc.record({
  plan_tool_call: mostly(
    fc.record({ steps: calls(9, 'arguments'), reasoning: words, estimated_steps: fc.nat(8) }),
  ),
  think: mostly(
    fc.record({
      internal_analysis: words,
      user_summary: words,
      task_completed: fc.boolean(),
      next_steps_preview: words,
    }),
  ),
  summary: mostly(fc.record({ content: words })),
})

const holds = holding(strategies.batch, replies)

describe('every batch with a random model', () => {
  itKeepsTheRules(holds)

  it('has no more rounds than it may, and no more calls in one (P12, R58, R50, C512)', () => {
    holds(({ steps }) => {
      for (const step of steps) {
        const after = step.after as BatchTask
        // C512: with progress rounds go on, up to four times their number.
        const most = 4 * (after.limits.maxRounds ?? 5)
        expect(after.rounds - after.roundsBefore).toBeLessThanOrEqual(most)
        const made = after.observations.filter((one) => one.turn === after.rounds)
        expect(made.length).toBeLessThanOrEqual(8)
      }
    })
  })

  it('thinks after every plan before it plans again (P12, R45)', () => {
    holds(({ steps }) => {
      const accepted = steps.flatMap(({ before, event }) => {
        if (event.kind === 'replied') return [event.contract]
        // Whose every thought is refused comes to its close, and from there people may bring it back (R60, C50).
        return event.kind === 'joined' && (before as BatchTask).stage === 'close' ? ['said'] : []
      })
      accepted.forEach((contract, index) => {
        if (contract === 'think') expect(accepted[index - 1]).toBe('plan_tool_call')
        if (contract === 'plan_tool_call')
          expect(['think', 'summary', 'said', undefined]).toContain(accepted[index - 1])
      })
    })
  })

  it('makes no call after a failure in the same round (P12, R64)', () => {
    holds(({ steps }) => {
      for (const { action, before } of steps) {
        if (action.kind !== 'call_tool') continue
        const round = (before as BatchTask).rounds
        expect(before.observations.filter((one) => one.turn === round && !one.ok)).toEqual([])
      }
    })
  })
})
