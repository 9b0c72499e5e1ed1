import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTaskFile, type TaskFile } from '../../src/adapters/coding/protocol.ts'

/** The other side of the shared folder: answers each task with a text that a test makes. */
export interface CodingAgent {
  /** Tasks in the order in which the agent took them, those that end a mission included. */
  readonly taken: readonly TaskFile[]
  /** Takes what waits; null: no report on it. */
  work(answer: (task: TaskFile, count: number) => string | null): void
  /** Writes into the place of a report. */
  report(id: string, text: string): void
  mission(runId: string): string
}

export function createCodingAgent(folder: string): CodingAgent {
  const pending = join(folder, 'commands/pending')
  const taken: TaskFile[] = []
  const report = (id: string, text: string) =>
    writeFileSync(join(folder, 'reports/pending', `report-task-${id}.md`), text)
  return {
    taken,
    report,
    work(answer) {
      const names = existsSync(pending)
        ? readdirSync(pending).filter((name) => name.endsWith('.md'))
        : []
      for (const name of names) {
        const task = readTaskFile(readFileSync(join(pending, name), 'utf8'))
        if (task === null) throw new Error(`${name} is no task file`)
        // Like the runner: a task that was put away is not begun again. In one process a dead life's write can come late.
        if (existsSync(join(folder, 'commands/processed', name))) {
          rmSync(join(pending, name))
          continue
        }
        taken.push(task)
        const text = task.command === 'end' ? null : answer(task, taken.length)
        if (text !== null) report(task.id, text)
        renameSync(join(pending, name), join(folder, 'commands/processed', name))
      }
    },
    mission: (runId) => readFileSync(join(folder, 'missions', runId, 'MISSION.md'), 'utf8'),
  }
}

export const reportText = (status: string, text: string, more = '') =>
  `---\nsession_id: s1\nstatus: ${status}\n${more}---\n\n${text}\n`

/** Mends at the second attempt, and has to ask for a name. */
export function mendsAndNames(task: { text: string }): string {
  if (task.text.includes('Mend it'))
    return reportText(task.text.includes('Once more.') ? 'SUCCESS' : 'FAILED', 'Mended?')
  return task.text.includes('adder')
    ? reportText('SUCCESS', 'adder')
    : reportText('waiting_input', 'Hm.', 'question: Which name?\n')
}
