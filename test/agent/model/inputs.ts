import type { DecisionInput } from '../../../src/agent/contracts/decision.ts'
import type { LoopInput } from '../../../src/agent/contracts/input.ts'
import type { ContractInputs, ContractReplies } from '../../../src/agent/contracts.ts'

/** A small task in its second item, and a valid reply to each contract asked in it. */
const ana = { id: 'u1', name: 'Ana' }

const decisionInput: DecisionInput = {
  message: 'Compare the three venues and book a date for the offsite',
  author: ana,
  recentMessages: [
    { role: 'user', author: 'Ben', text: 'We want to go away in May.' },
    { role: 'assistant', author: null, text: 'Noted.' },
  ],
  recentRuns: [{ id: 'r1', type: 'agent_task', title: 'Find venues', status: 'succeeded' }],
  runTypes: [
    { type: 'agent_task', description: 'Works through a goal step by step. Input: {"goal": "…"}' },
  ],
  locale: 'en',
  timeZone: 'Europe/Lisbon',
  now: '2026-05-01T09:00:00+01:00',
}

export const loopInput: LoopInput = {
  goal: 'Compare the three venues and book a date',
  tools: [
    { name: 'todo', description: 'Keeps a list. Input: add <text> | list' },
    { name: 'schedule', description: 'Keeps dates.' },
    { name: 'internet_search', description: 'Searches the web. Input: words' },
  ],
  locale: 'en',
  timeZone: 'Europe/Lisbon',
  now: '2026-05-01T09:00:00+01:00',
  unattended: false,
  refusal: null,
  planItems: [
    { text: 'Compare the venues', done: true },
    { text: 'Choose a date', done: false },
    { text: 'Book it', done: false },
  ],
  currentPlanIndex: 1,
  observations: [
    {
      step: 2,
      tool: 'internet_search',
      input: 'venues',
      ok: true,
      result: 'Casa Azul, Quinta Verde',
    },
  ],
  clarifications: [{ step: 5, question: 'Which city?', text: 'Lisbon', author: ana }],
  conclusions: [{ step: 3, item: 'Compare the venues', text: 'Casa Azul is cheapest', ok: true }],
  stepCount: 5,
  maxSteps: 20,
  successfulSteps: 1,
  failedSteps: 0,
}

const roundInput = {
  ...loopInput,
  round: 2,
  maxRounds: 5,
  callsPerRound: { least: 1, most: 8 },
  thinkPlans: false,
  lastSummary: 'Casa Azul is cheapest',
}

const missionInput = {
  ...loopInput,
  steps: [
    {
      ...{
        title: 'Add a test',
        description: 'Write a test for add().',
        constraints: '',
        expected: 'node --test passes',
      },
      state: 'done' as const,
    },
    {
      ...{
        title: 'Mend add()',
        description: 'Make the test pass.',
        constraints: 'Only src/',
        expected: 'It passes',
      },
      state: 'open' as const,
    },
  ],
  context: 'Plain JavaScript, no build.',
  report: {
    ...{
      status: 'success' as const,
      sessionId: 's1',
      text: '12 of 12 tests pass',
      deliverables: 'src/add.js',
    },
    ...{ pitfalls: null, advice: null, question: null },
  },
  retries: 1,
  maxRetries: 3,
  mayBeEmpty: false,
  reached: null,
}

export const inputs: ContractInputs = {
  decision: decisionInput,
  overheard: { ...decisionInput, waiting: { title: 'The offsite', question: 'Which city?' } },
  chat: decisionInput,
  conversation_summary: {
    messages: [
      {
        role: 'user',
        author: 'Ana',
        text: 'Shall we meet in Lisbon in May? The venue there holds forty people.',
      },
      { role: 'assistant', author: null, text: 'Lisbon has two free weekends in May.' },
    ],
    locale: 'en',
    timeZone: 'Europe/Lisbon',
    now: '2026-03-04T10:00+00:00',
    refusal: null,
  },
  follow_up: {
    ...{
      goal: 'Compare the venues',
      result: 'The Alfama wins.',
      earlier: [],
      recentMessages: [],
      left: 2,
      refusal: null,
    },
    ...{
      tools: loopInput.tools,
      locale: 'en',
      timeZone: 'Europe/Lisbon',
      now: '2026-03-04T10:00+00:00',
    },
  },
  plan: loopInput,
  thought: { ...loopInput, currentItem: 'Choose a date', mustStop: false },
  replan: {
    ...loopInput,
    newClarifications: loopInput.clarifications,
    remainingPlan: ['Choose a date', 'Book it'],
  },
  plan_tool_call: roundInput,
  think: roundInput,
  summary: roundInput,
  act: { ...loopInput, plan: null, resumed: false, mustStop: false },
  mission: missionInput,
  evaluate: missionInput,
  mission_report: { ...missionInput, reached: true },
}

export const replies: ContractReplies = {
  decision: {
    decision: 'run',
    reply: null,
    run: {
      type: 'agent_task',
      title: 'Offsite',
      conversation_id: null,
      input: '{"goal":"Compare the venues"}',
    },
    runs: null,
    confidence: 0.9,
    reason: 'It needs several steps.',
    calls: null,
    report: null,
  },
  overheard: {
    decision: 'join',
    reply: null,
    run: null,
    runs: null,
    confidence: 0.9,
    reason: 'An answer.',
  },
  chat: { content: 'Hello Ana' },
  conversation_summary: {
    summary: 'They look for a date in Lisbon.',
    open_points: ['Which weekend'],
  },
  follow_up: {
    decision: 'next',
    goal: 'Book the Alfama',
    title: 'Book',
    summary: null,
    reason: 'as agreed',
  },
  plan: {
    status: 'planned',
    plan: ['Compare the venues', 'Choose a date', 'Book it'],
    calls: null,
    leads_to: null,
  },
  thought: {
    status: 'continue',
    current_step: 'Choose a date',
    next_action: { tool: 'todo', input: 'list' },
    more_actions: null,
    say: null,
    question: null,
    choices: null,
    response: null,
    leads_to: null,
    parts: null,
  },
  replan: {
    status: 'replanned',
    plan: ['Choose a date', 'Book it'],
    say: null,
    reopen: null,
    response: null,
  },
  plan_tool_call: {
    steps: [{ tool: 'todo', arguments: 'list', purpose: 'See what is there' }],
    reasoning: 'Look first.',
    estimated_steps: 3,
  },
  think: {
    internal_analysis: 'Nothing is booked yet.',
    user_summary: 'The venues are compared.',
    task_completed: false,
    given_up: null,
    say: null,
    next_steps_preview: 'Book it',
    next_round: null,
  },
  summary: { content: 'Casa Azul is cheapest.' },
  act: { text: '[Step] Look', calls: [{ tool: 'todo', input: 'list' }] },
  mission: {
    steps: [
      {
        title: 'Mend add()',
        description: 'Make the test pass.',
        constraints: '',
        expected: 'It passes',
      },
    ],
  },
  evaluate: {
    decision: 'next',
    evidence: '12 of 12 tests pass.',
    instruction: null,
    project_context: null,
  },
  mission_report: { report: 'add() is mended; 12 of 12 tests pass.' },
}
