import { describe, expect, it } from 'vitest'
import type { StepTask } from '../../../src/agent/domain/task.ts'
import { mustStop, step } from '../../../src/agent/strategies/step.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import {
  act,
  ana,
  answered,
  askUser,
  begun,
  ben,
  closed,
  continued,
  finish,
  joined,
  nextContract,
  observed,
  plan,
  planned,
  play,
  refused,
  replan,
  stepDone,
  unavailable,
} from './support.ts'

const { next } = step
const three = ['Find venues', 'Compare', 'Book']

describe('the flow of a task', () => {
  it('asks for one plan first and never for another (R2, R4)', () => {
    expect(nextContract(begun())).toBe('plan')
    const later = [
      play(planned(three), askUser(), answered()),
      play(planned(three), stepDone(), replan('Book')),
      play(planned(three, { maxSteps: 2 }), act(), observed(), continued),
      planned([]),
    ]
    for (const task of later) expect(nextContract(task)).not.toBe('plan')
  })

  it('plans each task by itself (R3)', () => {
    play(planned(three), stepDone(), finish())
    expect(nextContract(begun())).toBe('plan')
  })

  it('thinks, acts and observes on one item as often as the model wants (R4, R9)', () => {
    const task = play(
      planned(three),
      act('todo', 'list'),
      observed(),
      act('todo', 'add Book'),
      observed(),
    )
    expect(task).toMatchObject({ currentPlanIndex: 0, needsReplan: false })
    expect(nextContract(task)).toBe('thought')
    expect(task.observations.map((one) => one.input)).toEqual(['list', 'add Book'])
  })

  it('runs the tool that the thought chose, under the number of that thought (R4, rule 5)', () => {
    const task = play(planned(three), act('todo', 'list'))
    expect(next(task)).toEqual({ kind: 'call_tool', tool: 'todo', input: 'list', step: 1 })
  })

  it('replans once after a subtask, before the next thought (R5, R7, C1)', () => {
    const ended = play(planned(three), stepDone('Three venues'))
    expect(nextContract(ended)).toBe('replan')
    expect(nextContract(play(ended, replan('Compare', 'Book')))).toBe('thought')
  })

  it('replans after an answer, before any further thought (R6, C2)', () => {
    const task = play(planned(three), askUser(), answered())
    expect([task.needsReplan, nextContract(task)]).toEqual([true, 'replan'])
  })

  it.each([true, false])(
    'does not replan because of a tool that worked or not: %s (R8, C2)',
    (ok) => {
      const task = play(planned(three), act(), observed(ok, 'words'))
      expect([task.needsReplan, nextContract(task)]).toEqual([false, 'thought'])
      expect(task.observations).toEqual([
        { step: 1, tool: 'todo', input: 'list', ok, result: 'words' },
      ])
    },
  )

  it('leaves the list alone in every thought (R10)', () => {
    const before = planned(three)
    for (const thought of [act(), askUser()])
      expect(play(before, thought).planItems).toBe(before.planItems)
    expect(play(before, stepDone()).planItems.map((item) => item.text)).toEqual(three)
  })

  it('ends only the subtask with a thought that is done (R13, C4)', () => {
    const task = play(planned(three), stepDone('Three venues'))
    expect(task).toMatchObject({ currentPlanIndex: 1, needsReplan: true, settled: null })
    expect(task.conclusions).toEqual([
      { step: 1, item: 'Find venues', text: 'Three venues', ok: true },
    ])
    expect(closed(task)).toEqual(['Find venues'])
  })

  it('does not finish at the end of the list; the replan decides (R14)', () => {
    const task = play(planned(['Only']), stepDone())
    expect(task.currentPlanIndex).toBe(1)
    expect(nextContract(task)).toBe('replan')
    expect(nextContract(play(task, replan('One more')))).toBe('thought')
  })

  it('replaces list, cursor and flag in one step (R15, C3)', () => {
    const task = play(planned(three), stepDone(), replan('Compare', 'Call', 'Book'))
    expect(task).toMatchObject({ currentPlanIndex: 0, needsReplan: false })
    expect(task.planItems.map((item) => item.text)).toEqual(['Compare', 'Call', 'Book'])
  })

  it('ends the task with what the replan says (R16)', () => {
    const task = play(planned(three), stepDone(), finish('Booked for 3 May.'))
    expect(task.needsReplan).toBe(false)
    expect(next(task)).toEqual({ kind: 'finish', ok: true, text: 'Booked for 3 May.' })
  })

  it('accepts the end with items left open (C9, F15)', () => {
    const task = play(planned(three), stepDone(), finish())
    expect(next(task).kind).toBe('finish')
    expect(task.planItems.filter((item) => !item.done)).toHaveLength(2)
  })

  it('works on the goal when the plan is empty, until a thought is done (R19, C6, F15)', () => {
    const task = planned([])
    expect(nextContract(task)).toBe('thought')
    const after = play(task, stepDone('Nothing to do'))
    expect(after.conclusions).toMatchObject([{ item: 'Book the offsite' }])
    expect([after.currentPlanIndex, nextContract(after)]).toEqual([0, 'replan'])
  })
})

describe('a question', () => {
  it('stops everything until somebody answers (R11)', () => {
    const task = play(planned(three), askUser('Which city?', ['Lisbon', 'Porto']))
    expect(task.awaitingClarification).toBe(true)
    expect(next(task)).toEqual({ kind: 'wait' })
    expect(task.lastQuestion).toEqual({
      text: 'Which city?',
      choices: ['Lisbon', 'Porto'],
      reason: 'asked',
    })
  })

  it('offers all different choices, none blank (R11, C337)', () => {
    const task = play(planned(three), askUser('Which?', ['a', ' ', 'b', 'a ', 'c', 'd', 'e', 'f']))
    expect(task.lastQuestion?.choices).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('keeps who answered what (R36, C47)', () => {
    const task = play(planned(three), askUser(), answered('Lisbon', 'Which city?', ben))
    expect(task.clarifications).toEqual([
      { step: 1, question: 'Which city?', text: 'Lisbon', author: ben },
    ])
    expect(task.awaitingClarification).toBe(false)
  })

  it('costs no step, nor does waiting (R24)', () => {
    const asked = play(planned(three), askUser())
    expect([asked.spent.steps, play(asked, answered()).spent.steps]).toEqual([1, 1])
  })

  const asked = play(
    planned(three),
    askUser('Which city?'),
    answered('Lisbon', 'Which city?'),
    replan(...three),
  )

  it.each(['which city', 'Which city?!', 'Now, which city?'])(
    'is refused when it was answered: %s (F2)',
    (again) => {
      const task = play(asked, askUser(again))
      expect(task.awaitingClarification).toBe(false)
      expect(task.observations.at(-1)).toMatchObject({
        tool: 'ask_user',
        ok: false,
        result: 'already answered: Lisbon',
      })
      expect(nextContract(task)).toBe('thought')
    },
  )

  it('goes to the replan when it is repeated twice, with an apology that points to the commands (F2)', () => {
    const task = play(asked, askUser('Which city?'), askUser('Which city?'))
    expect(nextContract(task)).toBe('replan')
    expect(task.observations.at(-1)?.result).toMatch(/sorry.*\/todo/s)
    expect(task.conclusions.at(-1)).toMatchObject({ item: 'Find venues', ok: false })
    expect(closed(task)).toEqual([])
  })

  it('goes to the replan after six earlier ones, with an apology that points to the commands (F2)', () => {
    let task = planned(three)
    for (const city of ['A', 'B', 'C', 'D', 'E', 'F'])
      task = play(
        task,
        askUser(`Is it ${city}${city}?`),
        answered('no', `Is it ${city}${city}?`),
        replan(...three),
      )
    task = play(task, askUser('Where then?'))
    expect([task.awaitingClarification, nextContract(task)]).toEqual([false, 'replan'])
    expect(task.observations.at(-1)?.result).toMatch(/too many questions.*sorry.*\/todo/s)
  })
})

describe('what people say meanwhile', () => {
  it('joins the clarifications and makes the plan be looked at again (C50)', () => {
    const task = play(planned(three), joined('Under 4,000 euros', ben))
    expect(nextContract(task)).toBe('replan')
    expect(task.clarifications).toEqual([
      { step: 0, question: null, text: 'Under 4,000 euros', author: ben },
    ])
  })

  it('waits for a tool that has been decided (C50)', () => {
    expect(next(play(planned(three), act(), joined())).kind).toBe('call_tool')
  })

  it('waits for the one plan (R2, C50)', () => {
    const task = play(begun(), joined())
    expect(nextContract(task)).toBe('plan')
    expect(nextContract(play(task, plan(...three)))).toBe('replan')
  })

  it('is heard before the last word is spoken (C50)', () => {
    const task = play(planned(three), stepDone(), finish(), joined())
    expect(nextContract(task)).toBe('replan')
  })

  it('does not answer an open question by itself (R11)', () => {
    expect(next(play(planned(three), askUser(), joined()))).toEqual({ kind: 'wait' })
  })

  it('is what the next change of the plan is said to come from (C57)', () => {
    const task = play(
      planned(three),
      askUser(),
      answered('Lisbon', 'Which city?', ana),
      replan('Book in Lisbon'),
    )
    expect(task.lastChange).toMatchObject({
      added: ['Book in Lisbon'],
      dropped: three,
      because: { text: 'Lisbon' },
    })
    // It stays until the plan changes again (C197).
    const same = play(task, askUser(), answered('Yes', 'Sure?', ana), replan('Book in Lisbon'))
    expect(same.lastChange).toEqual(task.lastChange)
    const later = play(same, stepDone(), replan('Tell the team'))
    expect(later.lastChange).toMatchObject({ because: null })
  })
})

describe('the step budget', () => {
  const steps = (task: StepTask) => task.spent.steps

  it('counts each thought and each replan, accepted or not (R21, R22)', () => {
    expect(steps(play(planned(three), stepDone(), replan(...three)))).toBe(2)
    expect(steps(play(planned(three), refused('thought')))).toBe(1)
    expect(steps(play(planned(three), stepDone(), refused('replan')))).toBe(2)
    expect(steps(play(planned(three), unavailable('thought')))).toBe(1)
  })

  it.each([true, false])('counts each tool call, whether it worked or not: %s (R23)', (ok) => {
    expect(steps(play(planned(three), act(), observed(ok)))).toBe(2)
  })

  it('does not count the plan, not even a refused one (R24, C8)', () => {
    expect(steps(play(begun(), refused('plan'), refused('plan'), plan(...three)))).toBe(0)
  })

  it('lets nothing run once it is used up (R20)', () => {
    const used = [
      play(planned(three, { maxSteps: 1 }), refused('thought')),
      play(planned(three, { maxSteps: 1 }), stepDone()),
      play(planned(three, { maxSteps: 2 }), act(), observed()),
    ]
    for (const task of used) expect(next(task)).toEqual({ kind: 'pause', reason: 'steps' })
  })

  it('still runs the tool of the last allowed thought, and nothing more (C7)', () => {
    const task = play(planned(three, { maxSteps: 1 }), act())
    expect(next(task).kind).toBe('call_tool')
    const after = play(task, observed())
    expect([after.spent.steps, next(after)]).toEqual([2, { kind: 'pause', reason: 'steps' }])
  })

  it('is fresh after "continue", while the totals go on (C35)', () => {
    const task = play(planned(three, { maxSteps: 2 }), act(), observed(), continued)
    expect(task.spent).toMatchObject({ steps: 0, iterations: 2, pauses: 1, toolCalls: 1 })
    expect(nextContract(task)).toBe('thought')
  })

  it('does not repeat a finished step after "continue" (R86)', () => {
    const task = play(
      planned(three, { maxSteps: 2 }),
      stepDone(),
      replan('Compare', 'Book'),
      continued,
    )
    expect(task.planItems[task.currentPlanIndex]?.text).toBe('Compare')
  })

  it.each([
    ['model_calls', { maxModelCalls: 2 }],
    ['tokens', { maxTokens: 24 }],
    ['time', { maxWallMs: 200 }],
  ] as const)(
    'stops at the hard ceiling on %s and goes on after "continue" (C36)',
    (reason, over) => {
      const task = play(planned(three, over), stepDone())
      expect(next(task)).toEqual({ kind: 'pause', reason })
      expect(nextContract(play(task, continued))).toBe('replan')
    },
  )

  it('starts no tool beyond the ceiling on tool calls (C36)', () => {
    const task = play(planned(three, { maxToolCalls: 1 }), act(), observed())
    expect(next(task)).toEqual({ kind: 'pause', reason: 'tool_calls' })
  })

  it('cuts a very long result, between characters (C493)', () => {
    const [one] = play(
      planned(three),
      act(),
      observed(true, `${'x'.repeat(59_999)}😀😀`),
    ).observations
    expect(one?.result).toBe(`${'x'.repeat(59_999)}… [cut: 4 of 60003 characters are not shown]`)
  })
})

describe('failures in a row', () => {
  const failing = [act(), observed(false), act(), observed(false), act(), observed(false)]

  it('let a thought only ask or be done after three tools that failed (R17, C5)', () => {
    expect(mustStop(play(planned(three), ...failing.slice(0, 4)))).toBe(false)
    expect(mustStop(play(planned(three), ...failing))).toBe(true)
  })

  it('start again with a tool that worked, with an answer and with the next item (R17)', () => {
    const task = play(planned(three), ...failing.slice(0, 4))
    for (const after of [[act(), observed(true)], [askUser(), answered()], [stepDone()]])
      expect(mustStop(play(task, ...after, act(), observed(false)))).toBe(false)
  })

  it('let a thought only ask or be done after two refused replies (R17, C5)', () => {
    expect(mustStop(play(planned(three), refused('thought')))).toBe(false)
    expect(mustStop(play(planned(three), refused('thought'), refused('thought')))).toBe(true)
  })

  it('of the report end in a digest where all is done, and in a pause where it is not (C338, R62)', () => {
    const refusals = Array.from({ length: 5 }, () => refused('replan'))
    expect(play(planned(['Book']), stepDone(), ...refusals).settled).toEqual({
      kind: 'finished',
      ok: true,
      text: '',
    })
    expect(play(planned(three), stepDone(null, 'replan'), ...refusals).settled).toMatchObject({
      kind: 'paused',
      reason: 'model_unusable',
    })
  })

  it('are counted apart (C5)', () => {
    const task = play(
      planned(three),
      act(),
      observed(false),
      act(),
      observed(false),
      refused('thought'),
    )
    expect(task.failures).toMatchObject({ tool: 2, contract: 1 })
    expect(mustStop(task)).toBe(false)
  })

  it('tell the model why, in the next request only (R17)', () => {
    const task = play(planned(three), refused('thought', 'continue needs current_step'))
    expect(task.refusal).toBe('continue needs current_step')
    expect(play(task, act()).refusal).toBeNull()
  })

  it('make Clew itself ask after two more refusals (C5)', () => {
    const before = play(planned(three), ...failing, refused('thought'))
    expect(before.awaitingClarification).toBe(false)
    const task = play(before, refused('thought'))
    expect(next(task)).toEqual({ kind: 'wait' })
    expect(task.lastQuestion).toEqual({ text: null, choices: [], reason: 'stuck' })
  })

  it('close the item as failed where nobody can be asked (C5)', () => {
    const task = play(planned(three, {}, true), ...failing, refused('thought'), refused('thought'))
    expect(nextContract(task)).toBe('replan')
    expect(task.conclusions).toMatchObject([{ item: 'Find venues', ok: false }])
    expect([closed(task), task.currentPlanIndex]).toEqual([[], 1])
  })

  it('pause the task when no replan is accepted (C5, C35)', () => {
    const task = play(
      planned(three),
      stepDone(),
      ...Array.from({ length: 4 }, () => refused('replan')),
    )
    expect(next(task)).toEqual({ kind: 'pause', reason: 'model_unusable' })
    expect(nextContract(play(task, continued))).toBe('replan')
  })

  it('end a task that gets no plan in three tries (C8)', () => {
    const two = play(begun(), refused('plan'), refused('plan'))
    expect(nextContract(two)).toBe('plan')
    expect(next(play(two, refused('plan')))).toEqual({ kind: 'give_up', reason: 'no_plan' })
  })

  it('pause the task when the model stays away, also before there is a plan (C35)', () => {
    const away = (contract: 'plan' | 'thought') =>
      Array.from({ length: 5 }, () => unavailable(contract))
    expect(nextContract(play(begun(), ...away('plan').slice(1)))).toBe('plan')
    expect(next(play(begun(), ...away('plan')))).toEqual({
      kind: 'pause',
      reason: 'model_unavailable',
    })
    const task = play(planned(three), ...away('thought'))
    expect(next(task)).toEqual({ kind: 'pause', reason: 'model_unavailable' })
    expect(nextContract(play(task, continued))).toBe('thought')
  })

  it('count the waiting for a model as time (C36)', () => {
    const task = play(planned(three, { maxWallMs: 60_000 }), unavailable('thought', 3_600_000))
    expect(next(task)).toEqual({ kind: 'pause', reason: 'model_unavailable' })
  })

  it('give a call that makes up for one of unknown outcome the same effect (C13)', () => {
    const cut = { ...observed(false, 'timed out, outcome unknown'), unknown: true }
    const first = play(planned(three), act('todo', 'add a'))
    const again = play(first, cut, act('todo', 'add a'))
    expect(next(again)).toEqual({
      kind: 'call_tool',
      tool: 'todo',
      input: 'add a',
      step: first.intent?.step,
    })
    const other = play(again, observed(), act('todo', 'add a'))
    expect(next(other)).toMatchObject({ step: other.intent?.step })
    expect(other.intent?.step).toBeGreaterThan(again.intent?.step ?? 0)
  })

  it('leave a call that was cut off to the thread (I10, rule 5)', () => {
    const task = play(planned(three), act('mail', 'send'), { kind: 'interrupted' })
    expect(next(task)).toEqual({ kind: 'wait' })
    expect(task.lastQuestion?.reason).toBe('outcome_unknown')
    expect(task.observations).toEqual([
      { step: 1, tool: 'mail', input: 'send', ok: false, result: 'outcome unknown', unknown: true },
    ])
    expect(task.intent).toBeNull()
  })
})

describe('the story that the thread tells', () => {
  const told = (before: StepTask, event: Parameters<typeof step.apply>[1]) =>
    strategies.step
      .narrate(before, event, step.apply(before, event))
      .filter(({ kind }) => kind !== 'model_call')

  it('has the plan once (R38)', () => {
    expect(told(begun(), plan(...three))).toEqual([{ kind: 'planned', items: three }])
  })

  it('has each accepted replan, with what it changed (R38, C57)', () => {
    const before = play(planned(three), stepDone())
    expect(told(before, replan('Compare', 'Call'))).toEqual([
      {
        kind: 'replanned',
        items: ['Compare', 'Call'],
        change: { added: ['Call'], dropped: ['Book'], because: null },
      },
    ])
    expect(told(before, refused('replan'))).toEqual([])
  })

  it('says in a replan that nothing changed when nothing did (F4)', () => {
    const before = play(planned(three), stepDone(), replan('Compare', 'Call'), stepDone())
    expect(told(before, replan('Call'))).toEqual([
      { kind: 'replanned', items: ['Call'], change: null },
    ])
  })

  it('has the decision of each thought: act, step done or ask (R39, C57)', () => {
    const before = planned(three)
    expect(told(before, act('todo'))).toEqual([
      { kind: 'thought', decision: 'act', index: 0, step: 1 },
      { kind: 'acting', tool: 'todo', step: 1 },
    ])
    expect(told(before, stepDone())).toEqual([
      { kind: 'thought', decision: 'step_done', index: 0, step: 1 },
    ])
    expect(told(before, askUser())).toEqual([
      { kind: 'thought', decision: 'ask', index: 0, step: 1 },
    ])
  })

  it('leaves “task done” to the replan (C57, C4)', () => {
    expect(told(play(planned(three), stepDone()), finish())).toEqual([{ kind: 'task_done' }])
  })

  it('has each tool before and after, with how it went (R40)', () => {
    const before = play(planned(three), act('todo'))
    expect(told(before, observed(false))).toEqual([
      { kind: 'acted', tool: 'todo', step: 1, ok: false, ms: 5 },
    ])
  })

  it('keeps what the model called its step short (R42)', () => {
    const task = play(planned(three), act('todo', 'list', 'I wonder. '.repeat(1_000)))
    expect(task.lastThought?.currentStep.length).toBeLessThanOrEqual(201)
  })

  it('has every request with its cost and what was wrong with the reply (R119)', () => {
    const before = planned(three)
    const event = refused('thought', 'there is no tool "mail"')
    expect(strategies.step.narrate(before, event, step.apply(before, event))).toEqual([
      {
        kind: 'model_call',
        contract: 'thought',
        ok: false,
        problem: 'bad_reply: there is no tool "mail"',
        ms: 100,
        promptTokens: 10,
        completionTokens: 2,
      },
    ])
  })
})

describe('the record of a task', () => {
  it('holds all that the loop needs, as fields or as what follows from them (R36)', () => {
    const task = play(planned(three), act(), observed(true), act(), observed(false), askUser())
    expect(task).toMatchObject({
      planInitialized: true,
      currentPlanIndex: 0,
      awaitingClarification: true,
      needsReplan: false,
      lastThought: { status: 'ask_user' },
      lastQuestion: { text: 'Which city?' },
      spent: { steps: 5, successfulSteps: 1, failedSteps: 1 },
    })
    expect([task.planItems.length, task.observations.length, task.clarifications.length]).toEqual([
      3, 2, 0,
    ])
  })
})
