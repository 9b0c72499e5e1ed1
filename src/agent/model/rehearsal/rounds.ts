import type { RoundInput } from '../../contracts/batch.ts'
import type { ContractReplies } from '../../contracts.ts'
import { doneLines, questionText, reportOf, type Work, workOf } from './work.ts'

type PlannedStep = ContractReplies['plan_tool_call']['steps'][number]

/** One round: a first look and the question, if something is open; else everything that is left. */
export function planRound(input: RoundInput): ContractReplies['plan_tool_call'] {
  const work = workOf(input)
  const { task, question } = work
  const asks: PlannedStep[] =
    question === null ? [] : [{ tool: 'ask_user', arguments: questionText(question, task), purpose: null }]
  const steps = [...callsOf(work).slice(0, input.callsPerRound.most - asks.length), ...asks]
  // A round has a call; a request that needs none is looked up in the to-dos.
  const look: PlannedStep = { tool: input.tools[0]?.name ?? 'todo', arguments: 'list', purpose: null }
  return { steps: steps.length === 0 ? [look] : steps, reasoning: null, estimated_steps: null }
}

function callsOf({ steps, question }: Work): PlannedStep[] {
  const now = question === null ? steps : steps.filter(({ step }) => step.work === 'search')
  return now.flatMap(({ step, calls }) =>
    calls.map(({ tool, input }) => ({ tool, arguments: input, purpose: step.text })),
  )
}

export function thinkRound(input: RoundInput): ContractReplies['think'] {
  const { steps, question } = workOf(input)
  if (steps.length === 0 && question === null)
    return { internal_analysis: null, user_summary: reportOf(input), task_completed: true, next_steps_preview: null }
  const done = doneLines(input)
  return {
    internal_analysis: null,
    user_summary: done.length === 0 ? input.goal.trim().split('\n', 1)[0] || '…' : done.join('\n'),
    task_completed: false,
    next_steps_preview: steps.map(({ step }) => step.text).join('\n'),
  }
}

export function sumUp(input: RoundInput): ContractReplies['summary'] {
  return { content: reportOf(input) }
}
