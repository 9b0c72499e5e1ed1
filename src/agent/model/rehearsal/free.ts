import type { ActInput } from '../../contracts/act.ts'
import type { ContractReplies } from '../../contracts.ts'
import { questionText, reportOf, workOf } from './work.ts'

/** One call a turn; the plan is declared with the first, and a step is marked when its calls are made. */
export function act(input: ActInput): ContractReplies['act'] {
  const { task, steps, question } = workOf(input)
  const [open] = steps
  const looksFirst = open !== undefined && (question === null || open.step.work === 'search')
  const current = input.plan?.steps[input.plan.current]?.description
  const isDone = current !== undefined && !steps.some(({ step }) => step.text === current)
  const known = new Set(input.plan?.steps.map((step) => step.description))
  const declared = steps.filter(({ step }) => !known.has(step.text)).map(({ step }) => `[Step] ${step.text}`)
  const text = [...(isDone ? ['[Done]'] : []), ...declared].join('\n')
  if (!input.mustStop && looksFirst) {
    const { tool, input: line } = open.calls[0] ?? { tool: 'todo', input: 'list' }
    return { text, calls: [{ tool, input: line }] }
  }
  if (question !== null) return { text, calls: [{ tool: 'ask_user', input: questionText(question, task) }] }
  return { text: `${reportOf(input)}${isDone ? ' [Done]' : ''}`, calls: [] }
}
