import type { RoundInput } from '../../contracts/batch.ts'
import type { ContractReplies } from '../../contracts.ts'
import { reportOf } from './report.ts'
import { isOver, openSteps, questionText, understand } from './task.ts'

type PlannedStep = ContractReplies['plan_tool_call']['steps'][number]

/** The calls up to the question, or all that are left. */
export function planRound(input: RoundInput): ContractReplies['plan_tool_call'] | null {
  const task = understand(input, input)
  if (task === null) return null
  const { toAsk } = task
  const calls = openSteps(task).map(
    (step): PlannedStep => ({ tool: step.tool, arguments: step.input, purpose: step.text }),
  )
  const asks =
    toAsk === null ? [] : [{ tool: 'ask_user', arguments: questionText(toAsk), purpose: null }]
  const steps = [...calls.slice(0, input.callsPerRound.most - asks.length), ...asks]
  // A round has a call: when nothing is left to do, the list is looked at once more.
  const look = { tool: 'todo', arguments: 'list', purpose: null }
  return { steps: steps.length === 0 ? [look] : steps, reasoning: null, estimated_steps: null }
}

const nothing = {
  internal_analysis: null,
  given_up: null,
  say: null,
  next_steps_preview: null,
  next_round: null,
}

export function thinkRound(input: RoundInput): ContractReplies['think'] | null {
  const task = understand(input, input)
  if (task === null) return null
  if (input.open != null) return { ...nothing, user_summary: '-', say: '', task_completed: false }
  if (isOver(task))
    return {
      ...nothing,
      user_summary: reportOf(task, input),
      task_completed: true,
    }
  const done = task.steps.filter(({ state }) => state === 'done').map(({ text }) => `- ${text}`)
  const open = task.steps.filter(({ state }) => state === 'open').map(({ text }) => text)
  return {
    ...nothing,
    user_summary: done.length === 0 ? task.language.words.begun : done.join('\n'),
    task_completed: false,
    next_steps_preview: open.join('\n'),
  }
}

export function sumUp(input: RoundInput): ContractReplies['summary'] | null {
  const task = understand(input, input)
  return task && { content: reportOf(task, input) }
}
