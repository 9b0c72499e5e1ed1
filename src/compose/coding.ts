import { join, resolve } from 'node:path'
import { readCommand } from '../adapters/coding/command-line.ts'
import type { CodingDeps } from '../agent/drive/session.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { CodingFolder } from '../agent/ports/coding-folder.ts'
import type { Log } from '../agent/ports/log.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Environment } from './team.ts'

export interface Coding {
  folder: CodingFolder
  stop(): Promise<void>
}

/**
 * Opens the way to a coding agent: files in a folder (R140), or an agent that Clew starts (C870);
 * null if none is set.
 *
 * @throws ConfigError if the repository cannot be used.
 */
export async function openCoding(
  config: Config,
  { clock, log, env }: { clock: Clock; log: Log; env: Environment },
): Promise<Coding | null> {
  const { CODING_FOLDER: folder, CODING_AGENT: agent, CODING_REPO: repo = '' } = config
  if (folder !== undefined) {
    const { createCodingFolder } = await import('../adapters/coding/folder-channel.ts')
    return { folder: createCodingFolder(folder), stop: async () => {} }
  }
  const command = wordsOf('CODING_AGENT', agent)
  if (command === null) return null
  const { openAcpDesk } = await import('../adapters/coding/acp/open.ts')
  const options = {
    command,
    mode: config.CODING_MODE ?? null,
    repo,
    tests: wordsOf('CODING_TESTS', config.CODING_TESTS),
    push: config.CODING_PUSH,
    folder: join(resolve(config.DATA_DIR), 'coding'),
    timeMs: config.CODING_TIMEOUT_SECONDS * 1000,
  }
  try {
    const desk = await openAcpDesk(options, passedTo(config, env), { clock, log })
    return { folder: desk, stop: () => desk.stop() }
  } catch (error) {
    throw new ConfigError([`CODING_REPO: ${error instanceof Error ? error.message : error}`])
  }
}

/** Variables that an agent may see beside the basic ones. */
export const passedTo = ({ CODING_VARIABLES: names }: Config, env: Environment): Environment =>
  Object.fromEntries(names.map((name) => [name, env[name]]))

/**
 * Command of a setting as words; null: not set.
 *
 * @throws ConfigError if it cannot be read.
 */
export function wordsOf(name: string, text: string | undefined): readonly string[] | null {
  try {
    return text === undefined ? null : readCommand(text)
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : error}`])
  }
}

/** Coding in the agent's own units. */
export const codingDeps = (
  config: Config,
  coding: Coding | null,
  wrap: (name: 'coding_folder', port: CodingFolder) => CodingFolder,
): CodingDeps | null =>
  coding && {
    folder: wrap('coding_folder', coding.folder),
    pollMs: config.CODING_POLL_MS,
    timeoutMs: config.CODING_TIMEOUT_SECONDS * 1000,
  }
