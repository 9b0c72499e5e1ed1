import {
  choicesShown,
  type ServiceAnswer,
  type ServiceQuestion,
} from '../domain/service-question.ts'
import type { PendingCall, Task } from '../domain/task.ts'
import { waitingFor } from './bookkeeping.ts'
import { withoutReport } from './early-report.ts'
import type { Observed, TaskEvent } from './strategy.ts'

/** Questions of services in one task; a service that asks for ever gets no further answer. */
const serviceQuestionsMost = 20

type Waiting = Task & { service: NonNullable<Task['service']> }

export const waitsForService = (task: Task): task is Waiting =>
  task.awaitingClarification &&
  task.lastQuestion?.reason === 'service' &&
  task.service !== undefined

/** True if a service may put another question to the task's person. */
export const mayServiceAsk = ({ service }: Task): boolean =>
  (service?.asked ?? 0) < serviceQuestionsMost

/** The call stays the task's intent while the service's question is open (C850). */
export function serviceAsked(task: Task, question: ServiceQuestion): Task {
  return {
    ...withoutReport(task),
    ...waitingFor('service'),
    service: {
      asked: (task.service?.asked ?? 0) + 1,
      last: question,
      answers: task.service?.answers ?? [],
    },
  }
}

type Answered = Extract<TaskEvent, { kind: 'answered' }>

/** The answer is for the service; the call goes on with it, and the model does not read it. */
export function serviceAnswered(task: Waiting, { text, choice = -1, author }: Answered): Task {
  const { service, intent } = task
  const open = { ...task, awaitingClarification: false }
  if (intent === null) return open
  const { key } = service.last
  const count = choicesShown(service.last).length
  const answer: ServiceAnswer = {
    step: intent.effect ?? intent.step,
    key,
    kind: kindOf(choice, count),
    text,
    choice: choice < count ? choice : -1,
    author,
  }
  return { ...open, service: { ...service, answers: [...service.answers, answer] } }
}

/** Clew's own two ways out stand behind the service's choices: no, and not now. */
function kindOf(choice: number, count: number): ServiceAnswer['kind'] {
  if (choice === count) return 'declined'
  return choice === count + 1 ? 'dismissed' : 'answered'
}

/**
 * Answers that a call may use: its own, and those that the same call before it ended without
 * having used.
 */
export function answersFor(
  { service, observations }: Task,
  { step, tool, input }: PendingCall,
): readonly ServiceAnswer[] {
  const before = observations.findLast((one) => one.tool === tool && one.input === input)
  return (service?.answers ?? []).filter(
    (one) => one.step === step || (one.unused === true && one.step === before?.step),
  )
}

/** Marks the answers of a call that ended without them (C852). */
export function withUnused(before: Task, after: Task, { unused }: Observed): Task {
  const { intent } = before
  const { service } = after
  if (unused !== true || intent === null || service === undefined) return after
  const answers = service.answers.map((one) =>
    one.step === (intent.effect ?? intent.step) ? { ...one, unused: true } : one,
  )
  return { ...after, service: { ...service, answers } }
}
