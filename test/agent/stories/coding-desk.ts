import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFolderDesk } from '../../../src/adapters/coding/desk.ts'
import { readTaskFile, type TaskFile } from '../../../src/adapters/coding/protocol.ts'
import { hasEnded } from '../../../src/agent/domain/run.ts'
import type { TestClew, TestOptions } from '../../support/agent.ts'

/** A folder that is shared with a coding agent, and the agent: it answers each task with a text that a test makes. */
export interface Agent {
  coding: NonNullable<TestOptions['coding']>
  /** Tasks in the order in which the agent took them, those that end a mission included. */
  taken: TaskFile[]
  /** Takes what waits; null: no report on it. */
  work(answer: (task: TaskFile, count: number) => string | null): void
  /** Writes into the place of a report. */
  report(id: string, text: string): void
  mission(runId: string): string
}

export async function codingAgent(times: { pollMs?: number; timeoutMs?: number } = {}): Promise<Agent> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-desk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const pending = join(folder, 'commands/pending')
  const taken: TaskFile[] = []
  const report = (id: string, text: string) =>
    writeFileSync(join(folder, 'reports/pending', `report-task-${id}.md`), text)
  return {
    coding: { desk: createFolderDesk(folder), pollMs: 5_000, timeoutMs: 600_000, ...times },
    taken,
    report,
    work(answer) {
      const names = existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith('.md')) : []
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

/** Time goes on, the agent works and people answer, until the newest run has ended. */
export async function live(
  clew: TestClew,
  agent: Agent,
  answer: (task: TaskFile, count: number) => string | null,
  says: (turn: number, status: string) => string | null = () => null,
): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    await clew.idle()
    const run = (await clew.runs()).at(-1)
    if (run === undefined) return
    if (hasEnded(run.status)) {
      // The agent is told after people are.
      if (agent.taken.length === 0 || agent.taken.some(({ command }) => command === 'end')) return
    }
    agent.work(answer)
    const words = hasEnded(run.status) ? null : says(turn, run.status)
    if (words !== null) await clew.say(words)
    else await clew.advance(6_000)
  }
  throw new Error(`the mission is still ${(await clew.run()).status}`)
}
