import type { MissionStep } from '../domain/mission.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import type { CodingTask } from '../domain/task.ts'
import { onward } from './coding-orders.ts'
import { stepAt, withSteps } from './coding-steps.ts'
import { iterationAfter } from './plan.ts'
import type { PlanPoint, PlanRules } from './strategy.ts'

/**
 * The plan of a mission is its steps. One that was given up stands at the first open step, which
 * has not begun.
 */
export const codingPlan: PlanRules<CodingTask> = {
  edited,
  reached({ stage, steps, currentPlanIndex }, items) {
    const last =
      stage === 'close' ? steps.findLastIndex(({ state }) => state !== 'open') : currentPlanIndex
    return items.length - steps.length + last
  },
  firstIteration: iterationAfter,
  resumed,
}

function edited(task: CodingTask, begun: number, { steps }: PlanEdit): CodingTask {
  const ofPerson = (title: string): MissionStep => ({
    title,
    description: title,
    constraints: '',
    expected: '',
    state: 'open',
  })
  const left = task.steps.slice(begun)
  const wanted = steps.map((text) => left.find(({ title }) => title === text) ?? ofPerson(text))
  const changed = withSteps(task, [...task.steps.slice(0, begun), ...wanted])
  const goesOn = task.stage === 'close' && stepAt(changed) !== undefined
  return goesOn ? onward({ ...changed, reached: null }) : changed
}

/**
 * The coding agent knows nothing of the task that it had, so it is told all of it as something new.
 */
function resumed(task: CodingTask, { items, at }: PlanPoint): CodingTask {
  const from = at - (items.length - task.steps.length)
  const steps = task.steps.map((step, place) =>
    place < from ? step : { ...step, state: 'open' as const },
  )
  const anew = {
    sessionId: null,
    report: null,
    verdict: null,
    reached: null,
    reopened: false,
    order: null,
  }
  return onward(withSteps({ ...task, ...anew, retries: 0, failedInRow: 0 }, steps))
}
