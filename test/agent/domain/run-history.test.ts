import { describe, expect, it } from 'vitest'
import { runHistory } from '../../../src/agent/domain/run-history.ts'
import type { Task } from '../../../src/agent/domain/task.ts'
import type { TraceEntry, TraceEvent } from '../../../src/agent/domain/trace.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import { limits } from '../../support/limits.ts'

const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }
const asked = (contract: string, ok = true, more: object = {}): TraceEvent => ({
  ...{ kind: 'model_call', contract, ok, problem: ok ? null : 'bad_reply: no', ms: 400 },
  ...{ promptTokens: 100, completionTokens: 20, cost: 5 },
  ...more,
})
const thought = (decision: 'act' | 'step_done' | 'ask', index = 0): TraceEvent => ({
  ...{ kind: 'thought', decision, index, step: 1 },
})
const acted = (step: number, ms = 50): TraceEvent => ({
  kind: 'acted',
  tool: 'todo',
  step,
  ok: true,
  ms,
})

/** A second between any two. */
const trace = (...events: (TraceEvent | readonly TraceEvent[])[]): TraceEntry[] =>
  events.flatMap((at, n) => [at].flat().map((what) => ({ at: 10_000 + n * 1_000, what })))
const stepsOf = (entries: TraceEntry[], task: Task | null = null) =>
  runHistory(task, entries, { id: 'r', requestedBy: ana }).steps

describe('what a run did (C209)', () => {
  it('is one step for each decision of the model, with what was called and what came of it', () => {
    const observed = { step: 2, tool: 'todo', input: 'list', ok: true, result: '3 to-dos' }
    const task: Task = { ...strategies.step.start('x', limits, false), observations: [observed] }
    const steps = stepsOf(
      trace(
        [asked('plan'), { kind: 'planned', items: ['Find', 'Book'] }],
        [
          asked('thought', true, { model: 'small' }),
          thought('act', 1),
          { kind: 'acting', tool: 'todo', step: 2 },
        ],
        acted(2),
      ),
      task,
    )
    expect(steps).toMatchObject([
      { at: 9_600, what: 'planned', cause: { kind: 'request', by: ana }, calls: [], ms: 400 },
      {
        ...{
          what: 'act',
          item: 'Book',
          cause: null,
          model: 'small',
          ms: 450,
          tokens: 120,
          cost: 5,
        },
        calls: [{ tool: 'todo', input: 'list', result: '3 to-dos', ok: true, ms: 50 }],
      },
    ])
  })

  it('counts attempts that failed, and waits for the model, in the step that they were for', () => {
    const steps = stepsOf(
      trace(asked('thought', false), asked('thought', true, { requests: 3 }), asked('thought')),
    )
    expect(steps).toMatchObject([
      { retries: 3, ms: 800, tokens: 240, waits: [{ for: 'model', ms: 600 }] },
      { retries: 0 },
    ])
  })

  it('says what people were waited for, for how long, and what their words led to', () => {
    const entries = trace(
      [asked('thought'), thought('ask'), { kind: 'asked', questionId: 'q' }],
      { kind: 'heard', entryId: 'e', as: 'answer', by: ben },
      asked('replan'),
      { kind: 'status', status: 'paused', reason: 'steps' },
      { kind: 'heard', entryId: 'f', as: 'continue', by: ana },
      asked('thought'),
      { kind: 'status', status: 'paused', reason: 'steps' },
    )
    expect(stepsOf(entries)).toMatchObject([
      { what: 'ask', waits: [{ for: 'answer', ms: 1_000 }] },
      {
        cause: { kind: 'answer', by: ben },
        waits: [{ for: 'continue', ms: 1_000, reason: 'steps' }],
      },
      { cause: { kind: 'continue', by: ana }, waits: [{ for: 'continue', ms: null }] },
    ])
  })

  it('says who approved a call, and that it was changed first', () => {
    const approval: TraceEvent = {
      ...{ kind: 'approval', tool: 'mail', step: 1, granted: true, by: ben },
      edited: { from: 'a', to: 'b' },
    }
    const entries = trace(
      [asked('thought'), thought('act'), { kind: 'acting', tool: 'mail', step: 1 }],
      { kind: 'asked', questionId: 'q' },
      [{ kind: 'heard', entryId: 'e', as: 'answer', by: ben }, approval],
      asked('thought'),
    )
    expect(stepsOf(entries)).toMatchObject([
      {
        waits: [{ for: 'approval', ms: 1_000 }],
        calls: [{ ok: null, approval: { granted: true, by: ben, isEdited: true } }],
      },
      { cause: null },
    ])
  })

  it('takes the longest of calls that were made together for the time that they took', () => {
    const [step] = stepsOf(
      trace(asked('act'), [acted(1, 300), acted(2, 200), acted(3, 350)], acted(4, 10)),
    )
    expect(step).toMatchObject({
      ms: 760,
      calls: [{ step: 1 }, { step: 2 }, { step: 3 }, { step: 4 }],
    })
  })

  it('cuts long inputs and results, never a character', () => {
    const observed = {
      step: 1,
      tool: 'todo',
      input: `${'x'.repeat(3_999)}😀`,
      ok: true,
      result: 'y'.repeat(10_000),
    }
    const task: Task = { ...strategies.step.start('x', limits, false), observations: [observed] }
    const call = stepsOf(trace(asked('thought'), acted(1)), task)[0]?.calls[0]
    expect(call?.result).toHaveLength(4_001)
    expect(call?.input?.isWellFormed()).toBe(true)
  })
})

it('tells every version of a plan by what it changed and whose doing it was (C208, C209)', () => {
  const said = { step: 3, question: null, text: 'Not Porto', author: ben }
  const { plans } = runHistory(
    null,
    trace(
      [asked('plan'), { kind: 'planned', items: ['Find', 'Book'] }],
      [asked('replan'), { kind: 'replanned', items: ['Book'], change: null }],
      [
        asked('replan'),
        {
          kind: 'replanned',
          items: ['Pay'],
          change: { added: ['Pay'], dropped: ['Book'], because: said },
        },
      ],
      {
        kind: 'replanned',
        items: [],
        change: { added: [], dropped: ['Pay'], because: null, by: ana },
      },
    ),
    { id: 'r', requestedBy: ana },
  )
  expect(plans).toMatchObject([
    { items: ['Find', 'Book'], added: [], dropped: [], by: null, because: null },
    { added: ['Pay'], dropped: ['Book'], by: null, because: { author: ben, text: 'Not Porto' } },
    { added: [], dropped: ['Pay'], by: ana },
  ])
})
