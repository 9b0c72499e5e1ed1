import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContractInputs, readReply } from '../../../src/agent/contracts.ts'
import { StepTask } from '../../../src/agent/domain/task.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import { isCombined } from '../../../src/agent/strategies/step-thought.ts'
import type { Action, StepContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { runs } from '../../support/runs.ts'
import { deepFreeze, onlyAdds } from './random.ts'
import { inputOf, type Move, modelMoves } from './script.ts'
import { ana } from './support.ts'

/** No script needs more moves than this; one that does is a task that never ends. */
const movesMost = 2_000

const smallLimits = fc.record({
  maxSteps: fc.integer({ min: 1, max: 12 }),
  maxModelCalls: fc.integer({ min: 1, max: 30 }),
  maxToolCalls: fc.integer({ min: 1, max: 8 }),
  maxTokens: fc.integer({ min: 1, max: 3_000 }),
  maxWallMs: fc.integer({ min: 1, max: 10_000 }),
  maxToolFailures: fc.integer({ min: 1, max: 3 }),
  maxContractFailures: fc.integer({ min: 1, max: 3 }),
  maxUnavailable: fc.integer({ min: 1, max: 4 }),
})

interface History {
  task: StepTask
  /** Every action and the event that came of it. */
  moves: {
    before: StepTask
    action: Action<StepContract>
    event: TaskEvent<StepContract>
    after: StepTask
  }[]
}

/** Plays the driver, a model with these moves and a person who answers, interrupts and continues a few times. */
function playOut(begun: StepTask, script: readonly Move[], pauses: number): History {
  const moves: History['moves'] = []
  let task = begun
  let left = pauses
  for (let turn = 0; turn < movesMost; turn++) {
    const action = step.next(task)
    if (action.kind === 'finish' || action.kind === 'give_up') return { task, moves }
    if (action.kind === 'pause' && left-- === 0) return { task, moves }
    const move = script[turn % script.length]
    if (move === undefined) throw new Error('an empty script')
    // The model goes on for ever; people have said what they have to say.
    const event = eventOf(task, action, turn < script.length ? move : { ...move, says: null })
    const after = step.apply(task, event)
    moves.push({ before: task, action, event, after })
    task = deepFreeze(after)
  }
  throw new Error(`the task did not end within ${movesMost} moves`)
}

function eventOf(
  task: StepTask,
  action: Action<StepContract>,
  { reply, tool, says, call }: Move,
): TaskEvent<StepContract> {
  if (says !== null && action.kind === 'call_model')
    return { kind: 'joined', text: says, author: ana }
  switch (action.kind) {
    case 'wait':
      return {
        kind: 'answered',
        question: task.lastQuestion?.text ?? '',
        text: says ?? 'yes',
        author: ana,
      }
    case 'call_tool':
      return tool === null ? { kind: 'interrupted' } : { kind: 'observed', ...tool, ms: call.ms }
    case 'call_model':
      return replyEvent(task, action.contract, reply[action.contract], call)
    default:
      return { kind: 'continued' }
  }
}

function replyEvent(
  task: StepTask,
  contract: 'plan' | 'thought' | 'replan',
  value: unknown,
  call: Move['call'],
): TaskEvent<StepContract> {
  if (value === null) return { kind: 'unavailable', contract, waitMs: call.ms, ...call }
  const read = readReply(contract, inputOf(task) as ContractInputs[typeof contract], value)
  if (!read.ok) return { kind: 'refused', contract, problem: read.problem, ...call }
  return { kind: 'replied', contract, reply: read.reply, ...call } as TaskEvent<StepContract>
}

const setups = fc.record({
  over: fc.oneof(
    fc.constant(limits),
    smallLimits,
    smallLimits.map((most) => ({ ...most, callsEndItems: true, replanSkips: 100 })),
  ),
  unattended: fc.boolean(),
  script: modelMoves,
  pauses: fc.integer({ min: 0, max: 3 }),
})

/** The claim is true of the whole story of every random task. */
function holds(claim: (history: History) => void): void {
  const property = fc.property(setups, ({ over, unattended, script, pauses }) =>
    claim(playOut(deepFreeze(step.start('Book the offsite', over, unattended)), script, pauses)),
  )
  fc.assert(property, { numRuns: runs() })
}

describe('every task with a random model', () => {
  it('ends, pauses or waits within its ceilings (P12, R20, C7, C36)', () => {
    holds(({ moves }) => {
      for (const { before, action, after } of moves) {
        const { spent, allowanceFrom: from, limits: most } = after
        // The calls of the last allowed thought are still made (R20, C509).
        expect(spent.steps).toBeLessThanOrEqual(most.maxSteps + 8)
        expect(spent.modelCalls - from.modelCalls).toBeLessThanOrEqual(most.maxModelCalls)
        expect(spent.toolCalls - from.toolCalls).toBeLessThanOrEqual(most.maxToolCalls)
        if (action.kind === 'call_model') expect(before.spent.steps).toBeLessThan(most.maxSteps)
        if (action.kind !== 'call_model' && action.kind !== 'call_tool') continue
        expect(before.spent.activeMs - before.allowanceFrom.activeMs).toBeLessThan(most.maxWallMs)
      }
    })
  })

  it('keeps its cursor within its list, and stays a record that reads back (P12, R37, R36)', () => {
    holds(({ moves }) => {
      for (const { after } of moves) {
        expect(after.currentPlanIndex).toBeGreaterThanOrEqual(0)
        expect(after.currentPlanIndex).toBeLessThanOrEqual(after.planItems.length)
        expect(StepTask.parse(JSON.parse(JSON.stringify(after)))).toEqual(after)
      }
    })
  })

  it('has one accepted plan, and none after it (P12, R2)', () => {
    holds(({ moves }) => {
      const plans = moves.filter(
        ({ event }) => event.kind === 'replied' && event.contract === 'plan',
      )
      expect(plans.length).toBeLessThanOrEqual(1)
      for (const { before, action } of moves)
        if (action.kind === 'call_model')
          expect(action.contract === 'plan').toBe(!before.planInitialized)
    })
  })

  it('replans exactly when something made it necessary (P12, R5, R6, R7, R8, R14, C2)', () => {
    holds(({ task, moves }) => {
      // The strict order; what else may lead to a replan is in `combined.test.ts`.
      if (isCombined(task)) return
      let due = false
      for (const { action, event, before, after } of moves) {
        if (action.kind === 'call_model' && before.planInitialized)
          expect(action.contract).toBe(due ? 'replan' : 'thought')
        if (event.kind === 'replied' && event.contract === 'replan') due = false
        if (event.kind === 'answered' || event.kind === 'joined') due = true
        if (after.conclusions.length > before.conclusions.length) due = true
        expect(after.needsReplan).toBe(due)
      }
    })
  })

  it('changes its list only with a plan or a replan, never with a thought (P12, R10)', () => {
    holds(({ moves }) => {
      for (const { event, before, after } of moves) {
        if (event.kind === 'replied' && event.contract !== 'thought') continue
        expect(after.planItems.map((item) => item.text)).toEqual(
          before.planItems.map((item) => item.text),
        )
      }
    })
  })

  it('calls nothing while a question is open (P12, R11)', () => {
    holds(({ moves }) => {
      for (const { action, before } of moves)
        if (before.awaitingClarification) expect(action.kind).toBe('wait')
    })
  })

  it('ends with words, or with all done, of which the loop makes them (P11, C338)', () => {
    holds(({ task }) => {
      const last = step.next(task)
      if (last.kind !== 'finish' || last.text.trim() !== '') return
      expect(last.ok).toBe(true)
      expect(task.conclusions).not.toEqual([])
      expect(task.planItems.filter(({ done }) => !done)).toEqual([])
    })
  })

  it('only adds to its growing parts and to its totals (P12, C35)', () => {
    holds(({ moves }) => onlyAdds(moves))
  })
})
