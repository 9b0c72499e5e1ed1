import { toolResult } from '../script.ts'

/*
 * The neutral script: three subtasks, five look-ups, one question to a person, gone on with from the answer, a report. A plain
 * loop makes ten calls of the model; between two of them a tool: `note` keeps the plan, `lookup` finds something, `ask_user`
 * asks. Clew makes the same look-ups and asks the same, one call a round but for two that no result decides, and uses what its
 * requests offer: a Decision begins with the first call (C578), a thought that ends an item begins the next or ends the task (C510).
 */

export const goalOf = (run: number) => `Plan the offsite number ${run}.`
export const runOf = (said: string) => /Plan the offsite number (\d+)\./.exec(said)?.[1] ?? ''
export const answer = 'In June'
export const report = 'The offsite is in June at the second venue, with food.'
export const system = 'You are an agent. Plan, look things up, ask people, and report at the end.'
const plan = ['Find venues', 'Choose a month', 'Order food']
const [venue, month] = ['The second venue fits.', 'June it is.']
export const lookups = [
  'venues for 40',
  'its prices',
  'caterers',
  'its menus',
  'its delivery',
] as const
const question = 'Which month?\n- In May\n- In June'

export interface Move {
  text?: string
  /** Tool and input. */
  call?: readonly [tool: string, input: string]
}
const looksUp = (at: number, text?: string): Move => ({
  ...(text !== undefined && { text }),
  call: ['lookup', lookups[at] ?? ''],
})

/** Replies without a contract: of a plain loop, and of Clew's `free`, which declares and closes steps beside its calls. */
export const moves: Readonly<Record<'plain' | 'free', readonly Move[]>> = {
  plain: [
    { call: ['note', plan.join('\n')] },
    looksUp(0),
    looksUp(1),
    { call: ['note', venue] },
    { call: ['ask_user', question] },
    { call: ['note', month] },
    ...[looksUp(2), looksUp(3), looksUp(4)],
    { text: report },
  ],
  free: [
    looksUp(1, plan.map((one) => `[Step] ${one}`).join('\n')),
    { text: `${venue} [Done]`, call: ['ask_user', question] },
    looksUp(2, `${month} [Done]`),
    ...[looksUp(3), looksUp(4)],
    { text: report },
  ],
}

const thought = (status: string, more: object) => ({
  ...{ status, current_step: 'It', next_action: null, question: null, choices: null },
  ...{ leads_to: null, response: null, ...more },
})
const acts = (at: number) =>
  thought('continue', { next_action: { tool: 'lookup', input: lookups[at] } })
const closes = (response: string, more: object = {}) => thought('done', { response, ...more })
const round = (...calls: readonly string[]) =>
  calls.map((input) => ({
    ...{ tool: input === question ? 'ask_user' : 'lookup', arguments: input, purpose: null },
  }))
const thinks = (next_round: object | null, user_summary = 'On it.') => ({
  ...{ internal_analysis: null, task_completed: next_round === null, next_steps_preview: null },
  ...{ next_round, user_summary },
})

/** Replies under Clew's contracts, each in the order in which it is asked for. */
export const replies: Readonly<Record<string, readonly object[]>> = {
  plan: [{ status: 'planned', plan }],
  thought: [
    ...[acts(0), acts(1), closes(venue)],
    thought('ask_user', { question: 'Which month?', choices: ['In May', 'In June'] }),
    closes(month, { next_action: { tool: 'lookup', input: lookups[2] } }),
    ...[acts(3), acts(4), closes(report, { leads_to: 'end' })],
  ],
  think: [
    ...[thinks(round(lookups[1])), thinks(round(question)), thinks(round(lookups[2]))],
    ...[thinks(round(lookups[3], lookups[4])), thinks(null, report)],
  ],
}

/** Calls of the model a run. */
export const callsOf = (key: string) =>
  ({ 'clew step': 10, 'clew free': 7, 'clew batch': 6 })[key] ?? moves.plain.length

/** What the tools answer; `ask_user` is each contender's own. */
export const tools = [
  {
    name: 'note',
    description: 'Notes what is planned or done. The input is what to note.',
    run: () => 'ok',
  },
  {
    name: 'lookup',
    description: 'Looks something up. The input is what to look up, in a few words.',
    run: toolResult,
  },
]
export const askTool = {
  name: 'ask_user',
  description: 'Asks people and waits for their answer. The input is the question.',
}
const parameters = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}
/** As an endpoint takes them. */
export const functions = [...tools, askTool].map(({ name, description }) => ({
  type: 'function' as const,
  function: { name, description, parameters },
}))
