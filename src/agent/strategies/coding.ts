import type { ContractReplies } from '../contracts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Limits } from '../domain/budget.ts'
import type { MissionStep, Report } from '../domain/mission.ts'
import { present } from '../domain/present.ts'
import type { CodingTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import {
  accepted,
  beginning,
  cut,
  halted,
  heard,
  loopView,
  noFailures,
  ownQuestion,
  question,
  questionsMost,
  refusalsMost,
  rejected,
  spentOn,
  unusable,
} from './bookkeeping.ts'
import { agentAsks, agentAt, answerAgent } from './coding-agent.ts'
import { applyAnswer } from './coding-answers.ts'
import { noted, onward, ordered, orderSent, over, partMost, shortened } from './coding-orders.ts'
import { codingPlan } from './coding-plan.ts'
import { concluded, isReached, marked, stepAt, withSteps } from './coding-steps.ts'
import { itemsOf, replannedOf } from './narration.ts'
import { planChange } from './plan.ts'
import type { Action, CodingContract, Replied, Strategy, TaskEvent } from './strategy.ts'
import { applyReply, type Replies, usual } from './usual-events.ts'

/** R131, R134: values where the settings say nothing. */
const retriesDefault = 3
const failedStepsDefault = 3
const contextMost = 4_000
const pitfallsKept = 20

/** R135: result of an attempt without a report, for the agent's next one. */
const overdue = 'No report came in time. Look at what is done already, finish the rest, and report.'

type Event = TaskEvent<CodingContract>

/**
 * A goal as steps for a coding agent, one at a time: hand the task over, wait for its report, judge
 * it, go on (R125). The agent is on the other side of a shared folder; all that is known of it is
 * what its reports say (C41).
 */
export const coding: Strategy<CodingTask, CodingContract> = {
  start,
  next,
  apply,
  view,
  narrate,
  plan: codingPlan,
}

function start(goal: string, limits: Limits, unattended: boolean): CodingTask {
  return {
    ...beginning(goal, limits, unattended),
    strategy: 'coding',
    steps: [],
    stage: 'plan',
    order: null,
    orders: 0,
    retries: 0,
    failedInRow: 0,
    sessionId: null,
    report: null,
    context: '',
    pitfalls: [],
    verdict: null,
    reached: null,
    reopened: false,
  }
}

const maxRetries = (task: CodingTask) => task.limits.maxRetries ?? retriesDefault
const maxFailedSteps = (task: CodingTask) => task.limits.maxFailedSteps ?? failedStepsDefault

/** Waits for an order that was sent, even if a ceiling is reached meanwhile. */
function next(task: CodingTask): Action<CodingContract> {
  const isWaiting = task.settled === null && !task.awaitingClarification
  if (isWaiting && task.order !== null && task.order.sentAt !== null)
    return { kind: 'await_report' }
  const halt = halted(task)
  if (halt !== null) return halt
  if (task.stage === 'work') return { kind: 'hand_over' }
  return { kind: 'call_model', contract: contractOf[task.stage] }
}

const contractOf = {
  plan: 'mission',
  replan: 'mission',
  evaluate: 'evaluate',
  close: 'mission_report',
} as const

function apply(task: CodingTask, event: Event): CodingTask {
  switch (event.kind) {
    case 'replied':
      return applyReply(replies, accepted(task, event), event)
    case 'refused':
      return applyRefusal(rejected(task, event), event.problem)
    case 'unavailable':
      // The summary is tried once; without it there still is a digest (R138, R62).
      return task.stage === 'close' ? closed(spentOn(task, event), '') : usual(task, event)
    case 'order_sent':
      return orderSent(task, event.at)
    case 'report_seen': {
      const { order } = task
      return order === null
        ? task
        : { ...task, order: { ...order, seen: { size: event.size, at: event.at } } }
    }
    case 'reported':
      return applyReport(task, event.report, event.ms)
    case 'agent_at':
      return agentAt(task, event.progress, event.at)
    case 'agent_asks':
      return agentAsks(agentAt(task, event.progress, event.at), event.request)
    case 'overdue':
      return tryAgain(noted(task, { ok: false, text: overdue, ms: event.ms }), overdue, overdue)
    case 'no_folder':
      return { ...task, settled: { kind: 'paused', reason: 'no_desk' } }
    case 'answered':
      if (task.order?.asks?.kind === 'question')
        return answerAgent(task, { allow: true, text: event.text })
      return applyAnswer(
        { ...heard(task, event.question, event), awaitingClarification: false },
        event,
      )
    case 'joined': {
      // What is said before the last word is spoken still counts: the steps are looked at once more
      // (C50).
      const told = usual(task, event)
      if (task.stage !== 'close') return told
      return { ...told, stage: 'replan', reopened: true, reached: null, retries: 0, failedInRow: 0 }
    }
    case 'continued': {
      const again = usual(task, event)
      return again.stage === 'work' && again.order === null
        ? ordered(again, 'continue', null)
        : again
    }
    case 'observed':
      // A mission calls no tools: this refuses what its agent asked for.
      return answerAgent(task, { allow: false, text: event.result })
    case 'interrupted':
      return task
    default:
      return assertNever(event)
  }
}

const replies: Replies<CodingTask, CodingContract> = {
  mission: (task, { steps }) => applySteps(task, steps),
  evaluate: applyVerdict,
  mission_report: (task, { report }) => closed(task, report),
}

/** R124, R132: only what is not done is planned again. */
function applySteps(task: CodingTask, steps: ContractReplies['mission']['steps']): CodingTask {
  if (steps.length === 0) return over({ ...task, reopened: false }, isReached(task))
  const kept = task.steps.filter(({ state }) => state === 'done' || state === 'skipped')
  const fresh = steps.map(
    (step): MissionStep => ({ ...step, title: step.title.trim(), state: 'open' }),
  )
  const planned = withSteps({ ...task, retries: 0, reopened: false }, [...kept, ...fresh])
  if (task.stage === 'plan') return onward(planned)
  return onward({
    ...planned,
    lastChange: planChange(task.planItems, planned.planItems, null) ?? task.lastChange,
  })
}

/** C28: an agent that has to know something first is not judged; people are asked. */
function applyReport(task: CodingTask, given: Report, ms: number): CodingTask {
  const report = shortened(given)
  const ok = report.status === 'success' || report.status === 'waiting_input'
  const told: CodingTask = {
    ...noted(task, { ok, text: `status: ${report.status}\n\n${report.text}`, ms }),
    report,
    sessionId: report.sessionId ?? task.sessionId,
    pitfalls: present([...task.pitfalls, report.pitfalls]).slice(-pitfallsKept),
    stage: 'evaluate',
  }
  const asked = (report.question ?? report.text).trim()
  if (
    report.status !== 'waiting_input' ||
    asked === '' ||
    task.unattended ||
    task.questionsAsked >= questionsMost
  )
    return told
  return question(
    { ...told, stage: 'work' },
    { text: cut(asked, partMost), choices: [], reason: 'asked' },
  )
}

function applyVerdict(task: CodingTask, reply: ContractReplies['evaluate']): CodingTask {
  const { decision, evidence } = reply
  const context = reply.project_context?.trim() ?? ''
  const index = task.currentPlanIndex
  const judged: CodingTask = {
    ...task,
    context: context === '' ? task.context : cut(context, contextMost),
    verdict: {
      decision,
      evidence: cut(evidence.trim(), partMost),
      index,
      step: task.spent.iterations,
    },
  }
  switch (decision) {
    case 'next':
      return onward({
        ...marked(concluded(judged, evidence, true), index, 'done'),
        retries: 0,
        failedInRow: 0,
      })
    case 'retry':
      return tryAgain(judged, evidence, reply.instruction?.trim() || evidence)
    case 'replan':
      return replanned(judged)
    case 'abort':
      return over(marked(concluded(judged, evidence, false), index, 'failed'), false)
    default:
      return assertNever(decision)
  }
}

/**
 * Another list after a failure is one more failure in a row, so that nothing fails for ever in new
 * words.
 */
function replanned(task: CodingTask): CodingTask {
  if (task.report?.status !== 'failed') return { ...task, stage: 'replan' }
  const failedInRow = task.failedInRow + 1
  return failedInRow < maxFailedSteps(task)
    ? { ...task, stage: 'replan', failedInRow }
    : stuck({
        ...marked(
          concluded(task, task.verdict?.evidence ?? null, false),
          task.currentPlanIndex,
          'failed',
        ),
        failedInRow,
      })
}

/** R131: once more in the same session; then the step is given up. */
function tryAgain(task: CodingTask, why: string, instruction: string): CodingTask {
  return task.retries < maxRetries(task)
    ? ordered({ ...task, retries: task.retries + 1 }, 'continue', instruction)
    : givenUp(task, why)
}

/**
 * F32, R134: a step that failed is left out; after some in a row, or when no step is left, people
 * decide.
 */
function givenUp(task: CodingTask, why: string): CodingTask {
  const failed = marked(concluded(task, why, false), task.currentPlanIndex, 'failed')
  const counted: CodingTask = { ...failed, retries: 0, failedInRow: task.failedInRow + 1 }
  const isStuck = counted.failedInRow >= maxFailedSteps(task) || stepAt(counted) === undefined
  return isStuck ? stuck(counted) : onward(counted)
}

function stuck(task: CodingTask): CodingTask {
  if (task.unattended || task.questionsAsked >= questionsMost) return over(task, false)
  return ownQuestion({ ...task, stage: 'work' }, 'mission_stuck')
}

function applyRefusal(task: CodingTask, problem: string): CodingTask {
  if (task.stage === 'close') return closed(task, '')
  if (task.stage === 'replan') return applyRefusedPlan(task, problem)
  if (task.failures.contract < refusalsMost) return task
  return task.stage === 'plan'
    ? { ...task, settled: { kind: 'gave_up', reason: 'no_plan' } }
    : unusable(task)
}

/**
 * C31: a list that cannot be used, an empty one above all, counts as a retry; it never goes round
 * for ever.
 */
function applyRefusedPlan(task: CodingTask, why: string): CodingTask {
  if (task.retries < maxRetries(task)) return { ...task, retries: task.retries + 1 }
  const settled = { ...task, refusal: null, failures: noFailures }
  return stepAt(settled) === undefined ? onward(settled) : givenUp(settled, why)
}

/**
 * The one terminal text; without one of the model's, what came of each step and why (C39, R138).
 */
function closed(task: CodingTask, said: string): CodingTask {
  const lines = task.conclusions.map(
    ({ item, text, ok }) => `- ${ok ? '✔' : '✖'} ${item}${text === null ? '' : `: ${text}`}`,
  )
  const text = said.trim() === '' ? lines.join('\n') : said
  return { ...task, refusal: null, settled: { kind: 'finished', ok: task.reached ?? false, text } }
}

function view(task: CodingTask) {
  return {
    ...loopView(task),
    steps: task.steps,
    context: task.context,
    report: task.report,
    retries: task.retries,
    maxRetries: maxRetries(task),
    mayBeEmpty: task.reopened,
    reached: task.reached,
  }
}

/** The story of a reply: the steps, and what was made of the agent's reports. */
function narrate(
  before: CodingTask,
  event: Replied<CodingContract>,
  after: CodingTask,
): TraceEvent[] {
  switch (event.contract) {
    case 'mission':
      return before.stage === 'plan'
        ? [{ kind: 'planned', items: itemsOf(after) }]
        : [replannedOf(before, after)]
    case 'evaluate': {
      if (after.verdict === null) return []
      const { decision, index, step } = after.verdict
      return [{ kind: 'evaluated', decision, index, step }]
    }
    case 'mission_report':
      return [{ kind: 'task_done' }]
    default:
      return assertNever(event)
  }
}
