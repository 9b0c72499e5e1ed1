import { describe, expect, it } from 'vitest'
import { readReply } from '../../../src/agent/contracts.ts'
import type { Limits } from '../../../src/agent/domain/budget.ts'
import { FreeTask } from '../../../src/agent/domain/task.ts'
import { limitReport } from '../../../src/agent/drive/pause-report.ts'
import { turnsOf } from '../../../src/agent/model/exchanges.ts'
import { planBlock, resumption } from '../../../src/agent/model/plan-block.ts'
import { free } from '../../../src/agent/strategies/free.ts'
import type { FreeContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { inputs } from '../model/inputs.ts'
import { ana } from './support.ts'

type Event = TaskEvent<FreeContract>
const call = { usage: { promptTokens: 10, completionTokens: 2 }, ms: 100 }
const begun = (over: Partial<Limits> = {}, unattended = false): FreeTask =>
  free.start('Book the offsite', { ...limits, ...over }, unattended)
const play = (task: FreeTask, ...events: readonly Event[]): FreeTask =>
  events.reduce(free.apply, task)
const says = (text: string | null, ...calls: string[]): Event => ({
  kind: 'replied',
  contract: 'act',
  reply: { text, calls: calls.map((input) => ({ tool: 'todo', input })) },
  ...call,
})
const asks = (input: string): Event => ({
  kind: 'replied',
  contract: 'act',
  reply: { text: null, calls: [{ tool: 'ask_user', input }] },
  ...call,
})
const refused = (problem = 'neither words nor a call'): Event => ({
  kind: 'refused',
  contract: 'act',
  problem,
  ...call,
})
const worked = (result = 'fine') => ({ kind: 'observed', ok: true, result, ms: 5 }) satisfies Event
const failed: Event = { kind: 'observed', ok: false, result: 'no', ms: 5 }
/** One iteration: words, one call, its result. */
const turn = (text: string, result = 'fine'): Event[] => [says(text, 'list'), worked(result)]
const declared = '[Step] Find venues\n[Step] Compare\n[Step] Book'
const statuses = (task: FreeTask) => task.plan?.steps.map((step) => step.status)
const inputOf = (task: FreeTask) => ({ ...inputs.act, ...free.view(task) })

describe('replies without words and calls (C448)', () => {
  const silent = Array.from({ length: 3 }, () => says(' '))

  it('are asked for again, and end in the digest of what was done (R62)', () => {
    const task = play(begun(), ...turn('Looking.'), ...silent.slice(1))
    expect([task.settled, task.refusal]).toEqual([null, expect.stringMatching(/neither words/)])
    expect(play(begun(), ...turn('Looking.'), ...silent).settled).toEqual({
      kind: 'finished',
      ok: true,
      text: '',
    })
  })

  it.each([
    ['nothing was done', []],
    ['the last call failed', [says('Looking.', 'list'), failed]],
    ['more than a last step is open', turn(declared)],
  ])('pause where %s', (_, before) => {
    expect(play(begun(), ...before, ...silent).settled).toMatchObject({ kind: 'paused' })
  })
})

describe('a plan', () => {
  it('begins with the first call, and not with a plain answer (R72, R73)', () => {
    const answered = play(begun(), says('It is 42.\n[Step] no'))
    expect(answered.plan).toBeNull()
    expect(free.next(answered)).toMatchObject({ kind: 'finish', ok: true })
    expect(play(begun(), says(declared, 'list')).plan).not.toBeNull()
  })

  it('has the declared lines as its steps, the first of which is running at once (R74, R75, R76)', () => {
    const { plan, planItems, currentPlanIndex } = play(begun(), says(declared, 'list'))
    expect(plan).toMatchObject({
      steps: [
        { id: 'step_1', description: 'Find venues', status: 'running' },
        { id: 'step_2', description: 'Compare', status: 'pending' },
        { id: 'step_3', description: 'Book', status: 'pending' },
      ],
      current: 0,
    })
    expect({ planItems: planItems.map((item) => item.text), currentPlanIndex }).toEqual({
      planItems: ['Find venues', 'Compare', 'Book'],
      currentPlanIndex: 0,
    })
  })

  it('takes declarations at the beginning of a line, in these letters only (F22)', () => {
    const task = play(
      begun(),
      says('So: [Step] a\n[step] b\n  [Step] c\n```\n[Step] d\n```\n[Step]   e  ', 'list'),
    )
    expect(task.plan?.steps.map((step) => step.description)).toEqual(['e'])
  })

  it('without steps asks for them, takes later ones, and completes nothing until it has one (R77, R78, C22)', () => {
    const bare = play(begun(), ...turn('Looking. [Done] Next I go on.'))
    expect(bare.plan).toMatchObject({ steps: [], current: 0 })
    expect(planBlock(inputOf(bare))).toContain('No step is declared yet')
    expect(statuses(play(bare, says('[Step] Compare', 'list')))).toEqual(['running'])
  })

  it('has no block while words beside an open question are answered (R84, C503)', () => {
    const task = play(begun(), ...turn(declared))
    const open = { question: 'When?', choices: [] }
    expect(planBlock(inputOf(task))).toContain('Step 1/3')
    expect(planBlock({ ...inputOf(task), open })).toBeNull()
  })

  it('is worked on in order, its block with goal and position being the last that the model reads (R71, R84, C55)', () => {
    const task = play(begun(), ...turn(declared), ...turn('[Done]'))
    expect(planBlock(inputOf(task))).toMatch(
      /goal: Book the offsite[\s\S]*steps:\n {2}2\. \[running\][\s\S]*Step 2\/3/,
    )
  })
})

describe('a step', () => {
  const begunPlan = play(begun(), ...turn(declared))

  it.each(['[Done]', '[完成]', '[step DONE]', '[步骤完成]', '[complete]', '[Completed]', '[结束]'])(
    'is completed at once by %s (R79, F21)',
    (mark) => {
      expect(statuses(play(begunPlan, says(`Found two ${mark}`, 'list')))).toEqual([
        'completed',
        'running',
        'pending',
      ])
    },
  )

  it.each([
    'Next I compare.',
    'I will now compare.',
    'Let me look.',
    '接下来比较。',
    '好的，现在开始比较',
  ])('is completed by going on (%s), but only after one iteration in it (R80, F21)', (words) => {
    expect(statuses(play(begunPlan, says(words, 'list')))?.[0]).toBe('running')
    expect(statuses(play(begunPlan, ...turn('Looking.'), says(words, 'list')))?.[0]).toBe(
      'completed',
    )
  })

  it.each([
    ['within a word', 'I know the context.'],
    ['in code', 'I ran `next build` and\n```\nthen fi\n```'],
    ['in quotes', 'It says "continue" and “proceed”, 「接下来」.'],
    ['in a clause that denies it', "I can't continue. 还不能继续"],
    ['in a declaration', '[Step] Next venue'],
    ['in what somebody else said', '> now what'],
  ])('is not completed by a transition %s (C20)', (_, words) => {
    expect(statuses(play(begunPlan, ...turn('Looking.'), says(words, 'list')))?.[0]).toBe('running')
  })

  it('is completed by marks alone when transitions are switched off (C20)', () => {
    const off = play(begun({ transitions: false }), ...turn(declared), ...turn('Looking.'))
    expect(statuses(play(off, says('Next I compare.', 'list')))?.[0]).toBe('running')
    expect(statuses(play(off, says('[Done]', 'list')))?.[0]).toBe('completed')
  })

  it('has failed after five iterations in which nothing worked, unless the model says that it is done (C113, R75)', () => {
    const trying = Array.from({ length: 4 }, () => [says('Looking.', 'list'), failed]).flat()
    const begunBadly = play(begun(), says(declared, 'list'), failed)
    const ended = play(begunBadly, ...trying, says('Looking.', 'list'), failed)
    expect(statuses(ended)).toEqual(['failed', 'running', 'pending'])
    expect(ended.planItems[0]?.done).toBe(false)
    expect(statuses(play(begunBadly, ...trying, says('[Done]', 'list'), failed))?.[0]).toBe(
      'completed',
    )
  })

  it('is completed after five iterations (R81)', () => {
    const looking = Array.from({ length: 4 }, () => turn('Looking.')).flat()
    expect(statuses(play(begunPlan, ...looking))?.[0]).toBe('running')
    expect(statuses(play(begunPlan, ...looking, ...turn('Looking.')))).toEqual([
      'completed',
      'running',
      'pending',
    ])
  })

  it('is the only one that an iteration completes, whatever all is said (R82)', () => {
    const task = play(begunPlan, ...turn('Looking.'), says('[Done] Next! [完成] Then now.', 'list'))
    expect(statuses(task)).toEqual(['completed', 'running', 'pending'])
  })

  it('keeps what its last three calls came to (R83, F22)', () => {
    const task = play(
      begunPlan,
      ...turn('a', 'one'),
      ...turn('b', 'two'),
      ...turn('c', 'three'),
      says('[Done]', 'x'),
    )
    expect(task.plan?.steps[0]?.result).toBe('todo: one; todo: two; todo: three')
  })

  it('stays open when the final text comes before it, and is named in the reply (C23, C39)', () => {
    const task = play(begunPlan, says('Only one venue exists. [Done]'))
    expect(free.next(task)).toEqual({ kind: 'finish', ok: true, text: 'Only one venue exists.' })
    expect(statuses(task)).toEqual(['completed', 'running', 'pending'])
    expect(task.planItems.filter((item) => !item.done).map((item) => item.text)).toEqual([
      'Compare',
      'Book',
    ])
  })

  it.each([
    ['[Done] [Done]\nOne venue.', ['completed', 'completed', 'running']],
    ['[Done]\n[Done]\n[Done]\nOne venue.', ['completed', 'completed', 'completed']],
    ['[完成][完成][完成][完成] 只有一处。', ['completed', 'completed', 'completed']],
  ])('is completed by each mark of the final text (C545): %j', (text, expected) => {
    expect(statuses(play(begunPlan, says(text)))).toEqual(expected)
  })

  it('is completed alone by the marks beside a call (R82)', () => {
    const task = play(begunPlan, says('[Done] [Done]', 'list'))
    expect(statuses(task)).toEqual(['completed', 'running', 'pending'])
  })

  it('is completed by the final text when it is the last one', () => {
    const task = play(begun(), ...turn('[Step] Look'), says('Nothing there.'))
    expect(statuses(task)).toEqual(['completed'])
  })
})

describe('a pause at the limit', () => {
  const paused = play(begun({ maxIterations: 2 }), ...turn(declared), ...turn('[Done]'))

  it('tells how far it is and how to go on (R87, R88, F23, R25)', () => {
    expect(free.next(paused)).toEqual({ kind: 'pause', reason: 'iterations' })
    const text = limitReport({ task: paused, reason: 'iterations', again: '' }, 'en')
    for (const part of [
      'Goal: Book the offsite',
      'Steps done: 1/3',
      'Now: Compare',
      'Rounds so far: 2',
      '✓ Find venues',
      '▶ Compare',
      '○ Book',
      'I tried 2 times and couldn’t finish. (Reached 2 iterations without completion.)',
      '`continue`',
    ])
      expect(text).toContain(part)
  })

  it('goes on from the current step with a fresh budget, is told so once, and repeats nothing (R85, R86, C35, F25)', () => {
    const resumed = play(paused, { kind: 'continued' })
    expect(free.next(resumed)).toEqual({ kind: 'call_model', contract: 'act' })
    expect(free.view(resumed).resumed).toBe(true)
    expect(resumption(inputOf(resumed))).toContain('1 of 3 steps are completed')
    const further = play(resumed, ...turn('Comparing.'))
    expect(free.view(further).resumed).toBe(false)
    expect(statuses(further)).toEqual(['completed', 'running', 'pending'])
    // Two iterations in the step before, one after the pause: it is not begun anew.
    expect(further.inStep).toBe(1)
  })

  it('takes 200 iterations when nothing else is said (F23)', () => {
    const turns = Array.from({ length: 199 }, () => turn('Looking.')).flat()
    const many = { maxModelCalls: 1_000, maxToolCalls: 1_000 }
    expect(free.next(play(begun(many), ...turns)).kind).toBe('call_model')
    expect(free.next(play(begun(many), ...turns, ...turn('Looking.')))).toEqual({
      kind: 'pause',
      reason: 'iterations',
    })
  })
})

describe('a free turn', () => {
  const read = (value: unknown, over = {}) => readReply('act', { ...inputs.act, ...over }, value)

  it('is words, calls or both (R48, C40)', () => {
    expect(read({ text: 'Done.', calls: [] })).toMatchObject({ ok: true })
    expect(read({ calls: [{ tool: 'todo', arguments: { input: 'list' } }] })).toMatchObject({
      reply: { text: null, calls: [{ tool: 'todo', input: 'list' }] },
    })
    for (const bad of [
      { calls: [{ tool: 'rm', input: '/' }] },
      { calls: [{ tool: 'think', input: 'x' }] },
    ])
      expect(read(bad)).toMatchObject({ ok: false })
  })

  it('asks with its last call, waits, and hears the answer (C37)', () => {
    expect(
      read({ calls: [{ tool: 'ask_user', input: 'Which?' }] }, { unattended: true }),
    ).toMatchObject({ ok: false })
    const asked = play(begun(), asks('Which city?\n- Lisbon'))
    expect(free.next(asked)).toEqual({ kind: 'wait' })
    expect(asked.lastQuestion).toMatchObject({ text: 'Which city?', choices: ['Lisbon'] })
    const answered = play(asked, {
      kind: 'answered',
      question: 'Which city?',
      text: 'Lisbon',
      author: ana,
    })
    expect(free.next(answered)).toEqual({ kind: 'call_model', contract: 'act' })
  })

  it('goes on after a failed call, until too many fail in a row (R8, R17)', () => {
    const once = play(begun(), says(null, 'a', 'b'), failed)
    expect(free.next(once)).toMatchObject({ kind: 'call_tool', input: 'b' })
    const often = play(once, failed, says(null, 'c'), failed)
    expect(free.view(often).mustStop).toBe(true)
    expect(read({ calls: [{ tool: 'todo', input: 'list' }] }, free.view(often))).toMatchObject({
      ok: false,
    })
    expect(read({ text: 'It does not work.', calls: [] }, free.view(often))).toMatchObject({
      ok: true,
    })
  })

  it('counts the calls of one reply that fail together as one failure (R17, C540)', () => {
    const together = play(begun(), says(null, 'a', 'b', 'c'), {
      ...failed,
      along: [failed, failed],
    })
    expect(free.view(together).mustStop).toBe(false)
    const mixed = play(together, says(null, 'd', 'e'), {
      ...failed,
      along: [worked()],
    })
    const again = play(mixed, says(null, 'f'), failed, says(null, 'g'), failed)
    expect(free.view(again).mustStop).toBe(false)
  })

  it('is refused with its reason, and given up for now after three (R48)', () => {
    const twice = play(begun(), refused(), refused())
    expect(free.view(twice).refusal).toBe('neither words nor a call')
    expect(free.next(play(twice, refused()))).toEqual({ kind: 'pause', reason: 'model_unusable' })
  })

  it('stands before the words that came while it was written, which it did not know (C541)', () => {
    const joined: Event = { kind: 'joined', text: 'With a table', author: ana }
    const task = play(begun(), ...turn('Looking.'), says(null, 'a', 'b'), joined, {
      ...worked(),
      along: [worked()],
    })
    const [, unknowing, words] = turnsOf(inputOf(task))
    expect(unknowing).toMatchObject({ calls: [{ input: 'a' }, { input: 'b' }] })
    expect(words).toContain('text: With a table')
  })

  it('is put off from being the last by a message that arrives just before (C50)', () => {
    const told = play(begun(), says('Done.'), { kind: 'joined', text: 'And Porto', author: ana })
    expect(free.next(told)).toEqual({ kind: 'call_model', contract: 'act' })
  })

  it('ends the task with its words, without the marks (C34, C39)', () => {
    const task = play(
      begun(),
      ...turn('[Step] Look'),
      says('[Step] Look\nBooked it. [Done]\n\n\n\nSee #3.'),
    )
    expect(task.settled).toMatchObject({ text: '- Look\nBooked it.\n\nSee #3.' })
  })
})

it('a free task is a record that reads back (R89)', () => {
  const task = play(begun(), ...turn(declared), says('[Done]', 'a', 'b'))
  expect(FreeTask.parse(JSON.parse(JSON.stringify(task)))).toEqual(task)
})
