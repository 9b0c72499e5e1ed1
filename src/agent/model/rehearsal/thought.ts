import type { LoopInput } from '../../contracts/input.ts'
import type { ThoughtInput } from '../../contracts/step.ts'
import type { ContractReplies } from '../../contracts.ts'
import { type Call, callsOf, madeBefore, todoIdIn } from './act.ts'
import type { Step } from './draft.ts'
import { isAbout } from './hear.ts'
import type { Slot } from './request.ts'
import { type Task, understandLoop } from './task.ts'

type Thought = ContractReplies['thought']

/** The next move for the current item: ask what is open, make the next call, or close the item. */
export function think(input: ThoughtInput): Thought {
  const task = understandLoop(input)
  if (input.planItems.length === 0) return close(input, task.words.report.nothing)
  if (input.mustStop) return close(input, task.words.outcome.stuck)
  const step = task.stepOf(input.currentItem)
  if (step === null) return close(input, task.words.outcome.kept)
  const calls = callsOf(step, input.currentItem, task, input)
  const next = input.refusal === null ? calls.find((call) => madeBefore(call, input.observations) === null) : undefined
  const question = step.asks.find((slot) => mayAsk(slot, task, input))
  // Where a place is open, a first look comes before the question.
  if (question !== undefined && (next === undefined || step.work !== 'search' || question.kind !== 'place'))
    return ask(input, question, task)
  return next === undefined ? close(input, outcome(step, calls, task, input)) : act(input, next)
}

/** Once, of somebody who is there, and only what nobody has said (R11, F2). */
export function mayAsk(slot: Slot, task: Task, input: LoopInput): boolean {
  const at = task.slots.findIndex((one) => one.kind === slot.kind && one.clause === slot.clause)
  return (
    !input.unattended &&
    input.refusal === null &&
    !task.heard.values.has(at) &&
    !input.clarifications.some((said) => isAbout(said.question, slot, task)) &&
    !input.observations.some((one) => one.tool === 'ask_user')
  )
}

const nothing = { next_action: null, question: null, choices: null, response: null }

/** The item in the plan's own words: a thought neither skips nor reorders (R9). */
const at = (input: ThoughtInput): string => (input.currentItem.trim() === '' ? input.goal : input.currentItem)

const act = (input: ThoughtInput, call: Call): Thought => ({
  status: 'continue',
  current_step: at(input),
  ...nothing,
  next_action: call,
})

const close = (input: ThoughtInput, response: string): Thought => ({
  status: 'done',
  current_step: at(input),
  ...nothing,
  response,
})

function ask(input: ThoughtInput, slot: Slot, task: Task): Thought {
  const choices = task.words.choices(slot, task.days)
  const current = at(input).trim() === '' ? task.words.question(slot) : at(input)
  return {
    status: 'ask_user',
    current_step: current,
    ...nothing,
    question: task.words.question(slot),
    choices: choices.length === 0 ? null : choices,
  }
}

/** One half-sentence about what the step came to; it goes into the report. */
export function outcome(step: Step, calls: readonly Call[], task: Task, input: LoopInput): string {
  const { outcome } = task.words
  const made = calls.flatMap((call) => madeBefore(call, input.observations) ?? [])
  const worked = made.filter((one) => one.ok)
  const ids = worked.flatMap((one) => todoIdIn(one.result) ?? [])
  const offers = (tool: string) => input.tools.some((card) => card.name === tool)
  switch (step.work) {
    case 'search':
      if (worked.length > 0) return outcome.found
      return offers('internet_search') ? outcome.nothingFound : outcome.noSearch
    case 'order':
      if (!offers('todo')) return outcome.notOrdered
      return worked.length > 0 ? outcome.ordered(ids[0] ?? null) : outcome.orderFailed
    case 'note':
      if (!offers('todo')) return outcome.noTodos
      if (calls.length === 0) return outcome.nothingToNote
      return made.length === worked.length ? outcome.noted(ids) : outcome.notedSome(ids, made.length - worked.length)
    case 'command':
      if (!offers(step.clause.tool ?? 'todo')) return outcome.noTodos
      return worked.length > 0 ? outcome.shown : outcome.showFailed
    case 'day':
      return task.days[1] === undefined ? outcome.thought : outcome.day(task.days[1])
    case 'judge':
      return outcome.judged
    case 'text':
      return outcome.text
    case 'think':
      return outcome.thought
    case 'keep':
      return outcome.kept
  }
}
