import { type TaskType, taskTypes } from '../domain/run.ts'
import { AgentTaskInput, CodingInput } from '../run-inputs.ts'
import { driveFollowUp } from './follow-up.ts'
import { auditHeadType, driveAuditHead } from './run-types/audit-head.ts'
import { fetchType } from './run-types/fetch.ts'
import { driveGather } from './run-types/gather.ts'
import { indexRepoType } from './run-types/index-repo.ts'
import { sleepType } from './run-types/sleep.ts'
import { summaryType } from './run-types/summarize.ts'
import type { DrivenType, Driver } from './session.ts'
import { driveTask } from './task-loop.ts'

/** Descriptions and inputs of the types of task; one loop works on all of them. */
const tasks: Readonly<Record<TaskType, Pick<DrivenType, 'description' | 'input'>>> = {
  agent_task: {
    description:
      'Work in several steps with tools, shown in the thread with a plan. Input: {"goal": string}, the whole request with all its details.',
    input: AgentTaskInput,
  },
  coding: {
    description:
      'Change code: a coding agent works on the team\'s repository in several steps, and every step is judged and shown in the thread. For building, mending, testing and restructuring software. Input: {"goal": string}, the whole request with all its details.',
    input: CodingInput,
  },
}

/** Clew's own kinds of work, in the order in which a Decision reads them. */
export const runTypes: readonly DrivenType[] = [
  ...taskTypes.map((type) => ({ type, ...tasks[type], drive: driveTask })),
  summaryType,
  fetchType,
  indexRepoType,
  sleepType,
]

/**
 * Begun by a chore (C719), by the end of a task alone (R121), or with the first run of a group
 * (C123); never by a Decision.
 */
const byItself: Readonly<Record<string, Driver>> = {
  follow_up: driveFollowUp,
  gather: driveGather,
  [auditHeadType]: driveAuditHead,
}

/**
 * Clew's own kinds of work and those from outside.
 *
 * @throws Error when two have one name: a mistake of the composition.
 */
export function createRunTypes(outside: readonly DrivenType[] = []): readonly DrivenType[] {
  const all = [...runTypes, ...outside]
  const names = [...Object.keys(byItself), ...all.map(({ type }) => type)]
  const twin = names.find((name, at) => names.indexOf(name) !== at)
  if (twin !== undefined) throw new Error(`there cannot be two run types "${twin}"`)
  return all
}

/** Returns the driver of a run type; null: nothing here works on it. */
export const driverOf = (type: string, all: readonly DrivenType[]): Driver | null =>
  byItself[type] ?? all.find((one) => one.type === type)?.drive ?? null
