import { describe, expect, it } from 'vitest'
import { type ContractReplies, readReply } from '../../../src/agent/contracts.ts'
import { StepTask } from '../../../src/agent/domain/task.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import type { StepContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { inputs } from '../model/inputs.ts'
import {
  act,
  answered,
  askUser,
  begun,
  finish,
  joined,
  observed,
  plan,
  planned,
  play,
  replan,
  stepDone,
} from './support.ts'

const combined = { callsEndItems: true, replanSkips: 100 }
const three = ['Find venues', 'Compare', 'Book']
const call = { usage: { promptTokens: 10, completionTokens: 2 }, ms: 100 }
const add = (what: string) => ({ tool: 'todo', input: `add ${what}` })

type Thought = ContractReplies['thought']
const nothing = {
  ...{ next_action: null, more_actions: null, question: null, choices: null, say: null },
  ...{ leads_to: null, response: null, parts: null },
}
const thought = (reply: Partial<Thought> & Pick<Thought, 'status'>): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'thought',
  reply: { ...nothing, current_step: 'item', ...reply },
  ...call,
})
const several = (...calls: string[]): TaskEvent<StepContract> => {
  const [next_action = null, ...more_actions] = calls.map(add)
  return thought({ status: 'continue', next_action, more_actions, leads_to: 'item_done' })
}
const planWith = (items: string[], ...calls: string[]): TaskEvent<StepContract> => ({
  kind: 'replied',
  contract: 'plan',
  reply: { status: 'planned', plan: items, calls: calls.map(add), leads_to: 'item_done' },
  ...call,
})
/** What the task does next, in a word. */
const due = (task: StepTask): string => {
  const action = step.next(task)
  if (action.kind === 'call_model') return action.contract
  return action.kind === 'call_tool' ? action.input : action.kind
}

describe('several calls of one thought (C509)', () => {
  it('are made in order, each with a number of its own, and end their item together', () => {
    let task = play(planned(three, combined), several('a', 'b', 'c'))
    for (const what of ['add a', 'add b', 'add c']) {
      expect(due(task)).toBe(what)
      task = play(task, observed(true, what))
    }
    expect(task.observations.map(({ input }) => input)).toEqual(['add a', 'add b', 'add c'])
    expect(new Set(task.observations.map(({ step }) => step)).size).toBe(3)
    expect(task).toMatchObject({ currentPlanIndex: 1, needsReplan: false })
    expect(due(task)).toBe('thought')
    const later = play(task, act())
    expect(task.observations.map(({ step }) => step)).not.toContain(later.intent?.step)
  })

  it('go on when one of them fails, which costs that one; their item stays open', () => {
    const task = play(
      planned(three, combined),
      several('a', 'b', 'c'),
      observed(),
      observed(false, 'no'),
      observed(),
    )
    expect(task.observations.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(task.currentPlanIndex).toBe(0)
    expect(due(task)).toBe('thought')
  })

  it('are made together where they only read, each with its result', () => {
    const task = play(planned(three, combined), several('a', 'b', 'c'))
    expect(step.next(task)).toMatchObject({ along: [{ input: 'add b' }, { input: 'add c' }] })
    const one = { ok: true, result: 'x', ms: 5 }
    const over = play(task, { kind: 'observed', ...one, along: [one, one] })
    expect(over).toMatchObject({ intent: null, queue: [], currentPlanIndex: 1 })
    expect(over.spent.toolCalls).toBe(3)
  })

  it('that are not made yet wait for what a person says meanwhile (C50)', () => {
    const task = play(planned(three, combined), several('a', 'b'), joined(), observed())
    expect(task.observations).toMatchObject([
      { input: 'add a', ok: true },
      { input: 'add b', ok: false, result: 'skipped: a person said something new' },
    ])
    expect(due(task)).toBe('replan')
  })

  it('behind one that a crash cut off are not made, and people are asked (C13)', () => {
    const task = play(planned(three, combined), several('a', 'b'), { kind: 'interrupted' })
    expect(task.observations).toMatchObject([{ unknown: true }, { ok: false }])
    expect(task.lastQuestion).toMatchObject({ reason: 'outcome_unknown' })
  })

  it('survive the store, and rows without them are read', () => {
    const task = play(planned(three, combined), several('a', 'b'))
    expect(StepTask.parse(JSON.parse(JSON.stringify(task)))).toEqual(task)
    const { queue: _, ...older } = planned(three)
    expect(StepTask.parse(older)).toMatchObject({ queue: [] })
  })
})

it('a plan carries the first calls of its first item (C509)', () => {
  const task = play(begun(combined), planWith(three, 'a', 'b'))
  expect(due(task)).toBe('add a')
  const over = play(task, observed(), observed())
  expect(over).toMatchObject({ currentPlanIndex: 1 })
  expect(due(over)).toBe('thought')
})

it('the end of an item and the first move of the next are one reply (C510)', () => {
  const failedOnce = play(planned(three, combined), act(), observed(false), act(), observed())
  const task = play(
    failedOnce,
    thought({ status: 'done', response: 'Two fit', next_action: add('a') }),
  )
  expect(task).toMatchObject({ currentPlanIndex: 1, needsReplan: false })
  expect(task.conclusions).toMatchObject([{ item: 'Find venues', text: 'Two fit', ok: true }])
  expect(due(task)).toBe('add a')
})

it.each([
  ['end', true],
  ['give_up', false],
] as const)('a thought ends the task with its report: %s (C511, C501)', (leads_to, ok) => {
  const task = play(
    planned(['One'], combined),
    thought({ status: 'done', response: 'R', leads_to }),
  )
  expect(step.next(task)).toMatchObject({ kind: 'finish', ok, text: 'R' })
})

describe('an answer (C508)', () => {
  it('goes to the next thought, which may look at the plan again', () => {
    const task = play(planned(three, combined), askUser(), answered())
    expect(due(task)).toBe('thought')
    expect(due(play(task, act(), observed(), stepDone()))).toBe('thought')
    const again = play(task, thought({ status: 'continue', leads_to: 'replan' }))
    expect(due(again)).toBe('replan')
    expect(step.view(again).newClarifications).toMatchObject([{ text: 'Lisbon' }])
  })

  it('that asks back is answered, and the question is put again (C503, F2)', () => {
    const asked = play(
      planned(three, combined),
      askUser(),
      answered('the cheap one, whatever that is'),
    )
    const say = 'Both cost the same.'
    const task = play(asked, thought({ status: 'ask_user', question: 'Which city?', say }))
    expect(task).toMatchObject({ awaitingClarification: true, said: [{ text: say }] })
    expect(due(play(asked, askUser()))).toBe('thought')
  })
})

it('keeps the strict order of plan, thought, act, observe and replan after each subtask with AGENT_REPLAN_SKIPS=0 (C507)', () => {
  const strict = { replanSkips: 0, callsEndItems: true }
  const order: string[] = []
  let task = begun(strict)
  for (const event of [
    plan('Find', 'Book'),
    act('todo', 'list'),
    observed(),
    stepDone('Found'),
    replan('Book'),
    askUser(),
    answered(),
    replan('Book'),
    act('todo', 'add x'),
    observed(),
    stepDone(),
    finish(),
  ]) {
    order.push(due(task))
    task = play(task, event)
  }
  expect(order).toEqual([
    ...['plan', 'thought', 'list', 'thought', 'replan', 'thought', 'wait'],
    ...['replan', 'thought', 'add x', 'thought', 'replan'],
  ])
  expect(due(task)).toBe('finish')
})

describe('the contracts of step', () => {
  const more = { ...inputs.thought, combined: true }
  const read = (reply: Partial<Thought>, input = more) =>
    readReply('thought', input, { ...nothing, current_step: 'Choose a date', ...reply })

  it('take as many as eight calls, in either field and with objects, and the next item’s first move (C507)', () => {
    const eight = Array.from({ length: 7 }, (_, at) => add(String(at)))
    expect(read({ status: 'continue', next_action: add('x'), more_actions: eight }).ok).toBe(true)
    expect(read({ status: 'continue', next_action: null, more_actions: eight }).ok).toBe(true)
    expect(read({ status: 'done', response: 'r', next_action: add('x') }).ok).toBe(true)
    const nine = [...eight, add('more')]
    expect(read({ status: 'continue', next_action: add('x'), more_actions: nine })).toMatchObject({
      problem: 'at most 8 calls at once',
    })
  })

  it('refuse what belongs to another status, in one sentence (C507)', () => {
    expect(read({ status: 'done', leads_to: 'end', response: ' ' }).ok).toBe(false)
    expect(read({ status: 'done', leads_to: 'end', response: 'r', next_action: add('x') }).ok).toBe(
      false,
    )
    expect(read({ status: 'continue', leads_to: 'end', next_action: add('x') }).ok).toBe(false)
    expect(read({ status: 'continue', leads_to: 'replan', next_action: add('x') }).ok).toBe(false)
    expect(read({ status: 'continue', next_action: { tool: 'no', input: 'x' } }).ok).toBe(false)
    const last = { ...more, currentPlanIndex: more.planItems.length - 1 }
    expect(read({ status: 'done', response: 'r', next_action: add('x') }, last).ok).toBe(false)
  })

  it('refuse in the strict order whatever is more than one move (C507)', () => {
    const strict = { ...inputs.thought, combined: false }
    const move = { status: 'continue' as const, next_action: add('x') }
    expect(read(move, strict).ok).toBe(true)
    expect(read({ ...move, more_actions: [add('y')] }, strict).ok).toBe(false)
    expect(read({ status: 'done', response: 'r', next_action: add('x') }, strict).ok).toBe(false)
    expect(read({ status: 'done', response: 'r', leads_to: 'end' }, strict).ok).toBe(false)
    const planned = { status: 'planned', plan: ['One'], calls: [add('x')], leads_to: null }
    expect(readReply('plan', { ...inputs.plan, combined: false }, planned).ok).toBe(false)
    expect(readReply('plan', { ...inputs.plan, combined: true }, planned).ok).toBe(true)
    expect(readReply('plan', { ...inputs.plan, combined: true }, { ...planned, plan: [] }).ok).toBe(
      false,
    )
  })
})
