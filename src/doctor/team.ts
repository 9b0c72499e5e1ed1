import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bad, cited, type Finding, good, note } from '../adapters/channel-kit/findings.ts'
import type { ServerHealth } from '../adapters/web/deps.ts'
import { present } from '../agent/domain/present.ts'
import { runTypes } from '../agent/drive/run-types.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { silent } from '../agent/ports/log.ts'
import { readConnectors } from '../compose/connectors.ts'
import { knownTo } from '../compose/known.ts'
import {
  type Acting,
  type Environment,
  openProfilesOf,
  openTeam,
  type TeamHealth,
} from '../compose/team.ts'
import { type Config, ConfigError } from '../config.ts'
import { examineAgent } from './coding.ts'

export interface TeamOptions {
  clock: Clock
  /**
   * How the team's servers and files are, where a running Clew knows. Else they are started and
   * ended again.
   */
  team?: TeamHealth | null
  /** What is wrong with the types of the tools in a folder; null where nothing can tell. */
  typeErrors?: (home: string) => Promise<string[] | null>
}

/**
 * What belongs to the team: its folders, its files and servers, and the programs that may start
 * work.
 */
export const examineTeam = async (
  config: Config,
  env: Environment,
  options: TeamOptions,
): Promise<Finding[]> => [
  ...(await examineFolders(config)),
  ...(await examineAgent(config, env, options)),
  ...(await examineServers(config, env, options)),
  ...examineConnectors(config, env),
]

/** Folders that Clew reads or shares with a coding agent. */
async function examineFolders({ INDEX_FOLDERS, CODING_FOLDER }: Config): Promise<Finding[]> {
  const indexed = INDEX_FOLDERS.map(async ({ name, path }) => {
    if (await isFolder(path, constants.R_OK)) return good((words) => words.folderRead(name))
    return bad((words) => [words.folderUnread(path), words.correct])
  })
  return await Promise.all(
    present([...indexed, CODING_FOLDER !== undefined && examineShared(CODING_FOLDER)]),
  )
}

async function examineShared(path: string): Promise<Finding> {
  const manual = 'coding/the-folder'
  if (await isFolder(path, constants.R_OK | constants.W_OK))
    return good((words) => words.codingWrites)
  if (!existsSync(path) && (await isFolder(dirname(path), constants.W_OK)))
    return note((words) => [words.codingFresh(path), words.codingFreshMend], { manual })
  return bad((words) => [words.codingLocked(path), words.codingLockedMend], { manual })
}

async function isFolder(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

/**
 * The team's files and servers: as the running Clew knows them, or started as Clew would and ended
 * again.
 */
async function examineServers(
  config: Config,
  env: Environment,
  options: TeamOptions,
): Promise<Finding[]> {
  const { team = await tryTeam(config, env, options), typeErrors } = options
  if (team === null) return []
  const wrong = config.AGENT_HOME === undefined ? null : await typeErrors?.(config.AGENT_HOME)
  return [
    ...team.servers.flatMap(examineServer),
    ...examineActing(team.acting),
    ...(wrong ?? []).map((line) => cited(line, (words) => words.typesMend)),
    ...team.problems.map((line) => ({
      ...cited(line, (words) => words.homeMend),
      manual: 'agent-home',
    })),
  ]
}

/** How a server is, and each entry of its list that could not be read (C365, C366). */
function examineServer({ name, ok, tools, detail, signIn, odd = [] }: ServerHealth): Finding[] {
  const manual = 'agent-home/tools-of-mcp-servers'
  if (signIn)
    return [bad((words) => [words.serverSignIn(name), words.serverSignInMend], { manual })]
  if (!ok)
    return [{ ...cited(`MCP server ${name}: ${detail}.`, (words) => words.serverMend), manual }]
  return [
    good((words) => words.server(name, tools)),
    ...odd.map((line) => note((words) => [words.serverOdd(name, line), words.serverOddMend])),
  ]
}

/** S56: how tools that take effect do it. */
function examineActing({ asking, unasked }: Acting): Finding[] {
  const asks = good((words) => words.toolsAsk(asking.join(', ')))
  const acts = note((words) => [words.toolsUnasked(unasked.join(', ')), words.toolsUnaskedMend], {
    manual: 'agent-home',
  })
  return present([asking.length > 0 && asks, unasked.length > 0 && acts])
}

async function tryTeam(
  config: Config,
  env: Environment,
  { clock }: TeamOptions,
): Promise<TeamHealth | null> {
  const profiles = await openProfilesOf(config, {
    clock,
    log: silent,
    known: () => knownTo(config, null, null),
  })
  const team = await openTeam(config, { clock, log: silent, env, profiles, waitMs: 30_000 })
  const health = team?.health() ?? null
  await team?.stop()
  profiles?.stop()
  return health
}

/** Programs that may start work, from their file (S20). */
function examineConnectors({ CONNECTORS_FILE: path }: Config, env: Environment): Finding[] {
  if (path === undefined) return []
  try {
    const { connectors, hooks } = readConnectors(path, runTypes, env)
    const names = [
      ...connectors.map(({ connector }) => connector.name),
      ...hooks.map(({ source }) => source.name),
    ]
    return [good((words) => words.connectors(names.join(', ')))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((line) => ({
      ...cited(line, (words) => words.connectorsMend),
      manual: 'connectors',
    }))
  }
}
