import { describe, expect, it } from 'vitest'
import { readReply } from '../../../src/agent/contracts.ts'
import { BatchTask, StepTask } from '../../../src/agent/domain/task.ts'
import { batch } from '../../../src/agent/strategies/batch.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import { settingsOf } from '../../../src/compose/settings.ts'
import { readConfig } from '../../../src/config.ts'
import { inputs } from '../model/inputs.ts'
import * as rounds from './batch-support.ts'
import * as steps from './support.ts'
import { ana } from './support.ts'

const {
  act,
  answered,
  askUser,
  joined,
  nextContract,
  observed,
  planned,
  play,
  refused,
  replan,
  stepDone,
} = steps
const three = ['Find venues', 'Compare', 'Book']
const last = act('todo', 'add Call Ana', 'item', 'item_done')
const failed = { ...observed(), ok: false }

describe('a call that ends its item if it succeeds (C141)', () => {
  const over = { callsEndItems: true }

  it('ends it without another thought, and the plan is looked at as after any item (R5, R13)', () => {
    const task = play(planned(three, over), last, observed())
    expect(task).toMatchObject({ currentPlanIndex: 1, needsReplan: true, intent: null })
    expect(task.planItems[0]).toEqual({ text: 'Find venues', done: true })
    expect(task.conclusions).toEqual([
      { step: expect.any(Number), item: 'Find venues', text: null, ok: true },
    ])
    expect(nextContract(task)).toBe('replan')
    expect(
      StepTask.parse(JSON.parse(JSON.stringify(play(planned(three, over), last)))),
    ).toHaveProperty('intent.endsItem', true)
  })

  it('does not when it fails: the thought goes on with the item (R8)', () => {
    const task = play(planned(three, over), last, failed)
    expect(task).toMatchObject({ currentPlanIndex: 0, needsReplan: false, conclusions: [] })
    expect(nextContract(task)).toBe('thought')
  })

  it('is a call like any other where the setting is off', () => {
    const task = play(planned(three), last, observed())
    expect(task).toMatchObject({ currentPlanIndex: 0, needsReplan: false })
    expect(nextContract(task)).toBe('thought')
  })

  it('counts what it is: a thought and a call (R21, R23)', () => {
    expect(play(planned(three, over), last, observed()).spent.steps).toBe(2)
  })
})

describe('an item that ended well and changed nothing (C142)', () => {
  const over = { replanSkips: 7 }

  it('is followed by the next one without a look at the plan', () => {
    const task = play(planned(three, over), act(), observed(), stepDone('Two fit'))
    expect(task).toMatchObject({ currentPlanIndex: 1, needsReplan: false })
    expect(nextContract(task)).toBe('thought')
    expect(step.view(task).currentItem).toBe('Compare')
  })

  it.each([
    ['a person said something while it was worked on', [act(), joined(), observed()]],
    ['the model says that it changes the plan', [stepDone('Both are full', 'replan')]],
  ] as const)('is looked at when %s (R6)', (_, events) => {
    expect(nextContract(play(planned(three, over), ...events))).toBe('replan')
  })

  it('is not looked at when a call of it failed and was made good, or a person answered (C508)', () => {
    for (const events of [
      [act(), failed, act(), observed(), stepDone()],
      [askUser(), answered()],
      [askUser(), answered(), act(), observed(), stepDone()],
    ])
      expect(nextContract(play(planned(three, over), ...events))).toBe('thought')
  })

  it('is looked at when it could not be finished', () => {
    const stuck = planned(three, over, true)
    const task = play(stuck, ...Array(4).fill(refused('thought')))
    expect(task.conclusions).toMatchObject([{ ok: false }])
    expect(nextContract(task)).toBe('replan')
  })

  it('is looked at when it was the last one (R14), or so many have ended without a look; then it counts anew', () => {
    expect(nextContract(play(planned(three, over), stepDone(), stepDone(), stepDone()))).toBe(
      'replan',
    )
    const often = { replanSkips: 1 }
    const second = play(planned([...three, 'Tell', 'Thank'], often), stepDone(), stepDone())
    expect(nextContract(second)).toBe('replan')
    const anew = play(second, replan('Book', 'Tell', 'Thank'), stepDone())
    expect(nextContract(anew)).toBe('thought')
  })

  it('is always looked at with 0, and where a task is older than the setting (R5, C1)', () => {
    for (const task of [planned(three, { replanSkips: 0 }), planned(three)])
      expect(nextContract(play(task, stepDone()))).toBe('replan')
  })
})

describe('the default allowance of steps (C144)', () => {
  const { limits } = settingsOf(readConfig({}))
  const items = Array.from({ length: 7 }, (_, at) => `Item ${at + 1}`)
  const eachWay = [limits, { ...limits, callsEndItems: false, replanSkips: 0 }]

  it('is enough for ten calls in one item and for a plan of seven items, in the first design too', () => {
    for (const over of eachWay) {
      const ten = play(
        planned(['Put them on the list'], over),
        ...Array(10).fill([act(), observed()]).flat(),
        stepDone(),
      )
      expect(nextContract(ten)).toBe('replan')
      let seven = planned(items, over)
      for (const [at] of items.entries()) {
        seven = play(seven, act(), observed(), act(), observed(), stepDone())
        if (nextContract(seven) === 'replan' && at < 6)
          seven = play(seven, replan(...items.slice(at + 1)))
      }
      expect(nextContract(seven)).toBe('replan')
    }
  })

  it('leaves the ceilings on cost as they were', () => {
    expect(limits).toMatchObject({
      maxSteps: 100,
      maxModelCalls: 250,
      maxToolCalls: 250,
      maxTokens: 1_000_000,
    })
  })
})

describe('thinking about a round that plans the next one (C143)', () => {
  const over = { thinkPlans: true, maxRounds: 2 }
  const { begun, contractOf, planRound, play: playRounds, think, worked } = rounds

  it('makes n rounds n + 1 requests', () => {
    const second = playRounds(
      begun(over),
      planRound('list'),
      worked(),
      think('One found', false, null, ['get 1']),
    )
    expect(second).toMatchObject({
      rounds: 2,
      stage: 'think',
      intent: { tool: 'todo', input: 'get 1', turn: 2 },
    })
    expect(second.lastSummary).toBe('One found')
    const thought = playRounds(second, worked())
    expect(contractOf(thought)).toBe('think')
    expect(playRounds(thought, think('Both found', true)).spent.modelCalls).toBe(3)
    expect(BatchTask.parse(JSON.parse(JSON.stringify(second)))).toEqual(second)
  })

  it('shows the new list and its call in the story (R67, R69)', () => {
    const before = playRounds(begun(over), planRound('list'), worked())
    const event = think('One found', false, null, ['get 1'])
    if (event.kind !== 'replied') throw new Error('no reply')
    const told = batch.narrate(before, event, playRounds(before, event)).map(({ kind }) => kind)
    expect(told).toEqual(['round', 'planned', 'acting'])
  })

  it('asks for the plan by itself when none came with it, and where the setting is off (R45, R68)', () => {
    const without = playRounds(begun(over), planRound('list'), worked(), think('One found'))
    expect(contractOf(without)).toBe('plan_tool_call')
    const off = playRounds(
      begun(),
      planRound('list'),
      worked(),
      think('One found', false, null, ['get 1']),
    )
    expect(contractOf(off)).toBe('plan_tool_call')
  })

  it('goes over no ceiling of rounds, and what it planned is made after “continue” (R58, C512)', () => {
    const task = playRounds(
      begun({ ...over, maxRounds: 1 }),
      planRound('list'),
      rounds.failed(),
      think('None found', false, null, ['get 1']),
    )
    expect(batch.next(task)).toEqual({ kind: 'pause', reason: 'rounds' })
    expect(task.intent).toBeNull()
    expect(BatchTask.parse(JSON.parse(JSON.stringify(task)))).toEqual(task)
    const again = playRounds(task, { kind: 'continued' })
    expect(again).toMatchObject({ intent: { input: 'get 1', turn: 2 }, rounds: 2 })
    expect(again.nextRound).toBeUndefined()
    const spoken = playRounds(task, { kind: 'joined', text: 'Only Porto', author: ana })
    expect(contractOf(playRounds(spoken, { kind: 'continued' }))).toBe('plan_tool_call')
  })

  it('is held to the rules of a plan (R50, C40)', () => {
    const reply = (steps: number, tool = 'todo') => ({
      ...{
        internal_analysis: null,
        user_summary: 'Found',
        task_completed: false,
        next_steps_preview: null,
      },
      next_round: Array.from({ length: steps }, () => ({ tool, arguments: 'list' })),
    })
    const asked = { ...inputs.think, thinkPlans: true }
    expect(readReply('think', asked, reply(8))).toMatchObject({ ok: true })
    expect(readReply('think', asked, reply(9))).toMatchObject({ ok: false })
    expect(readReply('think', asked, reply(1, 'shell'))).toMatchObject({ ok: false })
    expect(readReply('think', inputs.think, reply(9))).toMatchObject({ ok: true })
    expect(readReply('think', asked, reply(0))).toMatchObject({
      ok: true,
      reply: { next_round: null },
    })
  })
})
