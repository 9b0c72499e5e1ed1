import { describe, expect, it } from 'vitest'
import type { Limits } from '../../../src/agent/domain/budget.ts'
import type { Report } from '../../../src/agent/domain/mission.ts'
import type { CodingTask, Task } from '../../../src/agent/domain/task.ts'
import { coding } from '../../../src/agent/strategies/coding.ts'
import { restartAt } from '../../../src/agent/strategies/rewind.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import type { CodingContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { ana, answered, continued, joined } from './support.ts'

type Event = TaskEvent<CodingContract>
const call = { usage: { promptTokens: 10, completionTokens: 2 }, ms: 100 }

const begun = (over: Partial<Limits> = {}, unattended = false) =>
  coding.start('Make add() right', { ...limits, ...over }, unattended)
const play = (task: CodingTask, ...events: readonly Event[]): CodingTask =>
  events.reduce(coding.apply, task)
const steps = (...titles: string[]): Event => ({
  kind: 'replied',
  contract: 'mission',
  reply: {
    steps: titles.map((title) => ({
      title,
      description: `${title}.`,
      constraints: '',
      expected: '',
    })),
  },
  ...call,
})
const judged = (
  decision: 'next' | 'retry' | 'replan' | 'abort',
  instruction: string | null = null,
): Event => ({
  kind: 'replied',
  contract: 'evaluate',
  reply: { decision, evidence: `${decision} it is`, instruction, project_context: null },
  ...call,
})
const told = (report: string): Event => ({
  kind: 'replied',
  contract: 'mission_report',
  reply: { report },
  ...call,
})
const refused = (contract: CodingContract): Event => ({
  kind: 'refused',
  contract,
  problem: 'no',
  ...call,
})
const sent: Event = { kind: 'order_sent', at: 1_000 }
const late: Event = { kind: 'overdue', ms: 600_000 }
const reported = (status: Report['status'], over: Partial<Report> = {}): Event => ({
  kind: 'reported',
  report: {
    ...{ status, sessionId: 's1', text: `It was a ${status}.`, deliverables: null },
    ...{ pitfalls: null, advice: null, question: null },
    ...over,
  },
  ms: 5_000,
})
/** One attempt that comes to this. */
const attempt = (status: Report['status'], ...verdict: Event[]): Event[] => [
  sent,
  reported(status),
  ...verdict,
]
const times = (count: number, ...events: Event[]): Event[] =>
  Array.from({ length: count }, () => events).flat()
const failing = (count: number) => times(count, ...attempt('failed', judged('retry', 'Once more.')))
const states = (task: CodingTask) => task.steps.map(({ state }) => state)

describe('a mission', () => {
  it('turns the goal into steps by one call, and works on one at a time (R124, R125)', () => {
    const task = play(begun(), steps('Add a test', 'Mend it'))
    expect(coding.next(begun())).toEqual({ kind: 'call_model', contract: 'mission' })
    expect(coding.next(task)).toEqual({ kind: 'hand_over' })
    expect(task.order).toMatchObject({ ordinal: 1, command: 'new', sentAt: null })
    const waiting = play(task, sent)
    expect(coding.next(waiting)).toEqual({ kind: 'await_report' })
    expect(waiting.order).toMatchObject({ ordinal: 1, sentAt: 1_000 })
    expect(coding.next(play(waiting, reported('success')))).toEqual({
      kind: 'call_model',
      contract: 'evaluate',
    })
  })

  it('goes on in the session that the agent named, and a step begins without retries (R128, R130)', () => {
    const task = play(
      begun(),
      steps('Add a test', 'Mend it'),
      ...attempt('partial', judged('retry', 'The file is missing.')),
      ...attempt('success', judged('next')),
    )
    expect(states(task)).toEqual(['done', 'open'])
    expect(task).toMatchObject({
      sessionId: 's1',
      retries: 0,
      order: { ordinal: 3, command: 'continue' },
    })
    expect(task.planItems).toEqual([
      { text: 'Add a test', done: true },
      { text: 'Mend it', done: false },
    ])
  })

  it('stays in that session when a later report names none (R128)', () => {
    const unnamed = reported('success', { sessionId: null })
    const task = play(
      begun(),
      steps('A', 'B', 'C'),
      ...attempt('success', judged('next')),
      sent,
      unnamed,
      judged('next'),
    )
    expect(task).toMatchObject({ sessionId: 's1', order: { ordinal: 3, command: 'continue' } })
  })

  it('says what has to be different with a retry, and retries at most three times (R131)', () => {
    const task = play(begun(), steps('A', 'B'), ...failing(3))
    expect(task).toMatchObject({
      retries: 3,
      order: { ordinal: 4, command: 'continue', instruction: 'Once more.' },
    })
    // The fourth failure gives the step up; the next one is tried (F32).
    const next = play(task, ...failing(1))
    expect(states(next)).toEqual(['failed', 'open'])
    expect(next).toMatchObject({ retries: 0, failedInRow: 1, currentPlanIndex: 1 })
  })

  it('takes no report in time for a failure of the step (R135)', () => {
    const task = play(begun(), steps('A', 'B'), ...times(4, sent, late))
    expect(states(task)).toEqual(['failed', 'open'])
    expect(task.observations.map(({ ok }) => ok)).toEqual([false, false, false, false])
    expect(task.spent).toMatchObject({ toolCalls: 4, activeMs: 4 * 600_000 + 100 })
  })

  it('plans anew only what is not done (R132)', () => {
    const task = play(
      begun(),
      steps('A', 'B', 'C'),
      ...attempt('success', judged('next')),
      ...attempt('partial', judged('retry')),
      ...attempt('partial', judged('replan')),
    )
    expect(task.retries).toBeGreaterThan(0)
    expect(coding.next(task)).toEqual({ kind: 'call_model', contract: 'mission' })
    const planned = play(task, steps('D'))
    expect(planned.steps.map(({ title, state }) => `${title} ${state}`)).toEqual([
      'A done',
      'D open',
    ])
    expect(planned.retries, 'a new step has all its retries').toBe(0)
    expect(planned.lastChange).toMatchObject({ added: ['D'], dropped: ['B', 'C'] })
  })

  it('counts a new list that cannot be used as a retry, and does not go round with it (C31)', () => {
    const task = play(begun(), steps('A', 'B'), ...attempt('partial', judged('replan')))
    expect(play(task, refused('mission'))).toMatchObject({ retries: 1, stage: 'replan' })
    const given = play(task, ...times(4, refused('mission')))
    expect(states(given)).toEqual(['failed', 'open'])
    expect(coding.next(given)).toEqual({ kind: 'hand_over' })
  })

  it('ends as failed with a summary when it is aborted (R133, R138, C30)', () => {
    const task = play(begun(), steps('A', 'B'), ...attempt('failed', judged('abort')))
    expect(coding.next(task)).toEqual({ kind: 'call_model', contract: 'mission_report' })
    const ended = play(task, told('It cannot be done.'))
    expect(coding.next(ended)).toEqual({ kind: 'finish', ok: false, text: 'It cannot be done.' })
  })

  it('always has a summary: without one of the model it is what came of each step (R138, C39)', () => {
    const task = play(
      begun(),
      steps('A'),
      ...attempt('success', judged('next')),
      refused('mission_report'),
    )
    expect(coding.next(task)).toEqual({ kind: 'finish', ok: true, text: '- ✔ A: next it is' })
  })

  it('waits for what the agent has in hand even when the budget is used up, and pauses then (C36)', () => {
    const task = play(begun({ maxToolCalls: 1 }), steps('A'), sent)
    expect(coding.next(task)).toEqual({ kind: 'await_report' })
    expect(coding.next(play(task, reported('success')))).toEqual({
      kind: 'pause',
      reason: 'tool_calls',
    })
    expect(coding.next(play(task, reported('success'), continued as Event))).toEqual({
      kind: 'call_model',
      contract: 'evaluate',
    })
  })

  it('pauses when the shared folder cannot be used, and goes on with the same task', () => {
    const task = play(begun(), steps('A'), { kind: 'no_folder' })
    expect(coding.next(task)).toEqual({ kind: 'pause', reason: 'no_desk' })
    expect(play(task, continued as Event).order).toMatchObject({ ordinal: 1, sentAt: null })
  })

  it('looks at its steps once more when something is said just before its end (C50)', () => {
    const task = play(
      begun(),
      steps('A'),
      ...attempt('success', judged('next')),
      told('Done.'),
      joined() as Event,
    )
    expect(coding.next(task)).toEqual({ kind: 'call_model', contract: 'mission' })
    expect(coding.view(task).mayBeEmpty).toBe(true)
    expect(play(task, steps())).toMatchObject({ stage: 'close', reached: true })
    expect(play(task, steps('B')).steps.map(({ title }) => title)).toEqual(['A', 'B'])
  })

  it('counts failures from the start again after what is said before the report of a mission that failed (C50, R134)', () => {
    const over = play(begun({ maxFailedSteps: 1 }, true), steps('A', 'B'), ...failing(4))
    expect(over).toMatchObject({ stage: 'close', reached: false, failedInRow: 1 })
    expect(play(over, joined() as Event)).toMatchObject({
      stage: 'replan',
      reached: null,
      failedInRow: 0,
      retries: 0,
    })
  })

  it('hears what is said while its report is written, and does the steps that people add then (C276, C50, C208)', () => {
    const closing = play(begun(), steps('Add a test'), ...attempt('success', judged('next')))
    expect(coding.next(closing)).toEqual({ kind: 'call_model', contract: 'mission_report' })
    expect(coding.next(play(closing, joined() as Event))).toEqual({
      kind: 'call_model',
      contract: 'mission',
    })
    const change = { entryId: 'e1', by: ana, seen: [], steps: ['Tell Ben'] }
    const edited = strategies.coding.apply(closing, { kind: 'plan_edited', ...change })
    expect(edited).toMatchObject({
      reached: null,
      planItems: [{ done: true }, { text: 'Tell Ben', done: false }],
    })
    expect(coding.next(edited as CodingTask)).toEqual({ kind: 'hand_over' })
  })

  it('begins again at the step at which it was given up, not at the one behind it (C276, C251)', () => {
    const over = play(begun(), steps('A', 'B', 'C'), ...attempt('success', judged('next')))
    const ended = play(over, ...attempt('failed', judged('abort')), told('No.'))
    const start = restartAt(ended, [], null)
    expect(start).toMatchObject({
      ok: true,
      step: 2,
      text: 'B',
      task: { steps: [{}, { state: 'open' }, {}] },
    })
    expect(restartAt(ended, [], 3)).toEqual({ ok: false, last: 2 })
  })
})

describe('people in a mission', () => {
  it('get the question of an agent that waits for input; the answer goes back to it (C28, C37)', () => {
    const asked = play(
      begun(),
      steps('A'),
      sent,
      reported('waiting_input', { question: 'Which port?' }),
    )
    expect(coding.next(asked)).toEqual({ kind: 'wait' })
    expect(asked.lastQuestion).toMatchObject({ text: 'Which port?', reason: 'asked' })
    const on = play(asked, answered('8080', 'Which port?') as Event)
    expect(on.order).toMatchObject({ ordinal: 2, command: 'continue', instruction: '8080' })
    expect(on).toMatchObject({ retries: 0, failedInRow: 0 })
  })

  it('are not asked when nobody is there: the report is judged like any other (C48)', () => {
    const task = play(
      begun({}, true),
      steps('A'),
      sent,
      reported('waiting_input', { question: 'Which port?' }),
    )
    expect(coding.next(task)).toEqual({ kind: 'call_model', contract: 'evaluate' })
    const stuck = play(begun({}, true), steps('A'), ...failing(4))
    expect(coding.next(stuck)).toEqual({ kind: 'call_model', contract: 'mission_report' })
  })

  const stuck = () => play(begun(), steps('A', 'B', 'C', 'D'), ...failing(12))

  it('are asked when three steps in a row have failed (R134, C38, F32)', () => {
    expect(states(play(begun(), steps('A', 'B', 'C', 'D'), ...failing(11)))).toEqual([
      'failed',
      'failed',
      'open',
      'open',
    ])
    expect(coding.next(stuck())).toEqual({ kind: 'wait' })
    expect(stuck()).toMatchObject({ lastQuestion: { reason: 'mission_stuck' }, failedInRow: 3 })
  })

  it('are asked when the last step has failed: there is nothing to go on with', () => {
    expect(play(begun(), steps('A'), ...failing(4)).lastQuestion).toMatchObject({
      reason: 'mission_stuck',
    })
  })

  it.each([
    ['the first choice', 'Skip this step', 0],
    ['in their words', ' skip ', -1],
    ['in Chinese', '跳过', -1],
  ])('skip the step by %s (F32)', (_, text, choice) => {
    const on = play(stuck(), { kind: 'answered', question: '?', text, author: ana, choice })
    expect(states(on)).toEqual(['failed', 'failed', 'skipped', 'open'])
    expect(on).toMatchObject({ failedInRow: 0, order: { instruction: null } })
  })

  it('stop the mission (F32)', () => {
    const on = play(stuck(), {
      kind: 'answered',
      question: '?',
      text: 'Stop here',
      author: ana,
      choice: 1,
    })
    expect(coding.next(on)).toEqual({ kind: 'call_model', contract: 'mission_report' })
    expect(on.reached).toBe(false)
  })

  it('replace the step by any other words (F32)', () => {
    const on = play(stuck(), answered('Use the old parser\nand keep its tests', '?') as Event)
    expect(on.steps[2]).toMatchObject({ title: 'Use the old parser', state: 'open' })
    expect(on).toMatchObject({ currentPlanIndex: 2, failedInRow: 0, retries: 0 })
  })

  it('are asked too when every list of steps fails in new words (R134)', () => {
    const task = play(
      begun(),
      steps('A'),
      ...times(2, ...attempt('failed', judged('replan')), steps('A again')),
      ...attempt('failed', judged('replan')),
    )
    expect(coding.next(task)).toEqual({ kind: 'wait' })
  })
})

describe('an agent that is watched while it works', () => {
  const strategy = strategies.coding
  const all = (task: CodingTask, ...events: Parameters<typeof strategy.apply>[1][]) =>
    events.reduce<Task>(strategy.apply, task) as CodingTask
  const working = (unattended = false) => play(begun({}, unattended), steps('A', 'B'), sent)
  const asks = (kind: 'approval' | 'question', id = 'q'): Event => ({
    kind: 'agent_asks',
    request: { id, kind, text: 'rm -r build', choices: [] },
    progress: { plan: [], doing: null },
    at: 2_000,
  })
  const says = (text: string, choice: number) =>
    ({ kind: 'answered', question: 'May I?', text, author: ana, choice }) satisfies Event

  it('is allowed by an approval alone, and each request once (C871, S91)', () => {
    const waiting = all(working(), asks('approval'))
    expect(strategy.next(waiting)).toEqual({ kind: 'wait' })
    expect(waiting.intent?.input).toBe('rm -r build')
    for (const other of [joined() as Event, continued as Event])
      expect(all(waiting, other).order?.answers).toBeUndefined()
    const allowed = all(waiting, says('Approve', 0))
    expect(allowed.order).toMatchObject({ answers: [{ id: 'q', allow: true }] })
    expect(allowed.order?.asks).toBeUndefined()
    expect(strategy.next(allowed)).toEqual({ kind: 'await_report' })
    const again = all(allowed, asks('approval', 'r'))
    expect(strategy.next(again)).toEqual({ kind: 'wait' })
    const answers = all(again, says('no, keep it', -1)).order?.answers
    expect(answers?.map(({ id, allow }) => [id, allow])).toEqual([
      ['q', true],
      ['r', false],
    ])
  })

  it('gets words as the answer to its question, and none where nobody watches (C872)', () => {
    const waiting = all(working(), asks('question'))
    expect(waiting).toMatchObject({ awaitingClarification: true, questionsAsked: 1 })
    const told = all(waiting, says('Lisbon', -1))
    expect(told.order?.answers).toEqual([{ id: 'q', allow: true, text: 'Lisbon' }])
    expect(told.orders).toBe(waiting.orders)
    const alone = all(working(true), asks('question'))
    expect(alone.awaitingClarification).toBe(false)
    expect(alone.order?.answers).toEqual([{ id: 'q', allow: false, text: null }])
  })

  it('shows its plan below the step in hand, and its call (C870)', () => {
    const progress = { plan: [{ text: 'Read', done: true }], doing: 'Editing a.js' }
    const task = all(working(), { kind: 'agent_at', progress, at: 2_000 })
    expect(task.planItems.map(({ parts }) => parts)).toEqual([progress.plan, undefined])
    expect(task.intent?.input).toBe('Editing a.js')
    const over = play(task, reported('success'))
    expect(over.observations[0]?.input).toBe('A')
  })
})
