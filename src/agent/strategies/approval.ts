import type { Task } from '../domain/task.ts'
import { waitingFor } from './bookkeeping.ts'
import { withoutReport } from './early-report.ts'
import type { GuardEvent, Strategy, TaskEvent } from './strategy.ts'

/** True if people must approve the task's next call, which is of this tool. */
export function mustBeApproved(
  task: Task,
  tool: { name: string; approval?: 'never' | 'always' | 'first' },
): boolean {
  const { approval = 'never', name } = tool
  if (approval === 'never') return false
  const known = task.approval
  if (known !== undefined && task.intent !== null && known.granted === task.intent.step)
    return false
  return !(approval === 'first' && known?.tools.includes(name))
}

type Waiting = Task & { intent: NonNullable<Task['intent']> }

export function waitsForApproval(task: Task): task is Waiting {
  return (
    task.awaitingClarification && task.lastQuestion?.reason === 'approval' && task.intent !== null
  )
}

export const noApproval: NonNullable<Task['approval']> = {
  asked: 0,
  covers: 'call',
  granted: null,
  tools: [],
}

/** The call stays the task's intent while its question is open. */
export function heldBack(
  task: Task,
  { covers, input }: Extract<GuardEvent, { kind: 'held_back' }>,
): Task {
  const { intent } = task
  if (intent === null) return task
  const before = task.approval ?? noApproval
  return {
    ...withoutReport(task),
    intent: { ...intent, input: input ?? intent.input },
    ...waitingFor('approval'),
    approval: { ...before, asked: before.asked + 1, covers },
  }
}

/**
 * It is made once: the grant names its step. What was changed before it was granted is checked as
 * any call is (C184).
 */
export function granted(task: Waiting, { author, edited }: Answered): Task {
  const { step, tool } = task.intent
  const before = task.approval ?? noApproval
  const tools = before.covers === 'tool' ? [...before.tools, tool] : before.tools
  const intent = edited === undefined ? task.intent : { ...task.intent, input: edited }
  const by = { ...before.by, [tool]: author.id }
  const approval = { ...before, granted: step, tools, by }
  return { ...task, intent, awaitingClarification: false, approval }
}

/** C771: the call was approved before, for good, by this person. */
export function approvedBefore(
  task: Task,
  { approval: { by }, input }: Extract<GuardEvent, { kind: 'stands' }>,
): Task {
  if (task.intent === null) return task
  const intent = { ...task.intent, input: input ?? task.intent.input }
  const { step, tool } = intent
  const before = task.approval ?? noApproval
  const approval = { ...before, granted: step, by: { ...before.by, [tool]: by.id } }
  return { ...task, intent, approval }
}

/** True if an answer approves the call: now, or from now on. */
export const grants = ({ choice = -1 }: Answered): boolean => choice === 0 || choice === 2

type Answered = Extract<TaskEvent, { kind: 'answered' }>

/**
 * Words that are neither yes nor no are a no that says more: the task hears them like anything that
 * people say (C50).
 */
export function refused(strategy: Strategy, task: Waiting, event: Answered): Task {
  const told = strategy.apply({ ...task, awaitingClarification: false }, refusal(event))
  return event.choice === 1
    ? told
    : strategy.apply(told, { kind: 'joined', text: event.text, author: event.author })
}

/** A refused call has a result like any other that failed. */
export function refusal({
  author,
  text,
  choice,
}: Answered): Extract<TaskEvent, { kind: 'observed' }> {
  const words = choice === 1 ? '' : ` They said instead: ${text}`
  return {
    kind: 'observed',
    ok: false,
    result: `refused by ${author.name}; it was not done.${words}`,
    ms: 0,
  }
}
