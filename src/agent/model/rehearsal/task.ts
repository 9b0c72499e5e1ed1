import type { LoopInput, TaskInput } from '../../contracts/input.ts'
import type { Language, Question } from './language.ts'
import { type Call, noteCall, oneLine, readRequest } from './request.ts'

/** `left`: it did not work and people know. */
export interface Step extends Call {
  readonly state: 'open' | 'done' | 'failed' | 'left'
  /** Last result of the tool. */
  readonly result: string
  /** True if a person added it while the task worked. */
  readonly isRemark: boolean
}

/** A task worked out from every input by itself: nothing is remembered between calls. */
export interface Task {
  readonly language: Language
  readonly steps: readonly Step[]
  /** Question that the request leaves open, answered or not. */
  readonly question: Question | null
  readonly isAnswered: boolean
  /** The question has to be put before anything but the first step is done. */
  readonly toAsk: Question | null
}

type TaskSoFar = Pick<LoopInput, 'observations' | 'clarifications'>

const answerMost = 60
const whyMost = 200

/**
 * Null when the request is none of the scenarios, or no tool is offered that could do any of it.
 */
export function understand(
  input: TaskInput,
  said: TaskSoFar = { observations: [], clarifications: [] },
): Task | null {
  const request = readRequest(input.goal, input.locale)
  if (request === null) return null
  const { language, question } = request
  const answer = question === null ? undefined : answerOf(question, said)
  const about = answer === undefined ? '' : language.words.about(oneLine(answer, answerMost))
  const remarks = said.clarifications.filter((one) => one.question === null)
  const calls = [
    ...request.calls(about).map((call) => ({ ...call, isRemark: false })),
    ...remarks.map(({ text }) => ({ ...noteCall(language, text), isRemark: true })),
  ]
  const steps = calls
    .filter((call) => isOffered(call, input))
    .filter((call, at, all) => all.findIndex((one) => one.input === call.input) === at)
    .map((call): Step => ({ ...call, ...cameTo(call, said) }))
  if (steps.length === 0) return null
  const isAnswered = answer !== undefined
  return {
    language,
    steps,
    question,
    isAnswered,
    toAsk: isAnswered || input.unattended ? null : question,
  }
}

const answerOf = (asked: Question, { clarifications }: TaskSoFar): string | undefined =>
  clarifications.findLast(({ question }) => question?.includes(asked.text))?.text

/**
 * A tool's description holds its grammar, one action a line; work that nobody watches is offered
 * less of it (S4).
 */
const isOffered = (call: Call, { tools }: TaskInput): boolean =>
  tools.some(
    ({ name, description }) =>
      name === call.tool && description.split('\n').some((line) => begins(line, call)),
  )

const begins = (line: string, { input }: Call): boolean =>
  line.startsWith(`${input.split(' ', 1)[0]} `)

/** A call that was skipped was not made. */
function cameTo(
  call: Call,
  { observations, clarifications }: TaskSoFar,
): Pick<Step, 'state' | 'result'> {
  const made = observations.filter(({ tool, input }) => tool === call.tool && input === call.input)
  const last = made.findLast(({ ok, result }) => ok || !result.startsWith('skipped: '))
  const isKnown =
    clarifications.some(({ question }) => question?.includes(call.text)) ||
    observations.some(
      ({ tool, input, ok }) => tool === 'ask_user' && !ok && input.includes(call.text),
    )
  const result = last?.result.trim() ?? ''
  if (last?.ok) return { state: 'done', result }
  if (isKnown) return { state: 'left', result }
  return { state: last === undefined ? 'open' : 'failed', result }
}

/** The steps that are left, as far as the question lets them be done. */
export function openSteps({ steps, toAsk }: Task): Step[] {
  const open = steps.filter(({ state }) => state === 'open')
  return toAsk === null ? open : open.filter((step) => step === steps[0])
}

/** Nothing more happens by itself. */
export const isOver = (task: Task): boolean =>
  task.steps.some(({ state }) => state === 'failed') ||
  (task.toAsk === null && openSteps(task).length === 0)

/** Why a step did not work, as the tool put it. */
export const whyNot = ({ result }: Step): string => oneLine(result, whyMost)

/** A question in the grammar of `ask_user`. */
export const questionText = ({ text, choices }: Question): string =>
  [text, ...choices.map((choice) => `- ${choice}`)].join('\n')
