import type { ContractName } from '../../../src/agent/contracts.ts'
import type { RunStatus } from '../../../src/agent/domain/run.ts'
import type { StrategyName } from '../../../src/agent/domain/task.ts'
import { acts, asks, closes, decides, ends, plans, replans, task } from '../model.ts'
import {
  cutConnection,
  cutOff,
  filtered,
  halfBody,
  httpError,
  noChoices,
  otherTool,
  type Reply,
  raw,
  rawArguments,
  refusal,
  severalCalls,
  text,
  value,
} from './replies.ts'

/*
 * The list of bad replies (P11): every way in which a model or its endpoint is known to answer wrongly, with what people see then.
 * `badTexts` are words that break what takes texts for granted, in replies of the right shape; the others have a wrong one. All go
 * through a real process on both stores (test/outside/hard-to-break.long.test.ts), the texts through every place where a model's words
 * go (test/agent/drive/nasty.long.test.ts), the replies through every strategy in any mixture (test/agent/drive/fuzz.long.test.ts).
 */

/** Words of a model; each begins with something to read. */
export const badTexts: readonly [kind: string, text: string][] = [
  ['half a character', 'Booked \ud800 it'],
  ['the other half', 'Booked \udc00 it'],
  ['halves in the wrong order', 'Booked \udc00\ud800 it'],
  ['NUL', 'Booked \0 it'],
  ['other controls', 'Booked \u0001\u0008\u001b[31m\u007f\u0085\u009b it'],
  ['directions that nobody ends', 'Booked \u202e\u2067\u202b it'],
  ['ends of directions that nobody began', 'Booked \u2069\u202c it'],
  ['directions in turn', `Booked ${'\u2067\u05d0\u202da\u2068\u06281 '.repeat(50)} it`],
  ['40,000 characters', `Booked ${'at the sea '.repeat(3_636)}`.slice(0, 40_000)],
  ['40,000 blanks', `Booked ${' '.repeat(40_000)} it`],
  ['40,000 line ends', `Booked ${'\n'.repeat(40_000)} it`],
  ['runs of dots', `Booked ${'.'.repeat(40_000)} it`],
  ['runs of full stops', `Booked ${'。'.repeat(40_000)} it`],
  ['quotes in quotes', `Booked it\n\n${'>'.repeat(4_000)} it`],
  ['lists in lists', `Booked it\n\n${'1. '.repeat(2_000)} it`],
  ['emphasis in emphasis', `Booked ${'*_'.repeat(4_000)}it${'_*'.repeat(4_000)}`],
  ['brackets in brackets', `Booked ${'['.repeat(10_000)}it${'](b)'.repeat(5_000)}`],
  ['a fence of 5,000', `Booked it ${'`'.repeat(5_000)}`],
  [
    'a table that is wider than high',
    `Booked\n\n${'|a'.repeat(4_000)}|\n${'|-'.repeat(4_000)}|\n${'|b|\n'.repeat(4_000)}`,
  ],
  ['a page with a script', 'Booked <script>alert(1)</script> <img src=x onerror=alert(1)> it'],
  ['mentions of everybody', 'Booked <!channel> @everyone <@U1> it'],
]

/** A JSON object in an object in an object. */
export const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** How a thread shows that it is over; without a status nothing was started. */
interface End {
  status: RunStatus | null
  words: RegExp
}
const ended = {
  apology: { status: null, words: /couldn’t answer that/ },
  refused: { status: null, words: /Sorry, / },
  noPlan: { status: 'failed', words: /tried three times and couldn’t make a plan/ },
  stuck: { status: 'awaiting_clarification', words: /I keep getting stuck on “Find venues”/ },
  unusable: { status: 'paused', words: /I tried several times and didn’t get a usable answer/ },
  gaveUp: { status: 'failed', words: /: not done\./ },
  /** Every step is done: C338. */
  digested: { status: 'succeeded', words: /Done: Find venues/ },
  booked: { status: 'succeeded', words: /Booked/ },
  said: { status: null, words: /^Booked/ },
  answered: { status: null, words: /^Booked, as you asked/ },
} satisfies Record<string, End>

export interface BadReply {
  kind: string
  /** The call that is answered so, each time or once; the others are answered rightly. */
  contract: ContractName
  reply: Reply
  once: boolean
  strategy: StrategyName
  end: keyof typeof ended
}

/** What a row's thread comes to. */
export const endOf = ({ end }: BadReply): End => ended[end]

type Row = readonly [kind: string, reply: Reply]
const rows =
  (
    contract: ContractName,
    end: BadReply['end'],
    strategy: StrategyName = 'step',
    { once = false } = {},
  ) =>
  (...given: Row[]): BadReply[] =>
    given.map(([kind, reply]) => ({
      kind: `${kind} (${contract})`,
      contract,
      reply,
      once,
      strategy,
      end,
    }))

const wrong = (right: object, over: object): Reply => value({ ...right, ...over })
/** A completion with this message, as the endpoint sends it. */
const message = (given: unknown, over: object = {}): Reply =>
  raw(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: given, finish_reason: 'stop', ...over }],
    }),
  )
const call = (id: string, name: string, args: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const called = (...calls: unknown[]): Reply =>
  message({ role: 'assistant', content: null, tool_calls: calls })

const offsite = task('Book the offsite')
const booking = decides.run('Book the offsite')
const round = (...steps: unknown[]): Reply =>
  value({ steps, reasoning: null, estimated_steps: null })
const step = (tool: string, args: unknown) => ({ tool, arguments: args, purpose: null })
const acting = {
  status: 'continue',
  current_step: 'Find venues',
  next_action: { tool: 'todo', input: 'list' },
  question: null,
  choices: null,
  response: null,
}

/** What an endpoint does that is away for a moment: what is asked of it waits and is asked again (C92, C93). */
const away: readonly Row[] = [
  ['a page of a gateway', raw('<html>bad gateway</html>', { status: 502 })],
  ['JSON that breaks off', raw('{"choices": [{"mess')],
  ['too many requests', httpError(429, { headers: { 'retry-after': '1' } })],
  ['an error of its own', httpError(500)],
  ['a connection that breaks', cutConnection()],
  ['a connection that breaks in the middle', halfBody()],
]

/** No answer at all, or none that is a completion: what an endpoint does rather than its model. */
const noCompletion: readonly Row[] = [
  [
    'a page that says that all is well',
    raw('<html>ok</html>', { headers: { 'content-type': 'text/html' } }),
  ],
  ['nothing', raw('')],
  ['another kind of JSON', raw('{"choices": 5}')],
  ['JSON nested without end', raw(nested(40_000))],
  ['no choices', noChoices()],
  ['a choice without a message', message(null)],
  ['a message of another type', message(['Booked'])],
  [
    'calls of another type',
    message({ role: 'assistant', content: null, tool_calls: { decision: booking } }),
  ],
  ['a call without a function', called({ id: 'c1', type: 'function' })],
  ['a request that is refused', httpError(400, { message: 'no' })],
]

/** A call that no contract takes. */
const listed: Row = ['a list for an object', value([booking])]
const noCall: readonly Row[] = [
  ['a refusal', refusal()],
  ['an answer that broke off at the limit of tokens', cutOff()],
  ['an answer that a filter stopped', filtered()],
  ['two calls at once', severalCalls({ status: 'done' }, { status: 'done' })],
  ['two calls with one id', called(call('c1', 'decision', '{}'), call('c1', 'decision', '{}'))],
  ['another function than the forced one', otherTool('replan', ends('Ha'))],
  ['no arguments', rawArguments('')],
  ['arguments that break off', rawArguments('{"status":"cont')],
  ['arguments with words around them', rawArguments('Sure! {"decision":"run"} Good luck')],
  ['arguments in a fence that is open', rawArguments('```json\n{"status": "replanned"\n```')],
  ['arguments in two objects', rawArguments('{}{}')],
  ['arguments nested without end', rawArguments(nested(40_000))],
  [
    'arguments of 300,000 characters',
    rawArguments(JSON.stringify({ reason: 'x'.repeat(300_000) })),
  ],
  ['arguments of no keys', value({})],
  listed,
  ['a text for an object', value('Booked')],
  ['a number for an object', value(7)],
  ['null for an object', value(null)],
]

export const badReplies: readonly BadReply[] = [
  ...rows('decision', 'apology')(
    ...noCompletion,
    ...noCall.filter((row) => row !== listed),
    ['a decision that there is not', wrong(booking, { decision: 'maybe' })],
    ['a decision of another type', wrong(booking, { decision: 1 })],
    ['a run without a task', wrong(booking, { run: null })],
    ['a reply without words', value(decides.reply(' '))],
    ['a reply of another type', wrong(booking, { decision: 'reply', reply: 'Booked' })],
    ['a confidence that is none', wrong(booking, { confidence: 'sure' })],
    ['four tasks at once', value(decides.runs(...new Array(4).fill(offsite)))],
  ),
  ...rows('decision', 'booked', 'step', { once: true })(...away),
  // What is meant can be read of these two (C448).
  ...rows('decision', 'booked')(listed),
  ...rows('decision', 'answered')(['words instead of a call', text('Booked, as you asked.')]),
  ...rows('decision', 'refused')(
    ['a kind of work that there is not', wrong(booking, { run: { ...offsite, type: 'rm' } })],
    ['a task without a goal', wrong(booking, { run: { ...offsite, input: '{}' } })],
    ['a task that is no JSON', wrong(booking, { run: { ...offsite, input: 'Book it' } })],
  ),
  ...rows('plan', 'noPlan')(
    ['a plan with an answer', wrong(plans('a'), { response: 'Done' })],
    ['a plan of another type', wrong(plans(), { plan: 'Find venues' })],
    ['a plan with a blank item', value(plans('a', ' '))],
    ['a plan with items of another type', wrong(plans(), { plan: [1, { a: 'Find venues' }] })],
  ),
  ...rows('thought', 'stuck')(
    ['no JSON', rawArguments('{"status":')],
    ['a tool that there is not', value(acts('x', 'rm'))],
    ['another function than the forced one', otherTool('replan', ends('Ha'))],
    ['continue without a step', wrong(acting, { current_step: '' })],
    ['continue without a tool', wrong(acting, { next_action: { tool: '', input: 'list' } })],
    ['continue without an input', wrong(acting, { next_action: { tool: 'todo', input: '' } })],
    ['an action of another type', wrong(acting, { next_action: 'todo list' })],
    ['continue with a question', wrong(acting, { question: 'Now?' })],
    ['continue with a response', wrong(acting, { response: 'Done' })],
    ['a question without words', value(asks(' '))],
    ['choices of another type', wrong(asks('Which?'), { choices: 'Lisbon or Porto' })],
    ['a question with an action', wrong(asks('Now?'), { next_action: acting.next_action })],
    ['a question with a response', wrong(asks('Now?'), { response: 'Done' })],
    ['done with an action', wrong(closes('x'), { next_action: acting.next_action })],
    ['done with a question', wrong(closes('x'), { question: 'Now?' })],
    ['a key that is half a character', rawArguments(`{"\\ud800\\u0000":${nested(200)}}`)],
  ),
  ...rows('replan', 'digested')(
    ['no JSON', rawArguments('sure!')],
    ['no plan', value(replans())],
    ['a blank item', value(replans('a', ' '))],
    ['an end without words', value(ends(' '))],
    ['words of another type', wrong(ends('Booked.'), { response: ['Booked.'] })],
  ),
  ...rows('plan_tool_call', 'gaveUp', 'batch')(
    ['a round without calls', round()],
    ['a round of twenty calls', round(...new Array(20).fill(step('todo', 'list')))],
    ['a tool that there is not', round(step('rm', 'x'))],
    ['a call without an input', round(step('todo', ''))],
    ['a question before other calls', round(step('ask_user', 'Now?'), step('todo', 'list'))],
  ),
  ...rows(
    'think',
    'gaveUp',
    'batch',
  )(
    [
      'no words for people',
      value({ internal_analysis: 'x', user_summary: ' ', task_completed: true }),
    ],
    ['an end of another type', value({ user_summary: 'Booked.', task_completed: 'yes' })],
  ),
  ...rows('act', 'unusable', 'free')(
    ['a tool that there is not', value({ text: null, calls: [{ tool: 'rm', input: 'x' }] })],
    [
      'seventeen calls at once',
      value({ text: null, calls: new Array(17).fill({ tool: 'todo', input: 'list' }) }),
    ],
    ['input that is no JSON', called(call('c1', 'todo', 'list'))],
    ['input nested without end', called(call('c1', 'todo', nested(40_000)))],
  ),
  ...rows('act', 'booked', 'free', { once: true })([
    'two calls with one id',
    called(call('c1', 'todo', '{"input":"list"}'), call('c1', 'todo', '{"input":"list"}')),
  ]),
]

/** The words, as an answer and as a report. */
export const badWords: readonly BadReply[] = [
  ...rows(
    'decision',
    'said',
  )(...badTexts.map(([kind, words]): Row => [kind, value(decides.reply(words))])),
  ...rows('replan', 'booked')(...badTexts.map(([kind, words]): Row => [kind, value(ends(words))])),
]

/** The replies alone, for random mixtures. */
export const broken: readonly Reply[] = [...away, ...noCompletion, ...noCall].map(
  ([, reply]) => reply,
)
