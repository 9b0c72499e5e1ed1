import type { LoopInput } from '../../contracts/input.ts'
import type { ReplanInput } from '../../contracts/step.ts'
import { type Call, callsOf, madeBefore } from './act.ts'
import type { Step } from './draft.ts'
import { report } from './report.ts'
import type { Slot } from './request.ts'
import { type Task, understandLoop } from './task.ts'
import { mayAsk, outcome } from './thought.ts'

/** What a task still holds, for ways of working that plan calls instead of items. */
export interface Work {
  task: Task
  /** Steps that a call belongs to or something is open in, in order. */
  steps: readonly Open[]
  /** What has to be asked first, if anything. */
  question: Slot | null
}

interface Open {
  step: Step
  calls: readonly Call[]
}

/** Calls that were never made and questions that were put are no observations of a tool. */
function madeOnly<T extends LoopInput>(input: T): T {
  const observations = input.observations.filter(
    (one) => !one.result.startsWith('skipped: ') && !(one.tool === 'ask_user' && one.ok),
  )
  return { ...input, observations }
}

export function workOf(given: LoopInput): Work {
  const input = { ...madeOnly(given), refusal: null }
  const task = understandLoop(input)
  const open = task.steps.map((step) => ({
    step,
    calls: callsOf(step, step.text, task, input).filter((call) => madeBefore(call, input.observations) === null),
  }))
  const question = task.steps.flatMap((step) => step.asks).find((slot) => mayAsk(slot, task, input)) ?? null
  return { task, steps: open.filter(({ calls }) => calls.length > 0), question }
}

/** The final report, as if every step had been an item of a plan. */
export function reportOf(given: LoopInput): string {
  const input = madeOnly(given)
  const task = understandLoop(input)
  const conclusions = task.steps.map((step, index) => ({
    step: index,
    item: step.text,
    text: outcome(step, callsOf(step, step.text, task, input), task, input),
    ok: true,
  }))
  const items = task.steps.map((step) => ({ text: step.text, done: true }))
  const whole: ReplanInput = { ...input, planItems: items, conclusions, newClarifications: [], remainingPlan: [] }
  return report(task, whole)
}

/** What the steps came to that have nothing left to do, one line each. */
export function doneLines(given: LoopInput): string[] {
  const input = madeOnly(given)
  const { task, steps } = workOf(given)
  return task.steps
    .filter((step) => !steps.some((open) => open.step === step))
    .map((step) => `- ${step.text}: ${outcome(step, callsOf(step, step.text, task, input), task, input)}`)
}

/** A question with its choices, in the grammar of `ask_user`. */
export function questionText(slot: Slot, task: Task): string {
  const choices = task.words.choices(slot, task.days).map((choice) => `- ${choice}`)
  return [task.words.question(slot), ...choices].join('\n')
}
