import { texts } from '../../locales/texts.ts'
import type { MissionStep } from '../domain/mission.ts'
import { normalised } from '../domain/same-item.ts'
import type { CodingTask } from '../domain/task.ts'
import { cut } from './bookkeeping.ts'
import { onward, ordered, over } from './coding-orders.ts'
import { marked, withSteps } from './coding-steps.ts'

const titleMost = 120

/**
 * The answer to an agent's question goes back to it; the one to "how should I go on" is a choice or
 * a new step (F32).
 */
export function applyAnswer(
  task: CodingTask,
  { text: answer, choice = -1 }: { text: string; choice?: number },
): CodingTask {
  const failed = task.steps.findLastIndex(({ state }) => state === 'failed')
  if (task.lastQuestion?.reason !== 'mission_stuck' || failed === -1)
    return ordered(task, 'continue', answer)
  const fresh: CodingTask = { ...task, failedInRow: 0, retries: 0 }
  const meant = choices[choice] ?? meaningOf(answer)
  if (meant === 'skip') return onward(marked(fresh, failed, 'skipped'))
  if (meant === 'stop') return over(fresh, false)
  const title = cut(answer.trim().split('\n', 1)[0] ?? '', titleMost)
  const replace = (step: MissionStep): MissionStep => ({
    ...step,
    title,
    description: answer,
    state: 'open',
  })
  const steps = fresh.steps.map((step, index) => (index === failed ? replace(step) : step))
  return onward(withSteps(fresh, steps))
}

/** Choices of Clew's own question, in the order of its buttons. */
const choices = ['skip', 'stop'] as const

/** The same in other words; null: it says what to do instead. */
function meaningOf(answer: string): (typeof choices)[number] | null {
  const said = normalised(answer)
  const spoken = [texts('en').coding.stuckWords, texts('zh').coding.stuckWords]
  return (
    choices.find((one) =>
      spoken.some((words) => words[one].some((word) => normalised(word) === said)),
    ) ?? null
  )
}
