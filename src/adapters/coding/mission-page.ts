import { present } from '../../agent/domain/present.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import type { CodingTask } from '../../agent/domain/task.ts'

const marks = { open: '[ ]', done: '[x]', failed: '[!]', skipped: '[-]' } as const

/**
 * R137, F34: writes MISSION.md, an export of the mission for people and agents. Clew never reads it
 * back.
 */
export function missionPage(task: CodingTask, status: RunStatus): string {
  const { steps, currentPlanIndex, context, pitfalls, conclusions } = task
  const rows = steps.map(({ title, state }, index) => {
    const evidence = conclusions.findLast((one) => one.item === title)?.text ?? ''
    return `| ${index + 1} | ${cell(title)} | ${state} | ${cell(evidence)} |`
  })
  const open = steps.flatMap(({ title, state }, index) =>
    state === 'open' && index >= currentPlanIndex ? [title] : [],
  )
  const sections: [string, readonly string[]][] = [
    ['愿景与目标', present([task.goal, context !== '' && context])],
    ['Roadmap', steps.map(({ title, state }) => `- ${marks[state]} ${title}`)],
    [
      '进度',
      [`status: ${status}`, '', '| # | step | state | evidence |', '|---|---|---|---|', ...rows],
    ],
    ['避坑指南', pitfalls.map((one) => `- ${one}`)],
    ['下一步', open.slice(0, 1)],
    [
      '变更历史',
      conclusions.map(({ step, item, ok }) => `- ${step}: ${ok ? 'done' : 'failed'}: ${item}`),
    ],
  ]
  const body = sections.map(
    ([heading, lines]) => `## ${heading}\n\n${lines.length === 0 ? '-' : lines.join('\n')}\n`,
  )
  return `# MISSION\n\n${body.join('\n')}`
}

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()
