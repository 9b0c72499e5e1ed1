import { describe, expect, it } from 'vitest'
import { readReply } from '../../../src/agent/contracts.ts'
import { BatchTask } from '../../../src/agent/domain/task.ts'
import { limitReport } from '../../../src/agent/drive/pause-report.ts'
import { exchangeText } from '../../../src/agent/model/exchanges.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import { batch } from '../../../src/agent/strategies/batch.ts'
import { batchSizes } from '../../../src/agent/strategies/batch-sizes.ts'
import { inputs } from '../model/inputs.ts'
import {
  away,
  begun,
  contractOf,
  failed,
  planRound,
  play,
  refused,
  summary,
  think,
  worked,
} from './batch-support.ts'
import { ana } from './support.ts'

const round = inputs.plan_tool_call
const steps = (count: number, tool = 'todo') =>
  Array.from({ length: count }, () => ({ tool, arguments: 'list' }))
const readPlan = (value: unknown, input = round) => readReply('plan_tool_call', input, value)
const readThink = (value: unknown) => readReply('think', round, value)

it.each(['Skip the second venue: it is closed.', '预算已用 1,400 欧元。', 'Retry 3.\nThen ask.'])(
  'a round tells the next one what it thought: %j (C496)',
  (text) => {
    const thought = think('Two found.')
    if (thought.kind === 'replied' && thought.contract === 'think')
      thought.reply.internal_analysis = text
    const task = play(begun(), planRound('list'), worked(), thought)
    const input = { ...round, ...batch.view(task) }
    const told = promptFor('plan_tool_call', input).transcript.map(exchangeText).join('\n')
    expect(told).toContain(`summary: Two found.\nanalysis: ${text.replace('\n', '\n  ')}\n`)
    const silent = play(begun(), planRound('list'), worked(), think('Two found.'))
    expect(silent.lastSummary).not.toContain('secret')
  },
)

describe('the contract of a round', () => {
  it('takes 1 to 8 calls with reasoning and an estimate (R49)', () => {
    for (const count of [1, 8])
      expect(readPlan({ steps: steps(count), reasoning: 'r', estimated_steps: 3 })).toMatchObject({
        ok: true,
        reply: { steps: steps(count), reasoning: 'r', estimated_steps: 3 },
      })
  })

  it('refuses more than 8 calls with its text, and none (R50, C19)', () => {
    expect(readPlan({ steps: steps(9) })).toEqual({
      ok: false,
      problem: '每轮最多规划8个步骤',
    })
    expect(readPlan({ steps: [] })).toMatchObject({ ok: false })
  })

  it('takes as few calls as a round needs, whatever its size (C112)', () => {
    for (const { callsPerRound } of Object.values(batchSizes))
      expect(readPlan({ steps: steps(1) }, { ...round, callsPerRound })).toMatchObject({ ok: true })
  })

  it('takes args for arguments, and objects for their text (C11)', () => {
    expect(readPlan({ steps: [{ tool: 'todo', args: 'list' }] })).toMatchObject({
      reply: { steps: [{ arguments: 'list' }] },
    })
    const given = [
      { tool: 'todo', args: { input: 'list' } },
      { tool: 'todo', arguments: { id: 1 } },
    ]
    expect(readPlan({ steps: given })).toMatchObject({
      reply: { steps: [{ arguments: 'list' }, { arguments: '{"id":1}' }] },
    })
  })

  it.each([
    ['a tool that is not offered (R48, C40)', steps(1, 'rm')],
    ['a stage of the loop (C40, F17)', steps(1, 'think')],
    ['a plan within a plan (C40)', steps(1, 'plan_tool_call')],
    [
      'a question that is not the last call (C37)',
      [{ tool: 'ask_user', arguments: 'Which?' }, ...steps(1)],
    ],
    ['a call without input', [{ tool: 'todo', arguments: ' ' }]],
  ])('refuses %s', (_, given) => {
    expect(readPlan({ steps: given })).toMatchObject({ ok: false })
  })

  it('takes a question as the last call, unless nobody is there (C37)', () => {
    const given = { steps: [...steps(1), { tool: 'ask_user', arguments: 'Which?' }] }
    expect(readPlan(given)).toMatchObject({ ok: true })
    expect(readPlan(given, { ...round, unattended: true })).toMatchObject({ ok: false })
  })

  it('needs a summary for people in every thought (R53, R54)', () => {
    const said = {
      internal_analysis: 'a',
      user_summary: 's',
      task_completed: false,
      next_steps_preview: 'n',
    }
    expect(readThink(said)).toMatchObject({ ok: true, reply: { ...said, next_round: null } })
    for (const user_summary of ['', ' \n', null, undefined])
      expect(readThink({ ...said, user_summary })).toMatchObject({ ok: false })
  })
})

describe('a round', () => {
  it('plans, executes and thinks, in that order, with two model calls (R45, R51, R68, C18)', () => {
    let task = begun()
    const seen: string[] = []
    for (const event of [
      planRound('add a', 'add b'),
      worked(),
      worked(),
      think('Both added.', true),
    ]) {
      const action = batch.next(task)
      seen.push(
        action.kind === 'call_model'
          ? action.contract
          : `${action.kind} ${'input' in action && action.input}`,
      )
      task = batch.apply(task, event)
    }
    expect(seen).toEqual(['plan_tool_call', 'call_tool add a', 'call_tool add b', 'think'])
    expect(task.spent).toMatchObject({
      modelCalls: 2,
      toolCalls: 2,
      successfulSteps: 2,
      promptTokens: 20,
    })
    expect(task.rounds).toBe(1)
  })

  it('ends with the summary when the task is completed, and plans no more (R56, R57, R60)', () => {
    const task = play(begun(), planRound('list'), worked(), think('All is done.', true))
    expect(batch.next(task)).toEqual({ kind: 'finish', ok: true, text: 'All is done.' })
    expect(task.lastSummary).toBe('All is done.')
  })

  it.each([
    ['**Book Quinta Verde** for `24`', 'Book Quinta Verde for 24'],
    ['## Next\nmore', 'Next'],
    ['1. See [the list](https://example.org/a_b)', 'See the list'],
    ['- 询价 **两家**', '询价 两家'],
  ])('calls an item of the plan by plain words: %j (C500)', (said, title) => {
    const task = play(begun(), planRound('list'), worked(), think(said, false, said.split('\n')[0]))
    expect(task.conclusions[0]).toMatchObject({ item: title, text: said })
    expect(task.planItems.map(({ text }) => text)).toEqual([title])
  })

  it('goes on with another round, and shows what it came to and what is next (R67)', () => {
    const task = play(
      begun(),
      planRound('list'),
      worked(),
      think('Looked.\nTwo are late.', false, '1. Move them\n- Tell Ana'),
    )
    expect(contractOf(task)).toBe('plan_tool_call')
    expect(task.conclusions).toMatchObject([
      { item: 'Looked.', text: 'Looked.\nTwo are late.', ok: true },
    ])
    expect(task.planItems.map((item) => item.text)).toEqual(['Move them', 'Tell Ana'])
  })

  it('shows a round in which nothing worked as not done (R67, R8)', () => {
    const failed = { kind: 'observed', ok: false, result: 'no', ms: 1 } as const
    const task = play(begun(), planRound('list'), failed, think('It did not work.', true))
    expect(task.conclusions).toMatchObject([{ item: 'It did not work.', ok: false }])
  })

  it('keeps what the model thinks to itself (R55, R42)', () => {
    const task = play(begun(), planRound('list'), worked(), think('Done.', true))
    const { conclusions, ...shown } = task
    const said = conclusions.map(({ analysis: _, ...one }) => one)
    expect(JSON.stringify([shown, said])).not.toContain('secret')
  })

  it('stops at the first failure: the rest is skipped, with a result each, and thought about (R64, C12, C15, F18)', () => {
    const task = play(begun(), planRound('get 1', 'get 2', 'get 3', 'get 4'), worked(), failed())
    expect(contractOf(task)).toBe('think')
    expect(task.observations.map((one) => [one.step, one.ok, one.result.slice(0, 7)])).toEqual([
      [2, true, 'fine'],
      [3, false, 'no such'],
      [4, false, 'skipped'],
      [5, false, 'skipped'],
    ])
    expect(task.spent).toMatchObject({ toolCalls: 2, failedSteps: 1 })
    expect(task.planItems.map((item) => item.done)).toEqual([true, false, false, false])
  })

  it('offers the calls behind the first for doing at once, never more than may still be made, and no question', () => {
    const task = play(
      begun({ maxToolCalls: 3 }),
      planRound('get 1', 'get 2', 'get 3', 'get 4', ['ask_user', 'Which?']),
    )
    expect(batch.next(task)).toMatchObject({
      input: 'get 1',
      along: [{ input: 'get 2' }, { input: 'get 3' }],
    })
  })

  it('takes in calls that were made at once, each with its own result', () => {
    const before = play(begun(), planRound('get 1', 'get 2', 'get 3'))
    const at = { ok: true, result: 'two', ms: 40 }
    const task = play(before, {
      kind: 'observed',
      ok: true,
      result: 'one',
      ms: 60,
      along: [at, { ...at, ok: false }],
    })
    expect(task.observations.map((one) => [one.input, one.ok])).toEqual([
      ['get 1', true],
      ['get 2', true],
      ['get 3', false],
    ])
    expect(task.spent.activeMs - before.spent.activeMs).toBe(60)
    expect(contractOf(task)).toBe('think')
  })

  it('lets no call start when its time is over, and tells the running one how long it has (R65, C13)', () => {
    const planned = play(begun(), planRound('get 1', 'get 2'))
    expect(batch.next(planned)).toMatchObject({ withinMs: 60_000 })
    const later = play(begun(), planRound('get 1', 'get 2', 'get 3'), worked('one', 20_000))
    expect(batch.next(later)).toMatchObject({ withinMs: 40_000 })
    const late = play(later, {
      kind: 'observed',
      ok: false,
      result: 'timed out',
      ms: 40_000,
      unknown: true,
    })
    expect(contractOf(late)).toBe('think')
    const slow = play(begun(), planRound('get 1', 'get 2'), worked('one', 60_001))
    expect(slow.observations.at(-1)?.result).toContain('skipped: the time')
    expect(contractOf(slow)).toBe('think')
  })

  it('gives a call that makes up for one of unknown outcome the same effect (C13)', () => {
    const cut = {
      kind: 'observed',
      ok: false,
      result: 'timed out, outcome unknown',
      ms: 9,
      unknown: true,
    } as const
    const first = play(begun(), planRound('add a', 'add b'))
    const step = batch.next(first)
    const again = play(first, cut, think('Cut off.'), planRound('add a', 'add c'))
    expect(batch.next(again)).toMatchObject({
      input: 'add a',
      step: 'step' in step ? step.step : null,
    })
    const other = play(again, worked())
    expect(batch.next(other)).toMatchObject({ input: 'add c', step: other.intent?.step })
  })
})

describe('a question in a round', () => {
  const asked = play(
    begun(),
    planRound('list', ['ask_user', 'Which city?\n- Lisbon\n- Porto']),
    worked(),
  )

  it('comes after the calls before it, waits, and is thought about with its answer (C37, R24)', () => {
    expect(batch.next(asked)).toEqual({ kind: 'wait' })
    expect(asked.lastQuestion).toEqual({
      text: 'Which city?',
      choices: ['Lisbon', 'Porto'],
      reason: 'asked',
    })
    expect(asked.spent.toolCalls).toBe(1)
    const answered = play(asked, {
      kind: 'answered',
      question: 'Which city?',
      text: 'Lisbon',
      author: ana,
    })
    expect(contractOf(answered)).toBe('think')
    expect(answered.clarifications).toMatchObject([{ question: 'Which city?', text: 'Lisbon' }])
  })

  it('is not put when a call before it failed, nor a second time (C12, F2)', () => {
    const stopped = play(begun(), planRound('list', ['ask_user', 'Which city?']), failed())
    expect(contractOf(stopped)).toBe('think')
    const answered = play(asked, {
      kind: 'answered',
      question: 'Which city?',
      text: 'Lisbon',
      author: ana,
    })
    const again = play(answered, think('Lisbon.'), planRound(['ask_user', 'which city']))
    expect(contractOf(again)).toBe('think')
    expect(again.observations.at(-1)).toMatchObject({
      ok: false,
      result: 'already answered: Lisbon',
    })
  })

  it('is Clew’s own after a call that was cut off by a crash', () => {
    const task = play(begun(), planRound('pay', 'tell'), { kind: 'interrupted' })
    expect(batch.next(task)).toEqual({ kind: 'wait' })
    expect(task.lastQuestion?.reason).toBe('outcome_unknown')
    expect(task.observations.map((one) => one.result)).toEqual([
      'outcome unknown',
      'skipped: the call before it was cut off',
    ])
  })
})

describe('the end of the rounds', () => {
  const oneRound = [planRound('list'), worked(), think('Looked at it.', false, 'Sort them')]

  it('comes after 5 of them, or as many as the size allows (R58, R59, C10)', () => {
    const rounds = (count: number) => Array.from({ length: count }, () => oneRound).flat()
    expect(contractOf(play(begun(), ...rounds(4)))).toBe('plan_tool_call')
    expect(batch.next(play(begun(), ...rounds(5)))).toEqual({ kind: 'pause', reason: 'rounds' })
    expect(batch.next(play(begun(batchSizes.simple), ...rounds(2)))).toEqual({
      kind: 'pause',
      reason: 'rounds',
    })
    expect(batchSizes).toEqual({
      simple: { maxRounds: 2, callsPerRound: { most: 5 } },
      medium: { maxRounds: 3, callsPerRound: { most: 8 } },
      complex: { maxRounds: 5, callsPerRound: { most: 8 } },
    })
    expect(batch.view(begun(batchSizes.simple)).callsPerRound).toEqual({ most: 5 })
  })

  it('does not come while the last round made progress, up to four times as many (C512)', () => {
    const round = (at: number) => [planRound(`get ${at}`), worked(), think(`Got ${at}.`)]
    const rounds = (count: number) => Array.from({ length: count }, (_, at) => round(at)).flat()
    const two = begun({ maxRounds: 2 })
    expect(contractOf(play(two, ...rounds(7)))).toBe('plan_tool_call')
    const paused = { kind: 'pause', reason: 'rounds' }
    expect(batch.next(play(two, ...rounds(8)))).toEqual(paused)
    // A call that had worked before brings nothing new, and one that fails neither.
    expect(batch.next(play(two, ...rounds(2), ...round(0)))).toEqual(paused)
    const vain = [planRound('get 9'), failed(), think('Not there.')]
    expect(batch.next(play(two, ...rounds(2), ...vain))).toEqual(paused)
  })

  it('leaves out a round that only asks (C512)', () => {
    const ask: [string, string] = ['ask_user', 'Which city?']
    const answer = {
      kind: 'answered' as const,
      question: 'Which city?',
      text: 'Porto',
      author: ana,
    }
    const task = play(begun({ maxRounds: 1 }), planRound(ask), answer, think('Porto it is.'))
    expect(contractOf(task)).toBe('plan_tool_call')
    const both = play(
      begun({ maxRounds: 1 }),
      planRound('list', ask),
      worked(),
      answer,
      think('P.'),
    )
    expect(both.rounds - both.roundsBefore).toBe(1)
    const last = play(begun({ maxRounds: 1 }), ...oneRound, planRound(ask), answer, think('P.'))
    expect(contractOf(last)).toBe('plan_tool_call')
  })

  it('is a pause with the last summary and the three-part text; continue gives as many again (C17, C35, R25, R60)', () => {
    const task = play(begun({ maxRounds: 1 }), ...oneRound)
    const text = limitReport({ task, reason: 'rounds', again: '' }, 'en')
    for (const part of [
      'Looked at it.',
      'Done so far',
      'Why I stopped',
      'What next',
      'Sort them',
      '`continue`',
    ])
      expect(text).toContain(part)
    // The summary comes first, as it was written, and not only in the list of what is done.
    expect(text.split('\n\n').slice(0, 2)).toEqual(['**Paused**', 'Looked at it.'])
    const again = play(task, { kind: 'continued' })
    expect(contractOf(again)).toBe('plan_tool_call')
    expect(batch.next(play(again, ...oneRound))).toEqual({ kind: 'pause', reason: 'rounds' })
    expect(play(again, ...oneRound).rounds).toBe(2)
  })

  it('comes after three plans that cannot be used; the last summary is the end (R48, C19, R60)', () => {
    const bad = refused('plan_tool_call', 'steps is empty')
    const task = play(begun(), ...oneRound, bad, bad)
    expect(contractOf(task)).toBe('plan_tool_call')
    expect(batch.view(task).refusal).toBe('steps is empty')
    expect(batch.next(play(task, bad))).toEqual({
      kind: 'finish',
      ok: false,
      text: 'Looked at it.',
    })
  })

  it('without a summary asks for one, once, and has its own words when that fails (R61, R62, F19)', () => {
    const bad = refused('plan_tool_call')
    const task = play(begun(), bad, bad, bad)
    expect(contractOf(task)).toBe('summary')
    expect(batch.next(play(task, summary('Nothing could be done.')))).toEqual({
      kind: 'finish',
      ok: false,
      text: 'Nothing could be done.',
    })
    expect(play(task, summary('Nothing could be done.')).rounds).toBe(task.rounds)
    for (const nothing of [refused('summary'), away('summary')])
      expect(batch.next(play(task, nothing))).toEqual({ kind: 'finish', ok: false, text: '' })
  })

  it('comes after three thoughts that cannot be used, with a summary of what was done since (R54, R61)', () => {
    const bad = refused('think', 'user_summary is required')
    expect(contractOf(play(begun(), planRound('list'), worked(), bad, bad, bad))).toBe('summary')
  })

  it('is put off by a message that arrives just before it (C50)', () => {
    const task = play(begun(), planRound('list'), worked(), think('Done.', true))
    const told = play(task, { kind: 'joined', text: 'And Porto', author: ana })
    expect(contractOf(told)).toBe('plan_tool_call')
    expect(batch.view(told).clarifications).toMatchObject([{ text: 'And Porto' }])
  })

  it('comes at the ceilings that all strategies share (C36)', () => {
    const task = play(begun({ maxToolCalls: 1 }), planRound('get 1', 'get 2'), worked())
    expect(batch.next(task)).toEqual({ kind: 'pause', reason: 'tool_calls' })
    expect(batch.next(play(begun({ maxModelCalls: 1 }), planRound('list')))).toEqual({
      kind: 'pause',
      reason: 'model_calls',
    })
  })

  it('comes when the model stays away (C36)', () => {
    const gone = Array.from({ length: 5 }, () => away('plan_tool_call'))
    expect(batch.next(play(begun(), ...gone))).toEqual({
      kind: 'pause',
      reason: 'model_unavailable',
    })
  })
})

it('a batch task is a record that reads back', () => {
  const task = play(begun(), planRound('list', 'add a'), worked())
  expect(BatchTask.parse(JSON.parse(JSON.stringify(task)))).toEqual(task)
})
