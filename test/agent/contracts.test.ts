import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsProblem } from '../../src/agent/contracts/calls.ts'
import { runsOf } from '../../src/agent/contracts/decision.ts'
import {
  type ContractInputs,
  type ContractName,
  type ContractReplies,
  contractNames,
  readReply,
  replySchema,
} from '../../src/agent/contracts.ts'
import { anyText } from '../support/any-text.ts'
import { runs } from '../support/runs.ts'
import { inputs, replies } from './model/inputs.ts'

const run = { type: 'agent_task', title: 'Offsite', conversation_id: null, input: '{}' }
const action = { tool: 'todo', input: 'list' }
const continuing = replies.thought
const asking = {
  ...continuing,
  status: 'ask_user',
  next_action: null,
  question: 'Which city?',
  choices: ['Lisbon'],
}
const finished = { ...continuing, status: 'done', next_action: null }
const runDecision = replies.decision
const replyDecision = { ...runDecision, decision: 'reply', reply: { content: 'Hi' }, run: null }
const bothDecision = { ...runDecision, decision: 'reply_and_run', reply: { content: 'On it' } }
const replanned = replies.replan
const replanDone = { status: 'done', plan: [], response: 'Booked.' }

const read = <N extends ContractName>(
  contract: N,
  value: unknown,
  input: Partial<ContractInputs[N]> = {},
) => readReply(contract, { ...inputs[contract], ...input }, value)

type Row = [string, ContractName, unknown, object?]

describe('a contract', () => {
  it.each<Row>([
    ['a plan (R29)', 'plan', replies.plan],
    ['an empty plan (C6)', 'plan', { status: 'planned', plan: [] }],
    ['a thought that acts (R31)', 'thought', continuing],
    [
      'a thought that acts on the current item in other punctuation (R9)',
      'thought',
      { ...continuing, current_step: 'choose a date.' },
    ],
    [
      'a thought that words its step anew (R9)',
      'thought',
      { ...continuing, current_step: 'Look at the dates' },
    ],
    ['a thought that asks (R32)', 'thought', asking],
    ['a thought that asks without choices (R32)', 'thought', { ...asking, choices: null }],
    ['a thought that is done with a response (R33)', 'thought', { ...finished, response: '3 May' }],
    ['a thought that is done without one (R33)', 'thought', finished],
    ['done when it must stop (R17)', 'thought', finished, { mustStop: true }],
    ['a question when it must stop (R17)', 'thought', asking, { mustStop: true }],
    [
      'done on an empty plan (R19, C6)',
      'thought',
      finished,
      { planItems: [], currentItem: 'goal' },
    ],
    [
      'a question on an empty plan (R19, C6)',
      'thought',
      asking,
      { planItems: [], currentItem: 'goal' },
    ],
    [
      'an outcome beside the call that ends its item (C531)',
      'thought',
      { ...continuing, leads_to: 'item_done', response: 'Added it.' },
    ],
    ['a replan that goes on (R34)', 'replan', replanned],
    ['a replan that ends the task (R34)', 'replan', replanDone],
    [
      'a replan that ends the task with items left open (C9)',
      'replan',
      { ...replanDone, plan: ['Book it'] },
    ],
    ['a reply (R94)', 'decision', replyDecision],
    ['a run (R95)', 'decision', runDecision],
    [
      'a run with a reply beside it (R95)',
      'decision',
      { ...runDecision, reply: { content: 'Hi' } },
    ],
    ['a reply and a run (R96)', 'decision', bothDecision],
    ['three runs (C56)', 'decision', { ...runDecision, run: null, runs: [run, run, run] }],
    [
      'a type outside the list, which is the turn’s business (R98)',
      'decision',
      { ...runDecision, run: { ...run, type: 'mine_coins' } },
    ],
    ['confidence 0 (R93)', 'decision', { ...runDecision, confidence: 0 }],
    ['confidence 1 (R93)', 'decision', { ...runDecision, confidence: 1 }],
    ['confidence as text (R93, C347)', 'decision', { ...runDecision, confidence: '0.9' }],
    ['a chat reply (R118)', 'chat', { content: 'Hello' }],
  ])('accepts %s', (_, contract, value, input) => {
    expect(read(contract, value, input)).toMatchObject({ ok: true })
  })

  it.each<Row>([
    ['a plan with an answer (R29)', 'plan', { ...replies.plan, response: 'All done' }],
    ['a plan with any other key (R29)', 'plan', { ...replies.plan, final: true }],
    ['a plan of another status (R29)', 'plan', { ...replies.plan, status: 'done' }],
    ['a plan that is no list (R29)', 'plan', { ...replies.plan, plan: 'Compare' }],
    ['a plan without a list (R29)', 'plan', { status: 'planned' }],
    ['a blank plan item (R29)', 'plan', { status: 'planned', plan: ['Compare', ' '] }],
    [
      'a tool that is not offered (R30)',
      'thought',
      { ...continuing, next_action: { tool: 'shell', input: 'ls' } },
    ],
    [
      'a tool in other letters (R30)',
      'thought',
      { ...continuing, next_action: { tool: 'Todo', input: 'list' } },
    ],
    [
      'a tool that exists but is not offered (R30, C54)',
      'thought',
      continuing,
      { tools: [{ name: 'schedule', description: '' }] },
    ],
    ['continue without current_step (R31)', 'thought', { ...continuing, current_step: ' ' }],
    ['continue without next_action (R31)', 'thought', { ...continuing, next_action: null }],
    ['continue without a tool (R31)', 'thought', { ...continuing, next_action: { input: 'list' } }],
    [
      'continue with a blank tool (R31)',
      'thought',
      { ...continuing, next_action: { tool: '', input: 'list' } },
    ],
    [
      'continue without an input (R31)',
      'thought',
      { ...continuing, next_action: { tool: 'todo' } },
    ],
    [
      'continue with a blank input (R31)',
      'thought',
      { ...continuing, next_action: { tool: 'todo', input: '  ' } },
    ],
    ['continue with a question (R31)', 'thought', { ...continuing, question: 'Which?' }],
    ['continue with a response (R31)', 'thought', { ...continuing, response: 'Done' }],
    ['a question without current_step (R32)', 'thought', { ...asking, current_step: '' }],
    ['a question without words (R32)', 'thought', { ...asking, question: null }],
    ['a blank question (R32)', 'thought', { ...asking, question: '\n' }],
    ['a question with a next_action (R32)', 'thought', { ...asking, next_action: action }],
    ['a question with a response (R32)', 'thought', { ...asking, response: 'Done' }],
    ['done with a next_action (R33)', 'thought', { ...finished, next_action: action }],
    ['done with a question (R33)', 'thought', { ...finished, question: 'Which?' }],
    ['a thought of another status', 'thought', { ...finished, status: 'finished' }],
    ['a thought about a later item (R9)', 'thought', { ...continuing, current_step: 'Book it' }],
    [
      'a thought about an item that is done (R9)',
      'thought',
      { ...continuing, current_step: 'compare the venues' },
    ],
    ['continue when it must stop (R17, C5)', 'thought', continuing, { mustStop: true }],
    [
      'continue on an empty plan (R19, C6)',
      'thought',
      { ...continuing, current_step: 'goal' },
      { planItems: [], currentItem: 'goal' },
    ],
    ['replanned without a plan (R34)', 'replan', { ...replanned, plan: [] }],
    ['replanned with a blank item (R34)', 'replan', { ...replanned, plan: ['Book it', ''] }],
    ['a replan that is done without a response (R34)', 'replan', { ...replanDone, response: null }],
    [
      'a replan that is done with a blank response (R34)',
      'replan',
      { ...replanDone, response: ' \n' },
    ],
    ['a replan of another status (R34)', 'replan', { ...replanDone, status: 'planned' }],
    ['another decision (R93)', 'decision', { ...runDecision, decision: 'wait' }],
    ['confidence above 1 (R93)', 'decision', { ...runDecision, confidence: 1.01 }],
    ['confidence below 0 (R93)', 'decision', { ...runDecision, confidence: -0.1 }],
    ['confidence that is not a number (R93)', 'decision', { ...runDecision, confidence: 'high' }],
    ['no confidence (R93)', 'decision', { ...runDecision, confidence: null }],
    ['a run without a type (R93)', 'decision', { ...runDecision, run: { ...run, type: null } }],
    ['runs that are no list (R93)', 'decision', { ...runDecision, runs: 'two' }],
    ['a reply without content (R94)', 'decision', { ...replyDecision, reply: null }],
    ['a reply with blank content (R94)', 'decision', { ...replyDecision, reply: { content: ' ' } }],
    ['a reply with a run (R94)', 'decision', { ...replyDecision, run }],
    ['a reply with runs (R94)', 'decision', { ...replyDecision, runs: [run] }],
    ['a run decision without a run (R95)', 'decision', { ...runDecision, run: null }],
    [
      'a run decision with no runs in its list (R95)',
      'decision',
      { ...runDecision, run: null, runs: [] },
    ],
    ['a reply and run without a reply (R96)', 'decision', { ...bothDecision, reply: null }],
    ['a reply and run without a run (R96)', 'decision', { ...bothDecision, run: null }],
    ['four runs (C56)', 'decision', { ...runDecision, run: null, runs: [run, run, run, run] }],
    ['a chat reply of blanks (R118)', 'chat', { content: ' ' }],
  ])('refuses %s, in one sentence', (_, contract, value, input) => {
    const reading = read(contract, value, input)
    expect(reading.ok).toBe(false)
    expect(reading).toMatchObject({ problem: expect.stringMatching(/^[^\n]+$/) })
  })

  it.each(contractNames)('%s refuses what is not an object', (contract) => {
    for (const value of [null, undefined, 'text', 7, true, [], [replies[contract]]])
      expect(read(contract, value).ok).toBe(false)
  })

  it.each(contractNames)('%s reads an absent key that may be null as null', (contract) => {
    const value = Object.fromEntries(
      Object.entries(replies[contract]).filter(([, held]) => held !== null),
    )
    expect(read(contract, value)).toEqual({ ok: true, reply: replies[contract] })
  })

  it.each(contractNames)('%s answers any value without throwing', (contract) => {
    const keys = Object.keys(replySchema(contract).shape)
    const field = fc.oneof(fc.string(), anyText(), fc.constant(null), fc.anything())
    const close = fc.record(Object.fromEntries(keys.map((key) => [key, field])), {
      requiredKeys: [],
    })
    const mutated = close.map((change) => ({ ...replies[contract], ...change }))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), close, mutated), (value) => {
        const reading = read(contract, value)
        if (!reading.ok) expect(reading.problem.trim()).not.toBe('')
      }),
      { numRuns: runs() },
    )
  })
})

describe('an empty field', () => {
  it('is a next action of blanks (R32, R33)', () => {
    const blanks = { tool: '', input: ' ' }
    expect(read('thought', { ...asking, next_action: blanks })).toMatchObject({
      ok: true,
      reply: { next_action: null },
    })
    expect(read('thought', { ...finished, next_action: {} })).toMatchObject({
      ok: true,
      reply: { next_action: null },
    })
  })

  it('is blank text where a contract wants nothing (R31 to R33)', () => {
    expect(read('thought', { ...continuing, question: '', response: ' ' }).ok).toBe(true)
    expect(read('thought', { ...finished, question: '' }).ok).toBe(true)
  })

  it('is a key of another contract that holds nothing (R29)', () => {
    expect(read('plan', { ...replies.plan, response: null, question: '', runs: [] })).toEqual({
      ok: true,
      reply: replies.plan,
    })
  })
})

describe('the runs of a decision', () => {
  const reading = (value: unknown): ContractReplies['decision'] => {
    const result = read('decision', value)
    if (!result.ok) throw new Error(result.problem)
    return result.reply
  }

  it('are one or several, whichever form was used (C56)', () => {
    const second = { ...run, title: 'Second' }
    expect(runsOf(reading(runDecision))).toEqual([runDecision.run])
    expect(runsOf(reading({ ...runDecision, run: null, runs: [run, second] }))).toEqual([
      run,
      second,
    ])
    expect(runsOf(reading({ ...runDecision, runs: [] }))).toEqual([runDecision.run])
    expect(runsOf(reading(replyDecision))).toEqual([])
  })

  it('take their input as text or as an object, and default the rest', () => {
    const [first] = runsOf(reading({ ...runDecision, run: { type: 'sleep', input: { ms: 5 } } }))
    expect(first).toEqual({ type: 'sleep', title: null, conversation_id: null, input: '{"ms":5}' })
  })

  it('lose the conversation that the model names (C52)', () => {
    const [first] = runsOf(
      reading({ ...runDecision, run: { ...run, conversation_id: 'someone-elses' } }),
    )
    const [listed] = runsOf(
      reading({ ...runDecision, run: null, runs: [{ ...run, conversation_id: 'someone-elses' }] }),
    )
    expect([first?.conversation_id, listed?.conversation_id]).toEqual([null, null])
  })
})

describe('a choice that no button shows whole (S37)', () => {
  const longest = 'x'.repeat(75)
  const tooLong = [
    'x'.repeat(76),
    `Book it, see ${'x'.repeat(50)} https://evil.example/a`,
    '选'.repeat(76),
  ]

  it.each(tooLong)('is refused, and the model is told: %s', (choice) => {
    const answer = read('thought', { ...asking, choices: ['Lisbon', choice] })
    expect(answer).toMatchObject({ ok: false, problem: expect.stringContaining('75 characters') })
    const call = { tool: 'ask_user', input: `Which city?\n- Lisbon\n- ${choice}` }
    expect(callsProblem([call], { tools: [], unattended: false })).toContain('75 characters')
  })

  it('is one of more than 75 characters', () => {
    expect(read('thought', { ...asking, choices: [longest] })).toMatchObject({ ok: true })
    const call = { tool: 'ask_user', input: `Which city?\n- ${longest}` }
    expect(callsProblem([call], { tools: [], unattended: false })).toBeNull()
  })
})
