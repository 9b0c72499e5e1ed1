import { join } from 'node:path'
import type { Profiles, ProfilesDeps } from '../adapters/home/profiles.ts'
import type { ServersPath } from '../adapters/mcp/files.ts'
import type { SignIns } from '../adapters/mcp/sign-ins.ts'
import type { ServerHealth } from '../adapters/web/deps.ts'
import type { Prompts } from '../agent/commands/task-prompts.ts'
import type { TeamWords } from '../agent/contracts/input.ts'
import { inTime } from '../agent/deadline.ts'
import { present } from '../agent/domain/present.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { asks } from '../agent/tools/registry.ts'
import type { Config } from '../config.ts'

/** Words, skills and tools that the team gives its Clew. Its tools come and go while it runs. */
export interface Team {
  /** Words for a channel; left out: for none. */
  words(channel?: string): TeamWords
  tools(): readonly Tool[]
  /** Prompts of its servers (C927). */
  prompts: Prompts
  health(): TeamHealth
  /** Lines for the start. */
  lines(): string[]
  stop(): Promise<void>
}

export interface TeamHealth {
  servers: readonly ServerHealth[]
  /** Reasons why files cannot be used, one sentence each. */
  problems: readonly string[]
  acting: Acting
}

/** Names of tools with side effects, by whether they ask people before. */
export interface Acting {
  asking: readonly string[]
  unasked: readonly string[]
}

/** Sorts the tools of the team and of a program by whether they ask before side effects (S56). */
export function actingOf(
  tools: readonly Tool[],
  { AGENT_TOOL_APPROVAL: policies }: Config,
): Acting {
  const acting = tools.filter(({ effect }) => effect !== 'none')
  const isUnasked = (tool: Tool) =>
    (policies[tool.name] ?? asks(tool).approval ?? 'never') === 'never'
  const names = (some: readonly Tool[]) => some.map(({ name }) => name)
  return {
    asking: names(acting.filter((tool) => !isUnasked(tool))),
    unasked: names(acting.filter(isUnasked)),
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Longest wait for servers at the start, in ms. The tools of slower ones are added once they are
 * there.
 */
const startMs = 5_000

/**
 * Opens the team's files and servers; null if the settings name none. Without them the MCP client,
 * which takes 0.2 s, is not loaded.
 */
export async function openTeam(
  config: Config,
  {
    clock,
    log,
    env,
    profiles = null,
    signIns = null,
    waitMs = startMs,
  }: {
    clock: Clock
    log: Log
    env: Environment
    profiles?: Profiles | null
    signIns?: SignIns | null
    waitMs?: number
  },
): Promise<Team | null> {
  const { MCP_CONFIG, AGENT_HOME } = config
  if ((MCP_CONFIG ?? AGENT_HOME) === undefined || !config.ROLES.includes('worker')) return null
  const { openHome } = await import('../adapters/home/home.ts')
  const { createMcpServers } = await import('../adapters/mcp/servers.ts')
  const { watchServersFiles } = await import('../adapters/mcp/files.ts')
  const around = profiles === null ? {} : { profileIn: profiles.in }
  const home =
    AGENT_HOME === undefined ? null : await openHome(AGENT_HOME, { clock, log, ...around })
  const servers = createMcpServers({ ...around, clock, log, signIns, admins: config.ADMIN_USERS })
  const watched = await watchServersFiles(servers, { files: serversFiles(config), env, clock, log })
  await inTime(clock, waitMs, servers.tried())

  const problems = () => [
    ...(home?.problems() ?? []),
    ...watched.problems(),
    ...(profiles?.problems() ?? []),
  ]
  const tools = () => [...(home?.tools() ?? []), ...servers.tools()]
  return {
    words: (channel) => {
      const signIns = servers.health().flatMap(({ name, signIn }) => (signIn ? [name] : []))
      const words = home?.words(channel) ?? { instructions: null, skills: [] }
      return signIns.length === 0 ? words : { ...words, signIns }
    },
    tools,
    prompts: servers.prompts,
    health: () => ({
      servers: servers.health(),
      problems: problems(),
      acting: actingOf(tools(), config),
    }),
    lines: () =>
      present([
        home !== null &&
          `Team: ${AGENT_HOME}, ${counted(home.words())}, ${home.tools().length} tools.`,
        ...servers
          .health()
          .map(
            ({ name, ok, tools, detail }) =>
              `MCP: ${name}, ${ok ? `${tools} tools` : `away (${detail})`}.`,
          ),
        ...problems(),
      ]),
    async stop() {
      home?.stop()
      watched.stop()
      await servers.stop()
    },
  }
}

/** Files that name the team's servers. */
export const serversFiles = ({ MCP_CONFIG, AGENT_HOME }: Config): ServersPath[] =>
  present([
    MCP_CONFIG !== undefined && { path: MCP_CONFIG, required: true },
    AGENT_HOME !== undefined && { path: join(AGENT_HOME, 'mcp.json'), required: false },
  ])

const counted = ({ skills, templates = [] }: TeamWords) =>
  `${skills.length} skills, ${templates.length} plans`

/** Profiles of channels; null without a folder of the team. Every process needs them (C672). */
export async function openProfilesOf(
  { AGENT_HOME: home }: Config,
  parts: ProfilesDeps,
): Promise<Profiles | null> {
  if (home === undefined) return null
  const { openProfiles } = await import('../adapters/home/profiles.ts')
  return await openProfiles(home, parts)
}
