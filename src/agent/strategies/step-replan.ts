import type { ContractReplies } from '../contracts.ts'
import { sameItem } from '../domain/same-item.ts'
import type { StepTask } from '../domain/task.ts'
import { choicesOf, ended, question, questionsMost, say } from './bookkeeping.ts'
import { alignPlan, planChange } from './plan.ts'

/** R15: the new list, its cursor and the flag change together. */
export function applyReplan(before: StepTask, reply: ContractReplies['replan']): StepTask {
  const task = say(before, reply.say)
  const looked: StepTask = {
    ...task,
    needsReplan: false,
    unplanned: 0,
    clarificationsPlanned: task.clarifications.length,
  }
  if (reply.status !== 'replanned')
    return { ...looked, settled: ended(reply.response, reply.status === 'given_up') }
  const { planItems: old, conclusions } =
    reply.reopen === 'items' ? withOpen(task, reply.plan) : task
  const { items, index } = alignPlan(old, reply.plan, conclusions)
  const because = task.clarifications.slice(task.clarificationsPlanned).at(-1) ?? null
  const change = planChange(task.planItems, items, because)
  // C197: what was changed before stays said until something changes again.
  const isNew =
    change !== null && (change.added.length + change.dropped.length > 0 || task.lastChange === null)
  const replanned: StepTask = {
    ...looked,
    planItems: items,
    currentPlanIndex: index,
    lastChange: isNew ? change : task.lastChange,
  }
  return reply.reopen === 'question' ? askedAgain(replanned) : replanned
}

/** C504: the items that a plan names are open, though they were done before. */
function withOpen({ planItems, conclusions }: StepTask, plan: readonly string[]) {
  const isNamed = (text: string) => plan.some((item) => sameItem(item, text))
  return {
    planItems: planItems.map((item) => (isNamed(item.text) ? { ...item, done: false } : item)),
    conclusions: conclusions.filter(({ item }) => !isNamed(item)),
  }
}

/** C504: the words that were taken for an answer were none: the question is put once more. */
function askedAgain(task: StepTask): StepTask {
  const last = task.clarifications.findLast(({ question }) => question !== null)
  if (last === undefined || last.question === null || task.questionsAsked >= questionsMost)
    return task
  const { question: text, choices = [] } = last
  return question(task, { text, choices: choicesOf(choices), reason: 'asked' })
}
