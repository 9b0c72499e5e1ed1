import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/agent/domain/task.ts'
import type { TraceEntry } from '../../../src/agent/domain/trace.ts'
import { restartAt } from '../../../src/agent/strategies/rewind.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { AnyEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { planRound, refused, think, worked } from './batch-support.ts'
import {
  act,
  answered,
  askUser,
  finish,
  joined,
  observed,
  plan,
  replan,
  stepDone,
} from './support.ts'

/** A task after these events, and what its trace says of them. */
function play(begun: Task, ...events: readonly AnyEvent[]) {
  const trace: TraceEntry[] = []
  const task = events.reduce((before, event) => {
    const after = strategyOf(before).apply(before, event)
    trace.push(
      ...strategyOf(after)
        .narrate(before, event, after)
        .map((what, at) => ({ at, what })),
    )
    return after
  }, begun)
  return { task, trace }
}
const start = (name: 'step' | 'batch' | 'free'): Task =>
  strategies[name].start('Book the offsite', limits, false)
const says = (text: string, ...calls: string[]): AnyEvent => ({
  kind: 'replied',
  contract: 'act',
  reply: { text, calls: calls.map((input) => ({ tool: 'todo', input })) },
  usage: { promptTokens: 10, completionTokens: 2 },
  ms: 100,
})
function again({ task, trace }: ReturnType<typeof play>, step: number | null) {
  const start = restartAt(task, trace, step)
  if (!start.ok) throw new Error(`not at ${step}: ${start.last}`)
  return start
}
const inputs = (list: readonly { input: string }[]) => list.map(({ input }) => input)
const marks = ({ planItems }: Task) =>
  planItems.map(({ text, done }) => `${done ? '+' : '-'}${text}`)

describe('a step task that begins again', () => {
  const over = play(
    start('step'),
    plan('Find', 'Compare', 'Book'),
    ...[act('todo', 'a'), observed(), stepDone('two'), replan('Compare', 'Book')],
    ...[act('todo', 'b'), observed(), askUser(), answered(), replan('Compare', 'Book')],
    ...[act('todo', 'c'), observed(), stepDone('one'), replan('Book')],
    ...[act('todo', 'd'), observed(), stepDone('booked'), finish()],
  )

  it.each([
    [1, ['-Find', '-Compare', '-Book'], [], ['a', 'b', 'c', 'd']],
    [2, ['+Find', '-Compare', '-Book'], ['a'], ['b', 'c', 'd']],
    [3, ['+Find', '+Compare', '-Book'], ['a', 'b', 'c'], ['d']],
    [null, ['+Find', '+Compare', '-Book'], ['a', 'b', 'c'], ['d']],
  ])(
    'at step %s has the plan and what was found out until then (C251)',
    (step, items, kept, undone) => {
      const made = again(over, step)
      expect(marks(made.task)).toEqual(items)
      expect(inputs(made.task.observations)).toEqual(kept)
      expect(inputs(made.undone)).toEqual(undone)
      expect(made.task.conclusions).toHaveLength((step ?? 3) - 1)
      expect(made.task.currentPlanIndex).toBe((step ?? 3) - 1)
    },
  )

  it('goes on with the model at that step, with a new allowance and what people said (C251)', () => {
    const { task } = again(over, 2)
    expect(strategyOf(task).next(task)).toEqual({ kind: 'call_model', contract: 'thought' })
    expect(task.spent).toMatchObject({ steps: 0, modelCalls: 0, promptTokens: 0 })
    expect(task.clarifications.map(({ text }) => text)).toEqual(['Lisbon'])
    const numbered = play(task, act('todo', 'new'), observed()).task
    expect(new Set(numbered.observations.map(({ step }) => step)).size).toBe(2)
    expect(numbered.observations.at(-1)?.step).toBeGreaterThan(
      over.task.observations.at(-1)?.step ?? 0,
    )
  })

  it('can begin again once more, from any of its steps (C251)', () => {
    const once = again(over, 3)
    const later = play(once.task, act('todo', 'e'), observed(), stepDone('booked'))
    const twice = again({ task: later.task, trace: [...once.trace, ...later.trace] }, 2)
    expect(inputs(twice.task.observations)).toEqual(['a'])
    expect(inputs(twice.undone)).toEqual(['b', 'c', 'e'])
  })

  it('begins at no step that had not begun, and in no plan that is not there (C251)', () => {
    const first = play(start('step'), plan('Find', 'Compare', 'Book'), act('todo', 'a'), observed())
    expect(restartAt(first.task, first.trace, 2)).toEqual({ ok: false, last: 1 })
    expect(inputs(again(first, 1).undone)).toEqual(['a'])
    expect(restartAt(start('step'), [], null)).toEqual({ ok: false, last: null })
    expect(restartAt(null, [], 1)).toEqual({ ok: false, last: null })
  })
})

describe('a round that begins again', () => {
  const round = play(start('batch'), planRound('a', 'b', 'c', 'd'), worked(), worked(), worked())

  it('makes the calls from that step on again, without a model (C251)', () => {
    const { task, undone } = again(round, 2)
    if (task.strategy !== 'batch') throw new Error('another strategy')
    expect(inputs(undone)).toEqual(['b', 'c'])
    expect([task.intent?.input, ...inputs(task.queue)]).toEqual(['b', 'c', 'd'])
    const after = play(task, worked(), worked(), worked()).task
    expect(marks(after)).toEqual(['+todo: a', '+todo: b', '+todo: c', '+todo: d'])
    expect(strategyOf(after).next(after)).toEqual({ kind: 'call_model', contract: 'think' })
  })

  it('is planned anew from its question on, which is no call that a tool can make (C251, C37)', () => {
    const ask: [string, string] = ['ask_user', '{"question":"Which city?"}']
    const round = play(start('batch'), planRound('a', ask), worked(), answered())
    const { task } = again(round, 2)
    expect(strategyOf(task).next(task)).toEqual({ kind: 'call_model', contract: 'plan_tool_call' })
    expect(task.clarifications.map(({ text }) => text)).toEqual(['Lisbon'])
    expect(inputs(task.observations)).toEqual(['a'])
  })

  it('is planned anew when it had been thought about (C251)', () => {
    const later = play(
      round.task,
      worked(),
      think('Two venues', false, 'Book'),
      planRound('e'),
      worked(),
      think('Booked', true),
    )
    const { task, undone } = again(later, 1)
    expect(inputs(undone)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(task.conclusions).toEqual([])
    expect(strategyOf(task).next(task)).toEqual({ kind: 'call_model', contract: 'plan_tool_call' })
    const second = again(later, 2)
    expect(inputs(second.undone)).toEqual(['e'])
    expect(marks(second.task)).toEqual(['-Booked'])
  })

  it('is known by its number also where nobody thought about one before it (C276, C251)', () => {
    const unheard = [refused('think'), refused('think'), refused('think'), joined()]
    const later = play(
      round.task,
      worked(),
      ...unheard,
      planRound('e'),
      worked(),
      think('Booked', false, 'Report'),
    )
    const { task, undone } = again(later, 1)
    expect(inputs(undone)).toEqual(['e'])
    expect(strategyOf(task).next(task)).toEqual({ kind: 'call_model', contract: 'plan_tool_call' })
    const next = again(later, 2)
    expect(inputs(next.undone)).toEqual([])
    expect(strategyOf(next.task).next(next.task)).toEqual({
      kind: 'call_model',
      contract: 'plan_tool_call',
    })
  })
})

it('a free task begins again at a tracked step with what its earlier ones came to (C251)', () => {
  const over = play(
    start('free'),
    says('[Step] Find\n[Step] Compare\n[Step] Book', 'a'),
    worked(),
    ...[says('more', 'b'), worked()],
    ...[says('[Step Done]', 'c'), worked(), says('[Step Done]', 'd'), worked()],
  )
  expect(marks(over.task)).toEqual(['+Find', '+Compare', '-Book'])
  const { task, undone } = again(over, 2)
  expect(inputs(undone)).toEqual(['c', 'd'])
  expect(marks(task)).toEqual(['+Find', '-Compare', '-Book'])
  expect(task).toMatchObject({
    currentPlanIndex: 1,
    plan: { current: 1, steps: [{}, { status: 'running', iterations: 0 }, {}] },
  })
  expect(strategyOf(task).next(task)).toEqual({ kind: 'call_model', contract: 'act' })
})
