import { askCard } from '../contracts/calls.ts'
import type { ContractReplies } from '../contracts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Task } from '../domain/task.ts'
import {
  allowedAgain,
  away,
  heard,
  noFailures,
  refusalsMost,
  rejected,
  spentOn,
  unusable,
} from './bookkeeping.ts'
import { asked, interrupted, observed, resultsIn } from './calls.ts'
import type { FolderEvent, TaskContract, TaskEvent } from './strategy.ts'

/** Handlers of the replies to a strategy's contracts. */
export type Replies<T, C extends TaskContract> = {
  readonly [N in C]: (task: T, reply: ContractReplies[N]) => T
}

export const applyReply = <T, C extends TaskContract, N extends C>(
  replies: Replies<T, C>,
  task: T,
  { contract, reply }: { contract: N; reply: ContractReplies[N] },
): T => replies[contract](task, reply)

/** All that happens to a task but a reply of its model; a folder's events are a mission's alone. */
export type Happening = Exclude<TaskEvent, { kind: 'replied' } | FolderEvent>

/**
 * Applies an event in a loop of calls without a plan of its own. A strategy overrides the events
 * that it treats differently.
 */
export function usual<T extends Task>(task: T, event: Happening): T {
  switch (event.kind) {
    case 'refused': {
      const refused = rejected(task, event)
      return refused.failures.contract < refusalsMost ? refused : unusable(refused)
    }
    case 'unavailable':
      return away(spentOn(task, event), event)
    case 'observed':
      return withQuestion(observed(task, resultsIn(event)))
    case 'interrupted':
      return interrupted(task)
    case 'answered':
      return {
        ...heard(task, event.question, event),
        awaitingClarification: false,
        failures: noFailures,
      }
    case 'joined': {
      // What is said before the last word is spoken still counts (C50).
      const told = heard(task, null, event)
      return told.settled?.kind === 'finished' ? { ...told, settled: null } : told
    }
    case 'continued':
      return allowedAgain(task)
    default:
      return assertNever(event)
  }
}

/** C37: `ask_user` is a call like others, the last one; it is carried out at once. */
export function withQuestion<T extends Task>(task: T): T {
  const { intent } = task
  return intent?.tool === askCard.name ? asked({ ...task, intent }) : task
}
