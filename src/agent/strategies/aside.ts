import type { Task } from '../domain/task.ts'
import { accepted, heard, rejected, say, spentOn } from './bookkeeping.ts'
import type { Action, AnyEvent, Strategy, TaskEvent } from './strategy.ts'

/*
 * C503: somebody speaks under an open question and does not answer it. The model may say something;
 * nothing else is done, and the question stays open.
 */

/** Attempts at such words, until the question alone stands there. */
const triesMost = 3

const isAside = (task: Task) => task.awaitingClarification && task.aside === true

/** The request for words beside the question; null: none is due. */
export function asideAction(task: Task, { speaks }: Strategy): Action | null {
  return isAside(task) && task.settled === null && speaks !== undefined
    ? { kind: 'call_model', contract: speaks.contract }
    : null
}

/** The task after an event, if it belongs to such words; null: the strategy applies it. */
export function applyAside(task: Task, event: AnyEvent, strategy: Strategy): Task | null {
  if (!task.awaitingClarification || strategy.speaks === undefined) return null
  if (event.kind === 'joined' && event.aside === true)
    return { ...heard(task, null, event), aside: true }
  if (!isAside(task)) return null
  const over: Task = { ...task, aside: false }
  if (event.kind === 'replied') return say(accepted(over, event), strategy.speaks.words(event))
  if (event.kind === 'refused') return tried(rejected(task, event), task)
  if (event.kind === 'unavailable') return tried(spentOn(task, event), task)
  return isNoModel(event) ? over : null
}

/** Nobody can be asked now, and the work need not pause for that. */
const isNoModel = ({ kind }: AnyEvent) =>
  kind === 'capped' || kind === 'away' || kind === 'not_configured'

/** Another attempt, as long as there are some; what failed is of no account for the work. */
function tried(task: Task, before: Task): Task {
  const { failures } = before
  const unavailable = failures.unavailable + 1
  return unavailable < triesMost
    ? { ...task, failures: { ...failures, unavailable } }
    : { ...task, failures: { ...failures, unavailable: 0 }, aside: false, refusal: null }
}

/** True if the event is a reply that was only about such words. */
export const isOfAside = (
  before: Task,
  event: AnyEvent,
): event is Extract<TaskEvent, { kind: 'replied' }> => event.kind === 'replied' && isAside(before)
