import { describe, expect, it } from 'vitest'
import { renderPlan as renderDiscord } from '../../../src/adapters/discord/render-plan.ts'
import { renderPlan as renderSlack } from '../../../src/adapters/slack/render-plan.ts'
import { readReply } from '../../../src/agent/contracts.ts'
import { exportPlan } from '../../../src/agent/domain/plan-export.ts'
import { progressOf } from '../../../src/agent/domain/progress.ts'
import { step } from '../../../src/agent/strategies/step.ts'
import { runOf } from '../../contracts/store/rows.ts'
import { acts, closes } from '../../fakes/model.ts'
import { inputs } from '../model/inputs.ts'
import * as steps from './support.ts'

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
const plan = ['Find venues', 'Book']
const parts = ['Ask the Alfama', 'Ask the Baixa', 'Compare']
const opened = play(planned(plan), act('todo', 'list', 'Ask the Alfama', null, parts), observed())
const partsIn = (task: typeof opened, at = 0) =>
  task.planItems[at]?.parts?.map(({ text, done }) => `${done ? 'x' : '-'} ${text}`)

describe('an item that turns out to be several', () => {
  it('is opened by a thought that goes on, and stays one item and one step of the plan (C127, R9, R10)', () => {
    expect(opened.planItems.map(({ text, done }) => ({ text, done }))).toEqual([
      { text: 'Find venues', done: false },
      { text: 'Book', done: false },
    ])
    expect(partsIn(opened)).toEqual(['- Ask the Alfama', '- Ask the Baixa', '- Compare'])
    expect(partsIn(opened, 1)).toBeUndefined()
  })

  it('is counted as any other: one step a thought and one a call, no replan between its parts (C127, R20, R21, R23, R8)', () => {
    const plain = play(planned(plan), act(), observed(), act(), observed())
    const inParts = play(opened, act('todo', 'list', 'Ask the Baixa'), observed())
    expect(inParts.spent.steps).toBe(plain.spent.steps)
    expect(nextContract(inParts)).toBe('thought')
    const atLimit = play(
      planned(plan, { maxSteps: 2 }),
      act('todo', 'list', 'Ask the Alfama', null, parts),
      observed(),
    )
    expect(step.next(atLimit)).toEqual({ kind: 'pause', reason: 'steps' })
  })

  it('has its parts done in order, and all of them when it is done (C127, R13)', () => {
    const third = play(opened, act('todo', 'list', 'compare!'), observed())
    expect(partsIn(third)).toEqual(['x Ask the Alfama', 'x Ask the Baixa', '- Compare'])
    const back = play(third, act('todo', 'list', 'Ask the Alfama'), observed())
    expect(partsIn(back), 'what is done stays done').toEqual(partsIn(third))
    const done = play(third, stepDone('Two are free'))
    expect(partsIn(done)).toEqual(['x Ask the Alfama', 'x Ask the Baixa', 'x Compare'])
    expect(done).toMatchObject({ currentPlanIndex: 1, needsReplan: true })
  })

  it('keeps its parts through a question, new words, a refusal and a replan that keeps it (C127, R6, C50)', () => {
    const before = partsIn(opened)
    expect(partsIn(play(opened, askUser(), answered(), replan('Find venues', 'Book')))).toEqual(
      before,
    )
    expect(partsIn(play(opened, joined(), replan('Find venues', 'Call them', 'Book')))).toEqual(
      before,
    )
    expect(partsIn(play(opened, refused('thought')))).toEqual(before)
    expect(partsIn(play(opened, joined(), replan('Look elsewhere')))).toBeUndefined()
  })
})

describe('the parts in a thought', () => {
  const current = inputs.thought.currentItem
  const read = (reply: object, item: object = {}) => {
    const planItems = inputs.thought.planItems.map((one, at) =>
      at === inputs.thought.currentPlanIndex ? { ...one, ...item } : one,
    )
    const read = readReply('thought', { ...inputs.thought, planItems }, reply)
    return read.ok ? read.reply.parts : read.problem
  }
  const going = acts('list', 'todo', current)

  it('are two to six texts, beside an action, once and one level deep (C127)', () => {
    expect(read({ ...going, parts })).toEqual(parts)
    expect(read({ ...going, current_step: 'Ask the Baixa', parts })).toEqual(parts)
    expect(read(going), 'left out').toBeNull()
    expect(read({ ...going, parts: [] })).toEqual([])
    expect(read({ ...going, parts: ['One'] })).toMatch(/2 to 6/)
    expect(read({ ...going, parts: ['One', ' '] })).toMatch(/2 to 6/)
    expect(read({ ...going, parts: [...parts, ...parts, 'more'] })).toMatch(/2 to 6/)
    for (const reply of [closes(), { ...going, leads_to: 'item_done' }])
      expect(read({ ...reply, parts })).toMatch(/^only a continue/)
    const known = { parts: parts.map((text) => ({ text, done: false })) }
    expect(read({ ...going, parts }, known)).toMatch(/has its parts already/)
    expect(read({ ...going, current_step: 'Compare' }, known)).toBeNull()
  })
})

describe('the parts in a live plan', () => {
  const second = play(opened, act('todo', 'list', 'Ask the Baixa'), observed())
  const run = runOf({ status: 'running' })
  const progress = progressOf(run, second)

  it('stand below their item, further in, in Slack and Discord (C127)', () => {
    const [block] = renderSlack(progress, 'en').blocks
    expect(JSON.stringify(block)).toMatch(/☑ Ask the Alfama\\n☐ Ask the Baixa\\n☐ Compare/)
    const discord = JSON.stringify(renderDiscord(progress, 'en'))
    expect(discord).toMatch(
      /\*\*Find venues\*\*\\n\u2003\u2003✅ Ask the Alfama\\n\u2003\u2003▫️ Ask the Baixa/,
    )
    expect(progress.done, 'no item is done').toBe(0)
  })

  it('are in plan.json, where a plan has some (C127, R74)', () => {
    const { steps } = exportPlan(run, second, 1)
    expect(steps[0]?.parts).toEqual([
      { description: 'Ask the Alfama', status: 'completed' },
      { description: 'Ask the Baixa', status: 'pending' },
      { description: 'Compare', status: 'pending' },
    ])
    expect(steps[1]?.parts).toBeUndefined()
  })
})
