import type { MissionInput } from '../contracts/mission.ts'
import { cut } from '../domain/cut.ts'
import { fence } from './fence.ts'

/** F33: length of a report, in characters. */
const reportMost = 3_000

/** The steps of a mission with their marks, and what is known of the project. */
export function missionStanding({ steps, currentPlanIndex, context }: MissionInput): string {
  if (steps.length === 0) return 'There are no steps yet.'
  const list = steps.map(({ title, state }, index) => {
    const mark = state === 'open' && index === currentPlanIndex ? 'current' : state
    return `${index + 1}. [${mark}] ${title}`
  })
  return `The steps:\n${fence('plan', { steps: list, project: context || null })}`
}

/** F33: the step, its report as far as it is read, and what comes after it. */
export function judgedReport({
  steps,
  currentPlanIndex,
  report,
  retries,
  maxRetries,
}: MissionInput): string {
  const step = steps[currentPlanIndex]
  const after = steps
    .slice(currentPlanIndex + 1)
    .flatMap(({ title, state }) => (state === 'open' ? [title] : []))
  const wanted = {
    step: step?.title ?? '',
    description: step?.description ?? '',
    constraints: step?.constraints ?? '',
    expected: step?.expected ?? '',
    'still to come': after.length === 0 ? '(nothing)' : after.join('; '),
  }
  const { status, text, deliverables, pitfalls, advice } = report ?? { text: '(none)' }
  const said = { status, report: cut(text, reportMost), deliverables, pitfalls, advice }
  return [
    `What was asked for:\n${fence('plan', wanted)}`,
    `What the coding agent reports:\n${fence('tool', said)}`,
    `Retries of this step that are used up: ${retries} of ${maxRetries}.`,
  ].join('\n\n')
}
