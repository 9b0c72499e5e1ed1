import { callsIn } from '../contracts/step.ts'
import type { ContractReplies } from '../contracts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Conclusion, PendingCall, StepTask } from '../domain/task.ts'
import {
  answeredBefore,
  choicesOf,
  cut,
  ended,
  noFailures,
  question,
  questionsMost,
  say,
} from './bookkeeping.ts'
import { callsOf, effectOf, skipped } from './calls.ts'
import { closed, workedOn } from './parts.ts'
import type { Observed } from './strategy.ts'

/** A question that is repeated this often is handed to the replan (F2). */
const repeatsMost = 2
/** Length of a step's name in a thought, in characters; it is no place to think aloud (R42). */
const stepNameMost = 200

/** F2: for the replan, which writes the report in the person's language. */
const enoughAsked =
  'Nothing more is asked about this. Go on with what is known; say sorry for the questions in the report, and that commands such as /todo and /help work at any time.'

type ThoughtReply = ContractReplies['thought']
type Calls = readonly { tool: string; input: string }[]

/**
 * C507: true if a reply may do the work of several: more than one call, the end of an item with the
 * first move of the next, the end of the task. False: the strict order, plan – thought – act –
 * observe – replan.
 */
export const isCombined = ({ limits }: StepTask): boolean => (limits.replanSkips ?? 0) > 0

export function applyThought(before: StepTask, reply: ThoughtReply): StepTask {
  const lastThought = { status: reply.status, currentStep: cut(reply.current_step, stepNameMost) }
  const planItems = reply.status === 'continue' ? withParts(before, reply) : before.planItems
  const thought = say(lookedAt({ ...before, planItems, lastThought }, reply), reply.say)
  switch (reply.status) {
    case 'continue':
      return { ...withCalls(thought, callsIn(reply), reply.leads_to), needsReplan: isNews(reply) }
    case 'ask_user':
      return applyQuestion(thought, reply)
    case 'done':
      return applyDone(thought, reply)
    default:
      return assertNever(reply.status)
  }
}

const isNews = ({ leads_to }: ThoughtReply) => leads_to === 'replan'

/** C508: the thought after an answer takes it in, unless it wants the plan to be looked at. */
const lookedAt = (task: StepTask, reply: ThoughtReply): StepTask =>
  isCombined(task) && !isNews(reply)
    ? { ...task, clarificationsPlanned: task.clarifications.length }
    : task

/** C509: decides calls that are made one after the other, without asking the model in between. */
export function withCalls(
  task: StepTask,
  calls: Calls,
  leadsTo: ThoughtReply['leads_to'],
): StepTask {
  const { iterations } = task.spent
  const isEnd = task.limits.callsEndItems === true && leadsTo === 'item_done'
  const pending = calls.map(
    (call, index): PendingCall => ({
      step: iterations + index,
      ...call,
      turn: calls.length > 1 ? iterations : undefined,
      ...effectOf(task, call),
      endsItem: (isEnd && index === calls.length - 1) || undefined,
    }),
  )
  const [intent = null, ...queue] = pending
  return { ...task, intent, queue }
}

/**
 * What follows from results: the next call, or the end of the item that they end if all of them
 * worked (C141). What a person says meanwhile comes before calls that are not made yet (C50).
 */
export function afterCalls(before: StepTask, task: StepTask, results: readonly Observed[]) {
  if (task.intent !== null)
    return task.needsReplan ? skipped(task, 'a person said something new') : task
  const last = callsOf(before)[results.length - 1]
  const isOf = (one: { turn?: number | undefined; ok: boolean }) => one.turn === last?.turn
  const made = last?.turn === undefined ? results : task.observations.filter(isOf)
  return last?.endsItem && made.every(({ ok }) => ok) ? concludeItem(task, null, true) : task
}

/** C127: updates the parts of the item by the thought. */
function withParts(
  { planItems, currentPlanIndex: at }: StepTask,
  { parts, current_step: step }: ThoughtReply,
) {
  const item = planItems[at]
  const next = item && workedOn(item, { parts: parts ?? [], step })
  return next === undefined || next === item ? planItems : planItems.with(at, next)
}

function applyDone(task: StepTask, reply: ThoughtReply): StepTask {
  const { response, leads_to } = reply
  const concluded = concludeItem(task, response, true, isNews(reply))
  if (leads_to === 'end' || leads_to === 'give_up')
    return { ...concluded, settled: ended(response, leads_to === 'give_up') }
  const calls = callsIn(reply)
  // The first move of the next item, made with the last one's results in view (C510).
  return calls.length === 0
    ? concluded
    : { ...withCalls(concluded, calls, null), needsReplan: false }
}

/**
 * F2: asks a question, unless people answered it already. Too many questions are left to the
 * replan.
 */
function applyQuestion(task: StepTask, reply: ThoughtReply): StepTask {
  const text = reply.question ?? ''
  // One that is put again below an answer to what people asked back (C503).
  const earlier = reply.say === null ? answeredBefore(task, text) : undefined
  if (earlier === undefined && task.questionsAsked < questionsMost)
    return question(task, {
      text: text.trim(),
      choices: choicesOf(reply.choices ?? []),
      reason: 'asked',
    })
  const repeated = task.failures.repeatedQuestion + 1
  const isEnough = earlier === undefined || repeated >= repeatsMost
  const why = earlier === undefined ? 'too many questions.' : `already answered: ${earlier.text}`
  const refused: StepTask = {
    ...task,
    failures: { ...task.failures, repeatedQuestion: repeated },
    observations: [
      ...task.observations,
      {
        step: task.spent.iterations,
        tool: 'ask_user',
        input: text,
        ok: false,
        result: isEnough ? `${why}\n${enoughAsked}` : why,
      },
    ],
  }
  return isEnough ? concludeItem(refused, null, false) : refused
}

/**
 * R13: closes the current item, moves the cursor on and leaves the rest to the replan. An item that
 * failed is not done: the replan may keep it, and what is left of it at the end is said.
 *
 * @param changes whether the model said that the plan has to change.
 */
export function concludeItem(
  task: StepTask,
  text: string | null,
  ok: boolean,
  changes = false,
): StepTask {
  const index = task.currentPlanIndex
  const item = task.planItems[index]
  const conclusion: Conclusion = {
    step: task.spent.iterations,
    item: item?.text ?? task.goal,
    text,
    ok,
  }
  return {
    ...task,
    planItems: item === undefined ? task.planItems : task.planItems.with(index, closed(item, ok)),
    currentPlanIndex: Math.min(index + 1, task.planItems.length),
    needsReplan: !ok || changes || hasChanged(task),
    unplanned: (task.unplanned ?? 0) + 1,
    failures: noFailures,
    conclusions: [...task.conclusions, conclusion],
  }
}

/**
 * C142: true if an item that ended well still needs a replan: it was the last one (R14), a person
 * wrote, or `replanSkips` were skipped.
 */
const hasChanged = (task: StepTask) =>
  (task.unplanned ?? 0) >= (task.limits.replanSkips ?? 0) ||
  task.planItems[task.currentPlanIndex + 1]?.done !== false ||
  task.clarifications.length > task.clarificationsPlanned
