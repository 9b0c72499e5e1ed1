import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '@agentclientprotocol/sdk'
import type { Clock } from '../../../agent/ports/clock.ts'
import {
  type AgentProgram,
  chooseMode,
  endAgent,
  modesOf,
  newSession,
  opened,
  openFault,
  type SessionModes,
  spawnAgent,
  streamOf,
} from './connection.ts'

type Program = Omit<AgentProgram, 'cwd'> & {
  /** Mode that its session is set to; null: its own. */
  mode: string | null
}

/** Answer of an agent that can begin. */
export interface TriedAgent {
  /** Its own name and version, as far as it says them. */
  name: string
  /** True if it can take a session up again after a crash. */
  loads: boolean
  /** Mode in which its sessions begin, and all that it has; null: none. */
  modes: SessionModes | null
}

/**
 * Starts an agent in an empty folder, opens a session in it and ends it. No model is asked.
 *
 * @param ms time for it to answer.
 * @returns null if the signal aborts first.
 * @throws NoAgent if it cannot begin.
 */
export async function tryAgent(
  program: Program,
  how: { clock: Clock; signal: AbortSignal; ms: number },
): Promise<TriedAgent | null> {
  const cwd = await mkdtemp(join(tmpdir(), 'clew-agent-'))
  try {
    return await triedIn(program, cwd, how)
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

async function triedIn(
  program: Program,
  cwd: string,
  how: Parameters<typeof tryAgent>[1],
): Promise<TriedAgent | null> {
  const process = await spawnAgent({ ...program, cwd })
  try {
    return await client({ name: 'clew' }).connectWith(streamOf(process), (agent) =>
      opened(agent, how, async ({ agentInfo, agentCapabilities: can }) => {
        const session = await newSession(agent, cwd)
        if (program.mode !== null) await chooseMode(agent, session, program.mode)
        const name = `${agentInfo?.title ?? agentInfo?.name ?? ''} ${agentInfo?.version ?? ''}`
        const loads = can?.loadSession === true || can?.sessionCapabilities?.resume != null
        return { name: name.trim(), loads, modes: modesOf(session) }
      }),
    )
  } catch (error) {
    throw openFault(error, { ...program, ...process })
  } finally {
    await endAgent(process, how.clock)
  }
}
