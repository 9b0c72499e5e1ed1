import type { LoopInput, TaskInput } from '../../contracts/input.ts'
import type { ReplanInput, ThoughtInput } from '../../contracts/step.ts'
import type { ContractReplies } from '../../contracts.ts'
import { sameItem } from '../../domain/same-item.ts'
import { reportOf } from './report.ts'
import { type Step, type Task, understand, whyNot } from './task.ts'

/** Every item is one tool call. */
export function plan(input: TaskInput): ContractReplies['plan'] | null {
  const task = understand(input)
  const plan = task?.steps.map(({ text }) => text)
  return plan === undefined ? null : { status: 'planned', plan, calls: null, leads_to: null }
}

const nothing = {
  next_action: null,
  more_actions: null,
  question: null,
  choices: null,
  say: null,
  leads_to: null,
  response: null,
  parts: null,
}

/**
 * An item is closed only when its call has worked; of one that has not, people say what becomes of
 * it.
 */
export function think(input: ThoughtInput): ContractReplies['thought'] | null {
  const task = understand(input, input)
  const step = task?.steps.find(({ text }) => sameItem(text, input.currentItem))
  if (task === null) return null
  const isPlanned = ({ text }: Step) => input.planItems.some((item) => sameItem(item.text, text))
  // What people said changes the plan. A step that the replan leaves out asks for no other one.
  if (input.combined && !affordable(task, input).every(isPlanned))
    return { ...nothing, current_step: input.currentItem, status: 'continue', leads_to: 'replan' }
  if (step === undefined) return null
  const { toAsk, steps, language } = task
  const reply = { ...nothing, current_step: step.text }
  if (step.state === 'done')
    return { ...reply, status: 'done', response: step.result.split('\n', 1)[0] ?? null }
  if (step.state !== 'open' || input.mustStop) {
    const question = language.words.failed(step.text, whyNot(step))
    return { ...reply, status: 'ask_user', question, choices: [language.words.leaveOut] }
  }
  if (toAsk !== null && step !== steps[0])
    return { ...reply, status: 'ask_user', question: toAsk.text, choices: [...toAsk.choices] }
  return { ...reply, status: 'continue', next_action: { tool: step.tool, input: step.input } }
}

/** Keeps the steps that are done; the rest follows from what people have said so far. */
export function replan(input: ReplanInput): ContractReplies['replan'] | null {
  const task = understand(input, input)
  if (task === null) return null
  const open = affordable(task, input)
  const rest = { say: null, reopen: null, response: null }
  if (input.open != null) return { ...rest, status: 'replanned', plan: [] }
  if (open.length === 0)
    return { ...rest, status: 'done', plan: [], response: reportOf(task, input) }
  const done = input.planItems.filter((item) => item.done).map(({ text }) => text)
  return { ...rest, status: 'replanned', plan: [...done, ...open.map(({ text }) => text)] }
}

/** An item takes two thoughts, its call and a replan; a question takes a thought and a replan. */
const stepsOfItem = 4
const stepsOfQuestion = 2

/**
 * Remarks for which too few steps are left are only named in the report, so that nothing pauses
 * because of them.
 */
function affordable({ steps, toAsk }: Task, { maxSteps, stepCount }: LoopInput): Step[] {
  const open = steps.filter(({ state }) => state === 'open' || state === 'failed')
  const left = maxSteps - stepCount - 1 - (toAsk === null ? 0 : stepsOfQuestion)
  const places = Math.floor(left / stepsOfItem)
  return open.filter(({ isRemark }, at) => !isRemark || at < places)
}
