import { describe, expect, it } from 'vitest'
import { stepsLeft } from '../../../src/agent/domain/plan-edit.ts'
import type { Task } from '../../../src/agent/domain/task.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { AnyEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { planRound, refused, think, worked } from './batch-support.ts'
import { act, ana, joined, plan, replan, stepDone } from './support.ts'

const play = (task: Task, ...events: readonly AnyEvent[]): Task =>
  events.reduce((before, event) => strategyOf(before).apply(before, event), task)
const start = (name: 'step' | 'batch' | 'free') =>
  strategies[name].start('Book the offsite', limits, false)
const edit = (seen: string[], steps: string[]): AnyEvent => ({
  kind: 'plan_edited',
  entryId: 'e',
  by: ana,
  seen,
  steps,
})
const says = (text: string, ...calls: string[]): AnyEvent => ({
  kind: 'replied',
  contract: 'act',
  reply: { text, calls: calls.map((input) => ({ tool: 'todo', input })) },
  usage: { promptTokens: 10, completionTokens: 2 },
  ms: 100,
})
const texts = (task: Task) => task.planItems.map(({ text }) => text)

const begun = {
  step: () =>
    play(
      start('step'),
      plan('Find', 'Compare', 'Book'),
      stepDone('two'),
      replan('Compare', 'Book', 'Report'),
    ),
  batch: () => play(start('batch'), planRound('a', 'b', 'c', 'd'), worked()),
  free: () => play(start('free'), says('[Step] Find\n[Step] Compare\n[Step] Book', 'list')),
}

describe.each(['step', 'batch', 'free'] as const)(
  'the plan of a %s task, changed by a person',
  (name) => {
    const task = begun[name]()
    const left = stepsLeft(task) ?? []
    const [first = '', second = ''] = left

    it('has the steps that were left, in their order, without what was left out and with what is new (C208)', () => {
      const after = play(task, edit(left, [second, 'Call Ben', first]))
      expect(stepsLeft(after)).toEqual([second, 'Call Ben', first])
      expect(texts(after).slice(0, -3)).toEqual(texts(task).slice(0, -2))
      expect(after.lastChange).toEqual({ added: ['Call Ben'], dropped: [], because: null, by: ana })
      expect(play(task, edit(left, [second])).lastChange).toMatchObject({
        added: [],
        dropped: [first],
      })
    })

    it('keeps what has begun, and asks for no replan (C208, C2, R7)', () => {
      const after = play(task, edit(left, [second]))
      expect(after).toMatchObject({
        currentPlanIndex: task.currentPlanIndex,
        intent: task.intent,
        observations: task.observations,
      })
      if (after.strategy === 'step') expect(after.needsReplan).toBe(false)
      const action = strategyOf(after).next(after)
      if (action.kind === 'call_model') expect(action.contract).not.toBe('replan')
    })

    it('tells the model with the next request (C208)', () => {
      const { clarifications } = play(task, edit(left, [second]))
      expect(clarifications).toMatchObject([{ question: null, author: ana }])
      expect(clarifications[0]?.text).toContain(`Not to be done: ${first}.`)
    })

    it('is left alone when a step has begun meanwhile, or the task is over (C208)', () => {
      expect(play(task, edit(['Begun', ...left], [second]))).toBe(task)
      expect(play(task, edit([second], [second]))).toBe(task)
      const over: Task = { ...task, settled: { kind: 'finished', ok: true, text: 'Done' } }
      expect(play(over, edit(left, [second]))).toBe(over)
    })

    it('takes a change of the steps behind one that began meanwhile (C208)', () => {
      const after = play(task, edit(['Begun', ...left], ['Begun', second, first]))
      expect(stepsLeft(after)).toEqual([second, first])
    })

    it('tells the trace who changed it (C208, R119)', () => {
      const event = edit(left, [second])
      const after = play(task, event)
      expect(strategyOf(task).narrate(task, event, after)).toMatchObject([
        { kind: 'replanned', items: texts(after), change: { dropped: [first], by: ana } },
      ])
    })
  },
)

it('a step whose turn has just come may still be changed until something is done for it (C208)', () => {
  const own = { ...limits, replanSkips: 9 }
  const first = strategies.step.start('Book the offsite', own, false)
  const task = play(first, plan('Find', 'Compare', 'Book'), stepDone('two'))
  const change = edit(['Compare', 'Book'], ['Book'])
  expect(texts(play(task, change))).toEqual(['Find', 'Book'])
  expect(texts(play(task, act(), change))).toEqual(['Find', 'Compare', 'Book'])
  expect(play(task, edit(['Compare', 'Book'], []))).toMatchObject({ needsReplan: true })
})

describe('a round', () => {
  const round = begun.batch()

  it('makes its calls in the new order, under numbers that are given once (C208, rule 5)', () => {
    const after = play(round, edit(['todo: c', 'todo: d'], ['todo: d', 'todo: c']))
    if (after.strategy !== 'batch') throw new Error('another strategy')
    expect([after.intent, ...after.queue].map((call) => [call?.input, call?.step])).toEqual([
      ['b', 3],
      ['d', 4],
      ['c', 5],
    ])
  })

  it('ends before a step that is there in words alone; no later call has the number of one that was made (C208, rule 5)', () => {
    const after = play(
      round,
      edit(['todo: c', 'todo: d'], ['todo: d', 'Call Ben', 'todo: c']),
      worked(),
      worked(),
    )
    expect(after).toMatchObject({ intent: null, stage: 'think', queue: [] })
    expect(after.planItems.map(({ done }) => done)).toEqual([true, true, true, false, false])
    const next = play(after, think('half'), planRound('e'))
    expect(next.intent?.step).toBeGreaterThan(4)
  })
})

it('a step that is added while the last word is written is done, and so is what is said then (C276, C208, C50)', () => {
  const refusals = [refused('think'), refused('think'), refused('think')]
  const closing = play(start('batch'), planRound('a', 'b'), worked(), worked(), ...refusals)
  const asked = (task: Task) => strategyOf(task).next(task)
  expect(asked(closing)).toEqual({ kind: 'call_model', contract: 'summary' })
  expect(asked(play(closing, edit([], ['Tell Ben'])))).toEqual({
    kind: 'call_model',
    contract: 'plan_tool_call',
  })
  expect(asked(play(closing, joined()))).toEqual({ kind: 'call_model', contract: 'plan_tool_call' })
})

describe('a plan', () => {
  it('of a strategy from outside, or that is not there yet, cannot be changed (C208)', () => {
    expect(stepsLeft(start('step'))).toBeNull()
    const custom: Task = { ...begun.free(), strategy: 'custom', name: 'own', queue: [], state: {} }
    expect(stepsLeft(custom)).toBeNull()
    expect(play(begun.step(), edit([], []))).toEqual(begun.step())
  })

  it('of a free task gets names for its steps that no later one has (C208)', () => {
    const after = play(
      begun.free(),
      edit(['Compare', 'Book'], ['Book', 'Pay']),
      says('[Step] Celebrate', 'list'),
    )
    if (after.strategy !== 'free') throw new Error('another strategy')
    expect(after.plan?.steps.map(({ id, description }) => `${id} ${description}`)).toEqual([
      'step_1 Find',
      'step_2 Book',
      'step_3 Pay',
      'step_4 Celebrate',
    ])
  })
})
