import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import type { Capped, HeldBack, Strategy, TaskContract, TaskEvent } from './strategy.ts'

/** A strategy whose calls can be held back until people approve them: the same for every way of working. */
export interface Guarded extends Omit<Strategy, 'apply' | 'narrate'> {
  apply(task: Task, event: TaskEvent | HeldBack | Capped): Task
  narrate(before: Task, event: TaskEvent | HeldBack | Capped, after: Task): TraceEvent[]
}

/**
 * Puts approvals around a strategy. A call that is held back stays the task's intent while its question is open; when it is
 * approved it is made, once (the grant names its step); when it is refused it has a result like any other call that failed.
 */
export function guarded<T extends Task, C extends TaskContract>(plain: Strategy<T, C>): Guarded {
  // The name that a task carries ties it to its strategy; see `strategyOf`.
  const strategy = plain as unknown as Strategy
  return {
    ...strategy,
    apply(task, event) {
      if (event.kind === 'held_back') return heldBack(task, event)
      if (event.kind === 'capped') return { ...task, settled: { kind: 'paused', reason: event.reason } }
      if (event.kind !== 'answered' || !waitsForApproval(task)) return strategy.apply(task, event)
      return event.choice === 0 ? granted(task) : refused(strategy, task, event)
    },
    narrate(before, event, after) {
      if (event.kind === 'held_back' || event.kind === 'capped') return []
      if (event.kind !== 'answered' || !waitsForApproval(before)) return strategy.narrate(before, event, after)
      const { tool, step } = before.intent
      const said: TraceEvent = { kind: 'approval', tool, step, granted: event.choice === 0 }
      return event.choice === 0 ? [said] : [said, ...strategy.narrate(before, refusal(event), after)]
    },
  }
}

/** Whether the task's next call, of this tool, needs a word from people first. */
export function mustBeApproved(task: Task, tool: { name: string; approval?: 'never' | 'always' | 'first' }): boolean {
  const { approval = 'never', name } = tool
  if (approval === 'never') return false
  const known = task.approval
  if (known !== undefined && task.intent !== null && known.granted === task.intent.step) return false
  return !(approval === 'first' && known?.tools.includes(name))
}

type Waiting = Task & { intent: NonNullable<Task['intent']> }

function waitsForApproval(task: Task): task is Waiting {
  return task.awaitingClarification && task.lastQuestion?.reason === 'approval' && task.intent !== null
}

const noApproval: NonNullable<Task['approval']> = { asked: 0, covers: 'call', granted: null, tools: [] }

function heldBack(task: Task, { covers }: HeldBack): Task {
  if (task.intent === null) return task
  const before = task.approval ?? noApproval
  return {
    ...task,
    awaitingClarification: true,
    lastQuestion: { text: null, choices: [], reason: 'approval' },
    approval: { ...before, asked: before.asked + 1, covers },
  }
}

function granted(task: Waiting): Task {
  const { step, tool } = task.intent
  const before = task.approval ?? noApproval
  const tools = before.covers === 'tool' ? [...before.tools, tool] : before.tools
  return { ...task, awaitingClarification: false, approval: { ...before, granted: step, tools } }
}

type Answered = Extract<TaskEvent, { kind: 'answered' }>

/** Words that are neither yes nor no are a no that says more: the task hears them like anything that people say (C50). */
function refused(strategy: Strategy, task: Waiting, event: Answered): Task {
  const told = strategy.apply({ ...task, awaitingClarification: false }, refusal(event))
  return event.choice === 1 ? told : strategy.apply(told, { kind: 'joined', text: event.text, author: event.author })
}

function refusal({ author, text, choice }: Answered): Extract<TaskEvent, { kind: 'observed' }> {
  const words = choice === 1 ? '' : ` They said instead: ${text}`
  return { kind: 'observed', ok: false, result: `refused by ${author.name}; it was not done.${words}`, ms: 0 }
}
