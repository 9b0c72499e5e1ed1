import { toolResult } from '../script.ts'

/*
 * The neutral script: three subtasks, one question to a person, gone on with from the answer, a report. Twelve calls of the
 * model, the same for all; between two of them a tool: `note` keeps the plan, `lookup` finds something, `ask_user` asks.
 */

export const goalOf = (run: number) => `Plan the offsite number ${run}.`
export const runOf = (said: string) => /Plan the offsite number (\d+)\./.exec(said)?.[1] ?? ''
export const answer = 'In June'
export const report = 'The offsite is in June at the second venue, with food.'
export const system = 'You are an agent. Plan, look things up, ask people, and report at the end.'
const [venues, month, food] = ['Find venues', 'Choose a month', 'Order food']

/** What each call of the model but the last leads to, as tool and input. */
export const moves = [
  ['note', 'It asks for work in several steps.'],
  ['note', `${venues}\n${month}\n${food}`],
  ['lookup', 'venues for 40'],
  ['note', 'The second venue fits.'],
  ['note', `${month}\n${food}`],
  ['ask_user', 'Which month?\n- In May\n- In June'],
  ['note', 'June it is.'],
  ['note', food],
  ['note', food],
  ['lookup', 'caterers'],
  ['note', 'The caterer can come.'],
] as const
export const modelCalls = moves.length + 1

const thought = {
  current_step: 'It',
  next_action: null,
  question: null,
  choices: null,
  response: null,
}
const looksUp = (input: string) => ({
  ...thought,
  status: 'continue',
  next_action: { tool: 'lookup', input },
})
const closes = (response: string) => ({ ...thought, status: 'done', response })
const asks = {
  ...thought,
  status: 'ask_user',
  question: 'Which month?',
  choices: ['In May', 'In June'],
}
const replans = (...plan: string[]) => ({ status: 'replanned', plan, response: null })
/** The same under the contracts of Clew's `step`, each in the order in which it is asked for. */
export const steps: Readonly<Record<string, readonly object[]>> = {
  plan: [{ status: 'planned', plan: [venues, month, food] }],
  thought: [
    ...[looksUp('venues for 40'), closes('The second venue fits.'), asks, closes('June it is.')],
    ...[looksUp('caterers'), closes('The caterer can come.')],
  ],
  replan: [
    replans(month, food),
    replans(food),
    replans(food),
    { status: 'done', plan: [], response: report },
  ],
}

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
