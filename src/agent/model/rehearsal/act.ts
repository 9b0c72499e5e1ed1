import type { ActInput } from '../../contracts/act.ts'
import type { ContractReplies } from '../../contracts.ts'
import { present } from '../../domain/present.ts'
import { reportOf } from './report.ts'
import { isOver, openSteps, questionText, type Task, understand, whyNot } from './task.ts'

/**
 * Makes one call a turn. Declares steps with the first call or when they are new; marks them when
 * their call has worked.
 */
export function act(input: ActInput): ContractReplies['act'] | null {
  const task = understand(input, input)
  if (task === null) return null
  if (input.open != null) return { text: '', calls: [] }
  const marks = marksOf(task, input)
  const [step] = openSteps(task)
  if (isOver(task) || input.mustStop)
    return { text: [...marks, reportOf(task, input)].join('\n\n'), calls: [] }
  const call =
    step === undefined && task.toAsk !== null
      ? { tool: 'ask_user', input: questionText(task.toAsk) }
      : step
  return {
    text: marks.join('\n'),
    calls: call === undefined ? [] : [{ tool: call.tool, input: call.input }],
  }
}

/**
 * A tracked plan is closed in order, so a step is named as it was when it was declared, whatever an
 * answer made of it.
 */
function marksOf({ steps, language }: Task, { plan }: ActInput): string[] {
  const done = steps.filter(({ state }) => state === 'done').length
  const isDone = plan !== null && plan.current < done
  const failed = steps.find(({ state }) => state === 'failed')
  // The last word closes the last step; one that did not work must not be it.
  const fresh = present([
    ...steps.slice(plan?.steps.length ?? 0).map(({ text }) => text),
    failed !== undefined && language.words.notDone(failed.text, whyNot(failed)),
  ])
  return present([isDone && '[Done]', ...fresh.map((text) => `[Step] ${text}`)])
}
