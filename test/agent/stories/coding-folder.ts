import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createCodingFolder } from '../../../src/adapters/coding/folder-channel.ts'
import type { TaskFile } from '../../../src/adapters/coding/protocol.ts'
import { hasEnded } from '../../../src/agent/domain/run.ts'
import { type CodingAgent, createCodingAgent } from '../../fakes/coding-agent.ts'
import { decides } from '../../fakes/model.ts'
import type { TestClew, TestOptions } from '../../support/agent.ts'

type Agent = CodingAgent & { coding: NonNullable<TestOptions['coding']> }

/** A folder that is shared with a coding agent, and the agent. */
export async function codingAgent(
  times: { pollMs?: number; timeoutMs?: number } = {},
): Promise<Agent> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-coding-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const coding = { folder: createCodingFolder(folder), pollMs: 5_000, timeoutMs: 600_000, ...times }
  return { ...createCodingAgent(folder), coding }
}

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

/** Settings under which a Decision may begin a mission, and one that does. */
export const allowed = {
  loopEnabled: true,
  allowedTypes: ['agent_task', 'coding'],
  timeoutMs: 30_000,
}
export const decision = {
  ...decides.run('Mend add()'),
  run: {
    type: 'coding',
    title: 'Mend add()',
    conversation_id: null,
    input: JSON.stringify({ goal: 'Mend add()' }),
  },
}
/** A plan of these steps, as a model gives it. */
export const steps = (...titles: string[]) => ({
  steps: titles.map((title) => ({
    title,
    description: `${title}.`,
    constraints: 'Only src/.',
    expected: 'It works.',
  })),
})
/** What a model says of a step's report. */
export const judges = (decided: string, evidence = `${decided}, as it says`) => ({
  ...{
    decision: decided,
    evidence,
    instruction: decided === 'retry' ? 'Once more.' : null,
    project_context: null,
  },
})
