import type { MissionInput } from '../../contracts/mission.ts'
import type { ContractReplies } from '../../contracts.ts'
import { languageIn, oneLine } from './request.ts'

/** The request as one step, as it was put; what people said later is a step of its own. */
export function mission({
  goal,
  steps,
  clarifications,
  mayBeEmpty,
}: MissionInput): ContractReplies['mission'] {
  if (mayBeEmpty) return { steps: [] }
  const left = steps
    .filter(({ state }) => state === 'open')
    .map(({ title, description }) => ({ title, description }))
  const said = clarifications
    .map(({ text }) => text)
    .filter((text) => !steps.some((step) => step.description === text))
  const wanted =
    steps.length === 0
      ? [{ title: oneLine(goal, 80), description: goal }]
      : [...left, ...said.map((text) => ({ title: oneLine(text, 80), description: text }))]
  const list = wanted.length === 0 ? [{ title: oneLine(goal, 80), description: goal }] : wanted
  return { steps: list.map((step) => ({ ...step, constraints: '', expected: '' })) }
}

/** The agent is taken at its word. */
export function evaluate({ report }: MissionInput): ContractReplies['evaluate'] {
  const decision = report?.status === 'success' ? 'next' : 'retry'
  const evidence =
    report?.text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s*/, '') ?? ''
  return {
    decision,
    evidence: evidence === '' ? (report?.status ?? '-') : oneLine(evidence, 200),
    instruction: null,
    project_context: null,
  }
}

export function reportMission({
  goal,
  locale,
  conclusions,
  reached,
}: MissionInput): ContractReplies['mission_report'] {
  const { words } = languageIn(goal, locale)
  const lines = conclusions.map(
    ({ item, text, ok }) => `- ${ok ? '✔' : '✖'} ${item}${text === null ? '' : `: ${text}`}`,
  )
  const result = `${reached === false ? '✖' : '✔'} ${oneLine(goal, 200)}`
  return { report: [result, ...lines, '', `*${words.rehearsal}*`].join('\n') }
}
