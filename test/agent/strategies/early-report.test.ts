import { describe, expect, it } from 'vitest'
import { FreeTask } from '../../../src/agent/domain/task.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import { ownStrategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { AnyEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { inputs } from '../model/inputs.ts'
import { ana } from './support.ts'

const call = { usage: { promptTokens: 10, completionTokens: 2 }, ms: 100 }
const begun = FreeTask.parse(ownStrategies.named('free')?.start('Book it', limits, false))
const play = (...events: readonly AnyEvent[]): FreeTask => {
  let task: FreeTask = begun
  for (const event of events) task = FreeTask.parse(strategyOf(task).apply(task, event))
  return task
}
const acts = (text: string, ...calls: string[]): AnyEvent => ({
  ...{ kind: 'replied', contract: 'act', ...call },
  reply: { text, calls: calls.map((input) => ({ tool: 'todo', input })) },
})
const three = acts(
  '[Step] Add them\n[Report]\nAll three are on the list.',
  'add a',
  'add b',
  'add c',
)
const did = (text: string, isAlone?: true): AnyEvent => ({
  ...{ kind: 'observed', ok: true, result: `Added ${text}`, ms: 5 },
  receipt: { text: `Added ${text}`, ...(isAlone && { isAlone }) },
})
const read: AnyEvent = { kind: 'observed', ok: true, result: '3 open', ms: 5 }
const failed: AnyEvent = { kind: 'observed', ok: false, result: 'no', ms: 5 }
const ends = (task: FreeTask) => strategyOf(task).next(task)
const asked = (task: FreeTask) =>
  promptFor('act', { ...inputs.act, ...strategyOf(task).view(task) }).tail

describe('a report beside the last calls (C579)', () => {
  it('ends the task when all of them did what they say, with their receipts below it and its step closed', () => {
    const before = play(three, did('#1'), did('#2'))
    expect(ends(before)).toMatchObject({ kind: 'call_tool', input: 'add c' })
    const after = play(three, did('#1'), did('#2'), did('#3'))
    expect(ends(after)).toMatchObject({
      ...{ kind: 'finish', ok: true },
      text: 'All three are on the list.\n\nAdded #1\n\nAdded #2\n\nAdded #3',
    })
    expect(after.planItems).toEqual([{ text: 'Add them', done: true }])
  })

  it.each<[string, readonly AnyEvent[]]>([
    ['the second of them fails', [three, did('#1'), failed, did('#3')]],
    ['the last of them fails', [three, did('#1'), did('#2'), failed]],
    ['one has to be read', [three, did('#1'), read, did('#3')]],
    [
      'the outcome of one is not known',
      [acts('[Report]\nDone.', 'add a'), { ...failed, unknown: true } as AnyEvent],
    ],
    [
      'one waits for approval, and is approved',
      [
        acts('[Report]\nDone.', 'add a'),
        { kind: 'held_back', covers: 'call' },
        {
          ...{ kind: 'answered', question: '', choices: [], text: 'Approve' },
          author: ana,
          choice: 0,
        },
        did('#1'),
      ],
    ],
    [
      'one is refused by people',
      [
        acts('[Report]\nDone.', 'add a'),
        { kind: 'held_back', covers: 'call' },
        {
          ...{ kind: 'answered', question: '', choices: [], text: 'Refuse' },
          author: ana,
          choice: 1,
        },
      ],
    ],
    [
      'a person says something meanwhile',
      [
        acts('[Report]\nDone.', 'add a'),
        { kind: 'joined', text: 'not yet', author: ana },
        did('#1'),
      ],
    ],
    [
      'somebody says something behind it',
      [acts('[Report]\nDone.', 'add a'), did('#1'), { kind: 'joined', text: 'and b', author: ana }],
    ],
  ])('is dropped, and asked for again, where %s', (_, events) => {
    const task = play(...events)
    expect(ends(task)).toMatchObject({ kind: 'call_model', contract: 'act' })
    expect(asked(task)).toContain('Your report was not shown')
    const over = FreeTask.parse(strategyOf(task).apply(task, acts('It is so.')))
    expect(ends(over)).toMatchObject({ kind: 'finish', text: 'It is so.' })
  })

  it('says nothing where a crash cuts off a call: people are asked', () => {
    const task = play(three, did('#1'), { kind: 'interrupted' })
    expect(ends(task)).toEqual({ kind: 'wait' })
    expect(task.lastQuestion?.reason).toBe('outcome_unknown')
  })

  it('is none where it gives up, says nothing, or a question comes last', () => {
    expect(ends(play(acts('[Report]\n[Given up] no', 'add a'), did('#1'))).kind).toBe('call_model')
    expect(ends(play(acts('[Report]\n ', 'add a'), did('#1'))).kind).toBe('call_model')
    const question: AnyEvent = {
      ...{ kind: 'replied', contract: 'act', ...call },
      reply: { text: '[Report]\nDone.', calls: [{ tool: 'ask_user', input: 'When?' }] },
    }
    expect(ends(play(question))).toEqual({ kind: 'wait' })
  })

  it('without a call is the report as ever', () => {
    expect(ends(play(acts('[Report]\nIt is 42.')))).toMatchObject({ text: 'It is 42.' })
  })
})

describe('receipts (C580)', () => {
  it.each([
    ['names another time than they do', '[Report]\nIt is set for 9:00.', did('#1 · 08:30')],
    [
      'would claim what people have yet to decide',
      '[Report]\nI remember it.',
      did('#1 · 08:30', true),
    ],
  ])('stand alone where the report %s', (_, text, event) => {
    expect(ends(play(acts(text, 'add a'), event))).toMatchObject({ text: 'Added #1 · 08:30' })
  })

  it('that are blank say nothing: the report is asked for where it cannot stand either', () => {
    const blank: AnyEvent = {
      ...{ kind: 'observed', ok: true, result: 'saved', ms: 5 },
      receipt: { text: '' },
    }
    expect(ends(play(acts('[Report]\nThe file is here.', 'a'), blank))).toMatchObject({
      text: 'The file is here.',
    })
    expect(ends(play(acts('[Report]\nAll 7 files are here.', 'a'), blank)).kind).toBe('call_model')
  })
})
