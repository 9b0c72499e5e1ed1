import fc from 'fast-check'
import type { ContractName } from '../../../src/agent/contracts.ts'
import { cleanText } from '../../../src/agent/domain/clean-text.ts'
import { anyText } from '../../support/any-text.ts'
import { acts, asks, closes, decides, ends, plans, replans } from '../model.ts'
import { badTexts, broken } from './bad-replies.ts'
import { type Reply, rawArguments, text, value } from './replies.ts'

const words = fc.oneof(
  fc.constantFrom(
    'Find venues',
    'Book',
    '',
    '  ',
    '<think>hm</think>',
    '请确认',
    '\u202eabc',
    '<@U1> @everyone',
  ),
  // The short ones: long runs are slow to shrink, and have a table of their own.
  fc.constantFrom(...badTexts.map(([, text]) => text).filter((text) => text.length < 100)),
  anyText(40),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** Whatever can come back that is no reply: broken, blank, of another shape, huge, or no answer at all. */
const noReply: fc.Arbitrary<Reply> = fc.oneof(
  fc.anything({ maxDepth: 2 }).map((any) => value(any ?? null)),
  words.map((said) => rawArguments(`{"status":"${said}`)),
  words.map((said) => text(said)),
  fc.constantFrom(
    ...broken,
    value({ status: 'done', response: 'x'.repeat(300_000), plan: [] }),
    value({ status: 'planned', plan: Array.from({ length: 2_000 }, (_, n) => `item ${n}`) }),
  ),
)

/** Replies of the right shape with these words in them. */
export const repliesWith = (
  words: fc.Arbitrary<string>,
): Record<ContractName, fc.Arbitrary<unknown>> => ({
  decision: words.map((goal) => decides.run(cleanText(goal).trim() === '' ? 'Book it' : goal)),
  overheard: words.map((goal) => decides.run(cleanText(goal).trim() === '' ? 'Book it' : goal)),
  chat: words.map((content) => ({ content })),
  conversation_summary: words.map((summary) => ({ summary, open_points: [] })),
  follow_up: words.map((goal) => ({
    decision: 'next',
    goal,
    title: null,
    summary: null,
    reason: 'fuzz',
  })),
  plan: fc.array(words, { maxLength: 3 }).map((items) => plans(...items)),
  thought: fc.oneof(
    words.map((input) => acts(input)),
    words.map((response) => closes(response)),
    words.map((question) => asks(question)),
  ),
  replan: fc.oneof(
    fc.array(words, { maxLength: 3 }).map((items) => replans(...items)),
    words.map((response) => ends(response)),
  ),
  plan_tool_call: fc.array(words, { maxLength: 9 }).map((inputs) => ({
    steps: inputs.map((input) => ({ tool: 'todo', arguments: input })),
    reasoning: 'r',
  })),
  think: fc.record({
    internal_analysis: words,
    user_summary: words,
    task_completed: fc.boolean(),
    next_steps_preview: words,
  }),
  summary: words.map((content) => ({ content })),
  act: fc.record({
    text: words,
    calls: fc.array(
      words.map((input) => ({ tool: 'todo', input })),
      { maxLength: 2 },
    ),
  }),
  mission: fc.array(words, { maxLength: 3 }).map((titles) => ({
    steps: titles.map((title) => ({ title, description: title, constraints: '', expected: title })),
  })),
  evaluate: fc.record({
    decision: fc.constantFrom('next', 'retry', 'replan', 'abort'),
    evidence: words,
    instruction: words,
    project_context: words,
  }),
  mission_report: words.map((report) => ({ report })),
})
const right = repliesWith(words)

export type Fuzz = Record<ContractName, Reply>

/** What an endpoint answers to each contract, one call after the other. */
export const fuzz: fc.Arbitrary<Fuzz[]> = fc.array(
  fc.record({
    decision: right.decision.map((one) => value(one)),
    overheard: right.overheard.map((one) => value(one)),
    chat: right.chat.map((one) => value(one)),
    conversation_summary: mostly('conversation_summary'),
    follow_up: mostly('follow_up'),
    plan: mostly('plan'),
    thought: mostly('thought'),
    replan: mostly('replan'),
    plan_tool_call: mostly('plan_tool_call'),
    think: mostly('think'),
    summary: mostly('summary'),
    act: mostly('act'),
    mission: mostly('mission'),
    evaluate: mostly('evaluate'),
    mission_report: mostly('mission_report'),
  }),
  { minLength: 1, maxLength: 20 },
)

function mostly(contract: ContractName): fc.Arbitrary<Reply> {
  return fc.oneof(
    { weight: 2, arbitrary: right[contract].map((one) => value(one)) },
    { weight: 1, arbitrary: noReply },
  )
}
