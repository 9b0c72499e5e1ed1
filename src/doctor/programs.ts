import { cited, type Finding, good } from '../adapters/channel-kit/findings.ts'
import { runTypes } from '../agent/drive/run-types.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { readConnectors } from '../compose/connectors.ts'
import type { Environment } from '../compose/team.ts'
import { openTeam, type TeamHealth } from '../compose/team.ts'
import { type Config, ConfigError } from '../config.ts'
import { silent } from '../log.ts'

interface Options {
  clock: Clock
  team?: TeamHealth | null
  typeErrors?: (home: string) => Promise<string[] | null>
}

/** The team's files and servers: as the running Clew knows them, or started as Clew would and ended again. */
export async function examineServers(config: Config, env: Environment, options: Options): Promise<Finding[]> {
  const { team = await tryTeam(config, env, options), typeErrors } = options
  if (team === null) return []
  const wrong = config.AGENT_HOME === undefined ? null : await typeErrors?.(config.AGENT_HOME)
  return [
    ...team.servers.map(({ name, ok, tools, detail }) =>
      ok
        ? good((words) => words.server(name, tools))
        : { ...cited(`MCP server ${name}: ${detail}.`, (words) => words.serverMend), manual: 'agent-home' },
    ),
    ...(wrong ?? []).map((line) => cited(line, (words) => words.typesMend)),
    ...team.problems.map((line) => ({ ...cited(line, (words) => words.homeMend), manual: 'agent-home' })),
  ]
}

async function tryTeam(config: Config, env: Environment, { clock }: Options): Promise<TeamHealth | null> {
  const team = await openTeam(config, { clock, log: silent, env, waitMs: 30_000 })
  const health = team?.health() ?? null
  await team?.stop()
  return health
}

/** Programs that may start work, from their file (S20). */
export function examineConnectors({ CONNECTORS_FILE: path }: Config, env: Environment): Finding[] {
  if (path === undefined) return []
  try {
    const names = readConnectors(path, runTypes, env).map(({ connector }) => connector.name)
    return [good((words) => words.connectors(names.join(', ')))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((line) => ({ ...cited(line, (words) => words.connectorsMend), manual: 'connectors' }))
  }
}
