import { present } from '../domain/present.ts'
import { markedStep, shownPlan } from '../domain/progress.ts'
import { sameItem } from '../domain/same-item.ts'
import type { Task } from '../domain/task.ts'
import type { Store } from '../ports/store.ts'
import { asksHowFar } from '../said/how-far.ts'
import { answerWith, type Handler, needing, type TurnContext } from './context.ts'
import { joinable } from './join.ts'

/**
 * C505: answers “how far is this?” from the plan, without a model; the work and its question stay
 * as they are.
 */
export const howFarHandler = ({ runs }: Pick<Store, 'runs'>): Handler =>
  needing('start', async (turn) => {
    const run = joinable(turn)
    if (turn.entry.event.content.kind !== 'message' || turn.meant !== 'clew') return null
    if (run === null || !asksHowFar(turn.text) || isChoice(turn)) return null
    const task = (await runs.state(run.workspace, run.id))?.task ?? null
    return task === null || task.planItems.length === 0
      ? null
      : answerWith(turn, standing(turn, task))
  })

const isChoice = ({ text, state: { questions } }: TurnContext) =>
  questions[0]?.choices.some((choice) => sameItem(choice, text)) === true

function standing({ words: { core }, state: { questions } }: TurnContext, task: Task): string {
  const { items, index } = shownPlan(task)
  const current = items[index]
  const open = items.flatMap(({ text, done }, at) => (done || at === index ? [] : [text]))
  const [question] = questions
  return present([
    core.standing.steps(items.filter(({ done }) => done).length, items.length),
    current !== undefined && core.standing.current(current.text),
    open.length > 0 && core.remaining(open),
    question !== undefined && core.reminder(question.text),
  ]).join('\n')
}

/** The steps of a plan with their marks, for a model. */
export function markedSteps(task: Task | null): string[] {
  if (task === null) return []
  const { items, index } = shownPlan(task)
  return items.map((item, at) => markedStep(item, at, index))
}
